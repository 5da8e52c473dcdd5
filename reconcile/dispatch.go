package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// announceCapacity asks for a dispatch in the repository if the issue came to, left, or is in a state that they are about.
func (v *reconciliation) announceCapacity(ctx context.Context) error {
	again := v.request.Cause == CauseSweep || v.request.Cause == CauseDispatch // and what they come across is mostly as it was
	if v.OnCapacity == nil || again && !v.wrote || !v.concernsCapacity() {
		return nil
	}
	return v.OnCapacity(ctx, v.request)
}

func (v *reconciliation) concernsCapacity() bool {
	life := v.settings.Lifecycle
	labels := slices.Clone(v.view.Labels)
	for _, e := range v.request.Expected() {
		labels = append(labels, e.Label)
	}
	for _, w := range v.written {
		labels = append(append(labels, w.Add...), w.Remove)
	}
	return slices.ContainsFunc(labels, func(label string) bool {
		state, is := life.StateOf(label)
		return is && slices.ContainsFunc(life.Dispatch, func(row statemachine.Dispatch) bool {
			return row.To == state.Name || slices.Contains(row.From, state.Name)
		})
	})
}

// Dispatched is what became of an issue whose turn it is to be moved on.
type Dispatched struct {
	// Moved says that it takes up capacity now.
	Moved bool
	// Finish is why the issue has to be reconciled next: "first" if something is to be done about it before it can move, "after" if
	// something may follow the move; empty if it need not be.
	Finish string
}

// Dispatch moves an issue whose turn it is on, unless its log or its facts speak against it. A Later asks for another try.
func (l *Reconciler) Dispatch(ctx context.Context, request Request, waited int, row statemachine.Dispatch) (Dispatched, *Result, error) {
	v, later, err := l.begin(ctx, request, Carry{Waited: waited})
	if v == nil || err != nil || v.view.Closed {
		return Dispatched{}, later, err
	}
	life := v.settings.Lifecycle
	decision, err := v.decide(ctx)
	if err != nil {
		return Dispatched{}, nil, err
	}
	if decision.Waits && decision.Settled() {
		v.log.Info().Str("to", row.To).Msg("it is the turn of this issue, but a row of the lifecycle keeps it where it is")
		return Dispatched{}, nil, nil
	}
	if decision.Lagging {
		return Dispatched{}, l.requeueForLag(waited), nil
	}
	move, ok, doubt := life.Turn(row, v.standing, decision)
	if !doubt.IsZero() {
		if err := v.trace(ctx, doubt); err != nil {
			return Dispatched{}, nil, err
		}
		move, ok, _ = life.Turn(row, v.standing, decision)
	}
	if !ok {
		v.log.Info().Str("to", row.To).Msg("it is the turn of this issue, but something is to be done about it first")
		return Dispatched{Finish: "first"}, nil, nil
	}
	if err := v.noteReason(ctx, move); err != nil {
		return Dispatched{}, nil, err
	}
	if err := v.apply(ctx, []issues.Write{{Add: []string{life.Label(move.To)}}, {Remove: life.Label(move.From)}}); err != nil {
		return Dispatched{}, nil, err
	}
	v.log.Info().Str("from", move.From).Str("to", move.To).Str("why", move.Why).Msg("the next issue is moved, because there is room")
	sent := Dispatched{Moved: move.To == row.To}
	if move.AsksPerson || len(life.Readings(move.To)) > 0 {
		sent.Finish = "after"
	}
	return sent, nil, nil
}
