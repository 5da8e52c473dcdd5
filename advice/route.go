package advice

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Route returns a shortest way for an actor from the state of an issue to another state, both ends included; nil if no way exists. Only
// its first move can be one that returns to the previous state.
func Route(l *statemachine.Table, s statemachine.Standing, who lifecycle.Actor, to string) []string {
	before := map[string]string{s.State: ""}
	next := l.NextAt(s, who)
	for todo := []string{s.State}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == to {
			return walkBack(before, to)
		}
		if todo[0] != s.State {
			next = l.Next(who, todo[0])
		}
		for _, p := range next {
			if _, seen := before[p.To]; !seen && (p.From == s.State || !p.OnlyPrevious) {
				before[p.To] = p.From
				todo = append(todo, p.To)
			}
		}
	}
	return nil
}

func walkBack(before map[string]string, to string) []string {
	var route []string
	for state := to; state != ""; state = before[state] {
		route = append(route, state)
	}
	slices.Reverse(route)
	return route
}
