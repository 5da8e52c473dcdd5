package worker

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Where a repository says how many of its issues may be in a state, Colony moves the next there as long as there is room. All
// looks of that kind at a repository are tasks of one line of the queue, so that only one is under way, whatever replica has it.
// Nothing is stored: how full a state is, and who waits, is read from the labels each time.

// dispatchTries bounds how many issues one look reads that cannot be moved although it is their turn.
const dispatchTries = 20

// requestDispatch asks for a look at the capacities of the repository of another look. It is never the same as one before: what
// that one saw may have changed.
func (w *Worker) requestDispatch(ctx context.Context, request reconcile.Request) error {
	return w.publishDispatch(ctx, "dispatch/"+rand.Text(), request)
}

func (w *Worker) publishDispatch(ctx context.Context, id string, request reconcile.Request) error {
	return w.Publish(ctx, id, reconcile.Request{
		Kind: reconcile.KindDispatch, Installation: request.Installation, RepositoryID: request.RepositoryID, Owner: request.Owner, Repo: request.Repo,
		Cause: reconcile.CauseDispatch, Delivery: id,
	})
}

// capacities reports whether a repository says how many issues may be in a state. Mostly it is known from memory.
func (w *Worker) capacities(ctx context.Context, request reconcile.Request) (bool, error) {
	repo := reconcile.RefOf(request).Repository
	found, err := w.Reconciler.Policies.Get(ctx, repo)
	if err != nil {
		return false, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	return len(found.Lifecycle.Dispatch) > 0, nil
}

// DispatchIfSet asks for a look at the capacities of a repository that has some.
func (w *Worker) DispatchIfSet(ctx context.Context, id string, request reconcile.Request) error {
	set, err := w.capacities(ctx, request)
	if err != nil || !set {
		return err
	}
	return w.publishDispatch(ctx, id, request)
}

// dispatch fills what there is room in.
func (w *Worker) dispatch(ctx context.Context, item *Item) (*reconcile.Result, error) {
	repo := reconcile.RefOf(item.Request).Repository
	found, err := w.Reconciler.Policies.Get(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
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

// fill moves issues on as long as there is room for them.
func (w *Worker) fill(ctx context.Context, item *Item, life *statemachine.Lifecycle, row statemachine.Dispatch) (*reconcile.Result, error) {
	repo := reconcile.RefOf(item.Request).Repository
	there, _, err := w.Reconciler.Store.List(ctx, repo, issues.AllWithLabel(life.Label(row.To)))
	if err != nil {
		return nil, err
	}
	for _, issue := range there {
		if _, alone := life.Alone(issue.Labels); !alone { // whoever moved it, did not come to the end of it
			if err := w.finish(ctx, item, issue.Number, "finish"); err != nil {
				return nil, err
			}
		}
	}
	unseen := w.recentMoves.unseen(repo, row.To, there, w.clock.Now().Add(-w.Reconciler.Settings.Thresholds.Lag))
	var result *reconcile.Result
	if len(unseen) > 0 { // or they left before anybody looked: then there is more room than this look may use
		result = &reconcile.Result{RequeueAfter: w.Reconciler.Settings.Thresholds.Lag}
	}
	room := row.AtMost - len(there) - len(unseen)
	if room <= 0 {
		return result, nil
	}
	line, err := w.Reconciler.Store.WaitingFor(ctx, repo, life, row)
	if err != nil {
		return nil, err
	}
	tries := 0
	for _, next := range line {
		if room == 0 || tries == dispatchTries {
			break
		}
		if slices.Contains(unseen, next.Number) || next.Blocked > 0 && life.HeldBy(next.State, "dependency-open") { // so none of these has to be read
			continue
		}
		moved, result, err := w.send(ctx, item, row, next.Number)
		if err != nil || result != nil {
			return result, err
		}
		tries++
		if moved {
			room--
			tries = 0
		}
	}
	return result, nil
}

// send moves one issue whose turn it is. It reports whether the issue takes up room now.
func (w *Worker) send(ctx context.Context, item *Item, row statemachine.Dispatch, number int) (moved bool, result *reconcile.Result, err error) {
	one := item.issue(number)
	result, err = w.issueLocks.with(reconcile.RefOf(one), func() (*reconcile.Result, error) {
		sent, result, err := w.Reconciler.Dispatch(ctx, one, item.Waited, row)
		if issues.IsGone(err) {
			w.Reconciler.Metrics.GoneFor(err)
			return nil, nil
		}
		if err != nil || result != nil {
			return result, err
		}
		if moved = sent.Moved; moved {
			w.recentMoves.add(reconcile.RefOf(one), row.To, w.clock.Now())
			w.broadcastMove(reconcile.RefOf(one), row.To)
			w.Reconciler.Metrics.Dispatched()
		}
		if sent.Finish != "" {
			return nil, w.finish(ctx, item, number, sent.Finish)
		}
		return nil, nil
	})
	return moved, result, err
}

// finish asks for a look at an issue that does what is left to do about it.
func (w *Worker) finish(ctx context.Context, item *Item, number int, why string) error {
	return w.Publish(ctx, fmt.Sprintf("%s/%s/%d", item.Delivery, why, number), item.issue(number))
}
