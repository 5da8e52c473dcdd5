package statemachine

import (
	"slices"
)

// JudgeAt says whether an actor may move an issue from where it stands. Beside the table, it knows what depends on how the
// issue came there. A reason says that one was given in writing; Colony's own moves have theirs.
func (l *Lifecycle) JudgeAt(s Standing, who Actor, to string, reason bool) Verdict {
	verdict := l.allows(s, who, to, reason)
	if verdict != Legal || who.Kind == Colony && !l.MakesItself(s.State, to) {
		return verdict
	}
	if _, over := l.exhausted(s, who.Kind, to); over {
		return LimitReached
	}
	return Legal
}

// allows says whether an actor may move an issue from where it stands, however often that was done.
func (l *Lifecycle) allows(s Standing, who Actor, to string, reason bool) Verdict {
	verdict := l.Judge(who, s.State, to)
	if verdict != Legal {
		return verdict
	}
	pair, _ := l.Pair(s.State, to)
	if pair.OnlyPrevious {
		if before, known := l.Before(s); known && before != to {
			return NotPrevious
		}
	}
	if pair.Reason == Required && !reason && who.Kind != Colony && l.ReasonOf(who, s.State, to) == "" {
		return NeedsReason
	}
	return Legal
}

// givenReason returns the reason that goes into the trail with a move.
func (l *Lifecycle) givenReason(who Actor, from, to string, kind MoveKind) string {
	if kind != Moved {
		return ""
	}
	return l.StandsFor(who, from, to)
}

// Before returns the state that an issue came from, leaving out the states that are left only to return: an issue that was
// blocked while it was paused goes back to what it was doing before both. ok is false if the log does not tell.
func (l *Lifecycle) Before(s Standing) (state string, ok bool) { return s.Previous(l.SideStates()...) }

// NextAt returns the moves an actor may make from where an issue stands, in the order of the states. Those that need a reason
// are among them.
func (l *Lifecycle) NextAt(s Standing, who Actor) []Pair {
	return slices.DeleteFunc(l.Next(who, s.State), func(p Pair) bool { return l.JudgeAt(s, who, p.To, true) != Legal })
}
