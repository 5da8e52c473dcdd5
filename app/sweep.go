package app

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/handlers"
)

// A sweep finds what no webhook told. It lists what changed in each repository, sees what a look at each issue would do, and
// asks for those looks that would do something. A sweep that would undo the work of many people at once has most likely found
// a mistake of ours, or a table that was changed: then it asks for none of the looks that refuse, and reports.

// sweepPage is how many issues one step of a sweep looks at: what fits well into the time of one task.
const sweepPage = 40

// sweepOverlap is how much of the time before the last sweep is swept again, for clocks that differ.
const sweepOverlap = 2 * time.Minute

// progress is how far the sweep of one repository has come.
type progress struct {
	Begun time.Time `json:"begun"`
	Since time.Time `json:"since"`
	Page  int       `json:"page"`
	// Watching is how far it has come with the issues that nobody changed; nil before.
	Watching *watchProgress `json:"watching,omitempty"`
	// Refusing are the issues on which something would be refused.
	Refusing []int `json:"refusing,omitempty"`
}

// sweeps remembers until when each repository was swept, and what was held back. It is safe for concurrent use.
type sweeps struct {
	mu    sync.Mutex
	until map[int64]time.Time
	held  map[string]int
	// places tells where to go on with the issues that nobody changed.
	places map[int64]place
}

func newSweeps() *sweeps {
	return &sweeps{until: map[int64]time.Time{}, held: map[string]int{}, places: map[int64]place{}}
}

func (s *sweeps) since(repository int64, horizon time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return latest(s.until[repository].Add(-sweepOverlap), horizon)
}

// logSwept is the key under which the log of deliveries is remembered: no repository has it.
const logSwept = -1

// sweptLog remembers until when the log of deliveries was read. What was tried a moment before is read again.
func (s *sweeps) sweptLog(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until[logSwept] = at.Add(-redeliverAfter)
}

func (s *sweeps) finished(repo issues.Repository, begun time.Time, held int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until[repo.ID] = begun
	delete(s.held, repo.String())
	if held > 0 {
		s.held[repo.String()] = held
		delete(s.until, repo.ID) // the next sweep looks at them again
	}
}

// heldBack counts the issues that sweeps would refuse something on and left alone.
func (s *sweeps) heldBack() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := 0
	for _, n := range s.held {
		sum += n
	}
	return sum
}

// sweepForEver asks for a sweep now and then after every interval, jittered so that replicas and installations do not all
// ask at once. It returns when ctx ends.
func (s *Server) sweepForEver(ctx context.Context) {
	select {
	case <-s.identity:
	case <-ctx.Done():
		return
	}
	s.askForSweep(ctx)
	close(s.begun)
	for {
		interval := s.config.Sweep.Interval
		if interval == 0 {
			return
		}
		jitter := time.Duration(rand.Int64N(int64(interval)/5 + 1)) //nolint:gosec // no secret
		select {
		case <-ctx.Done():
			return
		case <-s.clock.After(interval - interval/10 + jitter):
		}
		s.askForSweep(ctx)
	}
}

func (s *Server) askForSweep(ctx context.Context) {
	if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
		s.log.Error().Err(err).Msg("ask for a sweep")
	}
}

// Sweep asks for a sweep now, beside those that the timer asks for.
func (s *Server) Sweep(ctx context.Context) error {
	id := "sweep/" + s.clock.Now().UTC().Format("20060102T150405.000")
	return s.desk.Publish(ctx, id, handlers.Look{Scope: handlers.ScopeSweep, Because: becauseSweep, Delivery: id})
}

// sweep carries out one step of a sweep: of everything, of one installation, or of one repository.
func (d *desk) sweep(ctx context.Context, e *entry) (*Later, error) {
	switch {
	case e.Installation == 0:
		if err := d.redeliver(ctx); err != nil {
			return nil, err
		}
		return nil, d.sweepInstallations(ctx, e.Look)
	case e.RepositoryID == 0:
		return nil, d.repositories(ctx, e.Look, handlers.ScopeSweep)
	default:
		return d.sweepRepository(ctx, e)
	}
}

func (d *desk) sweepInstallations(ctx context.Context, look handlers.Look) error {
	all, err := allInstallations(ctx, d.app)
	if err != nil {
		return err
	}
	for _, i := range all {
		if i.SuspendedAt != nil {
			continue
		}
		one := look
		one.Installation = i.GetID()
		if err := d.Publish(ctx, fmt.Sprintf("%s/installation/%d", look.Delivery, i.GetID()), one); err != nil {
			return err
		}
	}
	return nil
}

