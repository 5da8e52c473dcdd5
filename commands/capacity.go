package commands

import (
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
)

// Capacity is how full a state is, where the repository says how many issues can be there.
type Capacity struct {
	lifecycle.Dispatch
	// There is how many open issues are there; Waiting are the issues that wait for it, the next first.
	There   int
	Waiting []lifecycle.Candidate
}

// capacities tells how full states are: the states that have to do with a named one, or all if no state is named.
func (e *execution) capacities(state string) []wording.Capacity {
	var shown []wording.Capacity
	for _, c := range e.Capacities {
		if state != "" && state != c.To && !slices.Contains(c.From, state) {
			continue
		}
		one := wording.Capacity{State: c.To, There: c.There, AtMost: c.AtMost, Waiting: len(c.Waiting)}
		if state != "" {
			one.Place = slices.IndexFunc(c.Waiting, func(i lifecycle.Candidate) bool { return i.Number == e.Home.Number }) + 1
		}
		shown = append(shown, one)
	}
	return shown
}
