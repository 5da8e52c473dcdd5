package statemachine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// Blocker is something that holds an issue up, for people.
type Blocker struct{ What, Names string }

// blockers are the facts that hold an issue up, and what people call what they are about.
var blockers = []struct {
	fact lifecycle.Fact
	what string
}{
	{"dependency-cycle", "a circle of dependencies"},
	{"dependency-open", "open dependencies"},
	{"dependency-early", "open dependencies"},
	{"dependency-dropped", "dropped dependencies"},
	{"files-overlap", "older pull requests that change the same files"},
	{"sub-issues-open", "open sub-issues"},
	{"sub-issues-dropped", "dropped sub-issues"},
	{"sub-issues-none", "it has no sub-issues"},
}

// ClosedEarly holds up an issue that is closed before the end of its lifecycle.
var ClosedEarly = Blocker{What: "it is closed", Names: "no bot works on it until someone reopens it"}

// AwaitedBy names what some guards wait for, as far as it was read: what the facts that they forbid are about. An edit, a push or a comment
// is about who made it, for whom no one waits.
func (f Facts) AwaitedBy(guards []lifecycle.Guard) string {
	var facts []string
	for _, g := range guards {
		facts = append(facts, forbidden(g)...)
	}
	facts = slices.DeleteFunc(facts, func(fact string) bool {
		spec, _ := lifecycle.SpecOf(lifecycle.Fact(fact))
		return spec.Sealed || spec.By != "" || spec.Needs == lifecycle.ReadEdits || spec.Needs == lifecycle.ReadPushes
	})
	return listed(slices.DeleteFunc(f.named(facts...), func(about string) bool { return about == "" }))
}

// named lists what some facts are about, one for each observation; an observation can be about nothing that has a name.
func (f Facts) named(facts ...string) []string {
	var names []string
	for _, o := range f.Observed {
		if slices.Contains(facts, string(o.Fact)) {
			names = append(names, o.About)
		}
	}
	return names
}

// waits reports whether a guard refuses a move until something is over.
func waits(g lifecycle.Guard) bool { return len(forbidden(g)) > 0 }

// forbidden lists the facts that must not hold for a guard.
func forbidden(g lifecycle.Guard) (facts []string) {
	for _, c := range g.Forbids {
		if c.Kind == lifecycle.HasFact {
			facts = append(facts, c.Words...)
		}
	}
	return facts
}

// Stuck reports whether no fact moves an issue on from a state that waits for one, as far as is known: nothing holds it up, or what does asks a
// person to decide. It is false where what the state waits for was not read.
func (f Facts) Stuck(t *Table, state string) bool {
	if f.Assumed || len(f.Unread(t.Readings(state, false))) > 0 {
		return false
	}
	return len(f.Blockers()) == 0 || slices.ContainsFunc(t.Triggers, func(row lifecycle.Trigger) bool {
		return row.To == "" && row.AsksPerson && slices.Contains(row.In, state) && !suspended(row, f) && len(f.named(string(row.On))) > 0
	})
}

// blockersNamed bounds how many things of a kind are named.
const blockersNamed = 10

// Blockers returns what holds an issue up, as far as it was read.
func (f Facts) Blockers() []Blocker {
	var found []Blocker
	for _, b := range blockers {
		if slices.ContainsFunc(found, func(f Blocker) bool { return f.What == b.what }) {
			continue
		}
		names := f.named(string(b.fact))
		if len(names) > blockersNamed {
			names = append(names[:blockersNamed], fmt.Sprintf("%d more", len(names)-blockersNamed))
		}
		if len(names) > 0 {
			found = append(found, Blocker{What: b.what, Names: strings.Join(names, ", ")})
		}
	}
	return found
}
