package lifecycle

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Lint returns what is suspicious in a lifecycle file that Parse takes, in the order of the file: warnings about what has no effect or never ends,
// and informations. A file that Parse does not take is refused with the same *FileError; its problems are errors.
func Lint(file string, text []byte) ([]Problem, error) {
	c, err := check(file, text)
	if err != nil {
		return nil, err
	}
	l := &linter{at: c.at, life: c.life, ways: Ways{}, back: Ways{}}
	for _, p := range l.life.Pairs {
		l.ways.Add(p.From, p.To)
		l.back.Add(p.To, p.From)
	}
	l.moves = l.unattended()
	for _, look := range []func(){
		l.ends, l.entries, l.badRequest, l.roles, l.lonely, l.commands, l.limits, l.triggers, l.timeOuts, l.circles, l.scales, l.waiting, l.reflection, l.seals, l.guards, l.exits,
	} {
		look()
	}
	return c.inOrder(), nil
}

// linter looks for what is right and yet without effect.
type linter struct {
	at   func(steps ...any) place
	life *Lifecycle
	// ways are the moves of the table, and back the same from their ends.
	ways, back Ways
	moves      []unattended
}

func (p place) warn(format string, args ...any) { p.say(Warning, format, args...) }

func (p place) warnIf(doubtful bool, format string, args ...any) {
	if doubtful {
		p.say(Warning, format, args...)
	}
}

// typeOf returns the type of a state; empty if there is no such state.
func (l *linter) typeOf(state string) StateType {
	s, _ := l.life.State(state)
	return s.Type
}

// ends warns of issues that never end: there is no terminal state, or no way leads to one.
func (l *linter) ends() {
	terminal := slices.DeleteFunc(l.life.StateNames(), func(name string) bool { return l.typeOf(name) != Terminal })
	l.at("states").warnIf(len(terminal) == 0, "no state is terminal, so issues never come to an end")
	over := l.back.From(terminal...)
	for i, s := range l.life.States {
		l.at("states", i).warnIf(len(terminal) > 0 && over[s.Name] == "", "no way leads from state %q to a terminal state", s.Name)
	}
}

// entries warns of states to which only a return leads: nothing can come back to where it never was.
func (l *linter) entries() {
	reached := l.life.ways(func(p Pair) bool { return !p.OnlyPrevious }).From(l.life.Initial)
	for i, s := range l.life.States {
		l.at("states", i).warnIf(reached[s.Name] == "", "state %q can only be returned to, so no issue ever comes to it", s.Name)
	}
}

// badRequest warns of a bot's mistake that ends an issue, and of a state for bad requests that none leads to.
func (l *linter) badRequest() {
	bad, here := l.life.BadRequest, l.at("bad-request")
	here.warnIf(l.typeOf(bad) == Terminal, "state %q is terminal: a bad request of an executor ends the issue for good", bad)
	here.warnIf(bad != "" && !slices.ContainsFunc(l.life.Pairs, l.punishes),
		"no move leads to %q from a state in which executors act, so no bad request ever does", bad)
}

// roles warns of roles without work, and of reasons that no move asks for.
func (l *linter) roles() {
	for i, r := range l.life.Roles {
		here := l.at("executors", i)
		here.warnIf(len(r.WorksIn)+len(r.Claims) == 0, "role %q works in no state and claims no work", r.Name)
		for _, to := range slices.Sorted(maps.Keys(r.Reasons)) {
			here.in("reasons", to).warnIf(len(l.reasoned(r.WorksIn, to)) == 0, "the move to %q needs no reason, so this one is never used", to)
		}
	}
}

// reasoned lists those of some states from which a move to another one needs a reason.
func (l *linter) reasoned(from []string, to string) []string {
	return slices.DeleteFunc(slices.Clone(from), func(from string) bool {
		p, _ := l.life.Pair(from, to)
		return p.Reason != Required
	})
}

