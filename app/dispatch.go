package app

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

// askForDispatch asks for a look at the capacities of the repository of another look. It is never the same as one before: what
// that one saw may have changed.
func (d *worker) askForDispatch(ctx context.Context, request reconcile.Request) error {
	return d.publishDispatch(ctx, "dispatch/"+rand.Text(), request)
}

func (d *worker) publishDispatch(ctx context.Context, id string, request reconcile.Request) error {
	return d.Publish(ctx, id, reconcile.Request{
		Kind: reconcile.KindDispatch, Installation: request.Installation, RepositoryID: request.RepositoryID, Owner: request.Owner, Repo: request.Repo,
		Cause: reconcile.CauseDispatch, Delivery: id,
	})
}

// capacities reports whether a repository says how many issues may be in a state. Mostly it is known from memory.
func (d *worker) capacities(ctx context.Context, request reconcile.Request) (bool, error) {
	repo := reconcile.RefOf(request).Repository
	found, err := d.reconciler.Policies.Get(ctx, repo)
	if err != nil {
		return false, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	return len(found.Lifecycle.Dispatch) > 0, nil
}

// dispatchIfSet asks for a look at the capacities of a repository that has some.
func (d *worker) dispatchIfSet(ctx context.Context, id string, request reconcile.Request) error {
	set, err := d.capacities(ctx, request)
	if err != nil || !set {
		return err
	}
	return d.publishDispatch(ctx, id, request)
}

// dispatch fills what there is room in.
func (d *worker) dispatch(ctx context.Context, e *item) (*reconcile.Result, error) {
	repo := reconcile.RefOf(e.Request).Repository
	found, err := d.reconciler.Policies.Get(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	var first *reconcile.Result
	for _, row := range found.Lifecycle.Dispatch {
		result, err := d.fill(ctx, e, found.Lifecycle, row)
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
func (d *worker) fill(ctx context.Context, e *item, life *statemachine.Lifecycle, row statemachine.Dispatch) (*reconcile.Result, error) {
	repo := reconcile.RefOf(e.Request).Repository
	there, _, err := d.reconciler.Store.List(ctx, repo, issues.AllWithLabel(life.Label(row.To)))
	if err != nil {
		return nil, err
	}
	for _, issue := range there {
		if _, alone := life.Alone(issue.Labels); !alone { // whoever moved it, did not come to the end of it
			if err := d.finish(ctx, e, issue.Number, "finish"); err != nil {
				return nil, err
			}
		}
	}
	unseen := d.recentMoves.unseen(repo, row.To, there, d.clock.Now().Add(-d.reconciler.Settings.Thresholds.Lag))
	var result *reconcile.Result
	if len(unseen) > 0 { // or they left before anybody looked: then there is more room than this look may use
		result = &reconcile.Result{RequeueAfter: d.reconciler.Settings.Thresholds.Lag}
	}
	room := row.AtMost - len(there) - len(unseen)
	if room <= 0 {
		return result, nil
	}
	line, err := d.reconciler.Store.WaitingFor(ctx, repo, life, row)
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
		moved, result, err := d.send(ctx, e, row, next.Number)
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
func (d *worker) send(ctx context.Context, e *item, row statemachine.Dispatch, number int) (moved bool, result *reconcile.Result, err error) {
	one := e.issue(number)
	result, err = d.issueLocks.with(reconcile.RefOf(one), func() (*reconcile.Result, error) {
		sent, result, err := d.reconciler.Dispatch(ctx, one, e.Waited, row)
		if issues.IsGone(err) {
			d.reconciler.Metrics.GoneFor(err)
			return nil, nil
		}
		if err != nil || result != nil {
			return result, err
		}
		if moved = sent.Moved; moved {
			d.recentMoves.add(reconcile.RefOf(one), row.To, d.clock.Now())
			d.tellOfSent(reconcile.RefOf(one), row.To)
			d.reconciler.Metrics.Dispatched()
		}
		if sent.Finish != "" {
			return nil, d.finish(ctx, e, number, sent.Finish)
		}
		return nil, nil
	})
	return moved, result, err
}

// finish asks for a look at an issue that does what is left to do about it.
func (d *worker) finish(ctx context.Context, e *item, number int, why string) error {
	return d.Publish(ctx, fmt.Sprintf("%s/%s/%d", e.Delivery, why, number), e.issue(number))
}
