package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// counts reports whether an observation is new enough for a row.
func (t *Table) counts(s Standing, row lifecycle.Trigger, o Observation) bool {
	if spec, _ := lifecycle.SpecOf(row.On); spec.Own {
		return t.ownCause(s, o)
	}
	if row.Sealed() { // whoever reads the fact knows the approval
		return true
	}
	if row.CountsSince() == "" {
		return t.stillStands(s, row)
	}
	for i, m := range slices.Backward(s.Trail) {
		if o.At.After(m.At) {
			return true
		}
		if t.answers(row, s.before(i), m) {
			return false
		}
	}
	return row.CountsSince() != lifecycle.SinceEntry || o.At.After(s.JudgedSince)
}

// Counts reports whether an observation is new enough for a row that moves an issue from its state.
func (t *Table) Counts(s Standing, o Observation) bool {
	return slices.ContainsFunc(t.Triggers, func(row lifecycle.Trigger) bool {
		return row.On == o.Fact && row.To != "" && slices.Contains(row.In, s.State) && t.counts(s, row, o)
	})
}

// stillStands reports whether a standing fact moves an issue: not if a person just undid the move that it asks for.
func (t *Table) stillStands(s Standing, row lifecycle.Trigger) bool {
	entered, known := s.Since()
	return !known || entered.From != row.To || !t.intervened(entered)
}

// ownCause reports whether a fact moves an issue that counts only where Colony moved the issue to its state without being asked, and
// else if it came to be so since.
func (t *Table) ownCause(s Standing, o Observation) bool {
	entered, known := s.Since()
	if !known || entered.Kind == Settled {
		return o.At.After(s.JudgedSince)
	}
	return o.At.After(entered.At) || t.own(entered)
}

// answers reports whether a row does not count any more what came before a move: because that was the row's own move, or by what the row
// says of since when its fact counts.
func (t *Table) answers(row lifecycle.Trigger, before Standing, m Move) bool {
	if m.Kind == Settled {
		return row.CountsSince() == lifecycle.SinceEntry
	}
	maker := t.maker(m)
	if row.Moves(m.From, m.To) || maker == lifecycle.Colony && t.insteadOf(row, m) {
		return true
	}
	detour := t.isDetour(before, m)
	switch row.CountsSince() {
	case lifecycle.SinceEntry:
		return !detour
	case lifecycle.SinceDecision:
		return m.Kind == ForcedMove || !detour && (maker == lifecycle.Operator || maker == lifecycle.Executor && slices.Contains(row.In, m.From))
	case lifecycle.SinceEver:
		return m.Kind == ForcedMove || !detour && maker == lifecycle.Operator && t.sendsBack(m)
	}
	return false
}

// insteadOf reports whether a move is the one that a limit makes of the row's.
func (t *Table) insteadOf(row lifecycle.Trigger, m Move) bool {
	return slices.Contains(row.In, m.From) && slices.ContainsFunc(t.Limits.Bounding(m.From, row.To), func(limit lifecycle.Limit) bool { return limit.Instead == m.To })
}

// isDetour reports whether a move says nothing about the work: it leads into a blocked state, or from there back to where the issue
// was. Pausing, blocking, resuming and retrying are such moves, by label or by command.
func (t *Table) isDetour(before Standing, m Move) bool {
	from, known := t.State(m.From)
	to, isState := t.State(m.To)
	if m.Kind == ForcedMove || !known || !isState {
		return false
	}
	if to.Type == lifecycle.Blocked {
		return true
	}
	if from.Type != lifecycle.Blocked {
		return false
	}
	previous, known := t.Before(before)
	if known && m.To == previous || slices.ContainsFunc(t.Commands, func(c lifecycle.Command) bool { return t.returns(c, m, previous, known) }) {
		return true
	}
	pair, _ := t.Pair(m.From, m.To)
	return !known && pair.Kind == lifecycle.Resume
}

// returns reports whether a move is the one by which a command goes back to the state before, or to where it goes if it cannot.
func (t *Table) returns(c lifecycle.Command, m Move, previous string, known bool) bool {
	if c.To != lifecycle.Previous || !slices.Contains(c.From, m.From) {
		return false
	}
	if instead, other := c.Instead[previous]; other {
		previous = instead
	}
	if _, legal := t.Pair(m.From, previous); known && legal {
		return m.To == previous
	}
	return c.Otherwise != "" && m.To == c.Otherwise
}

// sendsBack reports whether a move takes back what the work had come to: a move backward or out of the lifecycle's order, or one from a
// blocked state to where the issue was not before.
func (t *Table) sendsBack(m Move) bool {
	pair, _ := t.Pair(m.From, m.To)
	from, _ := t.State(m.From)
	return pair.Kind != lifecycle.Forward && pair.Kind != lifecycle.Enter || from.Type == lifecycle.Blocked
}
