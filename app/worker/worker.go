// Package worker carries out what the queue keeps: it publishes requests, takes them out again one by one, makes those wait that a limit
// forbids now, and hands each to what reconciles an issue, a repository or everything.
package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// Worker takes requests out of the queue and carries them out. It is safe for concurrent use.
type Worker struct {
	*Publisher

	Reconciler *reconcile.Reconciler
	Sweeper    *sweep.Sweeper
	Limits     *ratelimit.Limits  // of GitHub's
	Limiter    *ratelimit.Limiter // of Colony's own

	clients     *client.Clients
	app         *client.App
	grants      Grants
	watch       int
	ready       <-chan struct{}
	issueLocks  issueLocks
	recentMoves recentMoves
	onboardings onboardings
	pace        paceLog
	dashboards  dashboards
	sender      *notify.Sender // nil: there is no webhook
	sendings    *Sendings
	clock       clockwork.Clock
}

// Queue is what a Worker needs of a queue.
type Queue interface {
	Publish(ctx context.Context, t queue.Task) (duplicate bool, err error)
	Broadcast(word []byte) error // to the other replicas
	DeadLetters(ctx context.Context) ([]queue.DeadLetter, error)
	RetryDeadLetter(ctx context.Context, letter uint64) error
	reconcile.Notes
}

// Options are what a Worker needs. All are required but Sender.
type Options struct {
	Queue      Queue
	Clients    *client.Clients
	App        *client.App
	Reconciler *reconcile.Reconciler
	Limiter    *ratelimit.Limiter
	Grants     Grants
	Brake      int            // a sweep that would refuse something on more issues than that leaves them alone
	Watch      int            // how many issues that nobody changed one sweep of a repository, or one event, checks
	Sender     *notify.Sender // nil: nobody is told of verdicts
	Sendings   *Sendings
	Ready      <-chan struct{} // closed once Colony knows who it is
	Clock      clockwork.Clock
	Log        zerolog.Logger
}

// New returns a Worker, whose Sweeper and Reconciler ask it for what is to be done next.
func New(o Options) *Worker {
	w := &Worker{
		Publisher: &Publisher{queue: o.Queue, log: o.Log}, Reconciler: o.Reconciler, Limits: ratelimit.NewLimits(), Limiter: o.Limiter,
		clients: o.Clients, app: o.App, grants: o.Grants, watch: o.Watch, ready: o.Ready, clock: o.Clock,
		sender: o.Sender, sendings: o.Sendings,
	}
	w.Sweeper = sweep.New(sweep.Options{
		Publisher: w, Clients: o.Clients, App: o.App, Reconciler: o.Reconciler, Limiter: o.Limiter, Notes: o.Queue, Listed: w.compareGrants,
		Brake: o.Brake, Watch: o.Watch, Clock: o.Clock, Log: o.Log,
	})
	w.Reconciler.OnForbidden = w.doubtGrants
	w.Reconciler.Notes, w.Reconciler.OnCapacity, w.Reconciler.OnIncomplete = o.Queue, w.requestDispatch, w.requestLabels
	w.Reconciler.OnFigures = w.requestDashboards
	if o.Sender != nil {
		w.Reconciler.OnVerdict = w.notifyWebhooks
	}
	return w
}

// Take carries out a task of the queue. It implements queue.Handler.
func (w *Worker) Take(ctx context.Context, task queue.Task) (*queue.Requeue, error) {
	select {
	case <-w.ready:
	case <-ctx.Done():
		return &queue.Requeue{After: time.Second}, nil
	}
	item, err := ReadItem(task)
	if err != nil {
		return nil, err
	}
	if item.Notify != nil {
		return w.send(ctx, item)
	}
	requeue, outcome, err := w.process(ctx, task, item)
	w.Reconciler.Metrics.Reconciled(item.Cause, outcome)
	return requeue, err
}

// The outcomes of a request, for the metrics.
const (
	outcomeDone     = "done"
	outcomeRequeued = "put_off"
	outcomeGone     = "gone"
	outcomeRefused  = "given_up"
	outcomeFailed   = "failed"
)

