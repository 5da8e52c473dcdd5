package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Ask is a request for a state, by label or by command.
type Ask struct {
	By lifecycle.Actor
	// To is the state, or a word that names none; empty if only the label of the present state was removed.
	To string
	// Forced says that the move overrides the table: a command says so, or Colony's own mark Forced.
	Forced bool
	// Reason says that a reason was given in writing. Colony's own moves have theirs.
	Reason bool
	// For is who wrote the command for which Colony asks; it has no kind if Colony asks for itself. Unordered says that it is not known yet.
	For       lifecycle.Actor
	Unordered bool
	// EventID, At and Command are for guards; see lifecycle.Asking.
	EventID int64
	At      time.Time
	Command string
	// recorded returns what the guards said when it was asked for, if they said it by what was read. Nil: the log does not tell.
	recorded func(Guarding) Guarding
}

// Asking returns a request from a state as guards see it.
func (a Ask) Asking(from string) lifecycle.Asking {
	return lifecycle.Asking{EventID: a.EventID, By: a.By, From: from, To: a.To, At: a.At, Command: a.Command}
}

// Ruling is what becomes of a request.
type Ruling struct {
	// Verdict says whether the laws allow the move. Of unknown facts of guards it tells nothing; see Granted.
	Verdict lifecycle.Verdict
	// Kind is the kind of the move that is made: of the granted one, or of the one to LedTo.
	Kind MoveKind
	// LedTo is the state to which a request leads that is not granted: the lifecycle's BadRequest, or where a limit leads. It is empty if the
	// issue stays where it is.
	LedTo string
	// Limit is the limit that was reached, if the verdict is LimitReached.
	Limit lifecycle.Limit
	// Guards is what the guards say; they grant what they were not asked about.
	Guards Guarding
	// Before is the state that the table would have let the issue go back to, if the verdict is NotPrevious.
	Before string
	// AsksPerson says that a person has to look: what people did wrong, and work that failed. A bot that comes late where no bot acts is only
	// notified.
	AsksPerson bool
	// Stood says that it is not undone, although it is not granted: the issue is where it led. Undoing would have led to Undone.
	Stood  bool
	Undone string
}

// Granted reports whether the move is made as it was asked for.
func (r Ruling) Granted() bool {
	return r.Verdict == lifecycle.Legal && r.Guards.Answer == lifecycle.Yes
}

// InTable reports whether the table has the move for who asks, also if a limit or a guard ends it.
func (r Ruling) InTable() bool {
	return r.Verdict == lifecycle.Legal || r.Verdict == lifecycle.LimitReached || r.Verdict == lifecycle.Guarded
}

// Rule says what becomes of a request, given the state of the issue. It is the same for a label, for a command and for Colony's own moves.
// Without answers, no guard is asked.
func (t *Table) Rule(s Standing, a Ask, answers Answers) Ruling {
	r := request{life: t, at: s, ask: a, answers: answers, Ruling: Ruling{Verdict: lifecycle.Legal, Kind: Moved, Guards: Guarding{Answer: lifecycle.Yes}}}
	_ = a.Forced && r.force() || s.Closed && r.closed() || r.table() || r.limit() || answers != nil && r.guard()
	if s.Stands {
		r.mode()
	}
	return r.Ruling
}

// request is an Ask before the laws, each in a file of its own. A law reports whether it has ruled; then only the mode is asked after it.
type request struct {
	life    *Table
	at      Standing
	ask     Ask
	answers Answers
	Ruling
}

// NextAt returns the moves that the table and the limits let an actor make from where an issue is, in the order of the states. Moves that need a
// reason are among them, and so is what guards refuse, unless they refuse it to a bot for what it is or did, as it cannot change that, or until
// Colony makes the move itself.
func (t *Table) NextAt(s Standing, who lifecycle.Actor) []lifecycle.Pair {
	lasting := forGood(t, who)
	return slices.DeleteFunc(t.Next(who, s.State), func(p lifecycle.Pair) bool {
		return lasting.Rule(s, Ask{By: who, To: p.To, Reason: true}, NothingRead).Verdict != lifecycle.Legal || leftToColony(t, p)
	})
}

// leftToColony reports whether a guard refuses a move to everyone until the fact holds by which Colony makes it.
func leftToColony(t *Table, p lifecycle.Pair) bool {
	makes := func(c lifecycle.Condition) bool {
		return c.Kind == lifecycle.HasFact && !slices.ContainsFunc(c.Words, func(fact string) bool {
			return !slices.ContainsFunc(t.Triggers, func(row lifecycle.Trigger) bool {
				return string(row.On) == fact && row.Moves(p.From, p.To) && !row.Guarded && len(row.Unless) == 0
			})
		})
	}
	return slices.ContainsFunc(t.Guards.Of(lifecycle.Actor{}, p.From, p.To), func(g lifecycle.Guard) bool {
		return len(g.Unless)+len(g.Commands) == 0 && slices.ContainsFunc(g.Requires, makes)
	})
}

// RuleForGood rules on a move, with a reason, by what the actor cannot change: the table, the limits and, for a bot, the guards that refuse it
// for what it is or did.
func RuleForGood(t *Table, s Standing, who lifecycle.Actor, to string) Ruling {
	return forGood(t, who).Rule(s, Ask{By: who, To: to, Reason: true}, NothingRead)
}

// forGood is a table with only the guards that refuse an actor for what it cannot change.
func forGood(t *Table, who lifecycle.Actor) *Table {
	lasting := *t
	lasting.Guards = slices.DeleteFunc(slices.Clone(t.Guards), func(g lifecycle.Guard) bool {
		return who.Kind != lifecycle.Executor || who.Login == "" || g.DependsOnAsking()
	})
	return &lasting
}
