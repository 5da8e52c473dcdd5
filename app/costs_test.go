package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

// newFactsWorld is a world whose repository has the lifecycle of these tests.
func newFactsWorld(t *testing.T, life string, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorld(t, append([]func(*config.Config){acme.Follows}, change...)...)
	w.Bring(life)
	return w
}

// costsLifecycle has a state without triggers, a; one with triggers on conflicts of pull requests, b; and one with triggers on other issues
// and checks, c.
var costsLifecycle = acme.RowsLifecycle(`triggers:
  - {on: pull-request-conflicting, in: state-b, to: state-a, why: It conflicts}
  - {on: dependency-dropped, in: state-c, to: state-a, why: It will never be done}
  - {on: sub-issues-closed, in: state-c, to: state-a, why: All parts are done}
  - {on: checks-failed, in: state-c, to: state-a, why: The checks failed}
`)

// What each event costs at most: docs/costs.md has these figures.
func TestCosts(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, costsLifecycle, func(c *config.Config) { c.Sweep.Interval = 0 }) // none but the one that is counted
	other := func(i *issue) int { return i.Other() }
	pull := func(i *issue) int { return i.Fixed() }
	for _, c := range []struct {
		name, state string
		before      func(i *issue) int
		event       func(i *issue, number int)
		want        acme.Spending
	}{
		{"a push", "a", nil, func(i *issue, _ int) {
			_, err := i.github.Push("acme", "widgets", "main", "paint", "red", "tara")
			i.Must(err)
		}, acme.Spend(1, 0, 0)},
		{"a legal move", "b", nil, func(i *issue, _ int) { i.Label("olivia", "colony:a") }, acme.Spend(2, 1, 0)},
		{"a legal move to where rows are", "a", nil, func(i *issue, _ int) { i.Label("olivia", "colony:b") }, acme.Spend(2, 1, 1)},
		{"a push, and one issue can be moved by a conflict", "a", nil, func(i *issue, _ int) {
			_, err := i.github.Push("acme", "widgets", "main", "paint", "blue", "tara")
			i.Must(err)
		}, acme.Spend(1, 0, 1)},
		{"a refused change", "a", nil, func(i *issue, _ int) { i.Unlabel("olivia", "colony:a") }, acme.Spend(5, 4, 0)},
		{"a refused change where rows are", "b", nil, func(i *issue, _ int) { i.Unlabel("olivia", "colony:b") }, acme.Spend(5+2, 4, 1)},
		{"a command", "a", nil, func(i *issue, _ int) { i.Comment("olivia", "/colony:status") }, acme.Spend(4, 3, 0)},
		{"a command that moves", "a", nil, func(i *issue, _ int) { i.Comment("olivia", "/colony:move state-b") }, acme.Spend(4+2+1, 3, 1)},
		{"a comment of the author", "a", nil, func(i *issue, _ int) { i.Comment("ada", "Red") }, acme.Spending{}},
		{"a comment of another", "a", nil, func(i *issue, _ int) { i.Comment("olivia", "Red") }, acme.Spending{}},
		{"an edit", "a", nil, func(i *issue, _ int) { i.Change("ada", i.Number, &github.IssueRequest{Body: new("Red")}) }, acme.Spend(2, 0, 0)},
		{"another label", "a", nil, func(i *issue, _ int) { i.Label("olivia", "bug") }, acme.Spending{}},
		{"a pull request that names the issue", "a", nil, func(i *issue, _ int) { i.Fixed() }, acme.Spend(2, 0, 0)},
		{"a pull request that names it, where rows are", "b", nil, func(i *issue, _ int) { i.Fixed() }, acme.Spend(2, 0, 1)},
		{"a pull request that names none", "a", nil, func(i *issue, _ int) { i.Pull("work", "", false) }, acme.Spend(1, 0, 1)},
		{"a pull request with its branch", "a", nil, func(i *issue, _ int) { i.Pull(fmt.Sprintf("colony/%d", i.Number), "", false) }, acme.Spend(3, 0, 1)},
		{"a review", "a", pull, func(i *issue, number int) { i.Review(number, "COMMENT", "olivia") }, acme.Spend(2, 0, 0)},
		{"the last check", "a", pull, func(i *issue, _ int) { i.Check(fmt.Sprintf("work-on-%d", i.Number), "build", "success") }, acme.Spend(2*3, 0, 2)},
		{"a status", "a", pull, func(i *issue, _ int) {
			i.Must(i.github.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.Number), "lint", "success", "mona"))
		}, acme.Spend(1+3, 0, 1)},
		{"blocked", "a", other, func(i *issue, number int) { i.BlockedBy(i.Number, number, true) }, acme.Spend(2+2, 0, 0)},
		{"blocked where rows are", "c", other, func(i *issue, number int) { i.BlockedBy(i.Number, number, true) }, acme.Spend(2+2+2, 0, 1)},
		{"a sub-issue", "a", other, func(i *issue, number int) { i.SubIssue(number) }, acme.Spend(2, 0, 0)},
		{"closed", "a", nil, func(i *issue, _ int) { i.CloseAs(i.Number, "completed") }, acme.Spend(3+2, 0, 0)},
		{"closed, and another depends on it", "a", func(i *issue) int { n := i.Other(); i.BlockedBy(i.Number, n, true); return n }, func(i *issue, number int) { i.CloseAs(number, "completed") }, acme.Spend(3+2, 0, 0)},
		{"opened again", "a", func(i *issue) int { i.CloseAs(i.Number, "completed"); return 0 }, func(i *issue, _ int) { i.Change("mona", i.Number, &github.IssueRequest{State: new("open")}) }, acme.Spend(3+2, 0, 0)},
	} {
		i := &issue{w.OpenIn("colony:"+c.state, "Paint it."), w}
		number := 0
		if c.before != nil {
			number = c.before(i)
		}
		w.Settle()
		w.clock.Advance(time.Minute)
		w.github.ResetCalls()
		c.event(i, number)
		w.Settle()
		if got := w.Spent(); got.Reads > c.want.Reads || got.Writes > c.want.Writes || got.Questions > c.want.Questions {
			t.Errorf("%s cost %+v, more than %+v", c.name, got, c.want)
			for _, call := range w.github.Calls() {
				t.Log(call.Actor, call.Method, call.Path, call.Query, call.Status)
			}
		}
		i.Reads()
	}
	for range 2 { // the first sees what happened just now
		w.clock.Advance(10 * time.Minute)
		w.github.ResetCalls()
		w.Sweep()
	}
	// What changed, the comments, and the repositories of the installation; a list for each state with triggers. The triggers of four issues
	// need the conflicts of pull requests, and one of them has one; those of one issue need the rest. One question tells which states are empty.
	const sweep = 3 + 2 + 4*2 + 1 + (2 + 2)
	if got := w.Spent(); got.Reads > sweep || got.Writes > 0 || got.Questions > 6 {
		t.Errorf("a sweep of what nobody touched cost %+v, more than %d reads and 6 questions", got, sweep)
		for _, call := range w.github.Calls() {
			t.Log(call.Actor, call.Method, call.Path, call.Query, call.Status)
		}
	}
}

// GitHub counts none of the reads of an issue that did not change against the calls of an hour: docs/performance.md reckons with that.
func TestReviewsAndPushesCostNoCallOfTheHour(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, costsLifecycle, func(c *config.Config) { c.Sweep.Interval = 0 })
	i := &issue{w.OpenIn("colony:b", "Paint it."), w}
	number := i.Fixed()
	w.Settle()
	for what, happens := range map[string]func(){
		"a review": func() { i.Review(number, "COMMENT", "olivia") },
		"a push": func() {
			_, err := i.github.Push("acme", "widgets", fmt.Sprintf("work-on-%d", i.Number), "paint", "red", "tara")
			i.Must(err)
		},
	} {
		w.clock.Advance(time.Minute)
		w.github.ResetCalls()
		happens()
		w.Settle()
		if got := w.Spent(); got != acme.Spend(2, 0, 1) {
			t.Errorf("%s cost %+v", what, got)
		}
		if reads, others := w.Cost(); reads != 0 || others != 1 {
			t.Errorf("GitHub counts %d reads and %d other calls for %s", reads, others, what)
		}
	}
	i.Reads()
}