// process carries out one request. One that is not possible now because of a limit is requeued, not failed: it holds up nobody
// else and is no attempt. What GitHub refuses for good is given up at once.
func (w *Worker) process(ctx context.Context, task queue.Task, item Item) (requeue *queue.Requeue, outcome string, err error) {
	if !item.Begun && task.Failures == 0 && w.Reconciler.IsAnswered(item.Request) {
		return nil, outcomeDone, nil
	}
	untouched := item
	if wait := item.Due.Sub(w.clock.Now()); wait > 0 {
		return w.requeue(task, &item, whyWait, wait)
	}
	wait, passed := w.Reconciler.WaitOfShare(item.Request, item.Shares)
	if item.Shares = passed; wait > 0 {
		return w.requeue(task, &item, reconcile.WaitShare, wait)
	}
	caller := ratelimit.Caller{Installation: item.Installation, Waited: item.Paced, Background: item.background()}
	if item.Onboarding != nil { // after a restart nobody knows of it yet
		w.noteOnboarding(&item)
	}
	if why, wait := w.admit(&item, caller); wait > 0 {
		item.Paced = item.Paced || why == string(ratelimit.BudgetPoints)
		return w.requeue(task, &item, why, wait)
	}
	result, err := w.execute(ratelimit.WithCaller(ctx, caller), &item)
	limited := (*ratelimit.Error)(nil)
	switch {
	case errors.As(err, &limited):
		if item.Kind == reconcile.KindSweep || item.Kind == reconcile.KindInstallation || item.Kind == reconcile.KindDashboard { // it goes on where it was; anything else begins anew
			untouched = item
		}
		return w.limited(task, untouched, limited)
	case issues.IsGone(err):
		w.log.Debug().Err(err).Str("because", item.Cause).Str("delivery", item.Delivery).Msg("out of reach")
		w.Reconciler.Metrics.GoneFor(err)
		if item.Kind == reconcile.KindIssue || item.Kind == reconcile.KindSweep && item.ID != 0 {
			w.Reconciler.Gone(item.Ref)
		}
		w.doubtGrants(ctx, item.Installation, err)
		return nil, outcomeGone, nil
	case issues.IsPermanent(err):
		w.log.Error().Err(err).Str("because", item.Cause).Str("delivery", item.Delivery).Msg("GitHub refuses this for good; given up")
		w.clients.Forget(item.Installation) // the token may be from before something was granted
		w.doubtGrants(ctx, item.Installation, err)
		return nil, outcomeRefused, queue.Permanent(err)
	case err != nil:
		return nil, outcomeFailed, err
	case result == nil:
		return nil, outcomeDone, nil
	}
	item.next(result)
	return w.requeue(task, &item, whyWait, result.RequeueAfter)
}

// limited requeues a request that met a limit under way. GitHub's holds for all requests of the installation, but that
// of GraphQL only for those that ask something there.
func (w *Worker) limited(task queue.Task, item Item, limit *ratelimit.Error) (*queue.Requeue, string, error) {
	item.Paced = limit.Budget == ratelimit.BudgetPoints || limit.Budget == ratelimit.BudgetContent
	item.Begun = true
	if limit.Budget == ratelimit.BudgetGitHub {
		until := w.clock.Now().Add(limit.Wait)
		w.Limits.Set(item.Installation, until)
		w.broadcastLimit(item.Installation, until)
		w.log.Warn().Err(limit).Dur("wait", limit.Wait).Int64("installation", item.Installation).Msg("GitHub limits the rate of this installation")
	}
	return w.requeue(task, &item, string(limit.Budget), limit.Wait)
}

