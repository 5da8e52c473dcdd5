package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// FactHolds reports whether one of some facts holds for a move that someone asks for. The fact has to last, or to have come late enough, by what
// the table of facts says of the time from which it counts.
func (t *Table) FactHolds(s Standing, a lifecycle.Asking, named []string, facts Facts) bool {
	return slices.ContainsFunc(facts.Observed, func(o Observation) bool {
		if !slices.Contains(named, string(o.Fact)) {
			return false
		}
		spec, _ := lifecycle.SpecOf(o.Fact)
		return !spec.Once() || rowAt{lifecycle.Trigger{On: o.Fact, In: []string{a.From}}, t, s}.counts(o)
	})
}
