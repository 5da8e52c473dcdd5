package reconcile_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Closing an issue in the middle of its lifecycle leads where the lifecycle's rows say.
func TestClosingInTheMiddle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		life, in, closedAs string
		want, says         string
	}{
		"colony, completed":        {"colony", "ready-for-dev", "completed", "ready-for-dev", "It was closed before it was done"},
		"colony, not planned":      {"colony", "ready-for-dev", "not_planned", "ready-for-dev", ""},
		"autoralph, completed":     {"autoralph", "building", "completed", "building", "It was closed before it was completed"},
		"colibri, completed":       {"colibri", "apply", "completed", "apply", "/colony:cancel"},
		"colibri, not planned":     {"colibri", "apply", "not_planned", "apply", "/colony:cancel"},
		"prp, completed":           {"prp", "implementing", "completed", "complete", ""},
		"prp, completed too early": {"prp", "planned", "completed", "planned", "It was closed before it was implemented"},
		"prp, not planned":         {"prp", "researching", "not_planned", "obsolete", ""},
		"prp, a duplicate":         {"prp", "researching", "duplicate", "obsolete", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notifiedAndSwept(t, acme.WithLifecycle(c.life), func(w *world, after func()) {
				i := w.open("ada", "Paint it.")
				i.Through(c.life, c.in)
				w.Settle()
				w.clock.Advance(time.Minute)
				i.CloseAs(i.Number, c.closedAs)
				after()
				i.Has("colony:" + c.want)
				if c.says != "" {
					i.ColonySays(c.says)
				}
				w.Sweep()
			}, acme.Follows)
		})
	}
}

// Each row on closing and reopening, in each of its states, leads where it says, or says what it has to say.
func TestEveryRowOnClosing(t *testing.T) {
	t.Parallel()
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range life.Triggers {
			for _, state := range row.In {
				if !strings.HasPrefix(string(row.On), "issue-") {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", name, row.On, state), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, acme.WithLifecycle(name), acme.Follows)
					i := w.open("ada", "Paint it.")
					pull := 0
					if name == "colony" || name == "autoralph" {
						pull = i.Fixed()
					}
					if state == "dependency-blocked" {
						i.BlockedBy(i.Number, i.Other(), true)
					}
					switch {
					case state == "cancelled": // a label gives no reason
						i.Through(name, "init")
						cancel := i.Comment("olivia", "/colony:cancel it is not wanted any more")
						w.Settle()
						i.ColonyReacts(cancel, "+1")
					case name == "autoralph" && state == "completed": // it takes a merge
						i.Through(name, "in-review")
						w.Settle()
						w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
					default:
						i.Through(name, state)
					}
					w.Settle()
					i.Has("colony:" + state)
					w.clock.Advance(time.Minute)
					closes(w, i, row.On, pull)
					w.Settle()
					i.Has("colony:" + cmp.Or(row.To, state))
					if row.To == "" {
						i.ColonySays(row.Why[:24])
					}
					w.Sweep()
					i.Has("colony:" + cmp.Or(row.To, state))
				})
			}
		}
	}
}

// closes makes a fact about closing true.
func closes(w *world, i *issue, fact lifecycle.Fact, pull int) {
	switch fact {
	case "issue-merged":
		w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	case "issue-reopened":
		i.CloseAs(i.Number, "completed") // not every end closes it
		i.Change("mona", i.Number, &github.IssueRequest{State: new("open")})
	case "issue-dropped":
		i.CloseAs(i.Number, "not_planned")
	default:
		i.CloseAs(i.Number, "completed")
	}
}

// A merge that closes the issue completes it, wherever it was.
func TestAMergeEndsTheIssue(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"colony:analyzing", "colony:ready-for-dev", "colony:in-development", "colony:changes-requested", "colony:failure-blocked"} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
				i := w.stateful(label)
				pull := i.Fixed()
				w.Settle()
				w.clock.Advance(time.Minute)
				w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
				after()
				i.Has("colony:done")
			})
		})
	}
}

