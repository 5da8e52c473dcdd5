package reconcile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

// The reason of a failed build stays on the issue: the builder gives it with its request, and status and history show it, also after a
// retry.
func TestTheErrorOfABuildStaysWherePeopleReadIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	i := w.open("ada", "Paint it.")
	i.Through("autoralph", "building")
	const why = "ld: undefined reference to paint"
	for n := range 2 { // the same error again: both are kept
		w.clock.Advance(time.Minute)
		failed := i.Comment("dev[bot]", "/colony:move failed "+why)
		w.Settle()
		i.Has("colony:failed", "colony:needs-human")
		i.ColonyReacts(failed, "+1")
		if says := i.Says("rita", "/colony:status"); !strings.Contains(says, "`dev[bot]` with `/colony:move`: "+why) {
			t.Errorf("the status does not show the error:\n%s", says)
		}
		retry := i.Comment("olivia", "/colony:retry")
		w.Settle()
		i.Has("colony:building")
		i.ColonyReacts(retry, "+1")
		if says := i.Says("rita", "/colony:history"); strings.Count(says, why) != n+1 {
			t.Errorf("after %d failures the history says:\n%s", n+1, says)
		}
	}
	// The label alone is an honest failure too; what the builder says about it is its own comment.
	w.clock.Advance(time.Minute)
	i.Label("dev[bot]", "colony:failed")
	w.Settle()
	i.Has("colony:failed", "colony:needs-human")
}

// The status of an issue whose checks failed says which ones did.
func TestStatusShowsWhyColonyMovedAnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	i := w.open("ada", "Paint it.")
	i.Through("autoralph", "in-review")
	pull := i.Fixed()
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Check("work-on-1", "lint", "success")
	i.Check("work-on-1", "build", "failure")
	w.Settle()
	i.Has("colony:fixing-checks")
	want := fmt.Sprintf("by Colony: Checks of the pull request failed (`#%d` (build))", pull)
	if says := i.Says("rita", "/colony:status"); !strings.Contains(says, want) {
		t.Errorf("the status does not say %q:\n%s", want, says)
	}
	// A later move by somebody else has no reason of Colony's.
	w.clock.Advance(time.Minute)
	i.Push("work-on-1", "mended.txt")
	i.Label("dev[bot]", "colony:in-review")
	w.Settle()
	says := i.Says("rita", "/colony:status")
	if now, _, _ := strings.Cut(says, "<details>"); strings.Contains(now, "Checks of the pull request failed") {
		t.Errorf("the status shows an old reason:\n%s", says)
	}
	if !strings.Contains(says, "`in-review` → `fixing-checks`, "+want) {
		t.Errorf("the last moves do not say %q:\n%s", want, says)
	}
}
