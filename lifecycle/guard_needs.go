package lifecycle

import "slices"

// What guards need of GitHub, for those who prepare for it.

// Teams lists the teams that guards name, each once.
func (all Guards) Teams() []string {
	var teams []string
	for _, g := range all {
		for _, c := range g.conditions() {
			for _, team := range c.Words {
				if c.Kind == InTeam && !slices.Contains(teams, team) {
					teams = append(teams, team)
				}
			}
		}
	}
	return teams
}

// MayWaitFor reports whether an issue with the label of a state might wait there for what a guard could not read.
func (all Guards) MayWaitFor(state string) bool {
	return slices.ContainsFunc(all, func(g Guard) bool {
		return slices.Contains(g.To, state) && g.Reads()
	})
}

// AskFor reports whether a guard of a move from a state names a fact.
func (all Guards) AskFor(fact Fact, from string) bool {
	return slices.ContainsFunc(all, func(g Guard) bool {
		return (len(g.From) == 0 || slices.Contains(g.From, from)) && slices.Contains(g.Facts(), string(fact))
	})
}

// DependsOnAsking reports whether a guard can say something else of the same move by the same actor later, or if it is asked for another way.
func (g Guard) DependsOnAsking() bool {
	return slices.ContainsFunc(g.conditions(), func(c Condition) bool { return c.Kind == InStateFor || c.Kind == AsksBy })
}

// LooksAtAsker reports whether nothing but who asks decides: whom the guard refuses it refuses again.
func (g Guard) LooksAtAsker() bool {
	return !slices.ContainsFunc(g.conditions(), func(c Condition) bool {
		return !slices.Contains([]ConditionKind{IsWho, HasLogin, HasRole, HasPermission, InTeam}, c.Kind)
	})
}

func (g Guard) conditions() []Condition { return slices.Concat(g.Requires, g.Forbids, g.exceptions()) }

// exceptions lists the conditions under which a guard does not count.
func (g Guard) exceptions() []Condition {
	all := make([]Condition, len(g.Unless))
	for i, e := range g.Unless {
		all[i] = e.Condition
	}
	return all
}

// about reports whether a guard is about a move, by label or command and by anyone.
func (g Guard) about(from, to string) bool {
	return slices.Contains(g.To, to) && (len(g.From) == 0 || slices.Contains(g.From, from))
}
