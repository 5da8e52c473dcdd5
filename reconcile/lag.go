package reconcile

import (
	"errors"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// GitHub's API might not show yet what its webhooks reported, or what Colony wrote a moment ago. Nothing is decided by such an answer: the request
// is requeued.

// errLagging says that GitHub does not show yet what it reported.
var errLagging = errors.New("GitHub does not show yet what it told")

// longestLagWait bounds what a request waits beyond what GitHub needs.
const longestLagWait = time.Second

// requeueForLag asks to reconcile again a little later, each time twice as much within the bound. What had to be refused still has to be.
func (rc *reconciliation) requeueForLag() *Result {
	return &Result{RequeueAfter: min(rc.ServerSettings.LagWait<<min(rc.carry.Waited, 20), longestLagWait), Waits: true, Comments: rc.carry.Comments}
}

// eventVisible reports whether GitHub's answer shows the events of labels and assignees that this request is for.
func (c *Case) eventVisible() bool {
	return !slices.ContainsFunc(c.request.Expected(), func(e ExpectedEvent) bool {
		return e.Label != "" && !shows(c.view.Changes, e, c.settings.Thresholds.Lag) ||
			e.Assignee != "" && !showsAssignment(c.view.Assignments, e, c.settings.Thresholds.Lag)
	})
}

// shows reports whether a log shows the label event that a webhook reported. The log's last event about that label decides: it is the awaited one,
// or it is newer and undoes the awaited one. An earlier event of the same kind that was undone since proves nothing, however recent it is: the
// label might have been restored.
//
// The time in the webhook is that of the issue, which is never before that of the event, and can be some time after it.
func shows(log []statemachine.Change, awaited ExpectedEvent, lag time.Duration) bool {
	var last statemachine.Change
	var at time.Time // of the latest event of the awaited kind
	for _, c := range log {
		if !lifecycle.SameLabel(c.Label, awaited.Label) {
			continue
		}
		if c.ID > last.ID {
			last = c
		}
		if c.Added == awaited.Added && c.At.After(at) {
			at = c.At
		}
	}
	switch {
	case last.ID == 0:
		return false
	case last.Added == awaited.Added:
		return !last.At.Before(awaited.At.Add(-lag))
	case last.At.Equal(awaited.At): // within one second only the log tells the order, and only if it has both
		return at.Equal(awaited.At)
	}
	return last.At.After(awaited.At)
}

// showsAssignment reports the same of the event that someone was assigned.
func showsAssignment(log []issues.Assignment, awaited ExpectedEvent, lag time.Duration) bool {
	changes := make([]statemachine.Change, len(log))
	for i, a := range log {
		changes[i] = statemachine.Change{Moment: statemachine.Moment{At: a.At, ID: a.ID}, Added: a.Added, Label: a.To}
	}
	awaited.Label, awaited.Added = awaited.Assignee, true
	return shows(changes, awaited, lag)
}
