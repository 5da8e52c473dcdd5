package statemachine

import (
	"fmt"
	"slices"
)

// Verdict is the table's answer to one requested move.
type Verdict string

// The verdicts.
const (
	// Legal moves are made.
	Legal Verdict = "legal"
	// NotInTable says that nobody may make this move.
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
	// LimitReached says that the issue has made this move as often as it may.
	LimitReached Verdict = "limit-reached"
	// Guarded says that the table has this move, and a guard refuses it as things are.
	Guarded Verdict = "guarded"
)

// Pair returns the legal pair from one state to another.
func (l *Lifecycle) Pair(from, to string) (Pair, bool) {
	p, ok := l.legal[[2]string{from, to}]
	if !ok {
		return Pair{}, false
	}
	return *p, true
}

// Judge says whether an actor may move an issue from one state to another. Operators and Colony have the whole
// table, executors what their roles request and claim inside it, authors nothing: they answer in comments.
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
		if slices.ContainsFunc(l.rolesOf(who), func(r Role) bool { return r.may(from, to) }) {
			return Legal
		}
	case Author:
	}
	return NotForRole
}

// JudgeAt says whether an actor may move an issue from where it stands. Beside the table, it knows what depends on how the
// issue came there. A reason says that one was given in writing; Colony's own moves have theirs.
func (l *Lifecycle) JudgeAt(s Standing, who Actor, to string, reason bool) Verdict {
	verdict := l.allows(s, who, to, reason)
	if verdict != Legal || who.Kind == Colony && !l.isAutomatic(s.State, to) {
		return verdict
	}
	if _, over, _ := l.exhausted(s, who.Kind, to); over {
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
	if pair.Reason == Required && !reason && who.Kind != Colony && l.reasonOf(who, s.State, to) == "" {
		return NeedsReason
	}
	return Legal
}

// reasonOf returns the reason that an executor's request stands for.
func (l *Lifecycle) reasonOf(who Actor, from, to string) string {
	if who.Kind != Executor {
		return ""
	}
	for _, r := range l.rolesOf(who) {
		if r.may(from, to) && slices.Contains(r.WorksIn, from) {
			return r.Reasons[to]
		}
	}
	return ""
}

// givenReason returns the reason that goes into the trail with a move.
func (l *Lifecycle) givenReason(who Actor, from, to string, kind MoveKind) string {
	if kind != Moved {
		return ""
	}
	return l.StandsFor(who, from, to)
}

// StandsFor returns the reason that an executor's request for a move stands for, if the table wants one and none is written.
func (l *Lifecycle) StandsFor(who Actor, from, to string) string {
	if pair, ok := l.Pair(from, to); !ok || pair.Reason != Required {
		return ""
	}
	return l.reasonOf(who, from, to)
}

// ForGood reports whether an issue stays in a state for ever: not even a forced move leads out.
func (l *Lifecycle) ForGood(state string) bool {
	s, ok := l.byName[state]
	return ok && l.Final && s.Type == Terminal
}

// Before returns the state that an issue came from, leaving out the states that are left only to return: an issue that was
// blocked while it was paused goes back to what it was doing before both. ok is false if the log does not tell.
func (l *Lifecycle) Before(s Standing) (state string, ok bool) { return s.Previous(l.sideStates()...) }

// sideStates are the states from which a command or a move returns to the previous one.
func (l *Lifecycle) sideStates() []string {
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

// NextAt returns the moves an actor may make from where an issue stands, in the order of the states. Those that need a reason
// are among them.
func (l *Lifecycle) NextAt(s Standing, who Actor) []Pair {
	return slices.DeleteFunc(l.Next(who, s.State), func(p Pair) bool { return l.JudgeAt(s, who, p.To, true) != Legal })
}

// Next returns the moves an actor may make from a state, in the order of the states.
func (l *Lifecycle) Next(who Actor, from string) []Pair {
	var out []Pair
	for _, p := range l.Pairs {
		if p.From == from && l.Judge(who, p.From, p.To) == Legal {
			out = append(out, p)
		}
	}
	return out
}

// RolesIn returns the roles that work in a state or claim work from it.
func (l *Lifecycle) RolesIn(state string) []string {
	var names []string
	for _, r := range l.Roles {
		if r.actsIn(state) {
			names = append(names, r.Name)
		}
	}
	return names
}

// executorsAct reports whether a bad request in a state is a failure of the work. An issue without a state
// label is nobody's work yet.
func (l *Lifecycle) executorsAct(state string) bool {
	return l.Label(state) != "" && len(l.RolesIn(state)) > 0
}

func (l *Lifecycle) rolesOf(who Actor) []Role {
	if len(who.Roles) == 0 {
		return l.Roles
	}
	var roles []Role
	for _, r := range l.Roles {
		if slices.Contains(who.Roles, r.Name) {
			roles = append(roles, r)
		}
	}
	return roles
}

// Widen returns a copy of the lifecycle in which a role may also ask for a move. It fails if there is no such
// role, or if the move is not in the table: a configuration can widen a role, never the table.
func (l *Lifecycle) Widen(role, from, to string) (*Lifecycle, error) {
	if _, ok := l.Pair(from, to); !ok {
		return nil, fmt.Errorf("widen role %s by %s -> %s: the move is not in the table of lifecycle %s", role, from, to, l.Name)
	}
	widened := *l
	widened.Roles = slices.Clone(l.Roles)
	for i, r := range widened.Roles {
		if r.Name == role {
			widened.Roles[i].Widened = append(slices.Clone(r.Widened), Claim{from, to})
			return &widened, nil
		}
	}
	return nil, fmt.Errorf("widen role %s by %s -> %s: lifecycle %s has no such role", role, from, to, l.Name)
}
