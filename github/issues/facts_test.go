package issues

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

var needsPulls = []lifecycle.Reading{lifecycle.ReadPullRequests}

// observations are facts, each with its time of the day if it has one, and what it is about.
func observations(found Found) (all []string) {
	for _, o := range found.Observed {
		fact := string(o.Fact)
		if !o.At.IsZero() {
			fact += o.At.Format(" 15:04:05")
		}
		all = append(all, strings.TrimSpace(fact+" "+o.About+" "+o.Link))
	}
	return all
}

// observing reads one fact of an issue.
func observing(t *testing.T, v View, need lifecycle.Reading, ask Ask) func(s *Store) (any, error) {
	t.Helper()
	v.Ref, ask.Needs = theIssue, []lifecycle.Reading{need}
	return func(s *Store) (any, error) {
		found, err := s.Facts(t.Context(), v, ask)
		if err == nil && found.Unread != nil {
			err = found.Unread
			says(t, []lifecycle.Reading{need}, found.Refused, nil, "")
		}
		if err == nil {
			says(t, []lifecycle.Reading{need}, found.Read, nil, "")
		}
		return observations(found), err
	}
}

// What became of pull requests, and when.
func TestFactsOfPullRequests(t *testing.T) {
	pull := func(number int, more string) string {
		return pullRead(number, fmt.Sprintf(`< 200 {"number":%d,%s}`, number, more))
	}
	closed := func(clock string) string { return `"state":"closed","closed_at":"2026-03-02T` + clock + `Z"` }
	merged := func(clock string) string { return closed(clock) + `,"merged_at":"2026-03-02T` + clock + `Z"` }
	see := observing(t, View{}, lifecycle.ReadPullRequests, Ask{})
	three := links(linked(4) + "," + linked(5) + "," + linked(6))
	exchanges(t, map[string]exchange{
		"none":                    {links(""), see, []string{"pull-request-missing"}, ""},
		"the last merge":          {three + pull(4, merged("09:00:00")) + pull(5, merged("10:00:00")) + pull(6, merged("09:30:00")), see, []string{"pull-request-merged 10:00:00 #5"}, ""},
		"the last end":            {three + pull(4, closed("09:00:00")) + pull(5, closed("10:00:00")) + pull(6, closed("09:30:00")), see, []string{"pull-request-missing", "pull-request-closed 10:00:00 #5"}, ""},
		"merged, then closed":     {three + pull(4, merged("09:00:00")) + pull(5, closed("10:00:00")) + pull(6, closed("08:00:00")), see, []string{"pull-request-merged 09:00:00 #4", "pull-request-missing", "pull-request-closed 10:00:00 #5"}, ""},
		"closed as it was merged": {links(linked(4)+","+linked(5)) + pull(4, merged("09:00:00")) + pull(5, closed("09:00:00")), see, []string{"pull-request-merged 09:00:00 #4"}, ""},
		"open conflicts": {three + pull(4, `"state":"open","mergeable":false`) + pull(5, `"state":"open","mergeable":true,"mergeable_state":"dirty"`) + pull(6, `"state":"open","mergeable":true,"draft":true`), see, []string{
			"pull-request-opened #4", "pull-request-ready #4", "pull-request-conflicting #4", "pull-request-opened #5", "pull-request-ready #5", "pull-request-conflicting #5", "pull-request-opened #6",
		}, ""},
		"links forbidden": {asksLinks + "< 403\n" + fmt.Sprintf(timelineOf, 1) + "< 200 []", see, []string(nil), "read the pull requests of acme/widgets#1: ask GraphQL: GitHub does not let"},
		"not now":         {asksLinks + "< 502", see, []string(nil), "read the pull requests of acme/widgets#1"},
	})
	exchanges(t, map[string]exchange{
		"no reading": {"", func(s *Store) (any, error) {
			found, err := s.Facts(t.Context(), View{}, Ask{})
			return observations(found), err
		}, []string(nil), ""},
		"unknown reading": {"", observing(t, View{}, "stars", Ask{}), []string(nil), `there is no reading "stars"`},
	})
}

const reviewsOf = "> GET repos/acme/widgets/pulls/4/reviews?page=1&per_page=100\n"

