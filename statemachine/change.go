package statemachine

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Change is one `labeled` or `unlabeled` event of an issue, as GitHub's log keeps it.
// See https://docs.github.com/rest/issues/events.
type Change struct {
	// ID is the event's id. Ids of one issue increase in the order in which the changes happened.
	ID    int64
	Added bool // labeled, else unlabeled
	Label string
	By    Actor
	At    time.Time // GitHub gives whole seconds
}

// sorted returns the changes oldest first, themselves if they are. Ids are GitHub's order: several events share a second.
func sorted(changes []Change) []Change {
	byID := func(a, b Change) int { return cmp.Compare(a.ID, b.ID) }
	if slices.IsSortedFunc(changes, byID) { // GitHub's lists are
		return changes
	}
	inOrder := slices.Clone(changes)
	slices.SortStableFunc(inOrder, byID)
	return inOrder
}

// foldCase makes label names comparable: GitHub compares them without regard to case.
func foldCase(label string) string { return strings.ToLower(label) }

// labelSet is a set of label names that compares as GitHub does and remembers how each was written.
type labelSet map[string]string

func (s labelSet) add(label string)      { s[foldCase(label)] = label }
func (s labelSet) remove(label string)   { delete(s, foldCase(label)) }
func (s labelSet) has(label string) bool { _, ok := s[foldCase(label)]; return ok }

// SameLabel reports whether two label names are the same label to GitHub.
func SameLabel(a, b string) bool { return foldCase(a) == foldCase(b) }

// HasLabel reports whether a label is among others, as GitHub compares them.
func HasLabel(labels []string, label string) bool {
	return slices.ContainsFunc(labels, func(l string) bool { return SameLabel(l, label) })
}

// hasPrefix reports whether the name of a label begins with another text, as GitHub compares names.
func hasPrefix(label, prefix string) bool {
	return len(label) >= len(prefix) && strings.EqualFold(label[:len(prefix)], prefix)
}
