package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/statemachine"
)

// markLater marks the facts that came after a move of Colony's that a person undid. A person who undoes a move has decided about what it was made
// for, and nothing else. GitHub does not date such facts, so the record of the move names them all; without one, or where it names none, none of
// them moves the issue until it leaves the states of the trigger.
func markLater(ctx context.Context, q *inquiry, at statemachine.Standing, observed []statemachine.Observation) error {
	undone := make([]statemachine.Move, len(observed))
	var moves []statemachine.Move
	for i, o := range observed {
		own, is := statemachine.Undone(q.settings.Lifecycle, at, o.Fact)
		if undone[i] = own; is && !slices.ContainsFunc(moves, func(m statemachine.Move) bool { return m.ID == own.ID }) {
			moves = append(moves, own)
		}
	}
	if len(moves) == 0 {
		return nil
	}
	reasons, err := reasonsOf(ctx, q, moves, func(int64) bool { return false })
	for i := range observed {
		named := reasons[undone[i].ID].Causes
		observed[i].Later = len(named) > 0 && !slices.Contains(named, observed[i].Cause())
	}
	return err
}