// Whose reviews count, and which of each.
func TestFactsOfReviews(t *testing.T) {
	review := func(id int, login, state, clock string) string {
		return fmt.Sprintf(`{"user":{"id":%d,"login":%q},"state":%q,"submitted_at":"2026-03-02T%sZ","html_url":"at/%s"}`, id, login, state, clock, clock)
	}
	is := links(linked(4)) + pullRead(4, "< 200 "+pullJSON(4, "x", "c", ""))
	level := func(login, permission string) string {
		return "> GET repos/acme/widgets/collaborators/" + login + "/permission\n" + `< 200 {"permission":"` + permission + `"}` + "\n"
	}
	see := observing(t, View{}, lifecycle.ReadReviews, Ask{})
	exchanges(t, map[string]exchange{
		"the latest counts": {
			is + reviewsOf + "< 200 next [" + review(5, "olga", "APPROVED", "09:00:00") + "," + review(6, "rita", "APPROVED", "09:10:00") + "]\n> GET repos/acme/widgets/pulls/4/reviews?page=2&per_page=100\n< 200 [" + review(5, "olga", "CHANGES_REQUESTED", "09:20:00") + "," +
				review(5, "olga", "COMMENTED", "09:30:00") + "]\n" + level("olga", "write") + level("rita", "write"), see, []string{"review-changes-requested 09:20:00 olga at/09:20:00"}, "",
		},
		"of those who can write": {
			is + reviewsOf + "< 200 [" + review(5, "olga", "APPROVED", "09:00:00") + "," + review(6, "rita", "APPROVED", "09:10:00") + "," + review(7, "dev[bot]", "APPROVED", "09:15:00") + "," + review(8, "colony[bot]", "APPROVED", "09:16:00") + "," +
				review(3, "tara", "APPROVED", "09:20:00") + "," + `{"user":null,"state":"APPROVED"}` + "," + review(9, "bob", "DISMISSED", "09:22:00") +
				`,{"user":{"id":10,"login":"mona"},"state":"APPROVED","author_association":"OWNER"},{"user":{"id":11},"state":"APPROVED"}]` + "\n" + level("olga", "maintain") + level("rita", "read"),
			see,
			[]string{"review-approved 09:00:00 olga at/09:00:00", "review-approved 09:15:00 dev[bot] at/09:15:00", "review-approved mona"},
			"",
		},
		"unreadable":       {is + reviewsOf + "< 502", see, []string(nil), "list the reviews of #4"},
		"unknown reviewer": {is + reviewsOf + "< 200 [" + review(5, "olga", "APPROVED", "09:00:00") + "]\n> GET repos/acme/widgets/collaborators/olga/permission\n< 502", see, []string(nil), "read the permission of olga"},
		"of two pull requests": { // who can write is asked once
			links(linked(4)+","+linked(5)) + pullRead(4, "< 200 "+pullJSON(4, "x", "c", "")) + pullRead(5, "< 200 "+pullJSON(5, "x", "c", "")) + reviewsOf + "< 200 [" + review(5, "olga", "APPROVED", "09:00:00") + "]\n" + level("olga", "write") +
				strings.Replace(reviewsOf, "4", "5", 1) + "< 200 [" + review(5, "olga", "APPROVED", "09:10:00") + "]", see, []string{"review-approved 09:00:00 olga at/09:00:00", "review-approved 09:10:00 olga at/09:10:00"}, "",
		},
	})
}

