package app

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/reconcile"
)

// A sweep finds what no webhook told. It lists what changed in each repository, sees what a look at each issue would do, and
// asks for those looks that would do something. A sweep that would undo the work of many people at once has most likely found
// a mistake of ours, or a table that was changed: then it asks for none of the looks that refuse, and reports.
//
// Replicas share the sweeps: each asks for one in every interval, under a name that all of them know, and the queue drops all but
// the first. So one that dies is not missed. What was swept is remembered beside the queue (swept.go), and each step of a sweep is
// a task that any of them can take.

// sweepKind is what asked for a sweep.
type sweepKind string

const (
	sweepAsked   sweepKind = ""      // somebody, now
	sweepByTimer sweepKind = "timer" // the time
	// sweepAtStart is asked for by a process that starts: it was away, or forgot what it knew, and so it sweeps all of the horizon.
	sweepAtStart sweepKind = "start"
)

// repositoriesPerStep is how many repositories of an installation are asked for at once, and repositoriesPause how long the next ones
// wait: a sweep of many repositories must not stand in front of what people wait for.
const (
	repositoriesPerStep = 25
	repositoriesPause   = 10 * time.Second
)

// sweepForEver asks for a sweep now, and then once in every interval. It returns when ctx ends.
func (s *Server) sweepForEver(ctx context.Context) {
	select {
	case <-s.identity:
	case <-ctx.Done():
		return
	}
	s.askForSweep(ctx, s.startID(), sweepAtStart)
	close(s.begun)
	interval := s.config.Sweep.Interval
	if interval == 0 {
		return
	}
	for {
		next := s.sweepInterval(s.clock.Now()).Add(interval)
		jitter := time.Duration(rand.Int64N(int64(interval)/10 + 1)) //nolint:gosec // no secret
		select {
		case <-ctx.Done():
			return
		case <-s.clock.After(next.Add(jitter).Sub(s.clock.Now())):
		}
		s.askForSweep(ctx, "sweep/timer/"+nameOf(s.sweepInterval(s.clock.Now())), sweepByTimer)
	}
}

// sweepInterval returns when the interval began that a time is in. All replicas come to the same; other Apps do not, so that not all
// of them sweep at once.
func (s *Server) sweepInterval(now time.Time) time.Time {
	interval := s.config.Sweep.Interval
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(strconv.FormatInt(s.config.GitHub.App.IntegrationID, 10))) // never fails
	phase := time.Duration(hash.Sum64() % uint64(interval))
	return now.Add(-phase).Truncate(interval).Add(phase)
}

// startID names the sweep of a process that starts. Replicas that start within the same interval ask for one together. A process with
// a queue of its own is alone: whatever happened while it was away, nobody has seen.
func (s *Server) startID() string {
	now := s.clock.Now()
	switch {
	case s.config.Queue.URL == "":
		return fmt.Sprintf("sweep/start/%s/%d", nameOf(now), rand.Uint64()) //nolint:gosec // no secret
	case s.config.Sweep.Interval == 0:
		return "sweep/start/" + nameOf(now.Truncate(time.Minute))
	}
	return "sweep/start/" + nameOf(s.sweepInterval(now))
}

func (s *Server) askForSweep(ctx context.Context, id string, kind sweepKind) {
	if err := s.worker.publishSweep(ctx, id, kind); err != nil && ctx.Err() == nil {
		s.log.Error().Err(err).Msg("ask for a sweep")
	}
}

// Sweep asks for a sweep now, beside those that the timer asks for.
func (s *Server) Sweep(ctx context.Context) error {
	return s.worker.publishSweep(ctx, "sweep/"+nameOf(s.clock.Now()), sweepAsked)
}

func nameOf(t time.Time) string { return t.UTC().Format("20060102T150405.000") }

func (d *worker) publishSweep(ctx context.Context, id string, kind sweepKind) error {
	request := reconcile.Request{Kind: reconcile.KindSweep, Cause: reconcile.CauseSweep, Delivery: id}
	return d.publish(ctx, id, item{Request: request, Sweep: &progress{Kind: kind}})
}

// sweep carries out one step of a sweep: of everything, of one installation, or of one repository.
func (d *worker) sweep(ctx context.Context, e *item) (*reconcile.Result, error) {
	if e.Sweep == nil {
		e.Sweep = &progress{}
	}
	step := d.newStep(ctx)
	switch {
	case e.Installation == 0:
		return d.sweepAll(ctx, e, step)
	case e.RepositoryID == 0:
		return d.sweepInstallation(ctx, e)
	default:
		return d.sweepRepository(ctx, e, step)
	}
}

// sweepAll asks for a sweep of each installation, and then GitHub for the webhooks that it could not deliver. In this order, because
// the log of deliveries can be long, and what it tells the sweeps find as well.
func (d *worker) sweepAll(ctx context.Context, e *item, step *sweepStep) (*reconcile.Result, error) {
	if e.Sweep.Log == nil {
		if err := d.sweepInstallations(ctx, e); err != nil {
			return nil, err
		}
		e.Sweep.Log = &logProgress{Begun: d.clock.Now()}
	}
	return d.redeliver(ctx, e.Sweep.Log, step)
}

func (d *worker) sweepInstallations(ctx context.Context, e *item) error {
	all, err := client.Installations(ctx, d.app)
	if err != nil {
		return err
	}
	for _, i := range all {
		if i.SuspendedAt != nil {
			continue
		}
		one := item{Request: e.Request, Sweep: &progress{Kind: e.Sweep.Kind}}
		one.Installation = i.GetID()
		if err := d.publish(ctx, fmt.Sprintf("%s/installation/%d", e.Delivery, i.GetID()), one); err != nil {
			return err
		}
	}
	return nil
}

// sweepInstallation asks for a sweep of some repositories of an installation; the next step goes on.
func (d *worker) sweepInstallation(ctx context.Context, e *item) (*reconcile.Result, error) {
	p := e.Sweep
	list, more, err := client.RepositoriesOn(ctx, d.clients, e.Installation, max(1, p.Page))
	if err != nil {
		return nil, d.unlisted(e.Installation, err)
	}
	end := min(p.Next+repositoriesPerStep, len(list))
	for _, repo := range list[min(p.Next, end):end] {
		one := item{Request: e.Request, Sweep: &progress{Kind: p.Kind}}
		one.RepositoryID, one.Owner, one.Repo = repo.ID, repo.Owner, repo.Name
		if err := d.publish(ctx, fmt.Sprintf("%s/repository/%d", e.Delivery, repo.ID), one); err != nil {
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

// newStep begins a step of a sweep.
func (d *worker) newStep(ctx context.Context) *sweepStep {
	step := &sweepStep{clock: d.clock, until: d.clock.Now().Add(sweepTime)}
	step.deadline, _ = ctx.Deadline()
	return step
}

// stopped reports whether a context has ended because the process stops; its other end is that the time of the task is up.
func stopped(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }
