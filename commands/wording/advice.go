package wording

import (
	"slices"

	"github.com/colony-app/colony/statemachine"
)

// person is a reader of a comment who may move the issue.
var person = statemachine.Actor{Kind: statemachine.Operator}

// Advice is what people can do with an issue where it stands.
type Advice struct {
	// Now is the state that the issue is in.
	Now string
	// Operator lists every move that people may make.
	Operator []statemachine.Pair
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
func advise(l *statemachine.Lifecycle, standing statemachine.Standing) Advice {
	a := Advice{Now: standing.State, Operator: l.NextAt(standing, person), Stays: !l.Forces(standing.State)}
	switch action, ok := l.Recommend(standing); {
	case ok && action.Verb != "":
		a.Typed, a.Leads, a.ByCommand = "/colony:"+action.Verb, action.To, true
		if action.Reason {
			a.Typed += " <reason>"
		}
	case ok && action.Reason:
		a.Typed, a.Leads, a.ByCommand = reasoned(l, standing.State, action.To), action.To, true
	case ok:
		a.Typed, a.Leads = "/colony:move "+action.To, action.To
	case len(a.Operator) > 0:
		a.Typed = "/colony:move <state>"
	}
	return a
}

// Fold reports whether the legal moves are so many that they are folded away.
func (a Advice) Fold() bool { return len(a.Operator) > openMoves }

// Others lists the legal moves beside the recommended one.
func (a Advice) Others() []statemachine.Pair {
	return slices.DeleteFunc(slices.Clone(a.Operator), func(p statemachine.Pair) bool { return p.To == a.Leads })
}

// reasoned returns how to type a move with its reason: by the command that the lifecycle has for it, or by `move`.
func reasoned(l *statemachine.Lifecycle, from, to string) string {
	for _, c := range l.Commands {
		if c.To == to && c.Reason != statemachine.NotTaken && c.Target != statemachine.Required && c.By != statemachine.Maintainers &&
			(len(c.From) == 0 || slices.Contains(c.From, from)) {
			return "/colony:" + c.Verb + " <reason>"
		}
	}
	return "/colony:move " + to + " <reason>"
}