// How the checks of a commit went, and when the last of them ended.
func TestFactsOfChecks(t *testing.T) {
	is := links(linked(4)) + pullRead(4, "< 200 "+pullJSON(4, "x", "abc", ""))
	const runs = "> GET repos/acme/widgets/commits/abc/check-runs?filter=latest&per_page=100\n"
	const statuses = "> GET repos/acme/widgets/commits/abc/status?per_page=100\n"
	run := func(name, conclusion, clock string) string {
		return fmt.Sprintf(`{"id":1,"name":%q,"status":"completed","conclusion":%q,"completed_at":"2026-03-02T%sZ"}`, name, conclusion, clock)
	}
	state := func(name, state, clock string) string {
		return fmt.Sprintf(`{"context":%q,"state":%q,"updated_at":"2026-03-02T%sZ"}`, name, state, clock)
	}
	see := observing(t, View{}, lifecycle.ReadChecks, Ask{})
	read := func(runsJSON, statusJSON string) string {
		return is + runs + `< 200 {"check_runs":[` + runsJSON + "]}\n" + statuses + `< 200 {"statuses":[` + statusJSON + "]}"
	}
	exchanges(t, map[string]exchange{
		"passed last":    {read(run("a", "success", "09:00:00")+","+run("b", "neutral", "10:00:00"), state("c", "success", "09:30:00")), see, []string{"checks-passed 10:00:00 #4"}, ""},
		"a status last":  {read(run("a", "success", "09:00:00"), state("c", "success", "09:30:00")), see, []string{"checks-passed 09:30:00 #4"}, ""},
		"failed":         {read(run("b", "failure", "09:00:00")+","+run("a", "timed_out", "08:00:00"), state("c", "error", "09:30:00")), see, []string{"checks-failed 09:30:00 #4 (a, b, c)"}, ""},
		"pending status": {read(run("b", "failure", "09:00:00"), state("c", "pending", "09:30:00")), see, []string(nil), ""},
		"on further pages": {
			is + runs + `< 200 next {"check_runs":[` + run("a", "success", "09:00:00") + "]}\n" + strings.Replace(runs, "&per", "&page=2&per", 1) + `< 200 {"check_runs":[` + run("b", "failure", "09:00:00") + "]}\n" +
				statuses + `< 200 next {"statuses":[` + state("c", "success", "09:30:00") + "]}\n" + strings.Replace(statuses, "?per", "?page=2&per", 1) + `< 200 {"statuses":[` + state("d", "failure", "09:30:00") + "]}", see, []string{"checks-failed 09:30:00 #4 (b, d)"}, "",
		},
		"no runs":     {is + runs + "< 502", see, []string(nil), "list the check runs of #4"},
		"no statuses": {is + runs + `< 200 {}` + "\n" + statuses + "< 502", see, []string(nil), "read the commit statuses of #4"},
		"two pull requests, the later one": {
			links(linked(4)+","+linked(5)) + pullRead(4, "< 200 "+pullJSON(4, "x", "abc", "")) + pullRead(5, "< 200 "+pullJSON(5, "x", "abc", "")) +
				strings.TrimPrefix(read(run("a", "success", "10:00:00"), ""), is) + "\n" + strings.TrimPrefix(read(run("a", "success", "09:00:00"), ""), is), see, []string{"checks-passed 10:00:00 #4"}, "",
		},
	})
}

// Sub-issues: which are open, or when the last of them ended.
func TestFactsOfSubIssues(t *testing.T) {
	const subs = "> GET repos/acme/widgets/issues/1/sub_issues?page=1&per_page=100\n"
	sub := func(number int, state, reason, clock string) string {
		return fmt.Sprintf(`{"number":%d,"state":%q,"state_reason":%q,"closed_at":"2026-03-02T%sZ","repository_url":"https://api.github.com/repos/acme/widgets"}`, number, state, reason, clock)
	}
	see := observing(t, View{}, lifecycle.ReadSubIssues, Ask{})
	exchanges(t, map[string]exchange{
		"by the count":  {"", observing(t, View{SubIssues: &Progress{}}, lifecycle.ReadSubIssues, Ask{}), []string{"sub-issues-none"}, ""},
		"the last went": {"", observing(t, View{SubIssues: &Progress{}, Parted: at("09:00:00")}, lifecycle.ReadSubIssues, Ask{}), []string{"sub-issues-none 09:00:00"}, ""},
		"completed":     {subs + "< 200 [" + sub(3, "closed", "completed", "09:00:00") + "]", observing(t, View{SubIssues: &Progress{1, 1}}, lifecycle.ReadSubIssues, Ask{}), []string{"sub-issues-closed", "sub-issues-completed"}, ""},
		"dropped, last": {subs + "< 200 [" + sub(3, "closed", "not_planned", "09:00:00") + "," + sub(4, "closed", "completed", "10:00:00") + "]", see, []string{"sub-issues-closed", "sub-issues-dropped 10:00:00 #3"}, ""},
		"last, dropped": {subs + "< 200 [" + sub(3, "closed", "duplicate", "11:00:00") + "," + sub(4, "closed", "completed", "10:00:00") + "]", see, []string{"sub-issues-closed", "sub-issues-dropped 11:00:00 #3"}, ""},
		"open":          {subs + "< 200 [" + sub(3, "open", "", "09:00:00") + "," + sub(4, "closed", "not_planned", "10:00:00") + "]", see, []string{"sub-issues-open #3"}, ""},
		"no such thing": {subs + "< 404 {}", see, []string(nil), ""},
		"not now":       {subs + "< 502", see, []string(nil), "list sub_issues of acme/widgets#1"},
	})
}

