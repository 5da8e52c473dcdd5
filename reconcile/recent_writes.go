package reconcile

import (
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A process remembers which labels it put on issues and took off, while GitHub might not show it yet. Nothing is decided by a log that hides them.
// GitHub's webhook of a write of Colony's own asks for nothing, so what was written from a log that lagged behind would never be noticed.
// Forgetting is harmless: a sweep finds what is left.

// labelWrite is a label that was put on or taken off.
type labelWrite struct {
	labelChange
	at time.Time
	// after is the last event that the log showed when it was decided to write: the event of the write is newer. Times do not tell
	// it, since GitHub's have whole seconds, and its clock is not this one.
	after int64
	// by is whose command it was written for; no kind: it was written for none.
	by requester
}

// wrote notes what was written to the issue that had these labels and this log before, and for whose command. Of each label its latest
// change counts.
func (r *remembered) wrote(labels []string, log []statemachine.Change, writes []issues.Write, by requester, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changes := slices.Clone(r.written)
	after := lastEvent(log)
	made, _ := changing(labels, writes)
	for _, c := range made {
		changes = slices.DeleteFunc(changes, func(before labelWrite) bool { return lifecycle.SameLabel(before.label, c.label) })
		changes = append(changes, labelWrite{labelChange: c, at: at, after: after, by: by})
	}
	r.written = changes
}

// lastEvent is the id of the newest event of a log; 0 if it is empty.
func lastEvent(log []statemachine.Change) (id int64) {
	for _, c := range log {
		id = max(id, c.ID)
	}
	return id
}

// hides reports whether a log that was read at a time hides one of the latest writes to the issue. A write is awaited for lag.
func (r *remembered) hides(log []statemachine.Change, read time.Time, lag time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.written, func(c labelWrite) bool { return read.Sub(c.at) < lag && !c.shownIn(log) })
}

// wroteFor tells for whose command this process put on a label, by the event in a log. It is not known of what others wrote.
func (r *remembered) wroteFor(log []statemachine.Change, eventID int64) (by requester, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.written {
		if i := c.eventIn(log); i >= 0 && log[i].ID == eventID {
			return c.by, true
		}
	}
	return requester{}, false
}

// shownIn reports whether a log has the event of a write. Later changes of the label do not matter.
func (w labelWrite) shownIn(log []statemachine.Change) bool { return w.eventIn(log) >= 0 }

// eventIn returns the place of the event of a write in a log; -1: it is not there.
func (w labelWrite) eventIn(log []statemachine.Change) int {
	return slices.IndexFunc(log, func(c statemachine.Change) bool {
		return c.ID > w.after && c.Added == w.added && lifecycle.SameLabel(c.Label, w.label)
	})
}
