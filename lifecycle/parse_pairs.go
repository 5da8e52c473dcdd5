package lifecycle

import "slices"

func (c *checker) pairs(doc fileDocument) {
	for i, f := range doc.Forward {
		here := at("forward", i, "order")
		c.plain(at("forward", i, "source"), f.Source)
		order := c.words(here, "the order", f.Order)
		for j, from := range order {
			for _, to := range order[j+1:] {
				c.pair(here, Pair{From: from, To: to, Kind: Forward, Why: "A later state of the forward order", Source: f.Source})
			}
		}
	}
	for i, f := range doc.Transitions {
		here := at("transitions", i)
		c.plain(append(slices.Clone(here), "source"), f.Source)
		if !slices.Contains([]Kind{Forward, Backward, Pause, Resume, Again, Abandon}, f.Kind) {
			c.wrong(append(here, "kind"), "kind %q is not one of forward, backward, pause, resume, again, abandon", f.Kind)
		}
		for j, p := range f.Pairs {
			row := append(slices.Clone(here), "pairs", j)
			if p.Why == "" {
				c.wrong(row, "this pair has no why")
			}
			c.plain(append(slices.Clone(row), "why"), p.Why)
			if p.Only != "" && p.Only != Previous {
				c.wrong(append(slices.Clone(row), "only"), "only %q is not previous", p.Only)
			}
			if p.Reason != NotTaken && p.Reason != Required {
				c.wrong(append(slices.Clone(row), "reason"), "reason %q of a pair is not required", p.Reason)
			}
			c.product(row, sides{"from", "to"}, p.From, p.To, func(from, to string) {
				c.pair(row, Pair{
					From: from, To: to, Kind: f.Kind, Why: p.Why, Source: f.Source, OnlyPrevious: p.Only == Previous, Reason: p.Reason,
				})
			})
		}
	}
	c.order()
}

// sides are the two settings whose states are combined.
type sides struct{ from, to string }

func (c *checker) product(row []any, keys sides, from, to oneOrMore, each func(from, to string)) {
	if len(from) == 0 || len(to) == 0 {
		c.wrong(row, "both %s and %s are needed", keys.from, keys.to)
	}
	starts := c.words(append(slices.Clone(row), keys.from), keys.from, from)
	ends := c.words(append(slices.Clone(row), keys.to), keys.to, to)
	for _, f := range starts {
		for _, t := range ends {
			each(f, t)
		}
	}
}

// words returns the states of a list, each once, and complains of the others. A single word has the place of the list.
func (c *checker) words(list []any, what string, words []string) []string {
	var states []string
	for i, word := range words {
		here := append(slices.Clone(list), i)
		switch {
		case !c.known(here, what, word):
		case slices.Contains(states, word):
			c.wrong(here, "%s names %q twice", what, word)
		default:
			states = append(states, word)
		}
	}
	return states
}

func (c *checker) pair(row []any, p Pair) {
	switch {
	case p.From == p.To && p.Kind != Again:
		c.wrong(row, "%s -> %s is no move, unless its kind is again", p.From, p.To)
	case p.From != p.To && p.Kind == Again:
		c.wrong(row, "%s -> %s leads elsewhere, so its kind is not again", p.From, p.To)
	case c.life.byName[p.From].Type == Terminal:
		c.wrong(row, "%s -> %s leaves a terminal state", p.From, p.To)
	case c.life.byName[p.To].Label == "":
		c.wrong(row, "%s -> %s leads to the state without a label, which is only where issues begin", p.From, p.To)
	case c.life.legal[[2]string{p.From, p.To}] != nil:
		c.wrong(row, "%s -> %s is listed already", p.From, p.To)
	default:
		c.life.legal[[2]string{p.From, p.To}] = &p
	}
}

// order lists the pairs as the states stand in the file, so that everything printed from them is stable.
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
			c.wrong(at("states", i), "state %q cannot be reached from %q", s.Name, c.life.Initial)
		}
		if s.Type != Terminal && !slices.ContainsFunc(c.life.Pairs, func(p Pair) bool { return p.From == s.Name && p.To != s.Name }) {
			c.wrong(at("states", i), "state %q is a dead end: no way out, and not declared terminal", s.Name)
		}
	}
}