const blockers = "> GET repos/acme/widgets/issues/1/dependencies/blocked_by?page=1&per_page=100\n"

func issueAt(where string, number int, more string) string {
	return fmt.Sprintf(`{"number":%d,"repository_url":"https://api.github.com/repos/%s"%s}`, number, where, more)
}

// On what an issue depends: by GitHub's list, by its text, and by commands.
func TestFactsOfDependencies(t *testing.T) {
	none, some := 0, 1
	read := func(number int, answer string) string {
		return fmt.Sprintf("> GET repos/acme/widgets/issues/%d\n", number) + answer + "\n"
	}
	is := func(number int, state string) string {
		return read(number, "< 200 "+issueAt("acme/widgets", number, fmt.Sprintf(`,"state":%q`, state)))
	}
	see := func(v View, links commands.Links) func(s *Store) (any, error) {
		return observing(t, v, lifecycle.ReadDependencies, Ask{Links: links})
	}
	ref := func(number int) commands.Reference { return commands.Reference{Number: number} }
	exchanges(t, map[string]exchange{
		"none":       {"", see(View{BlockedBy: &none}, commands.Links{}), []string{"dependencies-none"}, ""},
		"none since": {"", see(View{BlockedBy: &none, Unblocked: at("09:00:00")}, commands.Links{OffAt: at("10:00:00")}), []string{"dependencies-none 10:00:00"}, ""},
		"by the list": {
			blockers + "< 200 [" + issueAt("acme/widgets", 3, `,"state":"open"`) + "," + issueAt("acme/widgets", 4, `,"state":"closed","state_reason":"not_planned"`) + "," + issueAt("acme/widgets", 5, `,"state":"closed"`) + `,{"number":6}]`,
			see(View{BlockedBy: &some}, commands.Links{}),
			[]string{"dependency-open #3", "dependency-dropped #4"},
			"",
		},
		"unknown how many": {blockers + "< 404", see(View{}, commands.Links{}), []string{"dependencies-none"}, ""},
		"by the text":      {is(3, "open") + read(4, "< 404 {}") + read(5, "< 410 {}") + read(6, "< 403 {}") + read(7, "< 451 {}"), see(View{BlockedBy: &none, Body: "Depends on #3, #4, #5, #6, #7 and #1"}, commands.Links{}), []string{"dependency-open #3", "dependency-open #4", "dependency-dropped #5", "dependency-open #6", "dependency-open #7"}, ""},
		"by the list since": {
			blockers + "< 200 [" + issueAt("acme/widgets", 3, `,"state":"open"`) + "]" + "\n" + is(4, "open"),
			see(View{BlockedBy: &some, Blocked: at("09:00:00"), Body: "Depends on #4"}, commands.Links{}),
			[]string{"dependency-open 09:00:00 #3", "dependency-open #4"},
			"",
		},
		"by a command since": {is(3, "open"), see(View{BlockedBy: &none, Blocked: at("09:00:00")}, commands.Links{On: []commands.Reference{ref(3)}, OnAt: at("10:00:00")}), []string{"dependency-open 10:00:00 #3"}, ""},
		"all completed":      {is(3, "closed"), see(View{BlockedBy: &none, Body: "Depends on #3"}, commands.Links{}), []string{"dependencies-closed"}, ""},
		"by a command":       {is(3, "open"), see(View{BlockedBy: &none}, commands.Links{On: []commands.Reference{ref(3)}}), []string{"dependency-open #3"}, ""},
		"taken back":         {"", see(View{BlockedBy: &none, Body: "Depends on #3"}, commands.Links{Off: []commands.Reference{{Owner: "acme", Name: "widgets", Number: 3}}}), []string{"dependencies-none"}, ""},
		"not now":            {read(3, "< 502"), see(View{BlockedBy: &none, Body: "Depends on #3"}, commands.Links{}), []string(nil), "read acme/widgets#3"},
		"list not now":       {blockers + "< 502", see(View{}, commands.Links{}), []string(nil), "list dependencies/blocked_by of acme/widgets#1"},
		"started early":      {is(3, "open") + is(4, "closed"), observing(t, View{BlockedBy: &none, Body: "Depends on #3 and #4"}, lifecycle.ReadEarly, Ask{}), []string{"dependency-early #3"}, ""},
	})
	holds(t, is(3, "open"), func(s *Store, _ *clockwork.FakeClock) { // two facts read it once
		found, err := s.Facts(t.Context(), View{Ref: theIssue, BlockedBy: &none, Body: "Depends on #3"}, Ask{Needs: []lifecycle.Reading{lifecycle.ReadDependencies, lifecycle.ReadEarly}})
		says(t, []string{"dependency-open #3", "dependency-early #3"}, observations(found), err, "")
	})
}

