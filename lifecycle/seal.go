package lifecycle

import (
	"slices"
)

// Sealed reports whether the row is about what was approved.
func (t Trigger) Sealed() bool { return facts[t.On].Sealed }

// Seals returns the rows that hold what was approved in a state.
func (l *Lifecycle) Seals(state string) []Trigger {
	return slices.DeleteFunc(l.TriggersIn(state), func(t Trigger) bool { return !t.Sealed() })
}

// SealsHead reports whether the pull requests of an issue are held in a state as well.
func (l *Lifecycle) SealsHead(state string) bool {
	return slices.ContainsFunc(l.Seals(state), func(t Trigger) bool { return t.On == headChanged })
}
