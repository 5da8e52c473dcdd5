package lifecycle

import "slices"

// sealing checks a trigger on a sealed fact: it holds in sealed states only, and leads out of them.
func (c *checker) sealing(here []any, t Trigger) {
	if !t.Sealed() {
		return
	}
	for i, name := range t.In {
		state, there := c.life.State(name)
		switch {
		case !there:
		case !state.Sealed:
			c.wrong(append(slices.Clone(here), "in", i), "%s is a fact of sealed states, and %q is none: write sealed: true there", t.On, name)
		case t.To == name:
			c.wrong(append(slices.Clone(here), "to"), "%s leads out of a sealed state, not into it again", t.On)
		}
	}
}

// seals complains of sealed states that nothing leads out of when their seal is broken.
func (c *checker) seals() {
	for i, s := range c.life.States {
		if !s.Sealed || slices.ContainsFunc(c.life.Triggers.Seals(s.Name), func(t Trigger) bool { return t.On == textChanged }) {
			continue
		}
		c.wrong(at("states", i, "sealed"), "state %q is sealed, and no trigger on %s leads out of it", s.Name, textChanged)
	}
}
