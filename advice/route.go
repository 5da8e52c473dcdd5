package advice

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Route returns a shortest way for an actor from the state of an issue to another state, both ends included; nil if no way exists. Only
// its first move can be one that returns to the previous state.
func Route(l *statemachine.Table, s statemachine.Standing, who lifecycle.Actor, to string) []string {
	all := func(lifecycle.Pair) bool { return true }
	return route(l, s, who, to, all, all)
}

// Way returns a shortest way for a person to another state that does no harm, both ends included. It is nil if no such way exists, or if it leads
// to an end, or starts the work again, for which Colony closes its pull requests. Its first move is harmless, since that is what Colony advises, and
// all of them are if there is such a way. A way to a blocked state passes none where bots have work: that would begin work only to stop it.
func Way(l *statemachine.Table, s statemachine.Standing, to string) []string {
	if to == "" || l.IsEnd(to) {
		return nil
	}
	passes := func(p lifecycle.Pair) bool { return p.To == to || !isBlocked(l, to) || len(l.Roles.In(p.To)) == 0 }
	harmless := func(p lifecycle.Pair) bool { return passes(p) && isHarmless(l, p, to) }
	if way := route(l, s, operator, to, harmless, harmless); len(way) > 1 {
		return way
	}
	way := route(l, s, operator, to, harmless, func(p lifecycle.Pair) bool { return passes(p) && !l.IsEnd(p.To) && !p.FreshStart })
	if len(way) < 2 {
		return nil
	}
	return way
}

// route returns a shortest way whose first move and whose later moves are some.
func route(l *statemachine.Table, s statemachine.Standing, who lifecycle.Actor, to string, first, later func(lifecycle.Pair) bool) []string {
	ways := lifecycle.Ways{}
	for _, p := range l.NextAt(s, who) {
		if first(p) {
			ways.Add(p.From, p.To)
		}
	}
	for _, p := range l.Pairs {
		if p.From != s.State && !p.OnlyPrevious && later(p) && l.Judge(who, p.From, p.To) == lifecycle.Legal {
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

// isHarmless reports whether a person's move on the way to a state does no work of others. It leads to no end and to no block but the wanted one, and
// starts no work again. It hands on nothing that a bot works on or takes up, takes no decision that the state asks a person for, and no guard has to
// agree.
func isHarmless(l *statemachine.Table, p lifecycle.Pair, wanted string) bool {
	switch from := situationIn(l, p.From); {
	case p.FreshStart, l.IsEnd(p.To), isBlocked(l, p.To) && p.To != wanted, len(l.Guards.Of(operator, p.From, p.To)) > 0:
		return false
	case from == working || from == atQuestion || from == atDecision:
		return (p.Kind == lifecycle.Backward || p.Kind == lifecycle.Pause) && (from != atDecision || !endsWork(l, p.To))
	}
	taken := len(l.Roles.In(p.From)) == 0 || l.Judge(lifecycle.Actor{Kind: lifecycle.Executor}, p.From, p.To) == lifecycle.Legal
	return p.Kind != lifecycle.Forward || taken
}

func isBlocked(l *statemachine.Table, state string) bool {
	s, _ := l.State(state)
	return s.Type == lifecycle.Blocked
}

// endsWork reports whether a bot can end the issue from a state.
func endsWork(l *statemachine.Table, state string) bool {
	return slices.ContainsFunc(workersIn(l, state), func(r lifecycle.Role) bool {
		return slices.ContainsFunc(r.Requests, func(to string) bool { return l.IsEnd(to) })
	})
}
