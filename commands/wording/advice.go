package wording

import (
	"slices"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// person is a reader of a comment who may move the issue.
var person = lifecycle.Actor{Kind: lifecycle.Operator}

// Advice is what people can do with an issue where it stands.
type Advice struct {
	// Now is the state that the issue is in.
	Now string
	// Operator lists every move that people may make.
	Operator []lifecycle.Pair
	// Typed is the recommended command, as people write it; "/colony:move <state>" if nothing is recommended, empty if nothing leads out.
	Typed string
	// Leads is the state that it leads to; empty if nothing is recommended. ByCommand says that a label does not do the same.
	Leads     string
	ByCommand bool
	// First is what to do before that.
	First string
	// GivesReason says that the command gives the reason that a refused move lacked.
	GivesReason bool
	// Stays says that not even a forced move leads out of Now.
	Stays bool
}

// advise finds what people can do with an issue: what the lifecycle recommends, and what else is legal.
func advise(l *statemachine.Table, standing statemachine.Standing) Advice {
	a := Advice{Now: standing.State, Operator: l.NextAt(standing, person), Stays: !l.Forces(standing.State)}
	switch action, ok := advice.Recommend(l, standing); {
	case ok:
		a.Typed, a.Leads, a.ByCommand = Typed(&action), action.To, action.Verb != "" || action.Reason
	case len(a.Operator) > 0:
		a.Typed = "/colony:move <state>"
	}
	return a
}

// Fold reports whether the legal moves are so many that they are folded away.
func (a Advice) Fold() bool { return len(a.Operator) > openMoves }

// Others lists the legal moves beside the recommended one.
func (a Advice) Others() []lifecycle.Pair {
	return slices.DeleteFunc(slices.Clone(a.Operator), func(p lifecycle.Pair) bool { return p.To == a.Leads })
}
