package lifecycle

// Ways holds, by state, the states that one move leads to.
type Ways map[string][]string

// Add adds a move.
func (w Ways) Add(from, to string) { w[from] = append(w[from], to) }

// ways returns those moves of the table that count.
func (l *Lifecycle) ways(count func(Pair) bool) Ways {
	ways := Ways{}
	for _, p := range l.Pairs {
		if count(p) {
			ways.Add(p.From, p.To)
		}
	}
	return ways
}

// From returns the states that moves lead to from some states, these included. Each has the state before it on a shortest way, or itself
// where the way begins.
func (w Ways) From(states ...string) map[string]string {
	before := map[string]string{}
	for _, s := range states {
		before[s] = s
	}
	for todo := append([]string(nil), states...); len(todo) > 0; todo = todo[1:] {
		for _, next := range w[todo[0]] {
			if _, seen := before[next]; !seen {
				before[next] = todo[0]
				todo = append(todo, next)
			}
		}
	}
	return before
}
