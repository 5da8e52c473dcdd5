// Package sweep finds what no webhook reported. A sweep lists what changed in each repository, and sees what a reconciliation of each issue
// would do. It asks for the reconciliations that would do something. A sweep that would undo the work of many people at a time has most likely
// found a mistake of ours, or a changed lifecycle. Then it asks for no reconciliation that refuses, and reports.
//
// Replicas share the sweeps: each asks for one in every interval, under a name that all of them know, and the queue drops all but
// the first. So no one misses a replica that dies. What was swept is noted next to the queue, and each step of a sweep is
// a task that any replica can take.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// Sweeper carries out sweeps, step by step. It is safe for concurrent use.
type Sweeper struct {
	Options
	history *history
}

// app is what a sweep of everything asks about the App: see client.App.
type app interface {
	Installations(ctx context.Context) ([]client.Installation, error)
	Deliveries(ctx context.Context, cursor string) (page []client.Delivery, next string, err error)
	Redeliver(ctx context.Context, delivery int64) error
}

// Options are what a Sweeper needs. All are required.
type Options struct {
	Publisher  Publisher
	Clients    issues.Clients
	App        app
	Reconciler *reconcile.Reconciler
	Limiter    *ratelimit.Limiter
	Notes      reconcile.Notes
	Listed     func([]client.Installation) // called with all installations when they are listed
	Brake      int                         // a sweep that would refuse something on more issues than that leaves them alone
	Watch      int                         // how many issues that no one changed one sweep of a repository checks
	Clock      clockwork.Clock
	Log        zerolog.Logger
}

// Publisher puts into the queue what a sweep asks for, and tells the other replicas what it has done.
type Publisher interface {
	reconcile.Enqueuer
	// PublishSweep asks for a sweep, or for a part of one.
	PublishSweep(ctx context.Context, id string, request reconcile.Request, progress *Progress) error
	// DispatchIfSet asks to fill the states of a repository that have a capacity, if there are any.
	DispatchIfSet(ctx context.Context, id string, request reconcile.Request) error
	// DashboardIfSet asks to bring the dashboard of a repository up to date, if it has one, or its owner does.
	DashboardIfSet(ctx context.Context, request reconcile.Request) error
	// BroadcastSwept tells the other replicas that this one has swept a repository.
	BroadcastSwept(repo issues.Repository)
}

// New returns a Sweeper that remembers nothing but its notes.
func New(o Options) *Sweeper {
	return &Sweeper{Options: o, history: &history{notes: o.Notes, held: map[string]int{}}}
}

// Task is a request for one step of a sweep: of everything, of one installation, or of one repository, as the request names it.
type Task struct {
	reconcile.Request

	Progress *Progress // which the step takes further
	Asked    time.Time // when the request was published
	Failures int       // of the task, in a row
}

// repositoriesPerStep is how many repositories of an installation are asked for at a time, and repositoriesPause how long the next ones wait. A
// sweep of many repositories must not hold up what people wait for.
const (
	repositoriesPerStep = 25
	repositoriesPause   = 10 * time.Second
)

// Sweep asks for a sweep now, in addition to the sweeps that the timer asks for.
func (s *Sweeper) Sweep(ctx context.Context) error {
	return s.publish(ctx, "sweep/"+timestamp(s.Clock.Now()), asked)
}

// SweepAsTimer asks for a sweep now, as the timer does.
func (s *Sweeper) SweepAsTimer(ctx context.Context) error {
	return s.publish(ctx, timerID(s.Clock.Now()), byTimer)
}

func (s *Sweeper) publish(ctx context.Context, id string, kind kind) error {
	request := reconcile.Request{Kind: reconcile.KindSweep, Cause: reconcile.CauseSweep, Delivery: id}
	return s.Publisher.PublishSweep(ctx, id, request, &Progress{Kind: kind})
}

// HeldBack counts the issues that sweeps of this process would refuse something on and left alone.
func (s *Sweeper) HeldBack() int { return s.history.heldBack() }

// SweptElsewhere forgets what this process held back in a repository, because another one has swept it last.
func (s *Sweeper) SweptElsewhere(repo issues.Repository) { s.history.hold(repo, 0) }

// Step carries out one step of a sweep, and notes in the task how far it came. A result says that there is a next step.
func (s *Sweeper) Step(ctx context.Context, t *Task) (*reconcile.Result, error) {
	step := s.newStep(ctx)
	switch {
	case t.Installation == 0:
		return s.sweepAll(ctx, t, step)
	case t.ID == 0:
		return s.sweepInstallation(ctx, t)
	default:
		return s.sweepRepository(ctx, t, step)
	}
}

// sweepAll asks for a sweep of each installation, and then GitHub for the webhooks that it could not deliver. In this order, because
// the log of deliveries can be long, and the sweeps find what it tells as well.
func (s *Sweeper) sweepAll(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	if t.Progress.Log == nil {
		if err := s.sweepInstallations(ctx, t); err != nil {
			return nil, err
		}
		t.Progress.Log = &logProgress{Begun: s.Clock.Now()}
	}
	return s.redeliver(ctx, t, step)
}

func (s *Sweeper) sweepInstallations(ctx context.Context, t *Task) error {
	all, err := s.App.Installations(ctx)
	if err != nil {
		return err
	}
	s.Listed(all)
	for _, i := range all {
		if !i.Works() {
			continue
		}
		one := t.Request
		one.Installation = i.ID
		id := fmt.Sprintf("%s/installation/%d", t.Delivery, i.ID)
		if err := s.Publisher.PublishSweep(ctx, id, one, &Progress{Kind: t.Progress.Kind}); err != nil {
			return err
		}
	}
	return nil
}

// sweepInstallation asks for a sweep of some repositories of an installation, except of the quiet ones; the next step goes on.
func (s *Sweeper) sweepInstallation(ctx context.Context, t *Task) (*reconcile.Result, error) {
	p := t.Progress
	list, _, more, err := client.RepositoriesOn(ctx, s.Clients, t.Installation, max(1, p.Page))
	if err != nil {
		return nil, client.IgnoreUnlisted(s.Log, t.Installation, err)
	}
	end := min(p.Next+repositoriesPerStep, len(list))
	some, err := s.sweepQuiet(ctx, t, list[min(p.Next, end):end])
	if err != nil {
		return nil, err
	}
	if err := s.without(ctx, "what is in force", s.Reconciler.Policies.Learn(ctx, s.Reconciler.Store, some)); err != nil {
		return nil, err
	}
	for _, repo := range some {
		one := t.Request
		one.Repository = repo
		if err := s.Publisher.PublishSweep(ctx, fmt.Sprintf("%s/repository/%d", t.Delivery, repo.ID), one, &Progress{Kind: p.Kind}); err != nil {
			return nil, err
		}
	}
	switch {
	case end < len(list):
		p.Next = end
	case more:
		p.Page, p.Next = max(1, p.Page)+1, 0
	default:
		return nil, nil
	}
	return &reconcile.Result{RequeueAfter: repositoriesPause}, nil
}

func (s *Sweeper) newStep(ctx context.Context) *currentStep {
	step := &currentStep{clock: s.Clock, until: s.Clock.Now().Add(stepTime)}
	step.deadline, _ = ctx.Deadline()
	return step
}

// stopped reports whether a context has ended because the process stops; its other end is that the time of the task is up.
func stopped(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }
