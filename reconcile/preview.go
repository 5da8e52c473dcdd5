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
	rc := r.newReconciliation(request, Carry{})
	there, err := rc.load(ctx)
	switch {
	case errors.Is(err, errLagging):
		return Acts, nil
	case issues.IsGone(err), err == nil && !there:
		return Rests, nil
	case err != nil:
		return Rests, err
	}
	rc.previews = true
	waited := len(rc.standing.Pending) > 0
	decision, err := rc.decideFrom(ctx, rc.evidence)
	if err != nil {
		return Rests, err
	}
	rc.observed(decision)
	switch {
	// What a guard could not read is known now, however long ago it was asked for.
	case waited && len(rc.standing.Pending) == 0 && rc.settings.Mode.Writes() && (len(decision.Explain) > 0 || decision.HaltUnsaid):
		return RefusesLate, nil
	case waited && len(rc.standing.Pending) == 0 && rc.settings.Mode.Writes() && (!decision.Nothing() || decision.Wait.Why == statemachine.Quiet):
		return Moves, nil
	case len(decision.Explain) > 0, decision.HaltUnsaid, decision.Wait.Why == statemachine.Quiet:
		if !rc.settings.Mode.Writes() {
			return Acts, nil
		}
		return Refuses, nil
	case decision.Wait.Why == statemachine.Lag, decision.Wait.Why == statemachine.Unread, decision.Automatic != nil, len(decision.Announce)+len(decision.Ask) > 0, rc.reminds(decision):
		return Moves, nil
	case !decision.Nothing(), rc.unlockedSince(), len(rc.owed) > 0 && !rc.view.Locked:
		return Acts, nil
	}
	if len(rc.standing.Pending) == 0 {
		r.Clean.add(rc.view, rc.restsUntil())
	}
	return Rests, nil
}
