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
	if from == to {
		return Same
	}
	if _, ok := l.Pair(from, to); !ok {
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
