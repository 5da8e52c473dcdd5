package reconcile

import (
	"context"

	"github.com/colony-app/colony/github/issues"
)

// Foresight is what a reconciliation of an issue would do.
type Foresight int

// What a reconciliation would do, from little to much.
const (
	Rests   Foresight = iota // nothing
	Acts                     // finish or repair something, or wait
	Moves                    // move the issue, tell that it was moved, or ask a person about it, without anybody asking for that
	Refuses                  // undo and explain something
)

// Foresee says what a reconciliation would do about the labels of an issue. It writes nothing to the issue.
func (l *Reconciler) Foresee(ctx context.Context, look Request) (Foresight, error) {
	v, later, err := l.begin(ctx, look, Carry{})
	switch {
	case issues.IsGone(err):
		return Rests, nil
	case err != nil:
		return Rests, err
	case v == nil && later != nil:
		return Acts, nil
	case v == nil:
		return Rests, nil
	}
	v.previews = true
	decision, err := v.decide(ctx)
	switch {
	case err != nil:
		return Rests, err
	case len(decision.Explain) > 0, decision.HaltUnsaid, !decision.LookAgain.IsZero():
		return Refuses, nil
	case decision.Lagging, decision.Automatic != nil, len(decision.Tell)+len(decision.Ask) > 0:
		return Moves, nil
	case !decision.Nothing(), v.unlockedSince(), len(v.owed) > 0 && !v.view.Locked:
		return Acts, nil
	}
	l.Clean.add(v.view, v.restsUntil())
	return Rests, nil
}
