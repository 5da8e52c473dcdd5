package statemachine

import "github.com/colony-app/colony/lifecycle"

// Outcome is what becomes of what somebody asks for. It is the same for a label and for a command: the fold and the commands both ask for
// it here.
type Outcome struct {
	Verdict lifecycle.Verdict
	// LedTo is the state that the request leads to although it is not granted: the lifecycle's BadRequest, or where a limit leads; empty
	// if the issue stays where it is. Kind is the kind of that move.
	LedTo string
	Kind  MoveKind
	// Limit is the limit that was reached, if the verdict is LimitReached.
	Limit lifecycle.Limit
	// AsksPerson says that a person has to look; see Rejection.
	AsksPerson bool
	// Before is the state that the table would have let the issue go back to, if the verdict is NotPrevious.
	Before string
}

// Request says what becomes of what an actor asks for from where an issue stands. The state may be any word. Where what is illegal stands,
// a request that is not granted leads nowhere, as every block is withheld there. What guards say is not in it.
func (t *Table) Request(s Standing, who lifecycle.Actor, to string, reason bool) Outcome {
	o := t.outcome(s, who.Kind, to, t.JudgeAt(s, who, to, reason))
	if s.Stands {
		o.LedTo, o.Kind, o.AsksPerson = "", "", false
	}
	return o
}

// outcome says what becomes of a request by what the table says of it. An executor's bad request is a failure of the work where executors
// act; one that comes late anywhere else is only told. The state is empty if only the label of the present one was taken off.
func (t *Table) outcome(s Standing, maker lifecycle.ActorKind, to string, verdict lifecycle.Verdict) Outcome {
	o := Outcome{Verdict: verdict}
	failed := maker == lifecycle.Executor && to != "" && t.ExecutorsAct(s.State)
	switch verdict {
	case lifecycle.Legal: // work that failed
		o.AsksPerson = maker == lifecycle.Executor && to == t.BadRequest && to != s.State
		return o
	case lifecycle.Same:
		return o
	case lifecycle.LimitReached:
		o.Limit, _ = t.exhausted(s, maker, to)
		o.LedTo, o.Kind, o.AsksPerson = o.Limit.Instead, Exhausted, true
		return o
	case lifecycle.Guarded: // what a guard refuses may be granted later
		failed = false
	case lifecycle.NotPrevious:
		o.Before, _ = t.Before(s)
	case lifecycle.NotInTable, lifecycle.NotForRole, lifecycle.NotAState, lifecycle.NeedsReason:
	}
	o.AsksPerson = failed || maker == lifecycle.Operator && verdict != lifecycle.NotAState
	if pair, canBlock := t.Pair(s.State, t.BadRequest); failed && canBlock && !pair.OnlyPrevious {
		o.LedTo, o.Kind = t.BadRequest, BadRequest
	}
	return o
}

// Unlimited returns a copy of the lifecycle in which nothing is limited or counted.
func (t *Table) Unlimited() *Table {
	unlimited := *t
	unlimited.Limits = nil
	return &unlimited
}
