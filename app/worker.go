package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// taskQueue is what the desk needs of a queue.
type taskQueue interface {
	Publish(ctx context.Context, t queue.Task) (duplicate bool, err error)
}

// worker puts looks into the queue and takes them out again to be carried out.
type worker struct {
	queue       taskQueue
	revive      func(ctx context.Context, installation int64) error // tries what was given up of an installation again
	broadcast   func(word []byte) error                             // to the other replicas; nil: there are none
	reconciler  *reconcile.Reconciler
	clients     *client.Clients
	app         *github.Client  // acts for the App itself
	watch       int             // how many issues that nobody changed one sweep of a repository looks at
	brake       int             // more issues than that on which something would be refused stop a sweep
	ready       <-chan struct{} // closed once Colony knows who it is
	limits      *ratelimit.Limits
	limiter     *ratelimit.Limiter
	sweeps      *sweeps
	issueLocks  issueLocks
	recentMoves recentMoves
	clock       clockwork.Clock
	log         zerolog.Logger
}

// item is what the queue keeps of a look.
type item struct {
	reconcile.Request
	reconcile.Carry
	// Shares is how many of the shares of those who may not move issues the look has passed; see shareTable.
	Shares int `json:"shares,omitempty"`
	// Begun says that the look was carried out in part, and comes back for the rest.
	Begun bool `json:"begun,omitempty"`
	// Paced says that the look has waited for one of Colony's own budgets.
	Paced bool `json:"paced,omitempty"`
	// Sweep is how far a sweep has come.
	Sweep *progress `json:"sweep,omitempty"`

	asked    time.Time // when the task was published
	failures int       // of the task, in a row
}

// issue is a look at one issue of the repository, for the same reason.
func (e *item) issue(number int) reconcile.Request {
	request := e.Request
	request.Kind, request.Issue = reconcile.KindIssue, number
	return request
}

// Publish implements handlers.Queue.
func (d *worker) Publish(ctx context.Context, id string, request reconcile.Request) error {
	return d.publish(ctx, id, item{Request: request})
}

func (d *worker) publish(ctx context.Context, id string, look item) error {
	body, err := json.Marshal(look)
	if err != nil {
		return fmt.Errorf("keep look %s of scope %s: %w", id, look.Kind, err)
	}
	duplicate, err := d.queue.Publish(ctx, queue.Task{ID: id, Repository: look.RepositoryID, Issue: look.Issue, Body: body})
	if err != nil {
		return fmt.Errorf("keep look %s of scope %s: %w", id, look.Kind, err)
	}
	if duplicate {
		d.log.Debug().Str("delivery", look.Delivery).Str("because", look.Cause).Msg("this delivery came before")
	}
	return nil
}

// work implements queue.Handler.
func (d *worker) work(ctx context.Context, task queue.Task) (*queue.Requeue, error) {
	select {
	case <-d.ready:
	case <-ctx.Done():
		return &queue.Requeue{After: time.Second}, nil
	}
	e, err := readItem(task)
	if err != nil {
		return nil, err
	}
	requeue, outcome, err := d.process(ctx, task, e)
	d.reconciler.Metrics.Reconciled(e.Cause, outcome)
	return requeue, err
}

func readItem(task queue.Task) (item, error) {
	var e item
	if err := json.Unmarshal(task.Body, &e); err != nil {
		return e, fmt.Errorf("read task %s: %w", task.ID, err)
	}
	e.asked, e.failures = task.Published, task.Failures
	return e, nil
}

// The outcomes of a look, for the metrics.
const (
	outcomeDone    = "done"
	outcomePutOff  = "put_off"
	outcomeGone    = "gone"
	outcomeGivenUp = "given_up"
	outcomeFailed  = "failed"
)

// process carries out one look. One that is not possible now because of a limit is put off, not failed: it holds up nobody
// else and is no attempt. What GitHub refuses for good is given up at once.
func (d *worker) process(ctx context.Context, task queue.Task, e item) (requeue *queue.Requeue, outcome string, err error) {
	if !e.Begun && task.Failures == 0 && d.reconciler.IsAnswered(e.Request) {
		return nil, outcomeDone, nil
	}
	wait, passed := d.reconciler.WaitOfShare(e.Request, e.Shares)
	if e.Shares = passed; wait > 0 {
		return d.requeue(task, e, reconcile.WaitShare, wait)
	}
	t := ratelimit.Caller{Installation: e.Installation, Waited: e.Paced, Sweeps: e.Kind == reconcile.KindSweep}
	if why, wait := d.admit(e, t); wait > 0 {
		e.Paced = e.Paced || why == string(ratelimit.BudgetPoints)
		return d.requeue(task, e, why, wait)
	}
	result, err := d.reconcile(ratelimit.WithCaller(ctx, t), &e)
	limited := (*ratelimit.Error)(nil)
	switch {
	case errors.As(err, &limited):
		return d.limited(task, e, limited)
	case issues.IsGone(err):
		d.log.Debug().Err(err).Str("because", e.Cause).Str("delivery", e.Delivery).Msg("out of reach")
		d.reconciler.Metrics.GoneFor(err)
		return nil, outcomeGone, nil
	case issues.IsPermanent(err):
		d.log.Error().Err(err).Str("because", e.Cause).Str("delivery", e.Delivery).Msg("GitHub refuses this for good; given up")
		d.clients.Forget(e.Installation) // the token may be from before something was granted
		return nil, outcomeGivenUp, queue.Permanent(err)
	case err != nil:
		return nil, outcomeFailed, err
	case result == nil:
		return nil, outcomeDone, nil
	}
	e.next(result)
	return d.requeue(task, e, whyWait, result.RequeueAfter)
}