func (w *Worker) requeue(task queue.Task, item *Item, why string, wait time.Duration) (*queue.Requeue, string, error) {
	body, err := item.encode()
	if err != nil {
		return nil, outcomeFailed, fmt.Errorf("requeue task %s: %w", task.ID, err)
	}
	w.Reconciler.Metrics.Requeued(why)
	w.logPace(item, why, wait)
	gate := item.gate(why)
	return &queue.Requeue{
		After: wait, Body: body, Gate: gate, Rank: item.rank(), Hold: gate != "" && item.isAsStored(task, body), Reason: reasonOf(item, why),
	}, outcomeRequeued, nil
}

// execute does what a kind of request asks for, if its policy has a use for it. A result says that it has to come back.
func (w *Worker) execute(ctx context.Context, item *Item) (*reconcile.Result, error) {
	if item.Owner != "" && !w.Reconciler.Has(item.Repository) {
		return nil, w.leave(ctx, item)
	}
	if skip, err := w.isOff(ctx, item); err != nil || skip {
		return nil, err
	}
	if has, err := w.hasReason(ctx, item.Request); err != nil || !has {
		return nil, err
	}
	switch item.Kind {
	case reconcile.KindIssue:
		return w.reconcileIssue(ctx, item)
	case reconcile.KindDispatch:
		return w.dispatch(ctx, item)
	case reconcile.KindRepository:
		return nil, w.reconcileRepository(ctx, item)
	case reconcile.KindPolicy:
		return w.policyChanged(ctx, item)
	case reconcile.KindInstallation:
		return w.onboard(ctx, item)
	case reconcile.KindPullRequest:
		return nil, w.fanOutPullRequest(ctx, item)
	case reconcile.KindCommit:
		return nil, w.fanOutCommit(ctx, item)
	case reconcile.KindConflicts:
		return nil, w.fanOutConflicts(ctx, item)
	case reconcile.KindFiles:
		return nil, w.fanOutFiles(ctx, item)
	case reconcile.KindDependents:
		if err := w.fanOutDependents(ctx, item); err != nil {
			return nil, err
		}
		return nil, w.DispatchIfSet(ctx, item.Delivery+"/dispatch", item.Request) // an issue that is closed frees capacity
	case reconcile.KindDashboard:
		return w.updateDashboard(ctx, item)
	case reconcile.KindSweep:
		return w.sweep(ctx, item)
	}
	return nil, fmt.Errorf("reconcile %q: there is no such kind of request", item.Kind)
}

// leave does what is left to do in a repository in which Colony does not work.
func (w *Worker) leave(ctx context.Context, item *Item) error {
	if item.Kind == reconcile.KindSweep || item.Kind == reconcile.KindPolicy {
		return w.Reconciler.Leave(ctx, item.Repository)
	}
	return nil
}

// isOff reports whether a request is about a repository in which nothing is read. What may change that is carried out.
func (w *Worker) isOff(ctx context.Context, item *Item) (bool, error) {
	switch item.Kind {
	case reconcile.KindSweep, reconcile.KindPolicy, reconcile.KindInstallation, reconcile.KindRepository:
		return false, nil
	}
	found, err := w.policyOf(ctx, item.Request)
	return err == nil && !found.Mode.Reads(), err
}

// sweep carries out one step of a sweep; the item keeps how far it came.
func (w *Worker) sweep(ctx context.Context, item *Item) (*reconcile.Result, error) {
	if item.Sweep == nil {
		item.Sweep = &sweep.Progress{}
	}
	return w.Sweeper.Step(ctx, &sweep.Task{Request: item.Request, Progress: item.Sweep, Asked: item.asked, Failures: item.failures})
}

// publishRepositories asks for a request of some kind at every repository of an installation.
func (w *Worker) publishRepositories(ctx context.Context, request reconcile.Request, kind reconcile.Kind) error {
	err := client.EachRepository(ctx, w.clients, request.Installation, client.Once, func(repo issues.Repository) error {
		one := request
		one.Kind, one.Repository = kind, repo
		return w.Publish(ctx, fmt.Sprintf("%s/repository/%d", request.Delivery, repo.ID), one)
	})
	return client.IgnoreUnlisted(w.log, request.Installation, err)
}
