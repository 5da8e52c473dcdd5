package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// Change is one `labeled` or `unlabeled` event of an issue, as GitHub's log keeps it.
// See https://docs.github.com/rest/issues/events.
type Change struct {
	Moment
	Added bool // labeled, else unlabeled
	Label string
	By    lifecycle.Actor
}

// sorted returns the changes oldest first, themselves if they are. Ids are GitHub's order: several events share a second.
func sorted(changes []Change) []Change {
	byID := func(a, b Change) int { return a.compare(b.Moment) }
	if slices.IsSortedFunc(changes, byID) { // GitHub's lists are
		return changes
	}
	inOrder := slices.Clone(changes)
	slices.SortStableFunc(inOrder, byID)
	return inOrder
}

// labelSet is a set of label names that compares as GitHub does and remembers how each was written.
type labelSet map[string]string

func (s labelSet) add(label string)      { s[lifecycle.FoldCase(label)] = label }
func (s labelSet) remove(label string)   { delete(s, lifecycle.FoldCase(label)) }
func (s labelSet) has(label string) bool { _, ok := s[lifecycle.FoldCase(label)]; return ok }

// Closure is one `closed` or `reopened` event of an issue.
type Closure struct {
	Moment
	Closed bool // else opened again
}

// closedAt reports whether an issue was closed at a moment of its log.
func closedAt(closures []Closure, m Moment) bool {
	closed := false
	for _, c := range closures {
		if !m.follows(c.Moment) {
			break
		}
		closed = c.Closed
	}
	return closed
}

// LastReopening is the event by which an issue was last opened again; zero if it never was.
func LastReopening(closures []Closure) Moment {
	for _, c := range slices.Backward(closures) {
		if !c.Closed {
			return c.Moment
		}
	}
	return Moment{}
}
