package worker

import (
	"slices"
	"strings"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/reconcile"
)

// Join makes one task out of the tasks that ask to reconcile the same issue. One read of the issue answers all of them, once it shows what
// GitHub reported to each. It implements queue.Join.
func Join(first queue.Task) queue.Joining {
	item, err := ReadItem(first)
	return &joining{item, err == nil}
}

// joining implements queue.Joining.
type joining struct {
	whole    Item
	readable bool
}

func (j *joining) Add(next queue.Task) bool {
	item, err := ReadItem(next)
	if err != nil || !j.readable {
		return false
	}
	whole, ok := joinItems(j.whole, item)
	if ok {
		j.whole = whole
	}
	return ok
}

func (j *joining) Body() ([]byte, error) { return j.whole.encode() }

// isLike reports whether two items are reconciled in the same way: what earlier rounds found out about one of them is true of the other.
func (i *Item) isLike(other *Item) bool {
	return i.Kind == reconcile.KindIssue && other.Kind == reconcile.KindIssue && i.Ref == other.Ref && routine(*i) == routine(*other) &&
		i.Carry == other.Carry && i.About == nil &&
		(i.By == "" || other.By == "" || strings.EqualFold(i.By, other.By)) // no one waits for another's share
}

// joinItems joins what two items ask for, if they are alike.
func joinItems(a, b Item) (Item, bool) {
	told := slices.Concat(a.Expected(), b.Expected())
	if !a.isLike(&b) || pullRequests(told) > 1 {
		return a, false
	}
	a.Joined = slices.Clone(told[1:])
	a.Commands = a.Commands || b.Commands
	a.OnlyIntake, a.OnlyReply, a.OnlySealed = a.OnlyIntake && b.OnlyIntake, a.OnlyReply && b.OnlyReply, a.OnlySealed && b.OnlySealed
	a.ByAuthor, a.Labels = a.ByAuthor || b.ByAuthor, slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.Labels, b.Labels))))
	if len(b.OnlyStates) == 0 {
		a.OnlyStates = nil
	}
	if len(a.OnlyStates) > 0 {
		a.OnlyStates = slices.Concat(a.OnlyStates, b.OnlyStates)
	}
	a.Needs = max(a.Needs, b.Needs)
	a.Retry = a.Retry || b.Retry
	a.Begun, a.InTurn, a.Shares = a.Begun || b.Begun, a.InTurn || b.InTurn, max(a.Shares, b.Shares)
	if b.By == "" { // it is not only about what someone asked
		a.By = ""
	}
	return a, true
}

// routine is why an item was asked for that no one waits for; empty for the others.
func routine(item Item) string {
	switch item.Cause {
	case reconcile.CauseSweep, reconcile.CauseDispatch, reconcile.CauseRetry:
		return item.Cause
	}
	return ""
}

// pullRequests counts the pull requests that must be visible.
func pullRequests(told []reconcile.ExpectedEvent) int {
	numbers := map[int]bool{}
	for _, e := range told {
		if e.PullRequest > 0 {
			numbers[e.PullRequest] = true
		}
	}
	return len(numbers)
}
