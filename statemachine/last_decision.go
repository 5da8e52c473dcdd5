package statemachine

import (
	"slices"
	"time"
)

// LastDecision returns when a person last made a move that says something about the work, up to a time; zero if the log does not tell.
func (t *Table) LastDecision(s Standing, until time.Time) time.Time {
	for i, m := range slices.Backward(s.Trail) {
		if !m.after(until) && t.intervened(m) && !t.isDetour(s.before(i), m) {
			return m.At
		}
	}
	return time.Time{}
}
