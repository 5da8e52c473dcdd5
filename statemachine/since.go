package statemachine

import (
	"slices"
	"sync"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// rowAt is a row of a lifecycle that moves issues, in the state of an issue.
type rowAt struct {
	lifecycle.Trigger
	life *Table
	s    Standing
}

// counts reports whether an observation is new enough for the row.
func (r rowAt) counts(o Observation) bool {
	if spec, _ := lifecycle.SpecOf(r.On); spec.Own {
		return r.ownCause(o)
	}
	if r.Sealed() { // the reader of the fact knows the approval
		return true
	}
	if r.CountsSince() == "" {
		_, back, is := r.undone()
		return !is || o.Later || o.since(back.At)
	}
	for i, m := range slices.Backward(r.s.Trail) {
		if o.since(m.At) {
			return true
		}
		if r.answers(r.s.before(i), m) {
			return false
		}
	}
	return r.CountsSince() != lifecycle.SinceEntry || o.since(r.s.JudgedSince)
}

// Counts reports whether an observation is new enough for a row that moves an issue from its state, or for a guard of a move from there.
func (t *Table) Counts(s Standing, o Observation) bool {
	return slices.ContainsFunc(t.Triggers, func(row lifecycle.Trigger) bool {
		return row.On == o.Fact && row.To != "" && slices.Contains(row.In, s.State) && rowAt{row, t, s}.counts(o)
	}) || t.Guards.AskFor(o.Fact, s.State) && countsFrom(t, s, s.State, o)
}

// countsFrom reports whether an observation is new enough for a move from a state that someone asks for.
func countsFrom(t *Table, s Standing, from string, o Observation) bool {
	return rowAt{lifecycle.Trigger{On: o.Fact, In: []string{from}}, t, s}.counts(o)
}

// undone returns Colony's own move for the row and the one by which a person undid it, if the issue has not left the row's states since. What was
// there then does not move it once more. A pause of a person and the return from it undo nothing.
func (r rowAt) undone() (own, back Move, is bool) {
	for i, m := range slices.Backward(r.s.Trail) {
		if m.From == r.To && i > 0 && r.life.intervened(m) && r.isOwn(r.s.Trail[i-1]) {
			return r.s.Trail[i-1], m, true
		}
		if stays := slices.Contains(r.In, m.From) && slices.Contains(r.In, m.To); !stays && !r.life.isDetour(r.s.before(i), m) {
			break
		}
	}
	return Move{}, Move{}, false
}

// Undone returns Colony's last move because of a fact, if a person undid it and the fact lasts. What is Own counts by other rules.
func Undone(t *Table, s Standing, fact lifecycle.Fact) (own Move, is bool) {
	if spec, _ := lifecycle.SpecOf(fact); spec.Once() || spec.Own {
		return Move{}, false
	}
	for _, row := range t.Triggers {
		if row.On != fact || row.To == "" || !slices.Contains(row.In, s.State) {
			continue
		}
		if own, _, is = (rowAt{row, t, s}).undone(); is {
			return own, true
		}
	}
	return Move{}, false
}

// isOwn reports whether Colony made a move for the row.
func (r rowAt) isOwn(m Move) bool { return r.Moves(m.From, m.To) && r.life.own(m) }

// ownCause reports whether a fact moves an issue that counts only where Colony moved the issue to its state without being asked, or a
// bot did, and else if it came to be so since.
func (r rowAt) ownCause(o Observation) bool {
	entered, known := r.s.Since()
	if !known || entered.Kind == Settled {
		return o.since(r.s.JudgedSince)
	}
	byExecutor := entered.Kind == Moved && r.life.maker(entered) == lifecycle.Executor
	return o.since(entered.At) || byExecutor || r.life.own(entered)
}

// answers reports whether the row no longer counts what came before a move. That is so because the move was the row's own, or by what the row says
// of the time from which its fact counts.
func (r rowAt) answers(before Standing, m Move) bool {
	if m.Kind == Settled {
		return r.CountsSince() == lifecycle.SinceEntry
	}
	maker := r.life.maker(m)
	if r.Moves(m.From, m.To) || maker == lifecycle.Colony && r.insteadOf(m) {
		return true
	}
	detour := r.life.isDetour(before, m)
	switch r.CountsSince() {
	case lifecycle.SinceEntry:
		return !detour
	case lifecycle.SinceDecision:
		return m.Kind == ForcedMove || !detour && (maker == lifecycle.Operator || maker == lifecycle.Executor && slices.Contains(r.In, m.From))
	case lifecycle.SinceEver:
		return m.Kind == ForcedMove || !detour && maker == lifecycle.Operator && r.sentBack(m)
	}
	return false
}

// insteadOf reports whether a move is the one that a limit makes of the row's.
func (r rowAt) insteadOf(m Move) bool {
	return slices.Contains(r.In, m.From) && slices.ContainsFunc(r.life.Limits.Bounding(m.From, r.To), func(limit lifecycle.Limit) bool { return limit.Instead == m.To })
}

// merged is the fact that work was taken over. A person who sends back what was not handed on answers no merge.
const merged lifecycle.Fact = "pull-request-merged"

// sentBack reports whether a move undoes what the work had come to. It is a move backward or out of the lifecycle's order, to where the row is not
// about: for a row that moves issues on a merge, one from where it is about. Or it is one from a blocked state to where the issue was not before.
func (r rowAt) sentBack(m Move) bool {
	pair, _ := r.life.Pair(m.From, m.To)
	from, _ := r.life.State(m.From)
	backward := pair.Kind != lifecycle.Forward && pair.Kind != lifecycle.Enter
	return backward && (r.To == "" || r.On != merged || slices.Contains(r.In, m.From)) && !slices.Contains(r.In, m.To) || from.Type == lifecycle.Blocked
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
	returns := func(c lifecycle.Command) bool {
		to, leads := t.Leads(c, before)
		return c.To == lifecycle.Previous && slices.Contains(c.From, m.From) && leads && to == m.To
	}
	previous, known := t.Before(before)
	if known && m.To == previous || slices.ContainsFunc(t.Commands, returns) {
		return true
	}
	pair, _ := t.Pair(m.From, m.To)
	return !known && pair.Kind == lifecycle.Resume
}

// LastDecision returns when a person last made a move that says something about the work, up to a time; zero if the log does not tell.
func (t *Table) LastDecision(s Standing, until time.Time) time.Time {
	for i, m := range slices.Backward(s.Trail) {
		if !m.after(until) && t.intervened(m) && !t.isDetour(s.before(i), m) {
			return m.At
		}
	}
	return time.Time{}
}

// FactHolds reports whether one of some facts holds for a move that someone asks for. The fact has to last, or to have come late enough, by what
// the table of facts says of the time from which it counts.
func (t *Table) FactHolds(s Standing, a lifecycle.Asking, named []string, facts Facts) bool {
	caused := sync.OnceValue(func() Standing { return asCaused(t, s, facts) })
	return slices.ContainsFunc(facts.Observed, func(o Observation) bool {
		if !slices.Contains(named, string(o.Fact)) {
			return false
		}
		spec, _ := lifecycle.SpecOf(o.Fact)
		return !spec.Once() || countsFrom(t, caused(), a.From, o)
	})
}

// asCaused returns where the issue is with each of Colony's own moves at the time of what it was made for, as far as that was read: Colony might have
// come to know of it late, and what answers it can be older than the move.
func asCaused(t *Table, s Standing, facts Facts) Standing {
	trail := slices.Clone(s.Trail)
	for i, m := range trail {
		for _, row := range causesOf(t, m) {
			var caused time.Time
			for _, o := range facts.Observed {
				if o.Fact == row.On && !o.since(m.At) && (rowAt{row, t, s.before(i)}).counts(o) {
					caused = latest(caused, o.At)
				}
			}
			if trail[i].At = Earliest(trail[i].At, caused); i > 0 { // no earlier than what was decided before
				trail[i].At = latest(trail[i].At, trail[i-1].At)
			}
		}
	}
	s.Trail = trail
	return s
}

// causesOf lists the rows that a move of Colony's own can have been made for, as far as their facts come once.
func causesOf(t *Table, m Move) (rows []lifecycle.Trigger) {
	if !t.own(m) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Triggers), func(row lifecycle.Trigger) bool {
		spec, _ := lifecycle.SpecOf(row.On)
		return !row.Moves(m.From, m.To) || !spec.Once()
	})
}

// UnreadFor lists what is left to read to know whether one of some facts holds for a move. Where none does, the cause of Colony's own move to where
// the issue is can tell otherwise.
func UnreadFor(t *Table, s Standing, a lifecycle.Asking, named []string, facts Facts) []lifecycle.Reading {
	unread := facts.Unread(lifecycle.ReadingsOf(named))
	isOnce := func(fact string) bool { spec, _ := lifecycle.SpecOf(lifecycle.Fact(fact)); return spec.Once() }
	if len(unread) == 0 && slices.ContainsFunc(named, isOnce) && !t.FactHolds(s, a, named, facts) {
		unread = facts.Unread(readingsOfEntry(t, s))
	}
	return unread
}

// readingsOfEntry returns what has to be read to know when that was for which Colony moved an issue to its state; nothing if it was asked to.
func readingsOfEntry(t *Table, s Standing) []lifecycle.Reading {
	var named []string
	entered, _ := s.Since()
	for _, row := range causesOf(t, entered) {
		named = append(named, string(row.On))
	}
	return lifecycle.ReadingsOf(named)
}
