package app

import (
	"fmt"
	"strings"

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
func (e *item) gate(why string) string {
	if !gated[why] {
		return ""
	}
	return fmt.Sprintf("%s/%d", why, e.Installation)
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

func (e *item) rank() int {
	switch e.Kind {
	case reconcile.KindSweep:
		return rankSweep
	case reconcile.KindRepository, reconcile.KindPolicy, reconcile.KindInstallation:
		return rankProvision
	case reconcile.KindIssue:
		if e.Cause == reconcile.CauseSweep {
			return rankSweep
		}
		for _, cause := range peopleCause {
			if strings.HasPrefix(e.Cause, cause) {
				return rankPeople
			}
		}
	case reconcile.KindDispatch, reconcile.KindPullRequest, reconcile.KindCommit, reconcile.KindConflicts, reconcile.KindFiles, reconcile.KindDependents:
	}
	return rankEvents
}
