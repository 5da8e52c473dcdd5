// Package worker carries out what the queue keeps: it publishes requests, takes them out again one by one, makes those wait that a limit
// forbids now, and hands each to what reconciles an issue, a repository or everything.
package worker

import (
	"context"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/dashboard"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// Worker takes requests out of the queue and carries them out. It is safe for concurrent use.
type Worker struct {
	*Publisher
	*policies
	*peers
	*retries
	*onboarder
	*notifier

	Sweeper *sweep.Sweeper
	Limits  *ratelimit.Limits // of GitHub's

	ready     <-chan struct{}
	execution *execution
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
	Watch      int            // how many issues that no one changed one sweep of a repository, or one event, checks
	Sender     *notify.Sender // nil: no one is notified of verdicts
	Sendings   *Sendings
	Ready      <-chan struct{} // closed once Colony knows who it is
	Clock      clockwork.Clock
	Log        zerolog.Logger
}

// New returns a Worker, whose Sweeper and Reconciler ask it for what is to be done next.
func New(o Options) *Worker {
	r, cache, limits := o.Reconciler, o.Reconciler.Policies, ratelimit.NewLimits()
	publisher := &Publisher{queue: o.Queue, log: o.Log}
	others := &peers{queue: o.Queue, log: o.Log}
	watch := &grantWatch{Grants: o.Grants, app: o.App, modes: r, peers: others}
	admits := &admission{limits: limits, limiter: o.Limiter, shares: r.WaitOfShare, costs: newCosts(), metrics: r.Metrics, peers: others, clock: o.Clock, log: o.Log}
	shows := &dashboards{Publisher: publisher, keeper: dashboard.New(r), policies: cache, clients: o.Clients, clock: o.Clock}
	fills := &dispatcher{
		Publisher: publisher, reconciler: r, store: r.Store, policies: cache, namesOf: r.Labels.NamesOf, locks: &issueLocks{}, peers: others,
		dashboards: shows, metrics: r.Metrics, lag: r.ServerSettings.Thresholds.Lag, clock: o.Clock,
	}
	rules := &policies{
		Publisher: publisher, reconciler: r, cache: cache, labels: r.Labels, clients: o.Clients, peers: others, dispatcher: fills, dashboards: shows,
	}
	again := &retries{Publisher: publisher, refusedOn: r.RefusedOn}
	onboards := &onboarder{
		Publisher: publisher, reconciler: r, clients: o.Clients, grants: watch, admission: admits, policies: rules, retries: again, peers: others, clock: o.Clock,
	}
	spreads := &fanOut{
		Publisher: publisher, reconciler: r, store: r.Store, policies: cache, namesOf: r.Labels.NamesOf, metrics: r.Metrics, watch: o.Watch,
		horizon: r.ServerSettings.Horizon, clock: o.Clock,
	}
	notifies := &notifier{Publisher: publisher, sendings: o.Sendings, web: r.Web, clock: o.Clock}
	if o.Sender != nil {
		notifies.sender, r.OnVerdict = o.Sender, notifies.notify
	}
	sweeper := sweep.New(sweep.Options{
		Publisher: sweepRequests{publisher, fills, shows, others}, Clients: o.Clients, App: o.App, Reconciler: r, Limiter: o.Limiter, Notes: o.Queue, Listed: watch.compare,
		Brake: o.Brake, Watch: o.Watch, Clock: o.Clock, Log: o.Log,
	})
	others.words = words(sweeper, fills, admits, watch, onboards, rules)
	r.Notes, r.OnForbidden, r.OnCapacity, r.OnIncomplete, r.OnFigures = o.Queue, watch.forbidden, fills.request, onboards.requestLabels, shows.request
	r.OnEnd = func(ctx context.Context, ended reconcile.Request) error {
		return publisher.Publish(ctx, ended.Delivery, ended)
	}
	does := doers{issues: r, sweeps: sweeper, dispatcher: fills, policies: rules, onboarder: onboards, fanOut: spreads, dashboards: shows}
	return &Worker{
		Publisher: publisher, policies: rules, peers: others, retries: again, onboarder: onboards, notifier: notifies, Sweeper: sweeper, Limits: limits, ready: o.Ready,
		execution: &execution{
			reconciler: r, policies: cache, doers: does, kinds: does.kinds(), admission: admits,
			grants: watch, tokens: o.Clients, homes: o.App, metrics: r.Metrics, log: o.Log,
		},
	}
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
	return w.execution.take(ctx, task, item)
}
