package commands_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Where a lifecycle has no force, or not to everywhere, the command says so to those who can do something else.
func TestForceThatALifecycleDoesNotAllow(t *testing.T) {
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	into, err := statemachine.Parse("colony.yml", []byte(strings.Replace(string(text), "force: maintain", "force: {by: maintain, into: [new, planning]}", 1)))
	if err != nil || len(into.Force.Into) != 2 {
		t.Fatal(err, into)
	}
	prp := lifecycleNamed(t, "prp")
	for name, c := range map[string]struct {
		life   *statemachine.Table
		at     string
		by     commands.Requester
		text   string
		answer commands.Answer
		moves  string
		says   string
	}{
		"off":                     {prp, "implementing", maintainer, "/colony:force planned because", commands.Refused, "", "has no `/colony:force`"},
		"off, said without words": {prp, "implementing", maintainer, "/colony:force", commands.Refused, "", "has no `/colony:force`"},
		"off, for those who move": {prp, "implementing", triager, "/colony:force planned because", commands.Refused, "", "`/colony:obsolete`"},
		"off, for a reader":       {prp, "implementing", reader, "/colony:force planned because", commands.NotPermitted, "", ""},
		"into one of them":        {into, "done", maintainer, "/colony:force planning because", commands.Accepted, "done>planning!", "Reason: because"},
		"into another":            {into, "done", maintainer, "/colony:force in-review because", commands.Refused, "", "lets `/colony:force` lead only to `new`, `planning`"},
		"into no label":           {into, "in-review", maintainer, "/colony:force unlabeled because", commands.Refused, "", "no label stores `unlabeled`, and `/colony:force` needs a state with a label."},
		"out of an end":           {into, "done", maintainer, "/colony:force unlabeled because", commands.Refused, "", "`/colony:force` needs a state with a label."},
		"into where it is":        {into, "done", maintainer, "/colony:force done because", commands.Accepted, "", ""},
		"not for those who move":  {into, "done", triager, "/colony:force planning because", commands.NotPermitted, "", ""},
	} {
		r := run(c.life, trail(c.at), c.by, c.text)
		said := strings.Join(r.Replies, "\n")
		if r.Answer != c.answer || path(r.Moves) != c.moves || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s: answer %d, moves %q, says\n%s", name, r.Answer, path(r.Moves), said)
		}
	}
	r := run(into, trail("done"), maintainer, "/colony:force planning because")
	if len(r.Recorded) != 1 || r.Recorded[0].From != "done" || r.Recorded[0].To != "planning" || !r.Legal {
		t.Errorf("recorded %+v, legal %v", r.Recorded, r.Legal)
	}
}

// Who forces a closed issue reads that no bot works on it there, unless that is an end.
func TestForceSaysThatTheIssueIsClosed(t *testing.T) {
	for to, says := range map[string]bool{"planning": true, "done": false} {
		for _, closed := range []bool{true, false} {
			at := trail("in-review")
			at.Closed = closed
			said := strings.Join(run(lifecycleNamed(t, "colony"), at, maintainer, "/colony:force "+to+" because").Replies, "\n")
			if strings.Contains(said, "But the issue is closed, so no bot works on it until someone reopens it.") != (closed && says) || !strings.Contains(said, "Reason: because") {
				t.Errorf("to %s, closed %v, it says\n%s", to, closed, said)
			}
		}
	}
}

// Help, why and refusals name who has the permission that the settings ask for, and the states that a forced move can lead to.
func TestWordsNameThePermissionThatCommandsTake(t *testing.T) {
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	into, err := statemachine.Parse("colony.yml", []byte(strings.Replace(string(text), "force: maintain", "force: {by: admin, into: [new, planning]}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	plain := colonyLifecycle(t)
	strict := plain.With(statemachine.Options{Access: statemachine.Access{ToMove: "write", ToForce: "admin"}})
	for name, c := range map[string]struct {
		life *statemachine.Table
		at   string
		by   commands.Requester
		text string
		says []string
	}{
		"help, as it is":           {plain, "done", reader, "/colony:help", []string{"| people who may edit labels |", "| maintainers of the repository |"}},
		"help":                     {strict, "done", reader, "/colony:help", []string{"| people with write access |", "| people with admin access |"}},
		"help, by the lifecycle":   {into, "done", reader, "/colony:help", []string{"| people who may edit labels |", "| people with admin access |"}},
		"status":                   {strict, "in-review", reader, "/colony:status", []string{"moves of people with write access"}},
		"why not for all":          {strict, "in-review", reader, "/colony:why changes-requested", []string{"but people with write access can."}},
		"why, by a way":            {strict, "in-review", triager, "/colony:why new", []string{"People with write access get there by"}},
		"why, only by force":       {strict, "done", triager, "/colony:why new", []string{"Someone with admin access can go around the table:"}},
		"why not":                  {strict, "in-review", reader, "/colony:why", []string{"People with write access can."}},
		"why, as it is":            {plain, "done", triager, "/colony:why new", []string{"A maintainer can go around the table:"}},
		"refused":                  {strict, "done", triager, "/colony:move new", []string{"someone with admin access can correct it with this comment:", "/colony:force <state> <reason>"}},
		"refused, into few states": {into, "done", triager, "/colony:move in-review", []string{"someone with admin access can correct it with this comment, to `new`, `planning`:", "/colony:force <state> <reason>"}},
		"forced elsewhere":         {into, "done", maintainer, "/colony:force in-review because", []string{"lead only to `new`, `planning`", "with this comment, to `new`, `planning`:"}},
		"one of two not permitted": {strict, "in-review", triager, "/colony:pause\n/colony:force new because", []string{"Ask someone with admin access to force it."}},
	} {
		said := strings.Join(run(c.life, trail(c.at), c.by, c.text).Replies, "\n")
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: does not say %q:\n%s", name, want, said)
			}
		}
	}
	one, err := statemachine.Parse("colony.yml", []byte(strings.Replace(string(text), "force: maintain", "force: {by: maintain, into: [planning, done]}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(run(one, trail("done"), triager, "/colony:move new").Replies, "\n"); !strings.Contains(said, "with this comment:\n\n```\n/colony:force planning <reason>\n") {
		t.Errorf("into one other state: %s", said)
	}
}

// What all commands of a comment ask for is the highest right of them; a word that is no command asks for none.
func TestNeeded(t *testing.T) {
	colony, prp := colonyLifecycle(t), lifecycleNamed(t, "prp")
	for text, want := range map[string]commands.Right{
		"": commands.MayRead, "/colony:status": commands.MayRead, "/colony:nonsense": commands.MayRead, "/colony:pause": commands.MayMove,
		"/colony:move new\n/colony:status": commands.MayMove, "/colony:status\n/colony:force new because\n/colony:move new": commands.MayForce,
	} {
		if got := commands.Needed(colony, commands.Parse(text)); got != want {
			t.Errorf("%q needs %s, want %s", text, got, want)
		}
	}
	if got := commands.Needed(prp, commands.Parse("/colony:force planned because")); got != commands.MayMove {
		t.Errorf("where force is off it needs %s", got)
	}
	names := map[string]bool{}
	for _, right := range []commands.Right{commands.MayRead, commands.MayMove, commands.MayForce} {
		names[right.String()] = true
	}
	if len(names) != 3 || names[""] {
		t.Errorf("the rights are called %v", names)
	}
}
