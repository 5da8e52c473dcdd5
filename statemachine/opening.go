package statemachine

import (
	"slices"
	"strings"
	"time"
)

// An issue form or template puts labels on an issue as somebody opens it, and GitHub's log names the author for them, who may have no
// right to edit labels
// (https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms). Such a
// label is what the author asks for: nobody decided it.

const (
	// openingTakes is how long after the opening GitHub may date the labels that came with it.
	openingTakes = 10 * time.Second
	// openingYoung is how long Colony asks for the author's right although an executor has taken the work up meanwhile. Later than
	// that the executor's move stands, so that an author who loses the right does not undo work.
	openingYoung = 10 * time.Minute
)

// Opening is how an issue was opened.
type Opening struct {
	By string // the author's login; empty if GitHub does not tell
	At time.Time
	// OnlyAsks says that the author may not set states: the labels of states that came with the opening are requests.
	OnlyAsks bool
}

// OpenedWith returns the changes by which the author, a person, put the labels of states on the issue while opening it.
func (l *Lifecycle) OpenedWith(h History) []Change {
	if h.Opening.By == "" {
		return nil
	}
	var with []Change
	for _, c := range sorted(h.Changes) {
		if _, isState := l.StateOf(c.Label); isState && c.Added && h.inOpening(c) {
			with = append(with, c)
		}
	}
	return with
}

// inOpening reports whether a change can have come with the opening.
func (h History) inOpening(c Change) bool {
	return h.byAuthor(c) && c.At.Sub(h.Opening.At) <= openingTakes
}

func (h History) byAuthor(c Change) bool {
	return c.By.Kind == Operator && strings.EqualFold(c.By.Login, h.Opening.By)
}

// AsksForAuthorsRight reports whether the state of an issue depends on whether its author may set states: one came with the
// opening, is judged, and nothing that happened since tells.
func (l *Lifecycle) AsksForAuthorsRight(h History, now time.Time) bool {
	with := l.OpenedWith(h)
	if len(with) == 0 || with[0].At.Before(h.JudgedSince) || l.openingRefused(with, h) {
		return false
	}
	for _, c := range h.Changes {
		_, isState := l.StateOf(c.Label)
		switch {
		case h.inOpening(c):
		case h.byAuthor(c): // who edits labels later has the right to
			return false
		case !isState || !c.Added:
		case c.By.Kind == Executor && now.Sub(h.Opening.At) < openingYoung:
		default: // the state is somebody else's doing
			return false
		}
	}
	return true
}

// openingRefused reports whether Colony has refused the labels of the opening, as the log tells: it took the last of them off before
// anybody put a state's label there, and did not put it back, as it does for one more round in the same state.
func (l *Lifecycle) openingRefused(with []Change, h History) bool {
	there := labelSet{}
	for _, c := range with {
		there.add(c.Label)
	}
	refused := false
	for _, c := range sorted(h.Changes) {
		_, isState := l.StateOf(c.Label)
		switch {
		case !isState || slices.ContainsFunc(with, func(o Change) bool { return o.ID == c.ID }):
		case refused: // what comes next
			back := c.Added && c.By.Kind == Colony && slices.ContainsFunc(with, func(o Change) bool { return SameLabel(o.Label, c.Label) })
			return !back
		case c.Added:
			return false
		default:
			there.remove(c.Label)
			refused = len(there) == 0 && c.By.Kind == Colony
			if len(there) == 0 && !refused {
				return false
			}
		}
	}
	return refused
}

// attributed returns the changes with those of the opening as the author's requests, if they are no more than that.
func (l *Lifecycle) attributed(h History) []Change {
	with := l.OpenedWith(h)
	if len(with) == 0 || !h.Opening.OnlyAsks && !l.openingRefused(with, h) {
		return h.Changes
	}
	changes := slices.Clone(h.Changes)
	for i, c := range changes {
		if slices.ContainsFunc(with, func(o Change) bool { return o.ID == c.ID }) {
			changes[i].By = Actor{Login: c.By.Login, Kind: Author}
		}
	}
	return changes
}
