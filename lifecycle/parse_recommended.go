package lifecycle

import "strings"

// recommended checks that what the states recommend works there: Colony gives it to people as the one thing to do.
func (c *checker) recommended() {
	for i, s := range c.life.States {
		here := c.at("states", i, "recommended")
		verb, isCommand := strings.CutPrefix(s.Recommended, "/")
		switch {
		case s.Recommended == "":
		case isCommand:
			here.recommends(s.Name, verb)
		case here.known("recommended", s.Recommended):
			if _, legal := c.life.Pair(s.Name, s.Recommended); !legal {
				here.wrong("recommended is %q, but %s -> %s is not in the table", s.Recommended, s.Name, s.Recommended)
			}
		}
	}
}

func (p place) recommends(state, verb string) {
	command, known := p.life.Commands.Of(verb)
	if !known {
		p.wrong("recommended is %q, which is no command of this lifecycle", "/"+verb)
		return
	}
	pair, legal := p.life.Pair(state, command.To)
	switch {
	case !command.StartsIn(state):
		p.wrong("recommended is %q, but that command works only in %s", "/"+verb, strings.Join(command.From, ", "))
	case command.To != Previous && !legal:
		p.wrong("recommended is %q, but %s -> %s is not in the table", "/"+verb, state, command.To)
	case command.Target == Required:
		p.wrong("recommended is %q, but that command needs a state after it", "/"+verb)
	case pair.Reason == Required && command.Reason == NotTaken:
		p.wrong("recommended is %q, but %s -> %s needs a reason and that command takes none", "/"+verb, state, command.To)
	}
}