func (d *desk) sweepRepository(ctx context.Context, e *entry) (*Later, error) {
	repo := refOf(e.Look).Repository
	since, err := d.sweepRules(ctx, repo)
	if err != nil {
		return nil, err
	}
	if e.Sweep == nil {
		now := d.clock.Now()
		e.Sweep = &progress{Begun: now, Since: d.sweeps.since(repo.ID, latest(since.Commands, now.Add(-d.looker.Rules.Horizon))), Page: 1}
		if err := d.sweepComments(ctx, e); err != nil {
			return nil, err
		}
		if err := d.sweepReflections(ctx, e); err != nil {
			return nil, err
		}
	}
	if e.Sweep.Watching != nil {
		return d.sweepOn(ctx, e, repo)
	}
	list, more, err := d.looker.Store.ChangedSince(ctx, repo, e.Sweep.Since, e.Sweep.Page, sweepPage)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if err := d.sweepIssue(ctx, e, c); err != nil {
			return nil, err
		}
	}
	if more {
		e.Sweep.Page++
		return &Later{}, nil
	}
	return d.sweepOn(ctx, e, repo)
}

// sweepOn goes on with the issues that nobody changed, once all others were seen.
func (d *desk) sweepOn(ctx context.Context, e *entry, repo issues.Repository) (*Later, error) {
	later, err := d.sweepWatched(ctx, e, repo)
	if err != nil || later != nil {
		return later, err
	}
	if err := d.endSweep(ctx, e, repo); err != nil {
		return nil, err
	}
	return nil, d.dispatchIfSet(ctx, fmt.Sprintf("%s/%d/dispatch", e.Delivery, e.RepositoryID), e.Look)
}

// sweepComments asks for a look wherever somebody wrote a command.
func (d *desk) sweepComments(ctx context.Context, e *entry) error {
	numbers, err := d.looker.Store.Mentions(ctx, refOf(e.Look).Repository, e.Sweep.Since, func(body string) bool {
		return len(commands.Parse(body)) > 0
	})
	if err != nil {
		return err
	}
	for _, n := range numbers {
		one := e.issue(n)
		one.Commands = true
		if err := d.askForLook(ctx, e, one); err != nil {
			return err
		}
	}
	return nil
}

// sweepIssue sees what a look at an issue would do. Looks that only finish something are asked for at once.
func (d *desk) sweepIssue(ctx context.Context, e *entry, c issues.Changed) error {
	if c.Closed {
		ends, err := d.mayEnd(ctx, e, c)
		if err != nil || !ends {
			return err
		}
	}
	d.looker.Measured.sweptIssue()
	one := e.issue(c.Number)
	if len(commands.Parse(c.Body)) > 0 && !c.Created.Before(e.Sweep.Since) {
		one.Commands = true
		return d.askForLook(ctx, e, one)
	}
	untouched := c.Updated.Before(e.Sweep.Since) // what stands there is settled, but for what it does by itself
	if d.looker.Done.has(refOf(one), c.Updated, d.clock.Now()) || d.pace.talksLater(refOf(one)) {
		return nil
	}
	seen, err := d.looker.foresee(ctx, one)
	if err != nil {
		return err
	}
	switch {
	case seen == moves, seen == acts && !untouched:
		return d.askForLook(ctx, e, one)
	case seen == refuses && !untouched:
		e.Sweep.Refusing = append(e.Sweep.Refusing, c.Number)
	}
	return nil
}

func (d *desk) endSweep(ctx context.Context, e *entry, repo issues.Repository) error {
	if n := len(e.Sweep.Refusing); n > d.brake {
		d.log.Error().Str("repo", repo.String()).Int("issues", n).Ints("numbers", e.Sweep.Refusing[:min(n, 50)]).
			Msg("a sweep would undo changes on many issues at once and leaves them alone: see sweep.brake")
		d.sweeps.finished(repo, e.Sweep.Begun, n)
		d.looker.Measured.endedSweep(n)
		return nil
	}
	for _, n := range e.Sweep.Refusing {
		if err := d.askForLook(ctx, e, e.issue(n)); err != nil {
			return err
		}
	}
	d.sweeps.finished(repo, e.Sweep.Begun, 0)
	d.looker.Measured.endedSweep(0)
	return nil
}

// askForLook asks for a look that a sweep found worth it; for one that reads commands beside one that does not.
func (d *desk) askForLook(ctx context.Context, e *entry, one handlers.Look) error {
	return d.Publish(ctx, fmt.Sprintf("%s/%d/%d/%t", e.Delivery, e.RepositoryID, one.Issue, one.Commands), one)
}
