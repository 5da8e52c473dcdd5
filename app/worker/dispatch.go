package worker

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Where a repository gives a state a capacity, Colony moves the next issues there while they are fewer. The queue hands out the requests
// of this kind of one repository one at a time, so that only one is under way, whatever replica has it. Nothing is stored: each time,
// Colony reads from the labels how full a state is and which issues wait.

// dispatchTries bounds how many issues in a row one request reads that turn out not to be ready.
const dispatchTries = 20

// requestDispatch asks to fill the states of the repository of another request. The queue never takes it for one that it had before:
// what that one saw may have changed.
func (w *Worker) requestDispatch(ctx context.Context, request reconcile.Request) error {
	return w.publishDispatch(ctx, "dispatch/"+rand.Text(), request)
}

func (w *Worker) publishDispatch(ctx context.Context, id string, request reconcile.Request) error {
	return w.Publish(ctx, id, reconcile.Request{
		Kind: reconcile.KindDispatch, Ref: issues.Ref{Repository: request.Repository},
		Cause: reconcile.CauseDispatch, Delivery: id,
	})
}

// hasCapacities reports whether any state of a repository has a capacity. Mostly it is known from memory.
func (w *Worker) hasCapacities(ctx context.Context, request reconcile.Request) (bool, error) {
	found, err := w.policyOf(ctx, request)
	if err != nil {
		return false, err
	}
	return len(found.Lifecycle.Dispatch) > 0 && found.Mode.Reads(), nil
}

// DispatchIfSet asks to fill the states of a repository that have a capacity, if there are any.
func (w *Worker) DispatchIfSet(ctx context.Context, id string, request reconcile.Request) error {
	set, err := w.hasCapacities(ctx, request)
	if err != nil || !set {
		return err
	}
	return w.publishDispatch(ctx, id, request)
}

// dispatch fills the states of a repository that have a capacity.
func (w *Worker) dispatch(ctx context.Context, item *Item) (*reconcile.Result, error) {
	found, err := w.policyOf(ctx, item.Request)
	if err != nil {
		return nil, err
	}
	var first *reconcile.Result
	for _, row := range found.Lifecycle.Dispatch {
		result, err := w.fill(ctx, item, found.Lifecycle, row)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = result
		}
	}
	return first, nil
}

// fill moves issues to a state up to its capacity.
func (w *Worker) fill(ctx context.Context, item *Item, life *statemachine.Table, row lifecycle.Dispatch) (*reconcile.Result, error) {
	repo := item.Repository
	names := func(state string) []string { return w.Reconciler.Labels.NamesOf(repo, life, state) }
	there, _, err := w.Reconciler.Store.WithAny(ctx, repo, names(row.To), issues.AllWithLabel)
	if err != nil {
		return nil, err
	}
	for _, issue := range there {
		if _, alone := life.Alone(issue.Labels); !alone { // the move there was not finished
			if err := w.finish(ctx, item, issue.Number, "finish"); err != nil {
				return nil, err
			}
		}
	}
	unseen := w.recentMoves.unseen(repo, row.To, there, w.clock.Now().Add(-w.Reconciler.ServerSettings.Thresholds.Lag))
	var result *reconcile.Result
	if len(unseen) > 0 { // or they left before anybody saw them there: then more could come than this request may move
		result = &reconcile.Result{RequeueAfter: w.Reconciler.ServerSettings.Thresholds.Lag}
	}
	free := row.AtMost - len(there) - len(unseen)
	if free <= 0 {
		return result, nil
	}
	waiting, err := w.Reconciler.Store.WaitingFor(ctx, repo, life, row, names)
	if err != nil {
		return nil, err
	}
	tries := 0
	for _, next := range waiting {
		if free == 0 || tries == dispatchTries {
			break
		}
		if slices.Contains(unseen, next.Number) || next.Blocked > 0 && life.Triggers.Hold(next.State, "dependency-open") { // so none of these has to be read
			continue
		}
		moved, result, err := w.moveOn(ctx, item, row, next.Number)
		if err != nil || result != nil {
			return result, err
		}
		tries++
		if moved {
			free--
			tries = 0
		}
	}
	return result, nil
}

// moveOn moves one issue whose turn it is. It reports whether the issue counts against the capacity now.
func (w *Worker) moveOn(ctx context.Context, item *Item, row lifecycle.Dispatch, number int) (moved bool, result *reconcile.Result, err error) {
	one := item.OfIssue(number)
	result, err = w.issueLocks.with(one.Ref, func() (*reconcile.Result, error) {
		sent, result, err := w.Reconciler.Dispatch(ctx, one, item.Waited, row)
		if issues.IsGone(err) {
			w.Reconciler.Metrics.GoneFor(err)
			return nil, nil
		}
		if err != nil || result != nil {
			return result, err
		}
		if moved = sent.Moved || sent.Observed; sent.Moved {
			w.recentMoves.add(one.Ref, row.To, w.clock.Now())
			w.broadcastMove(one.Ref, row.To)
			w.Reconciler.Metrics.Dispatched()
			if err := w.DashboardIfSet(ctx, one); err != nil {
				return nil, err
			}
		}
		if sent.Finish != "" {
			return nil, w.finish(ctx, item, number, sent.Finish)
		}
		return nil, nil
	})
	return moved, result, err
}

// finish asks to reconcile an issue about which something is left to do.
func (w *Worker) finish(ctx context.Context, item *Item, number int, why string) error {
	return w.Publish(ctx, fmt.Sprintf("%s/%s/%d", item.Delivery, why, number), item.OfIssue(number))
}
