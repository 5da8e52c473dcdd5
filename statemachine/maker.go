package statemachine

import (
	"iter"
	"slices"
	"time"
)

// The writer of a command made its move. The log names Colony for it, and only the comments tell for whom Colony made a move. They are
// read where something depends on it: the functions of this file say when that is.

// makers returns the kinds of those who may have made a move: one, unless Colony made it and nobody has found out who ordered that.
// The first is the most likely.
func (l *Lifecycle) makers(m Move) []ActorKind {
	byItself := m.By.Kind == Colony && m.Ordered.Kind == "" && l.MakesItself(m.From, m.To)
	switch {
	case m.By.Kind != Colony:
		return onlyBy(m.By.Kind)
	case m.Ordered.Kind != "":
		return onlyBy(m.Ordered.Kind)
	case m.Traced && byItself:
		return onlyBy(Colony)
	case m.Traced: // the comment is gone
		return onlyBy(Operator)
	case byItself:
		return anybody
	}
	return anybody[1:]
}

// anybody may have made a move of Colony's that a row makes as well. Without such a row it was a command.
var anybody = []ActorKind{Colony, Operator, Executor}

// onlyBy is one kind of maker; it costs no memory, as every move of every log is asked for its makers.
func onlyBy(kind ActorKind) []ActorKind {
	if i := slices.Index(anybody, kind); i >= 0 {
		return anybody[i : i+1 : i+1]
	}
	return []ActorKind{kind}
}

// intervenes reports whether a move that counts was a person's, with the label or by a command, if such an actor made it.
func (m Move) intervenes(maker ActorKind) bool {
	return m.Kind == ForcedMove || m.Kind == Moved && maker == Operator
}

// intervened reports whether a person most likely made a move that counts.
func (l *Lifecycle) intervened(m Move) bool { return m.intervenes(l.makers(m)[0]) }

// mayIntervene reports whether a person may have made a move that counts, and whether that is sure.
func (l *Lifecycle) mayIntervene(m Move) (may, must bool) {
	must = true
	for _, maker := range l.makers(m) {
		may, must = may || m.intervenes(maker), must && m.intervenes(maker)
	}
	return may, must
}

// sincePerson goes through the moves after the last one that a person made, the latest first. What is settled begins anew: nobody knows
// how it came, and what was done before Colony came was held to no limit.
func (l *Lifecycle) sincePerson(s Standing) iter.Seq[Move] {
	return func(yield func(Move) bool) {
		for _, m := range slices.Backward(s.Trail) {
			if m.Kind == Settled || l.intervened(m) || m.At.Before(s.Installed) || !yield(m) {
				return
			}
		}
	}
}

// Untraced returns the time of the earliest of Colony's moves, since a person surely made one, of which nobody has found out who
// ordered it; zero if there is none.
func (l *Lifecycle) Untraced(s Standing) time.Time {
	var since time.Time
	for _, m := range slices.Backward(s.Trail) {
		may, must := l.mayIntervene(m)
		if m.Kind == Settled || must || m.At.Before(s.Installed) {
			break
		}
		if may {
			since = m.At
		}
	}
	return since
}

// earlier returns the earlier of two times; zero is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