// Whose pull request goes first where two change the same file.
func TestFactsOfFiles(t *testing.T) {
	is := func(number int) string {
		return linkedPulls(number) + pullRead(number, "< 200 "+pullJSON(number, "x", fmt.Sprint("c", number), "Fixes #1"))
	}
	list := func(pulls ...string) string { return pullsPage(1) + "\n< 200 [" + strings.Join(pulls, ",") + "]\n" }
	of := func(number, issue int) string {
		return pullJSON(number, "x", fmt.Sprint("c", number), fmt.Sprintf("Fixes #%d", issue))
	}
	see := observing(t, View{}, lifecycle.ReadFiles, Ask{})
	free := []string{"files-clear"}
	plans := func(failed error, files ...string) func(*Store) (any, error) {
		return observing(t, View{}, lifecycle.ReadFiles, Ask{Planned: func(context.Context) ([]string, error) { return files, failed }})
	}
	seven := []string{"a", "b", "c", "d", "e", "f", "g"}
	var older, olderFiles []string
	for n := range 6 {
		older, olderFiles = append(older, of(10+n, 20+n)), append(olderFiles, filesPage(15-n, "a"))
	}
	exchanges(t, map[string]exchange{
		"none of its own": {links(""), see, free, ""},
		"an older one":    {is(9) + filesPage(9, "a", "b") + list(of(9, 1), of(8, 2)) + filesPage(8, "b", "c"), see, []string{"files-overlap #8: b"}, ""},
		"a younger one":   {is(9) + filesPage(9, "a") + list(of(9, 1), of(10, 2)), see, free, ""},
		"a younger one of an issue with an older one": {is(9) + filesPage(9, "a") + list(of(9, 1), of(10, 2), of(8, 2)) + filesPage(10, "a") + filesPage(8, "b"), see, []string{"files-overlap #10: a"}, ""},
		"many files":           {is(9) + filesPage(9, seven...) + list(of(8, 2)) + filesPage(8, seven...), see, []string{"files-overlap #8: a, b, c, d, e and 2 more"}, ""},
		"five files":           {is(9) + filesPage(9, seven...) + list(of(8, 2)) + filesPage(8, seven[:5]...), see, []string{"files-overlap #8: a, b, c, d, e"}, ""},
		"many pull requests":   {is(30) + filesPage(30, "a") + list(older...) + strings.Join(olderFiles[:5], ""), see, []string{"files-overlap #15: a", "files-overlap #14: a", "files-overlap #13: a", "files-overlap #12: a", "files-overlap #11: a"}, ""},
		"planned":              {links("") + list(of(8, 2)) + filesPage(8, "b", "c"), plans(nil, "a", "b"), []string{"files-overlap #8: b"}, ""},
		"a planned folder":     {links("") + list(of(8, 2)) + filesPage(8, "doc/a", "document"), plans(nil, "doc/"), []string{"files-overlap #8: doc/a"}, ""},
		"planned, not changed": {is(9) + filesPage(9, "a") + list(of(9, 1), of(8, 2)) + filesPage(8, "b"), plans(nil, "b"), free, ""},
		"nothing planned":      {links("") + list(of(8, 2)), plans(nil), free, ""},
		"nothing in the way":   {links("") + list(of(8, 1)), plans(errors.New("nobody asks")), free, ""},
		"plans not now":        {links("") + list(of(8, 2)), plans(errors.New("not now")), []string(nil), "not now"},
		"links not now":        {asksLinks + "< 502", see, []string(nil), "read the files of acme/widgets#1"},
		"own files not now":    {is(9) + fmt.Sprintf(filesOf, 9) + "< 502", see, []string(nil), "list the files of pull request #9"},
		"list not now":         {is(9) + filesPage(9, "a") + pullsPage(1) + "\n< 502", see, []string(nil), "list the pull requests"},
		"others files not now": {is(9) + filesPage(9, "a") + list(of(8, 2)) + fmt.Sprintf(filesOf, 8) + "< 502", see, []string(nil), "list the files of pull request #8"},
	})
}

// The links of an issue with one pull request.
func linkedPulls(number int) string { return links(linked(number)) }

