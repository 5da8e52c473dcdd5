package statemachine

// Route returns a shortest legal way from one state to another for an actor, both ends included. It is nil if there
// is none.
func (l *Lifecycle) Route(who Actor, from, to string) []string {
	before := map[string]string{from: ""}
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == to {
			return walkBack(before, to)
		}
		for _, p := range l.Next(who, todo[0]) {
			if _, seen := before[p.To]; !seen {
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
