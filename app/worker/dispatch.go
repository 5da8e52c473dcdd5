package worker

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Where a repository gives a state a capacity, Colony moves the next issues there while they are fewer. The queue hands out the requests of this
// kind of one repository one at a time. So only one is under way, no matter which replica has it. Nothing is stored: each time, Colony reads
// from the labels how full a state is and which issues wait.

// dispatcher moves issues to states that have a capacity.
type dispatcher struct {
	*Publisher

	reconciler interface {
		Dispatch(ctx context.Context, request reconcile.Request, waited int, row lifecycle.Dispatch) (reconcile.Dispatched, *reconcile.Result, error)
	}
	store interface {
		WithAny(ctx context.Context, repo issues.Repository, labels []string, filter func(label string) issues.Filter) (list []issues.Entry, more bool, err error)
		WaitingFor(ctx context.Context, repo issues.Repository, life *statemachine.Table, row lifecycle.Dispatch, labels func(state string) []string) ([]lifecycle.Candidate, error)
	}
	policies    policyReader
	namesOf     namesOf
	locks       *issueLocks
	recentMoves recentMoves
	peers       *peers
	dashboards  *dashboards
	metrics     *reconcile.Metrics
	lag         time.Duration // after a move, GitHub shows it
	clock       clockwork.Clock
}

// dispatchTries bounds how many issues in a row one request reads that turn out not to be ready.
const dispatchTries = 20

// request asks to fill the states of the repository of another request. The queue never takes it for one that it had before: what that one saw
// might have changed.
func (d *dispatcher) request(ctx context.Context, request reconcile.Request) error {
	return d.publishDispatch(ctx, "dispatch/"+rand.Text(), request)
}

func (d *dispatcher) publishDispatch(ctx context.Context, id string, request reconcile.Request) error {
	return d.Publish(ctx, id, reconcile.Request{
		Kind: reconcile.KindDispatch, Ref: issues.Ref{Repository: request.Repository},
		Cause: reconcile.CauseDispatch, Delivery: id,
	})
}

// DispatchIfSet asks to fill the states of a repository that have a capacity, if it has any. Mostly that is known from memory.
func (d *dispatcher) DispatchIfSet(ctx context.Context, id string, request reconcile.Request) error {
	found, err := policyOf(ctx, d.policies, request.Repository)
	if err != nil || len(found.Lifecycle.Dispatch) == 0 || !found.Mode.Reads() {
		return err
	}
	return d.publishDispatch(ctx, id, request)
}

// dispatch fills the states of a repository that have a capacity.
func (d *dispatcher) dispatch(ctx context.Context, item *Item) (*reconcile.Result, error) {
	found, err := policyOf(ctx, d.policies, item.Repository)
	if err != nil {
		return nil, err
	}
	var first *reconcile.Result
	for _, row := range found.Lifecycle.Dispatch {
		result, err := d.fill(ctx, item, found.Lifecycle, row)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = result
		}
	}
	return first, nil
}

func (d *dispatcher) fill(ctx context.Context, item *Item, life *statemachine.Table, row lifecycle.Dispatch) (*reconcile.Result, error) {
	repo := item.Repository
	names := func(state string) []string { return d.namesOf(repo, life, state) }
	there, _, err := d.store.WithAny(ctx, repo, names(row.To), issues.AllWithLabel)
	if err != nil {
		return nil, err
	}
	if err := d.finishMoves(ctx, item, life, there); err != nil {
		return nil, err
	}
	unseen := d.recentMoves.unseen(repo, row.To, there, d.clock.Now().Add(-d.lag))
	var result *reconcile.Result
	if len(unseen) > 0 { // or they left before anybody saw them there: then more could come than this request is allowed to move
		result = &reconcile.Result{RequeueAfter: d.lag}
	}
	free := row.AtMost - len(there) - len(unseen)
	if free <= 0 {
		return result, nil
	}
	waiting, err := d.store.WaitingFor(ctx, repo, life, row, names)
	if err != nil {
		return nil, err
	}
	waiting = slices.DeleteFunc(waiting, func(next lifecycle.Candidate) bool { // so none of these has to be read
		return slices.Contains(unseen, next.Number) || life.Triggers.Held(next)
	})
	for tries := 0; len(waiting) > 0 && free > 0 && tries < dispatchTries; waiting = waiting[1:] {
		moved, result, err := d.moveOn(ctx, item, row, waiting[0].Number)
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

// finishMoves asks to reconcile the issues in a state whose move there was not finished.
func (d *dispatcher) finishMoves(ctx context.Context, item *Item, life *statemachine.Table, there []issues.Entry) error {
	for _, issue := range there {
		if _, alone := life.Alone(issue.Labels); !alone {
			if err := d.finish(ctx, item, issue.Number, "finish"); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveOn moves one issue whose turn it is. It reports whether the issue counts against the capacity now.
func (d *dispatcher) moveOn(ctx context.Context, item *Item, row lifecycle.Dispatch, number int) (moved bool, result *reconcile.Result, err error) {
	one := item.OfIssue(number)
	result, err = d.locks.with(one.Ref, func() (*reconcile.Result, error) {
		sent, result, err := d.reconciler.Dispatch(ctx, one, item.Waited, row)
		if issues.IsGone(err) {
			d.metrics.GoneFor(err)
			return nil, nil
		}
		if err != nil || result != nil {
			return result, err
		}
		if moved = sent.Moved || sent.Observed; sent.Moved {
			d.noteMove(one.Ref, row.To)
			d.metrics.Dispatched()
			if err := d.dashboards.DashboardIfSet(ctx, one); err != nil {
				return nil, err
			}
		}
		if sent.Finish != "" {
			return nil, d.finish(ctx, item, number, sent.Finish)
		}
		return nil, nil
	})
	return moved, result, err
}

// finish asks to reconcile an issue about which something is left to do.
func (d *dispatcher) finish(ctx context.Context, item *Item, number int, why string) error {
	return d.Publish(ctx, fmt.Sprintf("%s/%s/%d", item.Delivery, why, number), item.OfIssue(number))
}

// noteMove counts an issue that was moved to a state, here and on the other replicas, while GitHub might not show it there.
func (d *dispatcher) noteMove(moved issues.Ref, state string) {
	d.recentMoves.add(moved, state, d.clock.Now())
	d.peers.Tell(wordSent, movedIssue{moved, state})
}

type movedIssue struct {
	issues.Ref

	State string `json:"state"`
}

func (d *dispatcher) movedElsewhere(m movedIssue) { d.recentMoves.add(m.Ref, m.State, d.clock.Now()) }
