package worker

import (
	"strings"
	"time"

	"github.com/colony-app/colony/app/queue"
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
	return reasonOf(i, why)
}

// The ranks of items that wait together: the lowest goes first.
const (
	rankPeople    = iota // what somebody wrote or labelled, and waits for
	rankEvents           // what else webhooks told of
	rankProvision        // labels and settings of repositories, and what a push may mean to all of their pull requests
	rankSweep            // what nobody asked for
)

// peopleCause begins the causes that are edits and comments of issues.
var peopleCause = []string{"issues.", "issue_comment."}

func (i *Item) rank() int {
	switch i.Kind {
	case reconcile.KindSweep, reconcile.KindDashboard:
		return rankSweep
	case reconcile.KindRepository, reconcile.KindPolicy, reconcile.KindInstallation,
		reconcile.KindConflicts: // a push to the default branch, which also brings the repository's own file
		return rankProvision
	case reconcile.KindIssue:
		switch i.Cause {
		case reconcile.CauseSweep:
			return rankSweep
		case reconcile.CauseRetry: // many at once, after something was granted
			return rankProvision
		}
		for _, cause := range peopleCause {
			if strings.HasPrefix(i.Cause, cause) {
				return rankPeople
			}
		}
	case reconcile.KindDispatch, reconcile.KindPullRequest, reconcile.KindCommit, reconcile.KindFiles, reconcile.KindDependents:
	}
	return rankEvents
}

// background reports whether nobody waits for what an item asks for.
func (i *Item) background() bool { return i.rank() >= rankProvision }

// Background reports whether nobody waits for what a task asks for, which may take long. It implements queue.Options.Background. What is
// about one issue is never among these, because a person may wait behind it.
func Background(task queue.Task) bool {
	if task.Issue != 0 {
		return false
	}
	item, err := ReadItem(task)
	return err == nil && item.background()
}

// admit returns how long a request has to wait before it can begin, and why. Background work leaves the last calls of an hour to those
// who wait for an answer, and most of the points of a minute.
func (w *Worker) admit(item *Item, caller ratelimit.Caller) (why string, wait time.Duration) {
	if wait := w.Limits.Left(item.Installation, w.clock.Now()); wait > 0 {
		return string(ratelimit.BudgetGitHub), wait
	}
	if item.Installation == 0 { // the App itself
		return "", 0
	}
	if !caller.Background {
		return string(ratelimit.BudgetPoints), w.Limiter.Begin(caller)
	}
	if wait := w.Limiter.ReservedFor(item.Installation); wait > 0 {
		return whyReserve, wait
	}
	return string(ratelimit.BudgetBackground), w.waitInBackground(item)
}

// waitInBackground returns how long background work has to wait for the points that people leave.
func (w *Worker) waitInBackground(item *Item) time.Duration {
	switch {
	case item.Kind == reconcile.KindSweep:
		return w.Limiter.WaitForSweep(item.Installation, item.Sweep.Needs(item.ID == 0))
	case item.Kind == reconcile.KindInstallation:
		return w.Limiter.WaitInBackground(item.Installation, ratelimit.Onboarding, ratelimit.PointsOfProvisioning, 0)
	case item.Kind == reconcile.KindRepository: // it may have to make all labels
		return w.Limiter.WaitInBackground(item.Installation, ratelimit.Provisioning, ratelimit.PointsOfProvisioning, ratelimit.PointsOfProvisioning)
	case item.rank() == rankSweep:
		return w.Limiter.WaitInBackground(item.Installation, ratelimit.Sweeping, ratelimit.PointsOfReconciliation, ratelimit.PointsOfReconciliation)
	}
	return w.Limiter.WaitInBackground(item.Installation, ratelimit.Provisioning, ratelimit.PointsOfReconciliation, ratelimit.PointsOfReconciliation)
}
