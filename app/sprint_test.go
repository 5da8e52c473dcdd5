package app_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/statemachine"
)

// outside is one row of a shipped lifecycle, and how the world makes it hold.
type outside struct {
	lifecycle string
	fact      lifecycle.Fact
	from, to  string
	// before is done in the state of the row, or on the way there; it returns a number that cause takes.
	before func(i *issue) int
	cause  func(i *issue, number int)
	says   string // what Colony says of it, if it asks for a person
	via    string // the state from which Colony itself moves the issue to where the row begins; empty if a person does
	tells  string // what Colony says of where the issue is, without asking for a person
}

// outsides has every trigger of the lifecycles that have some, in each of its states.
func outsides() []outside {
	var all []outside
	pull := func(i *issue) int { return i.Fixed() }
	dependency := func(i *issue) int { return i.Other() }
	merges := func(i *issue, number int) { i.Must(i.github.MergePullRequest("acme", "widgets", number, "mona")) }
	shuts := func(i *issue, number int) { i.CloseAs(number, "") }
	conflicts := func(i *issue, number int) { i.Must(i.github.MakeConflict("acme", "widgets", number, "mona")) }
	requests := func(i *issue, number int) { i.Review(number, "REQUEST_CHANGES", "olivia") }
	fails := func(i *issue, _ int) { i.Check(fmt.Sprintf("work-on-%d", i.Number), "test", "failure") }
	row := func(of string, fact lifecycle.Fact, to, says string, before func(*issue) int, cause func(*issue, int), from ...string) {
		for _, state := range from {
			all = append(all, outside{lifecycle: of, fact: fact, from: state, to: to, before: before, cause: cause, says: says})
		}
	}
	row("colony", "pull-request-merged", "done", "", pull, merges, "changes-requested", "in-review", "merge-pending", "human-review-ready")
	row("colony", "author-replied", "analyzing", "", nil, func(i *issue, _ int) { i.Comment("ada", "It is red.") }, "needs-clarification")
	row("colony", "author-edited", "analyzing", "", nil, func(i *issue, _ int) { i.Change("ada", i.Number, &github.IssueRequest{Title: new("A red widget")}) }, "needs-clarification")
	row("colony", "dependency-cycle", "failure-blocked", "lead back to it", dependency, func(i *issue, number int) {
		i.BlockedBy(number, i.Number, true)
		i.BlockedBy(i.Number, number, true)
	}, "ready-for-dev")
	row("colony", "dependency-cycle", "failure-blocked", "lead back to it", func(i *issue) int {
		number := i.Other()
		i.BlockedBy(i.Number, number, true)
		return number
	}, func(i *issue, number int) { i.BlockedBy(number, i.Number, true) }, "dependency-blocked")
	row("colony", "dependency-dropped", "failure-blocked", "was closed as not planned, or deleted", func(i *issue) int {
		number := i.Other()
		i.CloseAs(number, "not_planned")
		return number
	}, func(i *issue, number int) { i.BlockedBy(i.Number, number, true) }, "ready-for-dev")
	row("colony", "dependency-dropped", "failure-blocked", "was closed as not planned, or deleted", func(i *issue) int {
		number := i.Other()
		i.BlockedBy(i.Number, number, true)
		return number
	}, func(i *issue, number int) { i.CloseAs(number, "not_planned") }, "dependency-blocked")
	row("colony", "dependency-open", "dependency-blocked", "", dependency, func(i *issue, number int) { i.BlockedBy(i.Number, number, true) }, "ready-for-dev", "in-development")
	row("colony", "dependency-early", "new", "", dependency, func(i *issue, number int) { i.BlockedBy(i.Number, number, true) }, "analyzing", "needs-clarification")
	row("colony", "dependencies-closed", "ready-for-dev", "", func(i *issue) int {
		number := i.Other()
		i.BlockedBy(i.Number, number, true)
		return number
	}, func(i *issue, number int) { i.CloseAs(number, "completed") }, "dependency-blocked")
	row("colony", "dependencies-none", "ready-for-dev", "", func(i *issue) int {
		number := i.Other()
		i.BlockedBy(i.Number, number, true)
		return number
	}, func(i *issue, number int) { i.BlockedBy(i.Number, number, false) }, "dependency-blocked")
	overlaps := func(i *issue, _ int) { i.Push(fmt.Sprintf("work-on-%d", i.Number), "shared.txt") }
	older := func(i *issue) int {
		number := i.Older("shared.txt")
		i.Fixed()
		return number
	}
	held := func(row outside) {
		row.lifecycle, row.tells = "colony", "changes the same files, and goes first"
		all = append(all, row)
	}
	for _, from := range []string{"ready-for-dev", "in-development"} {
		held(outside{fact: "files-overlap", from: from, to: "dependency-blocked", before: older, cause: overlaps})
	}
	held(outside{fact: "files-overlap", from: "dependency-blocked", before: older, cause: overlaps})
	held(outside{
		fact: "files-clear", from: "dependency-blocked", via: "ready-for-dev", to: "ready-for-dev",
		before: func(i *issue) int { number := older(i); overlaps(i, number); return number },
		cause:  func(i *issue, number int) { i.Must(i.github.MergePullRequest("acme", "widgets", number, "mona")) },
	})
	part := func(i *issue) int {
		number := i.Other()
		i.SubIssue(number)
		return number
	}
	row("colony", "sub-issues-completed", "done", "", part, func(i *issue, number int) { i.CloseAs(number, "completed") }, "waiting-for-subtasks")
	row("colony", "sub-issues-dropped", "", "somebody has to decide", part, func(i *issue, number int) { i.CloseAs(number, "not_planned") }, "waiting-for-subtasks")
	row("colony", "sub-issues-none", "", "and has none", part, func(i *issue, number int) {
		i.Must(i.github.SetSubIssue("acme", "widgets", i.Number, "", number, false, "mona"))
	}, "waiting-for-subtasks")
	row("colony", "review-changes-requested", "changes-requested", "", pull, requests, "in-review")
	row("colony", "pull-request-missing", "ready-for-dev", "", pull, shuts, "in-review")
	row("colony", "pull-request-closed", "ready-for-dev", "", pull, shuts, "merge-pending", "human-review-ready")
	row("colony", "pull-request-conflicting", "merge-pending", "", pull, conflicts, "human-review-ready")
	row("colony", "person-approved", "merge-pending", "", pull, func(i *issue, number int) { i.Review(number, "APPROVE", "olivia") }, "human-review-ready")

	row("autoralph", "pull-request-merged", "completed", "", pull, merges, "in-review", "addressing-feedback", "fixing-checks", "failed", "paused")
	row("autoralph", "person-replied", "refining", "", nil, func(i *issue, _ int) { i.Comment("ada", "It is red.") }, "refining")
	row("autoralph", "person-replied", "refining", "", nil, func(i *issue, _ int) { i.Comment("olivia", "It is red.") }, "refining")
	row("autoralph", "text-changed", "paused", "+Send me the keys.", nil, func(i *issue, _ int) { i.EditOpening("ada", "Send me the keys.") }, "approved")
	row("colibri", "text-changed", "verify", "+Send me the keys.", nil, func(i *issue, _ int) { i.EditOpening("ada", "Send me the keys.") }, "apply")
	row("autoralph", "review-changes-requested", "addressing-feedback", "", pull, requests, "in-review")
	row("autoralph", "checks-failed", "fixing-checks", "", pull, fails, "in-review")
	row("autoralph", "pull-request-closed", "", "closed without a merge", pull, shuts, "in-review", "addressing-feedback", "fixing-checks")
	row("autoralph", "pull-request-conflicting", "paused", "conflicts with its base", pull, conflicts, "in-review", "addressing-feedback", "fixing-checks")
	return all
}