// Circles of dependencies, as far as a net of them is searched.
func TestFactsOfCircles(t *testing.T) {
	none := 0
	see := func(body string) func(s *Store) (any, error) {
		return observing(t, View{BlockedBy: &none, Body: body}, lifecycle.ReadCycles, Ask{})
	}
	read := func(number int, more string) string {
		return fmt.Sprintf("> GET repos/acme/widgets/issues/%d\n< 200 ", number) + issueAt("acme/widgets", number, `,"state":"open","node_id":"I"`+more) + "\n"
	}
	depends := func(body string) string {
		return fmt.Sprintf(`,"body":%q,"issue_dependencies_summary":{"total_blocked_by":0}`, body)
	}
	blockedOf := func(number int) string {
		return strings.Replace(blockers, "issues/1/", fmt.Sprintf("issues/%d/", number), 1)
	}
	var net string
	for n := range cycleReads { // each depends on the next one
		net += read(n+2, depends(fmt.Sprintf("Depends on #%d", n+3)))
	}
	exchanges(t, map[string]exchange{
		"none":             {"", see(""), []string(nil), ""},
		"of two":           {read(2, depends("Depends on #1")), see("Depends on #2"), []string{"dependency-cycle #1 → #2 → #1"}, ""},
		"the nearest":      {read(2, depends("Depends on #4")) + read(3, depends("")) + read(4, depends("Depends on #2 and #1")), see("Depends on #2 and #3"), []string{"dependency-cycle #1 → #2 → #4 → #1"}, ""},
		"one of others":    {read(2, depends("Depends on #3")) + read(3, depends("Depends on #2")), see("Depends on #2"), []string(nil), ""},
		"by the list":      {read(2, `,"issue_dependencies_summary":{"total_blocked_by":1}`) + blockedOf(2) + "< 200 [" + issueAt("acme/widgets", 1, `,"state":"open"`) + "]", see("Depends on #2"), []string{"dependency-cycle #1 → #2 → #1"}, ""},
		"unknown how many": {read(2, "") + blockedOf(2) + "< 200 [" + issueAt("acme/widgets", 1, `,"state":"open"`) + "]", see("Depends on #2"), []string{"dependency-cycle #1 → #2 → #1"}, ""},
		"list not now":     {read(2, "") + blockedOf(2) + "< 502", see("Depends on #2"), []string(nil), "list dependencies/blocked_by of acme/widgets#2"},
		"next not now":     {read(2, depends("Depends on #3")) + "> GET repos/acme/widgets/issues/3\n< 502", see("Depends on #2"), []string(nil), "read acme/widgets#3"},
		"first not now":    {"> GET repos/acme/widgets/issues/2\n< 502", see("Depends on #2"), []string(nil), "read acme/widgets#2"},
		"closed":           {read(2, `,"state_reason":"","state":"closed"`), see("Depends on #2"), []string(nil), ""},
		"out of reach":     {strings.Repeat("> GET repos/acme/widgets/issues/2\n< 404 {}\n", 2), see("Depends on #2"), []string(nil), ""},
		"not far enough":   {net, see("Depends on #2"), []string(nil), ""},
	})
}

