package statemachine

import "slices"

// counts reports whether an observation is new enough for a row.
func (l *Lifecycle) counts(s Standing, t Trigger, o Observation) bool {
	if spec, _ := SpecOf(t.On); spec.Own {
		return l.ownCause(s, o)
	}
	if t.Sealed() { // whoever reads the fact knows the approval
		return true
	}
	if t.CountsSince() == "" {
		return l.stillStands(s, t)
	}
	for i, m := range slices.Backward(s.Trail) {
		if o.At.After(m.At) {
			return true
		}
		if l.answers(t, s.before(i), m) {
			return false
		}
	}
	return t.CountsSince() != SinceEntry || o.At.After(s.JudgedSince)
}

// Counts reports whether an observation is new enough for a row that moves an issue from its state.
func (l *Lifecycle) Counts(s Standing, o Observation) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool {
		return t.On == o.Fact && t.To != "" && slices.Contains(t.In, s.State) && l.counts(s, t, o)
	})
}

// stillStands reports whether a standing fact moves an issue: not if a person just undid the move that it asks for.
func (l *Lifecycle) stillStands(s Standing, t Trigger) bool {
	entered, known := s.Since()
	return !known || entered.From != t.To || !l.intervened(entered)
}

// ownCause reports whether a fact moves an issue that counts only where Colony moved the issue to its state without being asked, and
// else if it came to be so since.
func (l *Lifecycle) ownCause(s Standing, o Observation) bool {
	entered, known := s.Since()
	if !known || entered.Kind == Settled {
		return o.At.After(s.JudgedSince)
	}
	return o.At.After(entered.At) || l.own(entered)
}

// answers reports whether a row does not count any more what came before a move: because that was the row's own move, or by what the row
// says of since when its fact counts.
func (l *Lifecycle) answers(t Trigger, before Standing, m Move) bool {
	if m.Kind == Settled {
		return t.CountsSince() == SinceEntry
	}
	maker := l.maker(m)
	if t.Moves(m.From, m.To) || maker == Colony && l.insteadOf(t, m) {
		return true
	}
	detour := l.isDetour(before, m)
	switch t.CountsSince() {
	case SinceEntry:
		return !detour
	case SinceDecision:
		return m.Kind == ForcedMove || !detour && (maker == Operator || maker == Executor && slices.Contains(t.In, m.From))
	case SinceEver:
		return m.Kind == ForcedMove || !detour && maker == Operator && l.sendsBack(m)
	}
	return false
}

// insteadOf reports whether a move is the one that a limit makes of the row's.
func (l *Lifecycle) insteadOf(t Trigger, m Move) bool {
	return slices.Contains(t.In, m.From) && slices.ContainsFunc(l.Limits.Bounding(m.From, t.To), func(limit Limit) bool { return limit.Instead == m.To })
}

// isDetour reports whether a move says nothing about the work: it leads into a blocked state, or from there back to where the issue
// was. Pausing, blocking, resuming and retrying are such moves, by label or by command.
func (l *Lifecycle) isDetour(before Standing, m Move) bool {
	from, known := l.State(m.From)
	to, isState := l.State(m.To)
	if m.Kind == ForcedMove || !known || !isState {
		return false
	}
	if to.Type == Blocked {
		return true
	}
	if from.Type != Blocked {
		return false
	}
	previous, known := l.Before(before)
	if known && m.To == previous || slices.ContainsFunc(l.Commands, func(c Command) bool { return l.returns(c, m, previous, known) }) {
		return true
	}
	pair, _ := l.Pair(m.From, m.To)
	return !known && pair.Kind == Resume
}

// returns reports whether a move is the one by which a command goes back to the state before, or to where it goes if it cannot.
func (l *Lifecycle) returns(c Command, m Move, previous string, known bool) bool {
	if c.To != Previous || !slices.Contains(c.From, m.From) {
		return false
	}
	if instead, other := c.Instead[previous]; other {
		previous = instead
	}
	if _, legal := l.Pair(m.From, previous); known && legal {
		return m.To == previous
	}
	return c.Otherwise != "" && m.To == c.Otherwise
}

// sendsBack reports whether a move takes back what the work had come to: a move backward or out of the lifecycle's order, or one from a
// blocked state to where the issue was not before.
func (l *Lifecycle) sendsBack(m Move) bool {
	pair, _ := l.Pair(m.From, m.To)
	from, _ := l.State(m.From)
	return pair.Kind != Forward && pair.Kind != Enter || from.Type == Blocked
}