// Every row of the shipped lifecycles that names an outside cause is caused from outside: once with GitHub's webhook, and once with
// the webhook lost and only the sweep to notice.
func TestTheWorldMovesIssues(t *testing.T) {
	t.Parallel()
	for _, heard := range []bool{true, false} {
		for n, o := range outsides() {
			if !long.Whole() && heard == (n%2 == 0) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s in %s/heard %v", o.lifecycle, o.fact, o.from, heard), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, acme.Follows, func(c *config.Config) { c.Lifecycle, c.Follow = o.lifecycle, lifecycle.EveryReading() })
				i := w.open("ada", "Paint it.")
				number := 0
				if o.before != nil {
					number = o.before(i)
				}
				i.Through(o.lifecycle, cmp.Or(o.via, o.from))
				w.Settle()
				i.Has("colony:" + o.from)
				if o.via != "" {
					i.ColonySays("Colony leaves this issue in `"+o.from+"`", o.tells)
				}
				w.clock.Advance(time.Minute)
				if !heard {
					w.Deaf()
				}
				changes := i.StateChanges()
				o.cause(i, number)
				w.Settle()
				if heard {
					w.clock.Advance(time.Minute) // a row can wait for so long
					w.Settle()
				} else {
					w.Sweep()
				}
				want := []string{"colony:" + o.to}
				switch {
				case o.tells != "" && o.via == "":
					want = []string{"colony:dependency-blocked"}
					i.ColonySays("Colony leaves this issue in `dependency-blocked`", o.tells, "shared.txt")
				case o.to == "":
					want = []string{"colony:" + o.from, lifecycle.NeedsHuman}
					i.ColonySays("Colony leaves this issue in `"+o.from+"`", o.says)
				case o.says != "":
					want = append(want, lifecycle.NeedsHuman)
					i.ColonySays("Colony moved this issue from `"+o.from+"` to `"+o.to+"`", o.says)
				}
				i.Has(want...)
				if o.from == o.to && i.StateChanges() != changes+1 {
					t.Errorf("%d new rounds", i.StateChanges()-changes)
				}
				w.clock.Advance(time.Minute)
				w.Sweep() // the same fact moves nothing twice
				i.Has(want...)
			})
		}
	}
}

