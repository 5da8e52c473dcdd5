package lifecycle

import (
	"maps"
	"slices"
)

func (c *checker) roles(doc fileDocument) {
	for i, f := range doc.Executors {
		here := at("executors", i)
		c.slug(append(here, "role"), "role", f.Role)
		if _, twice := c.life.Roles.Named(f.Role); twice {
			c.wrong(append(here, "role"), "role %q is listed twice", f.Role)
		}
		r := Role{Name: f.Role, WorksIn: f.WorksIn, Requests: f.Requests, Reasons: f.Reasons}
		for _, to := range slices.Sorted(maps.Keys(f.Reasons)) {
			c.reason(append(slices.Clone(here), "reasons", to), f.Reasons[to])
			if !slices.Contains(f.Requests, to) {
				c.wrong(append(slices.Clone(here), "reasons", to), "role %q has a reason for %q, which it does not request", f.Role, to)
			}
		}
		c.work(here, f)
		for j, claim := range f.Claims {
			row := append(slices.Clone(here), "claims", j)
			c.product(row, sides{"from", "to"}, claim.From, claim.To, func(from, to string) {
				if !c.legalFor(row, f.Role, from, to) {
					return
				}
				r.Claims = append(r.Claims, Claim{from, to})
				if pair, _ := c.life.Pair(from, to); pair.Reason == Required {
					c.wrong(row, "%s -> %s needs a reason, which a claim cannot give", from, to)
				}
			})
		}
		c.life.Roles = append(c.life.Roles, r)
	}
}

// work checks where a role works and what it requests there. One that claims its work need not request anything: then
// somebody else hands it on.
func (c *checker) work(here []any, f fileExecutor) {
	switch {
	case len(f.WorksIn)+len(f.Requests) == 0:
		return
	case len(f.Requests) == 0 && len(f.Claims) > 0:
		c.words(append(slices.Clone(here), "works-in"), "works-in", f.WorksIn)
		return
	}
	c.product(here, sides{"works-in", "requests"}, f.WorksIn, f.Requests, func(from, to string) {
		if !c.legalFor(here, f.Role, from, to) {
			return
		}
		if pair, _ := c.life.Pair(from, to); pair.Reason == Required && f.Reasons[to] == "" {
			c.wrong(append(slices.Clone(here), "requests"), "%s -> %s needs a reason, and role %q has none among its reasons", from, to, f.Role)
		}
	})
}

func (c *checker) legalFor(row []any, role, from, to string) bool {
	_, ok := c.life.Pair(from, to)
	if !ok {
		c.wrong(row, "role %q asks for %s -> %s, which is not in the table", role, from, to)
	}
	return ok
}

func (c *checker) commands(doc fileDocument) {
	for i, f := range doc.Commands {
		here := at("commands", i)
		c.slug(append(here, "verb"), "verb", f.Verb)
		if _, twice := c.life.Commands.Of(f.Verb); twice {
			c.wrong(append(here, "verb"), "verb %q is listed twice", f.Verb)
		}
		if slices.Contains(BuiltInVerbs(), f.Verb) {
			c.wrong(append(here, "verb"), "verb %q comes with every lifecycle", f.Verb)
		}
		if f.Help == "" {
			c.wrong(here, "command %q has no help", f.Verb)
		}
		c.plain(append(slices.Clone(here), "help"), f.Help)
		if !slices.Contains([]Commanders{"", Operators, Maintainers}, f.By) {
			c.wrong(append(here, "by"), "%q is not operators or maintainers", f.By)
		}
		c.demand(append(here, "target"), f.Target)
		c.demand(append(here, "reason"), f.Reason)
		c.commandStates(here, f)
		c.life.Commands = append(c.life.Commands, Command{
			Verb: f.Verb, From: f.From, To: f.To, Instead: f.Instead, Otherwise: f.Otherwise, By: f.By, FreshStart: f.FreshStart,
			Target: f.Target, Reason: f.Reason, Help: f.Help,
		})
	}
}

func (c *checker) commandStates(here []any, f fileCommand) {
	for _, from := range f.From {
		if c.known(append(here, "from"), "from", from) && f.To != Previous && c.life.byName[f.To] != nil {
			if _, legal := c.life.Pair(from, f.To); !legal {
				c.wrong(append(here, "from"), "command %q moves %s -> %s, which is not in the table", f.Verb, from, f.To)
			}
		}
	}
	if f.To == Previous && len(f.From) == 0 {
		c.wrong(here, "command %q returns to the previous state and must say from where", f.Verb)
	}
	if f.To != Previous {
		c.known(append(here, "to"), "to", f.To)
	}
	c.otherwise(here, f)
	for _, from := range slices.Sorted(maps.Keys(f.Instead)) {
		c.known(append(here, "instead"), "instead", from)
		c.known(append(here, "instead"), "instead", f.Instead[from])
	}
}

// otherwise checks where a command leads that cannot return to the previous state.
func (c *checker) otherwise(here []any, f fileCommand) {
	here = append(slices.Clone(here), "otherwise")
	switch {
	case f.Otherwise == "":
	case f.To != Previous:
		c.wrong(here, "command %q does not return to a previous state, so it leads nowhere else", f.Verb)
	case c.known(here, "otherwise", f.Otherwise):
		for _, from := range f.From {
			if pair, legal := c.life.Pair(from, f.Otherwise); !legal || pair.OnlyPrevious {
				c.wrong(here, "command %q moves %s -> %s where it cannot return, which the table does not always allow", f.Verb, from, f.Otherwise)
			}
		}
	}
}

func (c *checker) demand(path []any, d Demand) {
	if d != NotTaken && d != Optional && d != Required {
		c.wrong(path, "%q is not optional or required", d)
	}
}
