package wording

import (
	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Why is what `why` tells about a move to one state.
type Why struct {
	From, To  lifecycle.State
	Requester lifecycle.Actor
	// Verdict is the answer to the asker; where that is only a matter of rights, People is what it would be to a person with triage access.
	Verdict, People lifecycle.Verdict
	Pair            lifecycle.Pair
	// Typed makes the move, with a reason if it needs one. ByLabel says that the asker can make it by label, but not with commands.
	Typed   string
	ByLabel bool
	Detour
	statemachine.Access
	// Limited is the limit that keeps everybody but people from the move, and Count how often it was made; without a name there is no limit.
	Limited lifecycle.Limit
	Count   int
	// Guards are what the move takes in addition to the table; if the verdict is Guarded, what refuses it for good.
	Guards []lifecycle.Guard
}

// Detour is how an issue gets to a state that it cannot go to directly.
type Detour struct {
	// Route is a shortest way for a person, both ends included; nil if there is no way. First makes its first step.
	Route []string
	First string
	// Before is the only state that the issue can go back to.
	Before string
	// ForGood says that not even a forced move leads out of where it is.
	ForGood bool
	// MayForce says that a forced move can lead there.
	MayForce bool
}

// ExplainWhy finds out whether an issue can go to a state, for whom and how.
func ExplainWhy(l *statemachine.Table, standing statemachine.Standing, requester lifecycle.Actor, to string) Why {
	ruling := statemachine.RuleForGood(l, standing, requester, to)
	w := Why{
		Access:    statemachine.AccessOf(l),
		Requester: requester,
		Verdict:   ruling.Verdict,
		People:    l.Rule(standing, statemachine.Ask{By: person, To: to, Reason: true}, nil).Verdict,
		Detour: Detour{
			Route: advice.Route(l, standing, person, to), ForGood: l.ForGood(standing.State), MayForce: l.MayForce(standing.State, to),
		},
	}
	w.From, _ = l.State(standing.State)
	w.To, _ = l.State(to)
	w.Pair, _ = l.Pair(standing.State, to)
	w.Guards = l.Guards.Of(requester, standing.State, to)
	switch w.Verdict {
	case lifecycle.NotForRole:
		w.Guards = l.Guards.Of(person, standing.State, to)
	case lifecycle.Guarded:
		w.Guards = ruling.Guards.Refusing
	}
	w.Before, _ = l.Before(standing)
	w.Limited, w.Count, _ = l.Exhausted(standing, to)
	w.Typed = typed(l, standing, requester, to)
	if len(w.Route) > 1 {
		w.First = typed(l, standing, person, w.Route[1])
	}
	if (w.Verdict == lifecycle.NotForRole || w.Verdict == lifecycle.IsClosed) && w.People != lifecycle.Legal {
		w.Verdict = w.People // it is no one's
	}
	return w
}

// typed is the command that makes a move for an actor.
func typed(l *statemachine.Table, standing statemachine.Standing, who lifecycle.Actor, to string) string {
	if l.Rule(standing, statemachine.Ask{By: who, To: to}, nil).Verdict == lifecycle.NeedsReason {
		return Typed(new(advice.Reasoned(l, standing.State, to)))
	}
	return advice.Action{To: to}.Command()
}

// RenderWhy answers `why <state>`.
func RenderWhy(w Why) string { return render("why", w) }

// Here is what `why` tells about the present state.
type Here struct {
	Status
	// Rows is what moves the issue on without a person.
	Rows []HereRow
	// Advice is what people can do, and a bot that asks. MayMove says that a person asks who can.
	Advice  Refusal
	MayMove bool
}

// HereRow is one thing that moves an issue on: Colony, because of a fact or after some time, or a bot in a role.
type HereRow struct{ To, Why, Role, After string }

// ExplainHere finds out what moves an issue on from where it is.
func ExplainHere(l *statemachine.Table, standing statemachine.Standing, s Status) Here {
	here := Here{
		Status: s, MayMove: s.Requester.Kind == lifecycle.Operator,
		Advice: Refusal{Advice: advise(l, standing, advice.Request{Reason: advice.Waits, Who: s.Requester, Stuck: s.Stuck}), Who: s.Requester, Position: Position{Next: l.NextAt(standing, s.Requester)}},
	}
	here.Advice.Question = s.Question
	for _, t := range l.Triggers.OutOf(standing.State) {
		here.Rows = append(here.Rows, HereRow{To: Code(t.To), Why: t.Why})
	}
	if t, ok := l.TimeOuts.In(standing.State); ok {
		here.Rows = append(here.Rows, HereRow{To: Code(t.To), After: lifecycle.Span(t.After)})
	}
	for _, name := range l.Roles.In(standing.State) {
		if next := l.NextAt(standing, lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{name}}); len(next) > 0 {
			here.Rows = append(here.Rows, HereRow{To: states(next), Role: name})
		}
	}
	return here
}

// RenderHere answers `why`.
func RenderHere(h Here) string { return render("why_here", h) }