// lonely tells of states that nothing but people get issues out of. Where people are expected to act that is as it should be.
func (l *linter) lonely() {
	for i, s := range l.life.States {
		moved := slices.ContainsFunc(l.moves, func(m unattended) bool { return m.from == s.Name && m.to != s.Name })
		commanded := slices.ContainsFunc(l.life.Commands, func(c Command) bool { return slices.Contains(c.From, s.Name) })
		switch {
		case !moved && s.Recovery == RecoveryAuto:
			l.at("states", i).warn("the recovery of state %q is auto, but no trigger, time-out or role leads out of it", s.Name)
		case !moved && s.Type == Active && !commanded:
			l.at("states", i).say(Information, "only people get issues out of state %q: no role works in it or claims from it, and no trigger, time-out or command begins in it", s.Name)
		}
	}
}

// commands warns of commands that cannot run, here or anywhere, and of replacements that never apply.
func (l *linter) commands() {
	for i, c := range l.life.Commands {
		here := l.at("commands", i)
		if c.To == Previous {
			l.returning(here, c)
			continue
		}
		for _, from := range slices.Sorted(maps.Keys(c.Instead)) {
			here.in("instead", from).warn("command %q does not return to a previous state, so nothing is replaced", c.Verb)
		}
		starts := c.From
		if len(starts) == 0 {
			starts = l.back[c.To]
		}
		mute := l.reasoned(starts, c.To)
		switch {
		case len(starts) == 0:
			here.in("to").warn("no move leads to %q, so command %q can never run", c.To, c.Verb)
		case c.Reason != NotTaken || len(mute) == 0:
		case len(mute) == len(starts):
			here.warn("the move to %q needs a reason and command %q takes none, so it can never run", c.To, c.Verb)
		default:
			here.warn("the move to %q needs a reason from %s and command %q takes none, so it cannot run there", c.To, strings.Join(mute, ", "), c.Verb)
		}
	}
}

// returning looks at a command that leads to the state before.
func (l *linter) returning(here place, c Command) {
	runs, replaced := false, map[string]bool{}
	side := l.life.SideStates()
	for _, from := range c.From {
		canRun := c.Otherwise != "" || c.Target != NotTaken && len(l.ways[from]) > 0
		for _, before := range l.back[from] {
			_, legal := l.life.Pair(from, cmp.Or(c.Instead[before], before))
			if legal && !slices.Contains(side, before) {
				canRun, replaced[before] = true, true
			}
		}
		here.in("from").warnIf(!canRun, "from %q no move leads back to a state that issues come from, so command %q can never run there", from, c.Verb)
		runs = runs || canRun
	}
	for _, state := range slices.Sorted(maps.Keys(c.Instead)) {
		here.in("instead", state).warnIf(runs && !replaced[state],
			"command %q never leads back to %q or to %q instead, so this is never used", c.Verb, state, c.Instead[state])
	}
}

// scales warns of labels that nothing is ordered by, and of rows that an earlier one leaves nothing for.
func (l *linter) scales() {
	for i, s := range l.life.Scales {
		used := slices.ContainsFunc(l.life.Priority, func(row Words) bool { return slices.Contains(row, s.Name) })
		l.at("scales", i).warnIf(!used, "no row of the priority uses scale %q", s.Name)
	}
	for i, row := range l.life.Priority {
		if first := slices.IndexFunc(l.life.Priority[:i], func(earlier Words) bool { return subset(earlier, row) }); first >= 0 {
			l.at("priority", i).warn("the row of %s before already holds for every issue that is high here, so this row never does", strings.Join(l.life.Priority[first], ", "))
		}
	}
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

// waiting warns of an order of nothing, and of a wait for what has ended.
func (l *linter) waiting() {
	l.at("priority").warnIf(len(l.life.Priority) > 0 && len(l.life.Waiting) == 0, "no state is listed under waiting, so that there is nothing to order")
	for i, state := range l.life.Waiting {
		l.at("waiting", i).warnIf(l.typeOf(state) == Terminal, "state %q is terminal, so no issue in it waits to be taken", state)
	}
}

// seals tells of sealed states that issues come to without a person: what is sealed there is as a bot left it.
func (l *linter) seals() {
	for i, s := range l.life.States {
		byPerson := slices.ContainsFunc(l.life.Pairs, func(p Pair) bool {
			return p.To == s.Name && !p.OnlyPrevious && !slices.ContainsFunc(l.moves, func(m unattended) bool { return m.from == p.From && m.to == p.To })
		})
		if s.Sealed && !byPerson {
			l.at("states", i, "sealed").say(Information, "bots or Colony make every move to state %q, so no person approves what is sealed there", s.Name)
		}
	}
}
