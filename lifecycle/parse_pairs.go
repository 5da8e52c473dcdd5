package lifecycle

import "slices"

func (c *checker) pairs() {
	c.hold("forward", "transitions")
	for i, f := range c.life.Forward {
		for j, from := range f.Order {
			for _, to := range f.Order[j+1:] {
				c.at("forward", i, "order").pair(Pair{From: from, To: to, Kind: Forward, Why: LaterState, Source: f.Source})
			}
		}
	}
	for i, f := range c.life.Transitions {
		for j, p := range f.Pairs {
			row := c.at("transitions", i, "pairs", j)
			row.product("from", "to", p.From, p.To, func(from, to string) {
				row.pair(Pair{
					From: from, To: to, Kind: f.Kind, Why: p.Why, Source: f.Source, OnlyPrevious: p.Only == Previous, Reason: p.Reason, FreshStart: p.FreshStart,
				})
			})
		}
	}
	c.order()
}

// product combines the states of two settings of a row.
func (p place) product(from, to string, starts, ends []string, each func(from, to string)) {
	if starts == nil || ends == nil {
		p.wrong("both %s and %s are needed", from, to)
	}
	for _, f := range starts {
		for _, t := range ends {
			each(f, t)
		}
	}
}

func (p place) pair(m Pair) {
	switch {
	case m.From == m.To && m.Kind != Again:
		p.wrong("%s -> %s is no move, unless its kind is again", m.From, m.To)
	case m.From != m.To && m.Kind == Again:
		p.wrong("%s -> %s leads elsewhere, so its kind is not again", m.From, m.To)
	case p.life.byName[m.From].Type == Terminal:
		p.wrong("%s -> %s leaves a terminal state", m.From, m.To)
	case p.life.byName[m.To].Label == "":
		p.wrong("%s -> %s leads to the state without a label, which is only where issues begin", m.From, m.To)
	case p.life.legal[[2]string{m.From, m.To}] != nil:
		p.wrong("%s -> %s is listed already", m.From, m.To)
	default:
		p.life.legal[[2]string{m.From, m.To}] = &m
	}
}

// order lists the pairs in the order of the states in the file, so that everything printed from them is stable.
func (c *checker) order() {
	for _, from := range c.life.everywhere() {
		for _, to := range c.life.States {
			if p := c.life.legal[[2]string{from.Name, to.Name}]; p != nil {
				c.life.Pairs = append(c.life.Pairs, *p)
			}
		}
	}
}

// reach complains of states that no issue can come to, and of states without a way out that are not declared terminal.
func (c *checker) reach() {
	reached := c.life.ways(func(Pair) bool { return true }).From(c.life.Initial)
	for i, s := range c.life.States {
		if reached[s.Name] == "" {
			c.at("states", i).wrong("state %q cannot be reached from %q", s.Name, c.life.Initial)
		}
		if s.Type != Terminal && !slices.ContainsFunc(c.life.Pairs, func(p Pair) bool { return p.From == s.Name && p.To != s.Name }) {
			c.at("states", i).wrong("state %q is a dead end: no way out, and not declared terminal", s.Name)
		}
	}
}