// What became of the title, the text and the pull requests that olga approved at ten.
func TestWhatBecameOfWhatWasApproved(t *testing.T) {
	edits := asksEdits(`"I"`)
	const history = `> POST graphql {"query":"userContentEdits","variables":{"name":"widgets","number":1,"owner":"acme"}}` + "\n"
	last := func(clock string) string {
		return edits + `< 200 {"data":{"nodes":[{"lastEditedAt":"2026-03-02T` + clock + `Z","editor":{"__typename":"User","login":"eve"}}]}}` + "\n"
	}
	never := edits + `< 200 {"data":{"nodes":[{}]}}` + "\n"
	revisions := func(more bool, all ...string) string {
		return history + fmt.Sprintf(`< 200 {"data":{"repository":{"issue":{"userContentEdits":{"pageInfo":{"hasNextPage":%t},"nodes":[%s]}}}}}`, more, strings.Join(all, ",")) + "\n"
	}
	revision := func(clock, login, text string) string {
		return fmt.Sprintf(`{"editedAt":"2026-03-02T%sZ","diff":%q,"editor":{"__typename":"User","login":%q}}`, clock, text, login)
	}
	v := View{Ref: theIssue, NodeID: "I", Title: "New", Body: "now", Created: at("08:00:00"), Author: ada}
	title := func(v View, renamings ...Renaming) View { v.Renamed = renamings; return v }
	rename := func(by, clock, from string) Renaming { return Renaming{By: by, At: at(clock), From: from} }
	changed := func(v View, by string) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			return s.ChangedSince(t.Context(), v, Ask{Approval: &Approval{By: by, At: at("10:00:00")}})
		}
	}
	text := func(before, after string, known bool, by ...string) statemachine.Difference {
		return statemachine.Difference{What: statemachine.DifferentText, Before: before, After: after, Known: known, By: by}
	}
	named := func(before string, by ...string) statemachine.Difference {
		return statemachine.Difference{What: statemachine.DifferentTitle, Before: before, After: "New", Known: true, By: by}
	}
	all := func(clock string, d ...statemachine.Difference) Changed {
		return Changed{Differences: d, At: at(clock)}
	}
	exchanges(t, map[string]exchange{
		"nothing":                               {never, changed(v, "olga"), Changed{}, ""},
		"renamed before":                        {never, changed(title(v, rename("eve", "09:59:59", "Old")), "olga"), Changed{}, ""},
		"renamed since":                         {never, changed(title(v, rename("eve", "10:00:00", "Old"), rename("bob", "11:00:00", "Older"), rename("eve", "10:30:00", "x")), "olga"), all("11:00:00", named("Old", "bob", "eve")), ""},
		"renamed by who approved":               {never, changed(title(v, rename("Olga", "10:30:00", "Old")), "olga"), Changed{}, ""},
		"renamed, and approved by nobody known": {never, changed(title(v, rename("olga", "10:30:00", "Old")), ""), all("10:30:00", named("Old", "olga")), ""},
		"renamed, and back":                     {never, changed(title(v, rename("eve", "10:30:00", "New"), rename("eve", "10:31:00", "x")), "olga"), Changed{}, ""},
		"edited before":                         {last("09:59:59"), changed(v, "olga"), Changed{}, ""},
		"edited since": {
			last("10:30:00") + revisions(false, revision("10:30:00", "eve", "now"), revision("09:00:00", "ada", "then"), revision("08:00:02", "ada", "first")), changed(v, "olga"), all("10:30:00", text("then", "now", true, "eve")), "",
		},
		"the first is no edit":   {last("10:30:00") + revisions(false, revision("10:30:00", "eve", "now"), revision("08:00:02", "ada", "first")), changed(v, "olga"), all("10:30:00", text("first", "now", true, "eve")), ""},
		"the first is one":       {last("10:30:00") + revisions(false, revision("10:30:00", "eve", "now")), changed(v, "olga"), all("10:30:00", text("", "now", false, "eve")), ""},
		"of very many":           {last("10:30:00") + revisions(true, revision("10:30:00", "eve", "now")), changed(v, "olga"), all("10:30:00", text("", "now", false, "eve")), ""},
		"edited by who approved": {last("10:30:00") + revisions(false, revision("10:30:00", "olga", "now"), revision("09:00:00", "ada", "then")), changed(v, "olga"), Changed{}, ""},
		"edited, and back":       {last("10:30:00") + revisions(false, revision("10:30:00", "eve", "then\r\n"), revision("10:15:00", "eve", "now"), revision("09:00:00", "ada", "then\n")), changed(v, "olga"), Changed{}, ""},
		"edited by a bot and a ghost": {
			last("10:30:00") + revisions(false, `{"editedAt":"2026-03-02T10:30:00Z","editor":{"__typename":"Bot","login":"dev"}}`, `{"editedAt":"2026-03-02T10:20:00Z","diff":"x"}`, revision("09:00:00", "ada", "then")), changed(v, "olga"), all("10:30:00", text("", "now", false, "dev[bot]")), "",
		},
		"no history":      {last("10:30:00") + history + "< 404", changed(v, "olga"), Changed{}, ""},
		"no edits told":   {edits + "< 404", changed(title(v, rename("eve", "10:30:00", "Old")), "olga"), all("10:30:00", named("Old", "eve")), ""},
		"not now":         {edits + "< 502", changed(v, "olga"), Changed{}, "ask GraphQL"},
		"history not now": {last("10:30:00") + history + "< 502", changed(v, "olga"), Changed{}, "ask GraphQL"},
	})
	exchanges(t, map[string]exchange{
		"by the author":   {edits + `< 200 {"data":{"nodes":[{"lastEditedAt":"2026-03-02T09:00:00Z","editor":{"__typename":"User","login":"Ada"}}]}}`, observing(t, title(v, rename("ADA", "11:00:00", "x"), rename("eve", "11:30:00", "y")), lifecycle.ReadEdits, Ask{}), []string{"author-edited 11:00:00 ada", "author-edited 09:00:00 ada"}, ""},
		"by somebody":     {last("09:00:00"), observing(t, v, lifecycle.ReadEdits, Ask{}), []string(nil), ""},
		"the author left": {edits + `< 200 {"data":{"nodes":[{"lastEditedAt":"2026-03-02T09:00:00Z","editor":{"login":""}}]}}`, observing(t, View{NodeID: "I", Renamed: []Renaming{rename("", "11:00:00", "x")}}, lifecycle.ReadEdits, Ask{}), []string(nil), ""},
		"text changed":    {never, observing(t, title(v, rename("eve", "10:30:00", "Old"), rename("bob", "10:20:00", "x")), lifecycle.ReadEdits, Ask{Approval: &Approval{By: "olga", At: at("10:00:00")}}), []string{"text-changed 10:30:00 bob, eve"}, ""},
	})
	const activity = "> GET repos/acme/widgets/activity?per_page=100&ref=refs/heads/x\n"
	pushed := func(clock, login, before string) string {
		return fmt.Sprintf(`{"before":%q,"timestamp":"2026-03-02T%sZ","actor":{"login":%q}}`, before, clock, login)
	}
	is := links(linked(4)) + pullRead(4, "< 200 "+strings.Replace(pullJSON(4, "x", "abc", ""), `"state"`, `"mergeable":true,"created_at":"2026-03-02T09:00:00Z","state"`, 1))
	heads := func(s *Store) (any, error) {
		return s.ChangedSince(t.Context(), v, Ask{Approval: &Approval{By: "olga", At: at("10:00:00")}, Heads: true})
	}
	different := func(before, after string, by ...string) statemachine.Difference {
		return statemachine.Difference{What: statemachine.DifferentHead, Pull: 4, Known: true, Before: before, After: after, By: by}
	}
	exchanges(t, map[string]exchange{
		"pushed since":      {never + is + activity + "< 200 [" + pushed("10:30:00", "eve", "b2") + "," + pushed("10:20:00", "olga", "b1") + "," + pushed("09:00:00", "tara", "b0") + "]", heads, all("10:30:00", different("b1", "abc", "eve")), ""},
		"pushed before":     {never + is + activity + "< 200 [" + pushed("09:59:59", "eve", "b2") + "]", heads, Changed{}, ""},
		"pushed by herself": {never + is + activity + "< 200 [" + pushed("10:30:00", "olga", "b2") + "]", heads, Changed{}, ""},
		"pushed, and back":  {never + is + activity + "< 200 [" + pushed("10:30:00", "eve", "b2") + "," + pushed("10:20:00", "eve", "abc") + "]", heads, Changed{}, ""},
		"of a fork":         {never + is + activity + "< 404 {}", heads, Changed{}, "read what was pushed to #4: GitHub does not let this App read"},
		"pushes not now":    {never + is + activity + "< 502", heads, Changed{}, "read what was pushed to #4"},
		"another pull request": {
			never + strings.Replace(is, `"created_at":"2026-03-02T09`, `"created_at":"2026-03-02T11`, 1), heads,
			all("11:00:00", statemachine.Difference{What: statemachine.DifferentPull, Pull: 4, Known: true, By: []string{"tara"}}), "",
		},
		"closed":         {never + strings.Replace(is, `"state":"open"`, `"state":"closed"`, 1), heads, Changed{}, ""},
		"observed":       {is + activity + "< 200 [" + pushed("10:30:00", "eve", "b2") + "]", observing(t, v, lifecycle.ReadPullRequests, Ask{Approval: &Approval{By: "olga", At: at("10:00:00")}, Heads: true}), []string{"pull-request-opened #4", "pull-request-ready #4", "head-changed 10:30:00 #4"}, ""},
		"not approved":   {is, observing(t, v, lifecycle.ReadPullRequests, Ask{Approval: &Approval{By: "olga", At: at("10:00:00")}}), []string{"pull-request-opened #4", "pull-request-ready #4"}, ""},
		"forbidden text": {edits + "< 403\n" + is + activity + "< 200 [" + pushed("10:30:00", "eve", "b2") + "]", heads, all("10:30:00", different("b2", "abc", "eve")), "read that by GraphQL"},
	})
}
