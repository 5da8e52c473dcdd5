package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// JudgeAt says whether an actor may move an issue from where it stands. Beside the table, it knows what depends on how the
// issue came there. A reason says that one was given in writing; Colony's own moves have theirs.
func (t *Table) JudgeAt(s Standing, who lifecycle.Actor, to string, reason bool) lifecycle.Verdict {
	verdict := t.allows(s, who, to, reason)
	if verdict != lifecycle.Legal || who.Kind == lifecycle.Colony && !t.MakesItself(s.State, to) {
		return verdict
	}
	if _, over := t.exhausted(s, who.Kind, to); over {
		return lifecycle.LimitReached
	}
	return lifecycle.Legal
}

// allows says whether an actor may move an issue from where it stands, however often that was done.
func (t *Table) allows(s Standing, who lifecycle.Actor, to string, reason bool) lifecycle.Verdict {
	verdict := t.Judge(who, s.State, to)
	if verdict != lifecycle.Legal {
		return verdict
	}
	pair, _ := t.Pair(s.State, to)
	if pair.OnlyPrevious {
		if before, known := t.Before(s); known && before != to {
			return lifecycle.NotPrevious
		}
	}
	if pair.Reason == lifecycle.Required && !reason && who.Kind != lifecycle.Colony && t.ReasonOf(who, s.State, to) == "" {
		return lifecycle.NeedsReason
	}
	return lifecycle.Legal
}

// givenReason returns the reason that goes into the trail with a move.
func (t *Table) givenReason(who lifecycle.Actor, from, to string, kind MoveKind) string {
	if kind != Moved {
		return ""
	}
	return t.StandsFor(who, from, to)
}

// Before returns the state that an issue came from, leaving out the states that are left only to return: an issue that was
// blocked while it was paused goes back to what it was doing before both. ok is false if the log does not tell.
func (t *Table) Before(s Standing) (state string, ok bool) { return s.Previous(t.SideStates()...) }

// NextAt returns the moves an actor may make from where an issue stands, in the order of the states. Those that need a reason
// are among them.
func (t *Table) NextAt(s Standing, who lifecycle.Actor) []lifecycle.Pair {
	return slices.DeleteFunc(t.Next(who, s.State), func(p lifecycle.Pair) bool { return t.JudgeAt(s, who, p.To, true) != lifecycle.Legal })
}
