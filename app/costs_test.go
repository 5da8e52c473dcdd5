package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
)

// costsLifecycle has a state without triggers, a; one with triggers on conflicts of pull requests, b; and one with triggers on other issues
// and checks, c.
var costsLifecycle = rowsLifecycle(`triggers:
  - {on: pull-request-conflicting, in: state-b, to: state-a, why: It conflicts}
  - {on: dependency-dropped, in: state-c, to: state-a, why: It will never be done}
  - {on: sub-issues-closed, in: state-c, to: state-a, why: All parts are done}
  - {on: checks-failed, in: state-c, to: state-a, why: The checks failed}
`)

// spent is what Colony asked of GitHub, 304s and all; questions are those by GraphQL.
type spent struct{ reads, writes, questions int }

// spent leaves out the policy of the repository, which Colony reads anew once in a while, whatever happens.
func (w *world) spent() spent {
	var s spent
	for _, c := range w.github.Calls() {
		switch {
		case c.Actor != "colony[bot]" || strings.Contains(c.Path, "/contents/"):
		case c.Path == "/graphql" || c.Path == "/api/graphql":
			s.questions++
		case c.Method == http.MethodGet:
			s.reads++
		default:
			s.writes++
		}
	}
	return s
}

// What each event costs at most: docs/costs.md has these figures.
func TestCosts(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, costsLifecycle, func(c *config.Config) { c.Sweep.Interval = 0 }) // none but the one that is counted
	other := func(i *issue) int { return i.other() }
	pull := func(i *issue) int { return i.fixed() }
	const pullsRow = 3 // the timeline, the open pull requests and the closed ones; and a question by GraphQL
	for _, c := range []struct {
		name, state string
		before      func(i *issue) int
		event       func(i *issue, number int)
		want        spent
	}{
		{"a push", "a", nil, func(i *issue, _ int) {
			_, err := i.github.Push("acme", "widgets", "main", "paint", "red", "tara")
			i.must(err)
		}, spent{1, 0, 0}},
		{"a legal move", "b", nil, func(i *issue, _ int) { i.label("olivia", "colony:a") }, spent{2, 1, 0}},
		{"a legal move to where rows are", "a", nil, func(i *issue, _ int) { i.label("olivia", "colony:b") }, spent{2 + pullsRow, 1, 1}},
		{"a push, and one issue can be moved by a conflict", "a", nil, func(i *issue, _ int) {
			_, err := i.github.Push("acme", "widgets", "main", "paint", "blue", "tara")
			i.must(err)
		}, spent{1 + 2 + pullsRow, 0, 1}},
		{"a refused change", "a", nil, func(i *issue, _ int) { i.unlabel("olivia", "colony:a") }, spent{5, 4, 0}},
		{"a refused change where rows are", "b", nil, func(i *issue, _ int) { i.unlabel("olivia", "colony:b") }, spent{5 + 2 + pullsRow, 4, 1}},
		{"a command", "a", nil, func(i *issue, _ int) { i.comment("olivia", "/colony:status") }, spent{4, 3, 0}},
		{"a command that moves", "a", nil, func(i *issue, _ int) { i.comment("olivia", "/colony:move state-b") }, spent{4 + 2 + 1 + pullsRow, 3, 1}},
		{"a comment of the author", "a", nil, func(i *issue, _ int) { i.comment("ada", "Red") }, spent{2, 0, 0}},
		{"a comment of another", "a", nil, func(i *issue, _ int) { i.comment("olivia", "Red") }, spent{}},
		{"an edit", "a", nil, func(i *issue, _ int) { i.change("ada", i.number, &github.IssueRequest{Body: new("Red")}) }, spent{2, 0, 0}},
		{"another label", "a", nil, func(i *issue, _ int) { i.label("olivia", "bug") }, spent{}},
		{"a pull request that names the issue", "a", nil, func(i *issue, _ int) { i.fixed() }, spent{2, 0, 0}},
		{"a pull request that names it, where rows are", "b", nil, func(i *issue, _ int) { i.fixed() }, spent{2 + pullsRow + 1, 0, 1}},
		{"a pull request that names none", "a", nil, func(i *issue, _ int) { i.pull("work", "", false) }, spent{1, 0, 1}},
		{"a pull request with its branch", "a", nil, func(i *issue, _ int) { i.pull(fmt.Sprintf("colony/%d", i.number), "", false) }, spent{3, 0, 1}},
		{"a review", "a", pull, func(i *issue, number int) { i.review(number, "COMMENT", "olivia") }, spent{2, 0, 0}},
		{"the last check", "a", pull, func(i *issue, _ int) { i.check(fmt.Sprintf("work-on-%d", i.number), "build", "success") }, spent{2 * 3, 0, 2}},
		{"a status", "a", pull, func(i *issue, _ int) {
			i.must(i.github.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.number), "lint", "success", "mona"))
		}, spent{1 + 3, 0, 1}},
		{"blocked", "a", other, func(i *issue, number int) { i.blockedBy(i.number, number, true) }, spent{2 + 2, 0, 0}},
		{"blocked where rows are", "c", other, func(i *issue, number int) { i.blockedBy(i.number, number, true) }, spent{2 + 2 + 2 + pullsRow, 0, 1}},
		{"a sub-issue", "a", other, func(i *issue, number int) { i.subIssue(number) }, spent{2, 0, 0}},
		{"closed", "a", nil, func(i *issue, _ int) { i.closeAs(i.number, "completed") }, spent{3, 0, 0}},
		{"closed, and another depends on it", "a", func(i *issue) int { n := i.other(); i.blockedBy(i.number, n, true); return n }, func(i *issue, number int) { i.closeAs(number, "completed") }, spent{3 + 2, 0, 0}},
		{"opened again", "a", func(i *issue) int { i.closeAs(i.number, "completed"); return 0 }, func(i *issue, _ int) { i.change("mona", i.number, &github.IssueRequest{State: new("open")}) }, spent{3 + 2, 0, 0}},
	} {
		i := w.openIn("colony:"+c.state, "Paint it.")
		number := 0
		if c.before != nil {
			number = c.before(i)
		}
		w.settle()
		w.clock.Advance(time.Minute)
		w.github.ResetCalls()
		c.event(i, number)
		w.settle()
		if got := w.spent(); got.reads > c.want.reads || got.writes > c.want.writes || got.questions > c.want.questions {
			t.Errorf("%s cost %+v, more than %+v", c.name, got, c.want)
			for _, call := range w.github.Calls() {
				t.Log(call.Actor, call.Method, call.Path, call.Query, call.Status)
			}
		}
		i.reads()
	}
	for range 2 { // the first sees what happened just now
		w.clock.Advance(10 * time.Minute)
		w.github.ResetCalls()
		w.sweep()
	}
	// What changed, the comments, and the repositories of the installation; a list for each state with triggers. The triggers of four issues
	// need the conflicts of pull requests, and one of them has one; those of one issue need the rest.
	const sweep = 3 + 2 + 4*(2+pullsRow) + 1 + (2 + 2 + pullsRow)
	if got := w.spent(); got.reads > sweep || got.writes > 0 || got.questions > 5 {
		t.Errorf("a sweep of what nobody touched cost %+v, more than %d reads and 5 questions", got, sweep)
		for _, call := range w.github.Calls() {
			t.Log(call.Actor, call.Method, call.Path, call.Query, call.Status)
		}
	}
}
