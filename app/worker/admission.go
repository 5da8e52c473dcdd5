package worker

import (
	"fmt"
	"strings"
	"time"

	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// Reasons why an item waits that are no budget.
const (
	whyReserve = "reserve" // the last calls of the hour are kept for people
	whyWait    = "wait"    // the reconciliation asked for it
)

// gated are the reasons for which everything of an installation waits together, so that only one item at a time finds out whether
// the wait is over.
var gated = map[string]bool{string(ratelimit.BudgetGitHub): true, string(ratelimit.BudgetGraphQL): true, whyReserve: true}

// gate names where an item waits with the others of its installation; empty: it waits alone.
func (i *Item) gate(why string) string {
	if !gated[why] {
		return ""
	}
	return fmt.Sprintf("%s/%d", why, i.Installation)
}

// The ranks of items that wait together: the lowest goes first.
const (
	rankPeople    = iota // what somebody wrote or labelled, and waits for
	rankEvents           // what else webhooks told of
	rankProvision        // labels and settings of repositories
	rankSweep            // what nobody asked for
)

// peopleCause begins the causes that are edits and comments of issues.
var peopleCause = []string{"issues.", "issue_comment."}

func (i *Item) rank() int {
	switch i.Kind {
	case reconcile.KindSweep:
		return rankSweep
	case reconcile.KindRepository, reconcile.KindPolicy, reconcile.KindInstallation:
		return rankProvision
	case reconcile.KindIssue:
		if i.Cause == reconcile.CauseSweep {
			return rankSweep
		}
		for _, cause := range peopleCause {
			if strings.HasPrefix(i.Cause, cause) {
				return rankPeople
			}
		}
	case reconcile.KindDispatch, reconcile.KindPullRequest, reconcile.KindCommit, reconcile.KindConflicts, reconcile.KindFiles, reconcile.KindDependents:
	}
	return rankEvents
}

// admit returns how long a request has to wait before it can begin, and why. Sweeps leave the last calls of an hour to those
// who wait for an answer.
func (w *Worker) admit(item *Item, caller ratelimit.Caller) (why string, wait time.Duration) {
	if wait := w.Limits.Left(item.Installation, w.clock.Now()); wait > 0 {
		return string(ratelimit.BudgetGitHub), wait
	}
	if item.Installation == 0 { // the App itself
		return "", 0
	}
	if item.Cause == reconcile.CauseSweep {
		if wait := w.Limiter.ReservedFor(item.Installation); wait > 0 {
			return whyReserve, wait
		}
	}
	if caller.Sweeps {
		return string(ratelimit.BudgetPoints), w.Limiter.WaitForSweep(item.Installation, item.Sweep.Needs(item.ID == 0))
	}
	return string(ratelimit.BudgetPoints), w.Limiter.Begin(caller)
}
