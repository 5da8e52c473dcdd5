package issues

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

// The issues that are looked at once #1 was closed: those that it blocks, its parent, and those that depend on it by their words.
func TestDependents(t *testing.T) {
	const blocking = "> GET repos/acme/widgets/issues/1/dependencies/blocking?page=1&per_page=100\n"
	const parent = "> GET repos/acme/widgets/issues/1/parent\n"
	const timeline = "> GET repos/acme/widgets/issues/1/timeline?page=1&per_page=100\n"
	find := func(s *Store) (any, error) {
		return s.Dependents(t.Context(), theIssue, func(label string) bool { return label == "waits" })
	}
	open := func(where string, number int, more string) string {
		return issueAt(where, number, `,"state":"open"`+more)
	}
	mention := func(issue string) string { return `{"event":"cross-referenced","source":{"issue":` + issue + `}}` }
	nothing := blocking + "< 404 {}\n" + parent + "< 404 {}\n"
	in := func(name string, number int) Ref {
		return Ref{Repository{Installation: 12, Owner: "acme", Name: name}, number}
	}
	here := func(number int) Ref { return Ref{widgets, number} }
	exchanges(t, map[string]exchange{
		"all ways": {
			blocking + "< 200 [" + open("Acme/Widgets", 3, "") + "," + open("acme/gears", 3, "") + "," + issueAt("acme/widgets", 4, `,"state":"closed"`) + "," + open("acme/widgets", 5, `,"pull_request":{}`) + `,{"number":6,"state":"open"}]` + "\n" +
				parent + "< 200 " + open("acme/widgets", 7, "") + "\n" + timeline + "< 200 next [" + mention(open("acme/widgets", 8, `,"body":"Depends on #1"`)) + "," + mention(open("acme/gears", 9, `,"body":"Depends on #1"`)) + "," +
				mention(open("acme/gears", 10, `,"body":"Depends on acme/widgets#1"`)) + "]\n" + strings.Replace(timeline, "page=1", "page=2", 1) + "< 200 [" + mention(open("acme/widgets", 11, `,"labels":[{"name":"waits"}]`)) + "," +
				mention(open("acme/widgets", 12, `,"labels":[{"name":"bug"}]`)) + "," + mention(open("acme/widgets", 3, `,"body":"Depends on #1"`)) + `,{"event":"labeled"},{"event":"cross-referenced"},{"event":"commented","source":{"issue":` + open("acme/widgets", 13, `,"body":"Depends on #1"`) + `}}]`,
			find,
			[]Ref{here(3), in("gears", 3), here(7), here(8), in("gears", 10), here(11)},
			"",
		},
		"deleted":             {nothing + timeline + "< 410 {}", find, []Ref(nil), ""},
		"timeline not now":    {nothing + timeline + "< 502", find, []Ref(nil), "read the timeline"},
		"parent not now":      {blocking + "< 410 {}\n" + parent + "< 502", find, []Ref(nil), "read the parent of acme/widgets#1"},
		"no such relations":   {blocking + "< 501 {}\n" + parent + "< 501 {}\n" + timeline + "< 200 []", find, []Ref(nil), ""},
		"no parent any more":  {blocking + "< 200 []\n" + parent + "< 410 {}\n" + timeline + "< 200 []", find, []Ref(nil), ""},
		"relations not now":   {blocking + "< 502", find, []Ref(nil), "list dependencies/blocking of acme/widgets#1"},
		"as many as are read": {blocking + "< 200 [" + strings.TrimSuffix(strings.Repeat(open("acme/widgets", 3, "")+",", 2), ",") + "]\n" + parent + "< 404 {}\n" + timeline + "< 200 []", find, []Ref{here(3)}, ""},
	})
	blockedBy := func(s *Store) (any, error) {
		return s.DependsOn(t.Context(), View{Ref: theIssue}, commands.Links{})
	}
	exchanges(t, map[string]exchange{
		"blocked":       {blockers + "< 200 next [" + open("acme/widgets", 3, "") + `,{"number":4}]` + "\n" + strings.Replace(blockers, "page=1", "page=2", 1) + "< 200 [" + open("acme/gears", 5, "") + "]", blockedBy, []commands.Reference{{Owner: "acme", Name: "widgets", Number: 3}, {Owner: "acme", Name: "gears", Number: 5}}, ""},
		"not shown":     {blockers + "< 403 {}", blockedBy, []commands.Reference{}, ""},
		"not now":       {blockers + "< 502", blockedBy, []commands.Reference{}, "list dependencies/blocked_by"},
		"none of those": {blockers + "< 404 {}", blockedBy, []commands.Reference{}, ""},
	})
}

const (
	gears    = "> GET repos/acme/gears\n"
	mayGears = "> GET repos/acme/gears/collaborators/ada/permission\n"
)

