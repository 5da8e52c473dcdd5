package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Reminder is that Colony writes a comment before an issue has been in its state for too long.
type Reminder struct {
	// Before is how long before.
	Before time.Duration
	// Mention lists who is mentioned, people and teams; empty: who has to act, as far as the lifecycle names a person.
	Mention []string
}

// shortestReminder is how long before a timeout a reminder can be of use: sweeps look for timeouts.
const shortestReminder = time.Minute

// remindsBefore is the row's Remind as a duration; 0 if it has none that can be read.
func (n Notify) remindsBefore() time.Duration {
	d, err := time.ParseDuration(n.Remind)
	if err != nil {
		return 0
	}
	return d
}

// ReminderIn returns the reminder of a state, if rows have one: of several, the earliest, for all who are named.
func ReminderIn(rows []Notify, state string) (r Reminder, ok bool) {
	for _, row := range rows {
		if row.remindsBefore() <= 0 || !slices.Contains(row.In, state) {
			continue
		}
		r.Before, ok = max(r.Before, row.remindsBefore()), true
		for _, name := range row.Mention {
			if !slices.ContainsFunc(r.Mention, func(other string) bool { return strings.EqualFold(other, name) }) {
				r.Mention = append(r.Mention, name)
			}
		}
	}
	return r, ok
}

// remindMisfit says why a row cannot remind of the timeout of a state; empty if it can.
func (n Notify) remindMisfit(life *statemachine.Table, state string) string {
	timeOut, ok := life.TimeOuts.In(state)
	switch {
	case !ok:
		return fmt.Sprintf("lifecycle %s has no time-out in %q, so there is nothing to remind of", life.Name, state)
	case lifecycle.Duration(n.remindsBefore()) >= timeOut.After:
		return fmt.Sprintf("the time-out in %q comes after %s, so nobody can be reminded %s before it", state, lifecycle.Span(timeOut.After), lifecycle.Span(n.remindsBefore()))
	}
	return ""
}

// remindUnreadable says why a row's Remind is no duration; empty if it is one.
func (n Notify) remindUnreadable() string {
	if d, err := time.ParseDuration(n.Remind); err != nil || d < shortestReminder {
		return fmt.Sprintf("%q is not a duration of %s or more, written like 30m or 24h", cmp.Or(n.Remind, ""), lifecycle.Span(shortestReminder))
	}
	return ""
}
