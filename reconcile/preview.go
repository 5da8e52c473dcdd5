package reconcile

import (
	"context"
	"errors"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// Foresight is what a reconciliation of an issue would do.
type Foresight int

// What a reconciliation would do, from little to much.
const (
	Rests       Foresight = iota // nothing
	Acts                         // finish or repair something, or wait
	Moves                        // move the issue, tell that it was moved, or ask, remind or assign a person, without anybody asking for that
	Refuses                      // undo and explain something
	RefusesLate                  // undo and explain something that waited for what a guard could not read
)

// Foresee says what a reconciliation would do about the labels of an issue. It writes nothing to the issue.
func (r *Reconciler) Foresee(ctx context.Context, request Request) (Foresight, error) {
	q := r.inquire(request, Carry{})
	q.memory.forget(note{kind: noteElsewhere})
	there, err := q.load(ctx)
	switch {
	case errors.Is(err, errLagging):
		return Acts, nil
	case issues.IsGone(err), err == nil && !there:
		return Rests, nil
	case err != nil:
		return Rests, err
	}
	waited := len(q.standing.Pending) > 0
	decision, err := q.decideFrom(ctx, q.evidence)
	if errors.Is(err, errLagging) {
		return Acts, nil
	}
	if err != nil {
		return Rests, err
	}
	if r.OnObserved != nil {
		r.OnObserved(q.seen(decision))
	}
	if waited || !decision.Wait.Until.IsZero() { // for what a guard could not read, or for a row that speaks later
		q.memory.add(note{kind: noteElsewhere})
	}
	seen := foresight(q, decision, waited)
	if seen == Rests && len(q.standing.Pending) == 0 {
		settle(q, nil)
	}
	return seen, nil
}

// foresight is what a decision comes to, on an issue on which a move waited for a guard or not.
func foresight(q *inquiry, d statemachine.Decision, waited bool) Foresight {
	refuses, quiet, writes := len(d.Explain) > 0 || d.HaltUnsaid, d.Wait.Why == statemachine.Quiet, q.settings.Mode.Writes()
	if waited && len(q.standing.Pending) == 0 && writes { // what a guard could not read is known now, however long ago it was asked for
		switch {
		case refuses:
			return RefusesLate
		case !d.Nothing(), quiet:
			return Moves
		}
	}
	switch {
	case refuses && writes, quiet && writes:
		return Refuses
	case refuses, quiet:
		return Acts
	case q.planning(d).goesOn():
		return Moves
	case !d.Nothing(), unlockedSince(q), q.conversation.owes() && !q.view.Locked:
		return Acts
	}
	if _, fresh := freshLabel(q); fresh {
		return Acts
	}
	return Rests
}

// goesOn reports whether something happens without anybody asking for it.
func (p planning) goesOn() bool {
	waits := []statemachine.WaitReason{statemachine.Lag, statemachine.Late, statemachine.Unread}
	return slices.Contains(waits, p.Wait.Why) || p.Automatic != nil || len(p.Announce)+len(p.Ask) > 0 ||
		reminderFeature.applies(p) || assignFeature.applies(p) && len(planAssignments(p)) > 0
}