// Who can read another repository, and what a text says about it that counts.
func TestWhoCanReadAnotherRepository(t *testing.T) {
	readable := func(login string) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			return s.Readable(t.Context(), Repository{Owner: "acme", Name: "gears"}, login)
		}
	}
	opening := View{
		Ref: theIssue, NodeID: "I", Author: ada, Body: "Depends on #3, acme/gears#4 and acme/gears#5", Created: at("10:00:00"), Updated: at("10:00:00"), BlockedBy: new(0),
	}
	counted := func(v View) func(s *Store) (any, error) {
		return func(s *Store) (any, error) { return s.DependsOn(t.Context(), v, commands.Links{}) }
	}
	edited := opening
	edited.Updated = at("11:00:00")
	here := commands.Reference{Owner: "acme", Name: "widgets", Number: 3}
	there := func(number int) commands.Reference {
		return commands.Reference{Owner: "acme", Name: "gears", Number: number}
	}
	const private, public = `< 200 {"private":true}` + "\n", `< 200 {"private":false}` + "\n"
	exchanges(t, map[string]exchange{
		"public":             {gears + public, readable("ada"), true, ""},
		"private, to read":   {gears + private + mayGears + `< 200 {"permission":"read"}`, readable("ada"), true, ""},
		"private, of no one": {gears + private + mayGears + `< 200 {"permission":"none"}`, readable("ada"), false, ""},
		"private, not told":  {gears + private + mayGears + "< 403 {}", readable("ada"), false, ""},
		"private, not now":   {gears + private + mayGears + "< 502", readable("ada"), false, "read the permission of ada on acme/gears"},
		"private, a bot":     {gears + private, readable("dev[bot]"), false, ""},
		"private, unknown":   {gears + private, readable(""), false, ""},
		"hidden":             {gears + "< 403 {}", readable("ada"), false, ""},
		"missing":            {gears + "< 404 {}", readable("ada"), false, ""},
		"not now":            {gears + "< 502", readable("ada"), false, "read repository acme/gears"},

		"all counts":           {gears + public, counted(opening), []commands.Reference{here, there(4), there(5)}, ""},
		"what the writer sees": {gears + private + strings.Repeat(mayGears+`< 200 {"permission":"read"}`+"\n", 2), counted(opening), []commands.Reference{here, there(4), there(5)}, ""},
		"what nobody sees":     {gears + "< 404 {}", counted(opening), []commands.Reference{here}, ""},
		"edited by another": {
			gears + private + asksEdits(`"I"`) + `< 200 {"data":{"nodes":[{"lastEditedAt":"2026-03-02T11:00:00Z","editor":{"__typename":"User","login":"eve"}}]}}` + "\n" +
				strings.Repeat(strings.Replace(mayGears, "ada", "eve", 1)+`< 200 {"permission":"none"}`+"\n", 2), counted(edited), []commands.Reference{here}, "",
		},
		"edited by nobody knows whom": {gears + private + asksEdits(`"I"`) + "< 404", counted(edited), []commands.Reference{here}, ""},
		"edits not now":               {gears + private + asksEdits(`"I"`) + "< 502", counted(edited), []commands.Reference{}, "read who edited"},
		"repository not now":          {gears + "< 502", counted(opening), []commands.Reference{}, "read repository acme/gears"},
	})
}

// Who somebody is in a repository, and what it is called.
func TestAccountsAndRepositories(t *testing.T) {
	type found struct {
		Who lifecycle.Actor
		OK  bool
	}
	account := func(login string) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			who, ok, err := s.Account(t.Context(), widgets, login)
			return found{who, ok}, err
		}
	}
	repository := func(s *Store) (any, error) {
		return s.Repository(t.Context(), Repository{Installation: 12, Owner: "ACME", Name: "old"})
	}
	exchanges(t, map[string]exchange{
		"a person":  {"> GET users/ADA\n" + `< 200 {"login":"ada","type":"User"}`, account("ADA"), found{ada, true}, ""},
		"a bot":     {"> GET users/x[bot]\n" + `< 200 {"login":"x[bot]","type":"Bot"}`, account("x[bot]"), found{lifecycle.Actor{Login: "x[bot]", Kind: lifecycle.Executor}, true}, ""},
		"nobody":    {"> GET users/ada\n< 404 {}", account("ada"), found{}, ""},
		"silent":    {"> GET users/ada\n< 200", account("ada"), found{lifecycle.Actor{Kind: lifecycle.Operator}, true}, ""},
		"not now":   {"> GET users/ada\n< 502", account("ada"), found{}, "find the account ada"},
		"renamed":   {"> GET repos/ACME/old\n" + `< 200 {"id":7,"name":"widgets","owner":{"login":"acme"}}`, repository, Repository{Installation: 12, ID: 7, Owner: "acme", Name: "widgets"}, ""},
		"no longer": {"> GET repos/ACME/old\n< 404 {}", repository, Repository{Installation: 12, Owner: "ACME", Name: "old"}, "read repository ACME/old: the issue is gone"},
	})
}
