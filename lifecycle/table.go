package lifecycle

import (
	"slices"
)

// Verdict is the table's answer to one requested move.
type Verdict string

// The verdicts.
const (
	// Legal moves are made.
	Legal Verdict = "legal"
	// NotInTable says that no one is allowed to make this move.
	NotInTable Verdict = "not-in-table"
	// NotForRole says that the table has this move, but not for who asked.
	NotForRole Verdict = "not-for-role"
	// NotAState says that one of the words is no state of the lifecycle.
	NotAState Verdict = "not-a-state"
	// Same says that the issue is in that state already: there is nothing to do.
	Same Verdict = "same"
	// NotPrevious says that the table has this move only back to the state that the issue came from.
	NotPrevious Verdict = "not-previous"
	// NeedsReason says that the move needs a written reason, which a label cannot give.
	NeedsReason Verdict = "needs-reason"
	// LimitReached says that the issue has made this move as often as it is allowed to.
	LimitReached Verdict = "limit-reached"
	// Guarded says that the table has this move, and a guard refuses it as things are.
	Guarded Verdict = "guarded"
	// NoEvent says that no event put the label there: another label was renamed.
	NoEvent Verdict = "no-event"
	// Transferred says that the issue came to the state in another repository, and that it takes an approval here.
	Transferred Verdict = "transferred"
	// IsClosed says that the issue is closed, so that no bot works on it.
	IsClosed Verdict = "closed"
)

// Pair returns the allowed pair from one state to another.
func (l *Lifecycle) Pair(from, to string) (Pair, bool) {
	return found(l.legal[[2]string{from, to}])
}

// Judge says whether an actor is allowed to move an issue from one state to another. Operators and Colony have the whole table, bots what their roles
// request and claim inside it, authors nothing: they answer in comments.
func (l *Lifecycle) Judge(who Actor, from, to string) Verdict {
	if l.byName[from] == nil || l.byName[to] == nil {
		return NotAState
	}
	if _, ok := l.Pair(from, to); !ok {
		if from == to {
			return Same
		}
		return NotInTable
	}
	switch who.Kind {
	case Operator, Colony:
		return Legal
	case Executor:
		if slices.ContainsFunc(l.Roles.of(who), func(r Role) bool { return r.may(from, to) }) {
			return Legal
		}
	case Author:
	}
	if from == to { // another round is not theirs to ask for
		return Same
	}
	return NotForRole
}

// ReasonOf returns the reason that a bot's request implies.
func (l *Lifecycle) ReasonOf(who Actor, from, to string) string {
	if who.Kind != Executor {
		return ""
	}
	for _, r := range l.Roles.of(who) {
		if r.may(from, to) && slices.Contains(r.WorksIn, from) {
			return r.Reasons[to]
		}
	}
	return ""
}

// StandsFor returns the reason that a bot's request for a move implies, if the table wants a reason and the request has no written one.
func (l *Lifecycle) StandsFor(who Actor, from, to string) string {
	if pair, ok := l.Pair(from, to); !ok || pair.Reason != Required {
		return ""
	}
	return l.ReasonOf(who, from, to)
}

// ForGood reports whether an issue stays in a state permanently: not even a forced move leads out.
func (l *Lifecycle) ForGood(state string) bool {
	s, ok := l.byName[state]
	return ok && l.Final && s.Type == Terminal
}

// SideStates are the states from which a command or a move returns to the previous one.
func (l *Lifecycle) SideStates() []string {
	var side []string
	for _, c := range l.Commands {
		if c.To == Previous {
			side = append(side, c.From...)
		}
	}
	for _, p := range l.Pairs {
		if p.OnlyPrevious && !slices.Contains(side, p.From) {
			side = append(side, p.From)
		}
	}
	return side
}

// Next returns the moves an actor is allowed to make from a state, in the order of the states.
func (l *Lifecycle) Next(who Actor, from string) []Pair {
	var out []Pair
	for _, p := range l.Pairs {
		if p.From == from && l.Judge(who, p.From, p.To) == Legal {
			out = append(out, p)
		}
	}
	return out
}

// ExecutorsAct reports whether a bad request in a state is a failure of the work. An issue without a state label is no one's work yet.
func (l *Lifecycle) ExecutorsAct(state string) bool {
	return l.Label(state) != "" && len(l.Roles.In(state)) > 0
}