// next is what the next look has to know of this one. Only those that wait for the same thing are counted together: a look that has
// waited as often as it may and then wrote, or has something to refuse once the issue is quiet, must be able to wait for what is
// hidden from the next one, or it undoes whatever happens meanwhile.
func (e *item) next(result *reconcile.Result) {
	if result.Waits {
		e.Waited++
	} else {
		e.Waited = 0
	}
	e.Refusing, e.Paced, e.Begun = result.Refusing, false, true
	if result.About != nil {
		e.About = result.About
	}
}

// admit returns how long a look has to wait before it can begin, and why. Sweeps leave the last calls of an hour to those
// who wait for an answer.
func (d *worker) admit(e item, t ratelimit.Caller) (why string, wait time.Duration) {
	if wait := d.limits.Left(e.Installation, d.clock.Now()); wait > 0 {
		return string(ratelimit.BudgetGitHub), wait
	}
	if e.Installation == 0 { // the App itself
		return "", 0
	}
	if e.Cause == reconcile.CauseSweep {
		if wait := d.limiter.ReservedFor(e.Installation); wait > 0 {
			return whyReserve, wait
		}
	}
	if t.Sweeps {
		return string(ratelimit.BudgetPoints), d.limiter.WaitForSweep(e.Installation, e.needs())
	}
	return string(ratelimit.BudgetPoints), d.limiter.Begin(t)
}

// limited puts off a look that met a limit under way. GitHub's holds for all looks at the installation, but that
// of GraphQL only for those that ask something there. The look begins anew; only a sweep goes on where it was.
func (d *worker) limited(task queue.Task, e item, limit *ratelimit.Error) (*queue.Requeue, string, error) {
	if e.Kind != reconcile.KindSweep {
		var err error
		if e, err = readItem(task); err != nil {
			return nil, outcomeFailed, err
		}
	}
	e.Paced = limit.Budget == ratelimit.BudgetPoints || limit.Budget == ratelimit.BudgetContent
	e.Begun = true
	if limit.Budget == ratelimit.BudgetGitHub {
		until := d.clock.Now().Add(limit.Wait)
		d.limits.Set(e.Installation, until)
		d.tellOfLimit(e.Installation, until)
		d.log.Warn().Err(limit).Dur("wait", limit.Wait).Int64("installation", e.Installation).Msg("GitHub limits the rate of this installation")
	}
	return d.requeue(task, e, string(limit.Budget), limit.Wait)
}

func (d *worker) requeue(task queue.Task, e item, why string, wait time.Duration) (*queue.Requeue, string, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, outcomeFailed, fmt.Errorf("requeue task %s: %w", task.ID, err)
	}
	d.reconciler.Metrics.Requeued(why)
	return &queue.Requeue{After: wait, Body: body, Gate: e.gate(why), Rank: e.rank()}, outcomePutOff, nil
}

func (d *worker) reconcile(ctx context.Context, e *item) (*reconcile.Result, error) {
	switch e.Kind {
	case reconcile.KindIssue:
		return d.reconcileIssue(ctx, e)
	case reconcile.KindDispatch:
		return d.dispatch(ctx, e)
	case reconcile.KindRepository:
		return nil, d.reconciler.Repository(ctx, e.Request)
	case reconcile.KindPolicy:
		return d.policyChanged(ctx, e)
	case reconcile.KindInstallation: // created, back, or granted something else
		d.clients.Forget(e.Installation)
		if err := d.retryRefused(ctx, e.Delivery, e.Installation); err != nil {
			return nil, err
		}
		return nil, d.repositories(ctx, e.Request, reconcile.KindPolicy)
	case reconcile.KindPullRequest:
		return nil, d.fanOutPullRequest(ctx, e)
	case reconcile.KindCommit:
		return nil, d.fanOutCommit(ctx, e)
	case reconcile.KindConflicts:
		return nil, d.fanOutConflicts(ctx, e)
	case reconcile.KindFiles:
		return nil, d.fanOutFiles(ctx, e)
	case reconcile.KindDependents:
		if err := d.fanOutDependents(ctx, e); err != nil {
			return nil, err
		}
		return nil, d.dispatchIfSet(ctx, e.Delivery+"/dispatch", e.Request) // an issue that is closed leaves room
	case reconcile.KindSweep:
		return d.sweep(ctx, e)
	}
	return nil, fmt.Errorf("look at %q: there is no such scope", e.Kind)
}

// repositories asks for a look of some scope at every repository of an installation.
func (d *worker) repositories(ctx context.Context, request reconcile.Request, scope reconcile.Kind) error {
	err := client.EachRepository(ctx, d.clients, request.Installation, func(repo issues.Repository) error {
		one := request
		one.Kind, one.RepositoryID, one.Owner, one.Repo = scope, repo.ID, repo.Owner, repo.Name
		return d.Publish(ctx, fmt.Sprintf("%s/repository/%d", request.Delivery, repo.ID), one)
	})
	return d.unlisted(request.Installation, err)
}

// unlisted lets pass that a server does not list the repositories of an installation.
func (d *worker) unlisted(installation int64, err error) error {
	if issues.IsMissing(err) {
		d.log.Debug().Int64("installation", installation).Msg("this GitHub does not list an installation's repositories")
		return nil
	}
	return err
}
