package app

import (
	"context"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// foresight is what a look at an issue would do.
type foresight int

const (
	rests   foresight = iota // nothing
	acts                     // finish or repair something, or wait
	moves                    // move the issue, tell that it was moved, or ask a person about it, without anybody asking for that
	refuses                  // undo and explain something
)

// foresee says what a look at an issue would do about its labels. It writes nothing to the issue.
func (l *Looker) foresee(ctx context.Context, look reconcile.Request) (foresight, error) {
	v, later, err := l.visit(ctx, look, Before{})
	switch {
	case issues.IsGone(err):
		return rests, nil
	case err != nil:
		return rests, err
	case v == nil && later != nil:
		return acts, nil
	case v == nil:
		return rests, nil
	}
	v.previews = true
	decision, err := v.decide(ctx)
	switch {
	case err != nil:
		return rests, err
	case len(decision.Explain) > 0, decision.HaltUnsaid, !decision.LookAgain.IsZero():
		return refuses, nil
	case decision.Lagging, decision.Automatic != nil, len(decision.Tell)+len(decision.Ask) > 0:
		return moves, nil
	case !decision.Nothing(), v.unlockedSince(), len(v.owed) > 0 && !v.view.Locked:
		return acts, nil
	}
	l.Done.add(v.view, v.restsUntil())
	return rests, nil
}
