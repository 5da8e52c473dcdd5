package lifecycle

import (
	"fmt"
	"slices"
)

// Role is what a bot of this role is allowed to do: request where it works, and claim work.
type Role struct {
	Name     string            `yaml:"role" json:"name" is:"slug" twice:"role %q is listed twice" means:"What the role is called, in kebab-case."`
	WorksIn  Words             `yaml:"works-in" json:"works_in" is:"states" means:"The states in which the role works."`
	Requests Words             `yaml:"requests" json:"requests" is:"states" means:"The states to which it may move an issue from each of them."`
	Reasons  map[string]string `yaml:"reasons" json:"reasons,omitempty" means:"By target: the reason that this role's move stands for, where the table requires one."`
	Claiming []fileClaim       `yaml:"claims" json:"-" means:"The work that the role may take from states in which it does not work."`
	Claims   []Claim           `yaml:"-" json:"claims"`
	// Widened holds the pairs that the configuration adds to the role, all of them inside the table.
	Widened []Claim `yaml:"-" json:"widened,omitempty"`
}

// Claim is a pair of states that a bot can ask for although it does not work in the first.
type Claim struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// actsIn reports whether a role works in a state or claims work from it.
func (r Role) actsIn(state string) bool {
	return slices.Contains(r.WorksIn, state) ||
		slices.ContainsFunc(r.Claims, func(c Claim) bool { return c.From == state }) ||
		slices.ContainsFunc(r.Widened, func(c Claim) bool { return c.From == state })
}

// may reports whether a role is allowed to ask for a move; the table is asked separately.
func (r Role) may(from, to string) bool {
	if slices.Contains(r.WorksIn, from) && slices.Contains(r.Requests, to) {
		return true
	}
	claim := Claim{from, to}
	return slices.Contains(r.Claims, claim) || slices.Contains(r.Widened, claim)
}

// Roles are the roles of a lifecycle, in the order of the file.
type Roles []Role

// WorkIn reports whether a role works in a state.
func (all Roles) WorkIn(state string) bool {
	return slices.ContainsFunc(all, func(r Role) bool { return slices.Contains(r.WorksIn, state) })
}

// Named returns the role of that name.
func (all Roles) Named(name string) (Role, bool) {
	return first(all, func(r Role) bool { return r.Name == name })
}

// In returns the roles that work in a state or claim work from it.
func (all Roles) In(state string) []string {
	var names []string
	for _, r := range all {
		if r.actsIn(state) {
			names = append(names, r.Name)
		}
	}
	return names
}

func (all Roles) of(who Actor) []Role {
	if len(who.Roles) == 0 {
		return all
	}
	var roles []Role
	for _, r := range all {
		if slices.Contains(who.Roles, r.Name) {
			roles = append(roles, r)
		}
	}
	return roles
}

// Widen returns a copy of the lifecycle in which a role is also allowed to ask for a move. It fails if there is no such role, or if the move is not
// in the table: a configuration can widen a role, never the table.
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
