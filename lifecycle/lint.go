package lifecycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Lint returns what is doubtful in a lifecycle file that Parse takes, in the order of the file: warnings about what has no
// effect or never ends, and informations. A file that Parse does not take is refused with the same *FileError; its problems are
// errors.
func Lint(file string, text []byte) ([]Problem, error) {
	life, err := Parse(file, text)
	if err != nil {
		return nil, err
	}
	src, err := readSource(file, text)
	if err != nil {
		return nil, err
	}
	l := &linter{source: src, life: life, moves: movesUnattended(life)}
	for _, look := range []func(){
		l.ends, l.ways, l.badRequest, l.roles, l.lonely, l.commands, l.limits, l.triggers, l.timeOuts, l.circles, l.scales, l.waiting, l.reflection, l.seals, l.guards,
	} {
		look()
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return l.problems, nil
}

// linter looks for what is right and yet without effect.
type linter struct {
	*source
	life     *Lifecycle
	moves    []unattended
	problems []Problem
}

func (l *linter) warn(path []any, format string, args ...any) { l.say(Warning, path, format, args...) }

func (l *linter) say(severity Severity, path []any, format string, args ...any) {
	if len(l.problems) == maxProblems {
		return
	}
	line, column := l.find(path...)
	p := l.at(line, column, fmt.Sprintf(format, args...))
	p.Severity = severity
	l.problems = append(l.problems, p)
}

// ends warns of issues that never end: there is no terminal state, or none can be reached any more.
func (l *linter) ends() {
	over := map[string]bool{}
	for _, s := range l.life.States {
		over[s.Name] = s.Type == Terminal
	}
	if !slices.Contains(slices.Collect(maps.Values(over)), true) {
		l.warn(at("states"), "no state is terminal, so issues never come to an end")
		return
	}
	for again := true; again; {
		again = false
		for _, p := range l.life.Pairs {
			if over[p.To] && !over[p.From] {
				over[p.From], again = true, true
			}
		}
	}
	for i, s := range l.life.States {
		if !over[s.Name] {
			l.warn(at("states", i), "no way leads from state %q to a terminal state", s.Name)
		}
	}
}

// ways warns of states to which only a return leads: nothing can come back to where it never was.
func (l *linter) ways() {
	reached := reachable(l.life.Pairs, l.life.Initial, func(p Pair) bool { return !p.OnlyPrevious })
	for i, s := range l.life.States {
		if !reached[s.Name] {
			l.warn(at("states", i), "state %q can only be returned to, so no issue ever comes to it", s.Name)
		}
	}
}

// badRequest warns of a mistake of an executor that ends an issue, and of a state for bad requests that none leads to.
func (l *linter) badRequest() {
	bad := l.life.BadRequest
	if bad == "" {
		return
	}
	if s, _ := l.life.State(bad); s.Type == Terminal {
		l.warn(at("bad-request"), "state %q is terminal: a bad request of an executor ends the issue for good", bad)
	}
	if !slices.ContainsFunc(l.life.States, func(s State) bool {
		_, legal := l.life.Pair(s.Name, bad)
		return legal && l.life.ExecutorsAct(s.Name)
	}) {
		l.warn(at("bad-request"), "no move leads to %q from a state in which executors act, so no bad request ever does", bad)
	}
}

// roles warns of roles without work, and of reasons that no move asks for.
func (l *linter) roles() {
	for i, r := range l.life.Roles {
		here := at("executors", i)
		if len(r.WorksIn)+len(r.Claims) == 0 {
			l.warn(here, "role %q works in no state and claims no work", r.Name)
		}
		for _, to := range slices.Sorted(maps.Keys(r.Reasons)) {
			wanted := slices.ContainsFunc(r.WorksIn, func(from string) bool {
				p, legal := l.life.Pair(from, to)
				return legal && p.Reason == Required
			})
			if !wanted {
				l.warn(append(here, "reasons", to), "the move to %q needs no reason, so this one is never used", to)
			}
		}
	}
}

// lonely tells of states that nothing but people get issues out of. Where people are expected to act that is as it should be.
func (l *linter) lonely() {
	for i, s := range l.life.States {
		if s.Type != Active && s.Recovery != RecoveryAuto || l.leaves(s.Name) {
			continue
		}
		if s.Recovery == RecoveryAuto {
			l.warn(at("states", i), "the recovery of state %q is auto, but no trigger, time-out or role leads out of it", s.Name)
			continue
		}
		l.say(Information, at("states", i), "only people get issues out of state %q: no role works in it or claims from it, and no trigger, time-out or command begins in it", s.Name)
	}
}

// leaves reports whether a role, a trigger, a time-out or a command of its own leads out of a state.
func (l *linter) leaves(state string) bool {
	if slices.ContainsFunc(l.moves, func(m unattended) bool { return m.from == state && m.to != state }) {
		return true
	}
	s, _ := l.life.State(state)
	return s.Type == Active && slices.ContainsFunc(l.life.Commands, func(c Command) bool { return slices.Contains(c.From, state) })
}

// commands warns of commands that cannot run, here or anywhere, and of replacements that never apply.
func (l *linter) commands() {
	for i, c := range l.life.Commands {
		here := at("commands", i)
		if c.To == Previous {
			l.returning(here, c)
			continue
		}
		for _, from := range slices.Sorted(maps.Keys(c.Instead)) {
			l.warn(append(here, "instead", from), "command %q does not return to a previous state, so nothing is replaced", c.Verb)
		}
		l.moving(here, c)
	}
}

// moving looks at a command that leads to one state.
func (l *linter) moving(here []any, c Command) {
	starts := c.From
	if len(starts) == 0 {
		for _, p := range l.life.Pairs {
			if p.To == c.To {
				starts = append(starts, p.From)
			}
		}
	}
	if len(starts) == 0 {
		l.warn(append(here, "to"), "no move leads to %q, so command %q can never run", c.To, c.Verb)
		return
	}
	if c.Reason != NotTaken {
		return
	}
	mute := slices.DeleteFunc(slices.Clone(starts), func(from string) bool {
		p, _ := l.life.Pair(from, c.To)
		return p.Reason != Required
	})
	switch {
	case len(mute) == len(starts):
		l.warn(here, "the move to %q needs a reason and command %q takes none, so it can never run", c.To, c.Verb)
	case len(mute) > 0:
		l.warn(here, "the move to %q needs a reason from %s and command %q takes none, so it cannot run there", c.To, strings.Join(mute, ", "), c.Verb)
	}
}

// returning looks at a command that leads to the state before.
func (l *linter) returning(here []any, c Command) {
	runs, replaced := false, map[string]bool{}
	side := l.life.SideStates()
	for _, from := range c.From {
		canRun := c.Otherwise != "" || c.Target != NotTaken && slices.ContainsFunc(l.life.Pairs, func(p Pair) bool { return p.From == from })
		for _, p := range l.life.Pairs {
			if p.To != from || slices.Contains(side, p.From) {
				continue
			}
			to := p.From
			if instead, ok := c.Instead[p.From]; ok {
				to = instead
			}
			if _, legal := l.life.Pair(from, to); legal {
				canRun = true
				replaced[p.From] = true
			}
		}
		if !canRun {
			l.warn(append(slices.Clone(here), "from"), "from %q no move leads back to a state that issues come from, so command %q can never run there", from, c.Verb)
		}
		runs = runs || canRun
	}
	for _, state := range slices.Sorted(maps.Keys(c.Instead)) {
		if runs && !replaced[state] {
			l.warn(append(slices.Clone(here), "instead", state), "command %q never leads back to %q or to %q instead, so this is never used", c.Verb, state, c.Instead[state])
		}
	}
}

// scales warns of labels that nothing is ordered by, and of rows that an earlier one leaves nothing for.
func (l *linter) scales() {
	for i, s := range l.life.Scales {
		if !slices.ContainsFunc(l.life.Priority, func(row []string) bool { return slices.Contains(row, s.Name) }) {
			l.warn(at("scales", i), "no row of the priority uses scale %q", s.Name)
		}
	}
	for i, row := range l.life.Priority {
		for _, earlier := range l.life.Priority[:i] {
			if subset(earlier, row) {
				l.warn(at("priority", i), "the row of %s before already holds for every issue that is high here, so this row never does", strings.Join(earlier, ", "))
				break
			}
		}
	}
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

// waiting warns of an order of nothing, and of a wait for what has ended.
func (l *linter) waiting() {
	if len(l.life.Priority) > 0 && len(l.life.Waiting) == 0 {
		l.warn(at("priority"), "no state is listed under waiting, so that there is nothing to order")
	}
	for i, state := range l.life.Waiting {
		if s, _ := l.life.State(state); s.Type == Terminal {
			l.warn(at("waiting", i), "state %q is terminal, so no issue in it waits to be taken", state)
		}
	}
}
