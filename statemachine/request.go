package statemachine

// Outcome is what becomes of what somebody asks for. It is the same for a label and for a command: the fold and the commands both ask for
// it here.
type Outcome struct {
	Verdict Verdict
	// LedTo is the state that the request leads to although it is not granted: the lifecycle's BadRequest, or where a limit leads; empty
	// if the issue stays where it is. Kind is the kind of that move.
	LedTo string
	Kind  MoveKind
	// Limit is the limit that was reached, if the verdict is LimitReached.
	Limit Limit
	// AsksPerson says that a person has to look; see Rejection.
	AsksPerson bool
	// Before is the state that the table would have let the issue go back to, if the verdict is NotPrevious.
	Before string
}

// Request says what becomes of what an actor asks for from where an issue stands. The state may be any word. Where what is illegal stands,
// a request that is not granted leads nowhere, as every block is withheld there. What guards say is not in it.
func (l *Lifecycle) Request(s Standing, who Actor, to string, reason bool) Outcome {
	o := l.outcome(s, who.Kind, to, l.JudgeAt(s, who, to, reason))
	if s.Stands {
		o.LedTo, o.Kind, o.AsksPerson = "", "", false
	}
	return o
}

// outcome says what becomes of a request by what the table says of it. An executor's bad request is a failure of the work where executors
// act; one that comes late anywhere else is only told. The state is empty if only the label of the present one was taken off.
func (l *Lifecycle) outcome(s Standing, maker ActorKind, to string, verdict Verdict) Outcome {
	o := Outcome{Verdict: verdict}
	failed := maker == Executor && to != "" && l.ExecutorsAct(s.State)
	switch verdict {
	case Legal: // work that failed
		o.AsksPerson = maker == Executor && to == l.BadRequest && to != s.State
		return o
	case Same:
		return o
	case LimitReached:
		o.Limit, _ = l.exhausted(s, maker, to)
		o.LedTo, o.Kind, o.AsksPerson = o.Limit.Instead, Exhausted, true
		return o
	case Guarded: // what a guard refuses may be granted later
		failed = false
	case NotPrevious:
		o.Before, _ = l.Before(s)
	case NotInTable, NotForRole, NotAState, NeedsReason:
	}
	o.AsksPerson = failed || maker == Operator && verdict != NotAState
	if pair, canBlock := l.Pair(s.State, l.BadRequest); failed && canBlock && !pair.OnlyPrevious {
		o.LedTo, o.Kind = l.BadRequest, BadRequest
	}
	return o
}

// Unlimited returns a copy of the lifecycle in which nothing is limited or counted.
func (l *Lifecycle) Unlimited() *Lifecycle {
	unlimited := *l
	unlimited.Limits = nil
	return &unlimited
}
