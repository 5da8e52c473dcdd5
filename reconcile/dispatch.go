package reconcile

import (
	"context"
	"errors"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// announcesCapacity reports whether the issue came to, left, or is in a state that the capacities of the repository are about.
func announcesCapacity(rc *reconciliation, _ *Result) bool {
	again := rc.request.Cause == CauseSweep || rc.request.Cause == CauseDispatch // and what they come across is mostly as it was
	if rc.OnCapacity == nil || again && !rc.wrote {
		return false
	}
	life := rc.settings.Lifecycle
	labels := slices.Clone(rc.view.Labels)
	for _, e := range rc.request.Expected() {
		labels = append(labels, e.Label)
	}
	for _, w := range rc.written {
		labels = append(append(labels, w.Add...), w.Remove)
	}
	return slices.ContainsFunc(labels, func(label string) bool {
		state, is := life.StateOf(label)
		return is && slices.ContainsFunc(life.Dispatch, func(row lifecycle.Dispatch) bool {
			return row.To == state.Name || slices.Contains(row.From, state.Name)
		})
	})
}

// Dispatched is what became of an issue whose turn it is to be moved on.
type Dispatched struct {
	// Moved says that it takes up capacity now.
	Moved bool
	// Observed says that it would, if anything were written there.
	Observed bool
	// Finish is why the issue has to be reconciled next; empty if it need not be. It is "first" if something is to be done about it before it can
	// move, "after" if something might follow the move.
	Finish string
}

// Dispatch moves an issue whose turn it is on, unless its log or its facts speak against it. A result asks for another try.
func (r *Reconciler) Dispatch(ctx context.Context, request Request, waited int, row lifecycle.Dispatch) (Dispatched, *Result, error) {
	rc := r.newReconciliation(request, Carry{Waited: waited})
	sent, err := rc.dispatch(ctx, row)
	if err != nil {
		rc.showEyes(ctx, err)
	}
	if errors.Is(err, errLagging) {
		return Dispatched{}, rc.requeueForLag(), nil
	}
	return sent, nil, err
}

func (rc *reconciliation) dispatch(ctx context.Context, row lifecycle.Dispatch) (Dispatched, error) {
	if there, err := rc.load(ctx); err != nil || !there || rc.view.Closed {
		return Dispatched{}, err
	}
	life := rc.settings.Lifecycle
	decision, err := rc.decideFrom(ctx, rc.evidence)
	switch {
	case err != nil:
		return Dispatched{}, err
	case decision.Kept && decision.Settled():
		rc.log.Info().Str("to", row.To).Msg("it is the turn of this issue, but a row of the lifecycle keeps it where it is")
		return Dispatched{}, nil
	case decision.Wait.Why == statemachine.Lag, decision.Wait.Why == statemachine.Late:
		return Dispatched{}, errLagging
	}
	move, ok := life.DispatchMove(row, rc.standing, decision)
	if !ok {
		rc.log.Info().Str("to", row.To).Msg("it is the turn of this issue, but something is to be done about it first")
		return Dispatched{Finish: "first"}, nil
	}
	return rc.moveOn(ctx, row, move)
}

func (rc *reconciliation) moveOn(ctx context.Context, row lifecycle.Dispatch, move statemachine.Automatic) (Dispatched, error) {
	life := rc.settings.Lifecycle
	own := ownVerdict(VerdictMoved, rc.standing, move)
	if rc.standing.Stands && life.Withholds(move.To) {
		own.Kind = VerdictBlocked
		rc.say(own)
		return Dispatched{}, nil
	} else if !rc.settings.Mode.Writes() {
		rc.say(own)
		return Dispatched{Observed: true}, nil
	}
	if err := rc.noteReason(ctx, move); err != nil {
		return Dispatched{}, err
	}
	writes := append([]issues.Write{{Add: []string{life.Label(move.To)}}}, removals(life.Leaving(rc.view.Labels, move.From))...)
	if err := rc.audit(ctx, move.To, writes, own); err != nil {
		return Dispatched{}, err
	}
	if err := rc.write(ctx, writes); err != nil {
		return Dispatched{}, err
	}
	sent := Dispatched{Moved: move.To == row.To}
	if move.AsksPerson || len(statemachine.Outside(life, move.To)) > 0 || len(rc.settings.Notify) > 0 {
		sent.Finish = "after"
	}
	return sent, nil
}
