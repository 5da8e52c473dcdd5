package lifecycle

import (
	"slices"
)

// Sealed reports whether the row is about what was approved.
func (t Trigger) Sealed() bool { return facts[t.On].Sealed }

// Seals returns the rows that hold what was approved in a state.
func (all Triggers) Seals(state string) []Trigger {
	return slices.DeleteFunc(all.OutOf(state), func(t Trigger) bool { return !t.Sealed() })
}

// SealHead reports whether the pull requests of an issue are held in a state as well.
func (all Triggers) SealHead(state string) bool {
	return slices.ContainsFunc(all.Seals(state), func(t Trigger) bool { return t.On == headChanged })
}