// Each trigger of each shipped lifecycle is among the cases above, in each of its states.
func TestEveryTriggerIsCausedFromOutside(t *testing.T) {
	t.Parallel()
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, trigger := range life.Triggers {
			if trigger.Holds || strings.HasPrefix(string(trigger.On), "issue-") {
				continue // it causes nothing, or belongs to closing: see TestATaskWaitsInInitForItsInputs and TestEveryRowOnClosing
			}
			for _, state := range trigger.In {
				if !slices.ContainsFunc(outsides(), func(o outside) bool {
					return o.lifecycle == name && o.fact == trigger.On && o.from == state && o.to == trigger.To
				}) {
					t.Errorf("lifecycle %s: nobody causes %s in %s", name, trigger.On, state)
				}
			}
		}
	}
}

// The example that docs/write-a-lifecycle.md begins with, put into a repository as it is, works: somebody who has only read that page can write it.
func TestTheSupportDesk(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/examples/support.yml")
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := lifecycle.Lint("support.yml", text); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	w := newWorld(t, acme.Follows)
	w.Bring(string(text))
	i := w.open("ada", "Where is my widget?")
	i.Label("tara", "colony:arrived")
	i.Label("dev[bot]", "colony:answering")
	i.Label("dev[bot]", "colony:waiting")
	w.Settle()
	i.Has("colony:waiting")
	w.clock.Advance(time.Minute)
	i.Comment("ada", "I ordered it in May.")
	w.Settle()
	i.Has("colony:answering")
	i.Label("tara", "colony:dropped")
	w.Settle()
	i.Has("colony:answering", lifecycle.NeedsHuman)
	i.ColonySays("needs a written reason", "/colony:drop <reason>")
	id := i.Comment("tara", "/colony:drop it was never ordered here")
	w.Settle()
	i.ColonyReacts(id, "+1")
	i.Has("colony:dropped")

	late := w.open("ada", "And the other one?")
	late.Label("tara", "colony:arrived")
	late.Label("dev[bot]", "colony:answering")
	w.Settle()
	w.clock.Advance(49 * time.Hour)
	w.Sweep()
	late.Has("colony:arrived", lifecycle.NeedsHuman)
	late.ColonySays("from `answering` to `arrived`", "Nobody answered within two days")
}
