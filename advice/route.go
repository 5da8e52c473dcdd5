package advice

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Route returns a shortest way for an actor from the state of an issue to another state, both ends included; nil if no way exists. Only
// its first move can be one that returns to the previous state.
func Route(l *statemachine.Table, s statemachine.Standing, who lifecycle.Actor, to string) []string {
	ways := lifecycle.Ways{}
	for _, p := range l.NextAt(s, who) {
		ways.Add(p.From, p.To)
	}
	for _, p := range l.Pairs {
		if p.From != s.State && !p.OnlyPrevious && l.Judge(who, p.From, p.To) == lifecycle.Legal {
			ways.Add(p.From, p.To)
		}
	}
	before := ways.From(s.State)
	if before[to] == "" {
		return nil
	}
	route := []string{to}
	for state := to; state != s.State; route = append(route, state) {
		state = before[state]
	}
	slices.Reverse(route)
	return route
}
