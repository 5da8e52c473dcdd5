package statemachine

import "slices"

// FactHolds reports whether one of some facts holds for a move that somebody asks for: one that stands, or one that came late enough, by
// what the table of facts says of since when it counts.
func (l *Lifecycle) FactHolds(s Standing, a Asking, named []string, facts Facts) bool {
	return slices.ContainsFunc(facts.Observed, func(o Observation) bool {
		if !slices.Contains(named, string(o.Fact)) {
			return false
		}
		spec, _ := SpecOf(o.Fact)
		return !spec.Once() || l.counts(s, Trigger{On: o.Fact, In: []string{a.From}}, o)
	})
}
