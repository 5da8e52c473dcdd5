package reconcile

import (
	"context"
	"errors"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// Foresight is what a reconciliation of an issue would do.
type Foresight int

// What a reconciliation would do, from little to much.
const (
	Rests       Foresight = iota // nothing
	Acts                         // finish or repair something, or wait
	Moves                        // move the issue, tell that it was moved, or ask or remind a person, without anybody asking for that
	Refuses                      // undo and explain something
	RefusesLate                  // undo and explain something that waited for what a guard could not read
)

// Foresee says what a reconciliation would do about the labels of an issue. It writes nothing to the issue.
func (r *Reconciler) Foresee(ctx context.Context, request Request) (Foresight, error) {
	q := r.inquire(request, Carry{})
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
	if err != nil {
		return Rests, err
	}
	if r.OnObserved != nil {
		r.OnObserved(q.seen(decision))
	}
	switch {
	// What a guard could not read is known now, however long ago it was asked for.
	case waited && len(q.standing.Pending) == 0 && q.settings.Mode.Writes() && (len(decision.Explain) > 0 || decision.HaltUnsaid):
		return RefusesLate, nil
	case waited && len(q.standing.Pending) == 0 && q.settings.Mode.Writes() && (!decision.Nothing() || decision.Wait.Why == statemachine.Quiet):
		return Moves, nil
	case len(decision.Explain) > 0, decision.HaltUnsaid, decision.Wait.Why == statemachine.Quiet:
		if !q.settings.Mode.Writes() {
			return Acts, nil
		}
		return Refuses, nil
	case decision.Wait.Why == statemachine.Lag, decision.Wait.Why == statemachine.Unread, decision.Automatic != nil, len(decision.Announce)+len(decision.Ask) > 0, reminderFeature.applies(q.planning(decision)):
		return Moves, nil
	case !decision.Nothing(), unlockedSince(q), q.conversation != nil && len(q.conversation.owed) > 0 && !q.view.Locked:
		return Acts, nil
	}
	if len(q.standing.Pending) == 0 {
		q.clean(checkedAll, q.restsUntil())
	}
	return Rests, nil
}
