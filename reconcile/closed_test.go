package reconcile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/apptest/acme"
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
	first.ColonySays("others still wait for it")
	w.clock.Advance(time.Minute)
	first.Swap("olivia", "colony:ready-for-dev", "colony:done")
	w.Settle()
	second.Has("colony:ready-for-dev")
}
