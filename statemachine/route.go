package statemachine

// Route returns a shortest legal way from one state to another for an actor, both ends included. It is nil if there
// is none. Moves that are legal only back to where an issue came from are no part of it, but for the first.
func (l *Lifecycle) Route(who Actor, from, to string) []string {
	return l.route(who, from, to, l.Next(who, from))
}

// RouteAt returns a shortest legal way from where an issue stands, as Route does.
func (l *Lifecycle) RouteAt(s Standing, who Actor, to string) []string {
	return l.route(who, s.State, to, l.NextAt(s, who))
}

func (l *Lifecycle) route(who Actor, from, to string, first []Pair) []string {
	before := map[string]string{from: ""}
	next := first
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == to {
			return walkBack(before, to)
		}
		if todo[0] != from {
			next = l.Next(who, todo[0])
		}
		for _, p := range next {
			if _, seen := before[p.To]; !seen && (p.From == from || !p.OnlyPrevious) {
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
		route = append([]string{state}, route...)
	}
	return route
}
