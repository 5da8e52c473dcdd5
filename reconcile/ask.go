package reconcile

import (
	"context"
	"math"
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Asked is what would become of a move that someone asked for now.
type Asked struct {
	// From is the state the issue is in, and To what was asked for.
	From, To string
	// Verdict is Legal if the move would be made. It says nothing while Unknown is true: then it is not known whether the guards grant it, and
	// Because says why.
	Verdict lifecycle.Verdict
	Unknown bool
	Because string
	// Guards are the guards that refuse it, or whose answer is not known.
	Guards []lifecycle.Guard
	// Awaited names what its guards wait for; empty if that has no name.
	Awaited string
	// Before is the state that the table would let the issue go back to, if the verdict is NotPrevious.
	Before string
	// LedTo is where the issue would go instead; empty if it would stay.
	LedTo string
	// Stood says that the move would not be undone, although it is not allowed: see statemachine.Mode.
	Stood bool
	// Halted says that the breaker would be tripped: Colony leaves the labels as they are until a person makes an allowed move.
	Halted bool
	// ByCommand says that what is refused to a label is granted to a command with a reason.
	ByCommand bool
	// Next are the moves that the asker can make from where the issue is, as statemachine.Table.NextAt has it.
	Next []lifecycle.Pair
}

// nextEvent is the id of a label that is not there yet: it comes after all others.
const nextEvent = math.MaxInt64

// Ask says what would become of a move if someone asked for it now, by label. The issue is folded as if its log ended with that label. Nothing is
// written, and the inspection stays as it was.
func (i *Inspection) Ask(ctx context.Context, who lifecycle.Actor, to string) (Asked, error) {
	if err := ascertain(ctx, i.inquiry); err != nil {
		return Asked{}, err
	}
	life, before := i.settings.Lifecycle, i.standing
	asked := Asked{From: before.State, To: to, Next: life.NextAt(before, who)}
	label := life.Label(to)
	if label == "" {
		asked.Verdict = life.Judge(who, before.State, to)
		if asked.Verdict == lifecycle.Legal { // no one can put a label there for it
			asked.Verdict = lifecycle.NotInTable
		}
		return asked, nil
	}
	now := *i.inquiry
	then := &now
	then.orders.made, then.conditions = nil, conditions{}
	change := statemachine.Change{Moment: statemachine.Moment{At: then.read, ID: nextEvent}, Added: true, Label: label, By: who}
	then.view.Changes = append(slices.Clone(then.view.Changes), change)
	then.view.Labels = append(slices.Clone(then.view.Labels), label)
	a := statemachine.Ask{By: who, To: to, EventID: nextEvent, At: then.read}
	if _, err := then.ruling(ctx, before, a); err != nil { // where nothing is undone, a move that remains no longer asks for it
		return Asked{}, err
	}
	then.fold()
	if err := ascertain(ctx, then); err != nil {
		return Asked{}, err
	}
	err := outcomeOf(ctx, then, &asked, before, a)
	most := then.settings.Thresholds.BreakerRejections
	refused := err == nil && !asked.Unknown && asked.Verdict != lifecycle.Legal && asked.Verdict != lifecycle.Same
	if !refused || len(then.standing.Rejections) <= most && len(then.standing.Trail) <= most { // the breaker cannot trip
		return asked, err
	}
	then.read = then.read.Add(then.settings.Thresholds.Settle) // when Colony would undo it
	decision, err := then.decideFrom(ctx, then.evidenceWithoutFacts)
	asked.Halted = decision.Halted != nil
	return asked, err
}

// ascertain reads what it takes to be sure which state the issue is in: what guards need, and who ordered what Colony did.
func ascertain(ctx context.Context, q *inquiry) error {
	return q.readNeeds(ctx, func() statemachine.Needs {
		if !q.standing.Unordered.IsZero() {
			return statemachine.Needs{OrdersSince: q.standing.Unordered}
		}
		return statemachine.Needs{Guards: q.unreadGuards()}
	})
}

// outcomeOf reads from the standing what became of a request by label.
func outcomeOf(ctx context.Context, q *inquiry, asked *Asked, before statemachine.Standing, a statemachine.Ask) error {
	life := q.settings.Lifecycle
	if slices.ContainsFunc(q.standing.Pending, func(p lifecycle.Asking) bool { return p.EventID == a.EventID }) {
		g := life.Guarded(before, a.Asking(before.State), q.conditions.answer)
		asked.Unknown, asked.Because, asked.Guards = true, q.conditions.because(), g.Open
		return nil
	}
	for _, r := range q.standing.Rejections {
		if !slices.Contains(r.IDs, a.EventID) {
			continue
		}
		asked.Verdict, asked.Before, asked.LedTo, asked.Stood = r.Verdict, r.Before, r.LedTo, r.Stood
		asked.Guards = r.Guards.Refusing
		asked.Awaited = q.facts.AwaitedBy(asked.Guards)
		return orByCommand(ctx, q, asked, before, a)
	}
	asked.Verdict = lifecycle.Same
	if last, known := q.standing.Since(); known && last.ID == a.EventID {
		asked.Verdict = lifecycle.Legal
	} else if asked.From != a.To { // a label that Colony writes is repaired without a word
		asked.Verdict = life.Rule(before, a, nil).Verdict
	}
	return nil
}

// orByCommand finds out whether a command with a reason would get what a label does not.
func orByCommand(ctx context.Context, q *inquiry, asked *Asked, before statemachine.Standing, a statemachine.Ask) error {
	if asked.Verdict != lifecycle.NeedsReason && asked.Verdict != lifecycle.Guarded {
		return nil
	}
	a.EventID, a.Reason, a.Command = 0, true, "move"
	ruling, err := q.ruling(ctx, before, a)
	asked.ByCommand = err == nil && ruling.Granted()
	return err
}