// Nothing leads out of an end, and who reopens the issue learns that.
func TestReopenedAtTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.stateful("colony:merge-pending")
	i.Label("olivia", "colony:done")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Change("mona", i.Number, &github.IssueRequest{State: new("open")})
	w.Settle()
	i.Has("colony:done")
	i.ColonySays("open a new issue for what is left")
	w.Sweep()
}

// No bot works on a closed issue, by label or by command, but it can say that the work came to its end.
func TestBotsAndClosedIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:ready-for-dev")
	i.CloseAs(i.Number, "not_planned")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Swap("dev[bot]", "colony:ready-for-dev", "colony:in-development")
	w.Settle()
	i.Has("colony:ready-for-dev")
	i.ColonySays("the issue is closed")
	i.ColonyReacts(i.CommentAndSettle("dev[bot]", "/colony:move in-development"), "confused")
	i.ColonySays("the issue is closed")
	i.Has("colony:ready-for-dev")
	if answer := i.Says("olivia", "/colony:status"); !strings.Contains(answer, "it is closed") {
		t.Errorf("status does not say it:\n%s", answer)
	}
	w.clock.Advance(time.Minute)
	i.Change("mona", i.Number, &github.IssueRequest{State: new("open")})
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Swap("dev[bot]", "colony:ready-for-dev", "colony:in-development")
	w.Settle()
	i.Has("colony:in-development")
}

// What depends on an issue waits for the end of its lifecycle.
func TestDependentsWaitForTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	first := w.stateful("colony:ready-for-dev")
	second := w.OpenIn("colony:ready-for-dev", "")
	w.Settle()
	second.BlockedBy(second.Number, first.Number, true)
	w.Settle()
	second.Has("colony:dependency-blocked")
	w.clock.Advance(time.Minute)
	first.CloseAs(first.Number, "completed")
	w.Settle()
	second.Has("colony:dependency-blocked")
	first.ColonySays("issues that depend on it wait")
	w.clock.Advance(time.Minute)
	first.Swap("olivia", "colony:ready-for-dev", "colony:done")
	w.Settle()
	second.Has("colony:ready-for-dev")
}

// A task of colibri that someone closed by hand ends no wait either.
func TestTasksWaitForTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, acme.Colibri, roled(map[string][]string{"one[bot]": {"gatherer"}}))
	w.github.AddBot("one")
	first, second := w.stateful("colony:init"), w.stateful("colony:init")
	second.BlockedBy(second.Number, first.Number, true)
	w.Settle()
	w.clock.Advance(time.Minute)
	first.CloseAs(first.Number, "completed")
	w.Settle()
	first.ColonySays("issues that depend on it wait")
	second.Swap("one[bot]", "colony:init", "colony:gather")
	w.Settle()
	second.Has("colony:init")
	second.ColonySays("#1")
}

// Others wait again for a closed issue once Colony puts a label back that says so.
func TestDependentsWaitAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(i *issue)
		back   string
	}{
		"its label was taken off":   {func(i *issue) { i.Unlabel("olivia", "colony:in-review") }, "colony:in-review"},
		"a bot swapped it for done": {func(i *issue) { i.Swap("dev[bot]", "colony:in-review", "colony:done") }, "colony:failure-blocked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
				second := w.OpenIn("colony:ready-for-dev", "")
				first, _ := w.fixedIn("colony:in-review")
				w.clock.Advance(time.Minute)
				second.BlockedBy(second.Number, first.Number, true)
				after()
				second.Has("colony:dependency-blocked")
				w.clock.Advance(time.Minute)
				test.change(first)
				first.CloseAs(first.Number, "completed")
				after()
				first.Has(test.back, "colony:needs-human")
				first.ReadsComments()
				second.Has("colony:dependency-blocked")
			})
		})
	}
}
