package lifecycle

import (
	"maps"
	"regexp"
	"slices"
)

func (c *checker) roles() {
	c.hold("executors")
	for i := range c.life.Roles {
		here, r := c.at("executors", i), &c.life.Roles[i]
		for _, to := range slices.Sorted(maps.Keys(r.Reasons)) {
			reason := here.in("reasons", to)
			if !reasonWord.MatchString(r.Reasons[to]) { // so that it can be distinguished from a sentence
				reason.wrong("reason %q is not one word of letters, digits, hyphens and underscores", r.Reasons[to])
			}
			if !here.in("requests").names(to) {
				reason.wrong("role %q has a reason for %q, which it does not request", r.Name, to)
			}
		}
		here.work(*r)
		for j, claim := range r.Claiming {
			row := here.in("claims", j)
			row.product("from", "to", claim.From, claim.To, func(from, to string) {
				if row.legalFor(r.Name, from, to) {
					r.Claims = append(r.Claims, Claim{from, to})
				}
			})
		}
	}
}

var reasonWord = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// work checks where a role works and what it requests there. One that claims its work need not request anything: then someone else hands it on.
func (p place) work(r Role) {
	if r.Requests == nil && (r.WorksIn == nil || len(r.Claiming) > 0) {
		return
	}
	p.product("works-in", "requests", r.WorksIn, r.Requests, func(from, to string) { p.legalFor(r.Name, from, to) })
}

func (p place) legalFor(role, from, to string) bool {
	_, ok := p.life.Pair(from, to)
	if !ok {
		p.wrong("role %q asks for %s -> %s, which is not in the table", role, from, to)
	}
	return ok
}

func (c *checker) commands() {
	c.hold("commands")
	for i, command := range c.life.Commands {
		here := c.at("commands", i)
		if slices.Contains(BuiltInVerbs(), command.Verb) {
			here.in("verb").wrong("verb %q comes with every lifecycle", command.Verb)
		}
		here.command(command)
	}
}

// command checks where a command leads.
func (p place) command(command Command) {
	from, to, instead := p.in("from"), p.in("to"), p.in("instead")
	returns := command.To == Previous
	for _, state := range command.From {
		if from.known("from", state) && !returns && p.life.byName[command.To] != nil {
			if _, legal := p.life.Pair(state, command.To); !legal {
				from.wrong("command %q moves %s -> %s, which is not in the table", command.Verb, state, command.To)
			}
		}
	}
	if returns && len(command.From) == 0 {
		p.wrong("command %q returns to the previous state and must say from where", command.Verb)
	}
	if !returns {
		to.known("to", command.To)
	}
	p.in("otherwise").otherwise(command)
	for _, state := range slices.Sorted(maps.Keys(command.Instead)) {
		instead.known("instead", state)
		instead.known("instead", command.Instead[state])
	}
}

// otherwise checks where a command leads that cannot return to the previous state.
func (p place) otherwise(command Command) {
	switch {
	case command.Otherwise == "":
	case command.To != Previous:
		p.wrong("command %q does not return to a previous state, so it leads nowhere else", command.Verb)
	case p.known("otherwise", command.Otherwise):
		for _, from := range command.From {
			if pair, legal := p.life.Pair(from, command.Otherwise); !legal || pair.OnlyPrevious {
				p.wrong("command %q moves %s -> %s where it cannot return, which the table does not always allow", command.Verb, from, command.Otherwise)
			}
		}
	}
}

// unreasoned complains of moves that need a reason which no one can give: no command takes one there.
func (c *checker) unreasoned() {
	for i, f := range c.life.Transitions {
		for j, pairs := range f.Pairs {
			if pairs.Reason != Required {
				continue
			}
			here := c.at("transitions", i, "pairs", j)
			here.product("from", "to", pairs.From, pairs.To, func(from, to string) {
				if !slices.ContainsFunc(c.life.Commands, func(command Command) bool { return command.takesReason(from, to) }) {
					here.in("reason").wrong("%s -> %s needs a reason, and no command takes one there", from, to)
				}
			})
		}
	}
}

// takesReason reports whether a command can ask for a move and takes a reason.
func (c Command) takesReason(from, to string) bool {
	return c.Reason != NotTaken && (c.MayMake(from, to) || c.To == Previous && c.StartsIn(from))
}
