package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// PageSize is how many issues a sweep lists at a time: as many as GitHub gives.
const PageSize = 100

// sweepOverlap is how much of the time before the last sweep is swept again, for clocks that differ.
const sweepOverlap = 2 * time.Minute

// peopleFirst is for how long a sweep by the timer lets pass those who wait for points in the installation. Among the issues that they edited it
// would read each once more. Afterwards it takes its own part of the points.
const peopleFirst = 5 * time.Minute

// sweepRepository carries out one step of the sweep of a repository, and remembers how far that came.
func (s *Sweeper) sweepRepository(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	repo := t.Repository
	known, err := s.history.read(ctx, keyOfRepository(repo.ID))
	if err != nil {
		return nil, err
	}
	if t.Progress.Begun.IsZero() {
		if t.letsPass(s.Limiter, s.Clock.Now()) {
			return &reconcile.Result{RequeueAfter: repositoriesPause}, nil
		}
		begins, err := s.beginSweep(ctx, t, known)
		if err != nil || !begins {
			return nil, err
		}
	} else if t.superseded(known) {
		s.Log.Debug().Str("repo", repo.String()).Str("delivery", t.Delivery).Msg("another sweep has taken over")
		return nil, nil
	}
	result, err := s.sweepStages(ctx, t, step)
	limited := (*ratelimit.Error)(nil)
	failing := err != nil && !errors.As(err, &limited)
	switch {
	case err == nil && result == nil:
		if !t.Progress.Short {
			known.Full = t.Progress.Begun
		}
		err = s.endSweep(ctx, t, known)
	default:
		known.UnderWay = &underWay{Delivery: t.Delivery, Alive: s.Clock.Now(), Failing: failing, Progress: *t.Progress}
		if wrong := s.history.write(ctx, keyOfRepository(repo.ID), known); wrong != nil {
			s.Log.Warn().Err(wrong).Str("repo", repo.String()).Msg("other replicas do not know of this sweep")
		}
	}
	return result, err
}

// letsPass reports whether a sweep that the timer asked for goes behind what people wait for.
func (t *Task) letsPass(limiter *ratelimit.Limiter, now time.Time) bool {
	return t.Progress.Kind == byTimer && now.Sub(t.Asked) < peopleFirst && limiter.Crowded(t.Installation)
}

// superseded reports whether another sweep of the repository goes on in place of this one, or has come to the end of it.
func (t *Task) superseded(known record) bool {
	if known.UnderWay != nil {
		return known.UnderWay.Delivery != t.Delivery
	}
	return !known.Until.Before(t.Progress.Begun)
}

// beginSweep finds out what the sweep of a repository has to check. There is one at a time: what the timer asks for is left to the
// sweep that is under way, or was asked for later and has ended; it takes the place of one that has failed, where that stopped.
// A sweep that someone asked for, or a process that starts, takes the place of any other, and begins again.
func (s *Sweeper) beginSweep(ctx context.Context, t *Task, known record) (begins bool, err error) {
	p, now, other := t.Progress, s.Clock.Now(), known.UnderWay
	if other != nil && other.Delivery == t.Delivery { // its first step was cut before the queue knew of it
		*p = other.Progress
		return true, nil
	}
	if p.Kind == byTimer {
		switch {
		case other != nil && other.goesOn(now), !known.Until.Before(t.Asked):
			s.Log.Debug().Str("repo", t.Repository.String()).Str("delivery", t.Delivery).Msg("another sweep does this")
			return false, nil
		case other != nil:
			*p = other.Progress
			return true, nil
		}
	}
	found, since, err := s.sweepPolicy(ctx, t.Repository)
	if err != nil || !found.Mode.Reads() {
		return false, err
	}
	p.Begun, p.Version, p.Since = now, found.Version(), issues.Latest(since.Commands, horizon(s.Reconciler, now))
	if p.Kind != atStart {
		p.Since = issues.Latest(p.Since, t.unseenSince(known, now))
	}
	p.From = p.Since
	p.begin(stageComments)
	if err := s.shorten(ctx, t, known, found); err != nil {
		*p = Progress{Kind: p.Kind} // it has not begun
		return false, err
	}
	return true, nil
}

// unseenSince returns from when on the sweeps that have ended can have left out a change.
func (t *Task) unseenSince(known record, now time.Time) time.Time {
	other, last := known.UnderWay, known.Until.Add(-sweepOverlap)
	switch {
	case other != nil && other.Progress.Since.Before(last):
		return other.Progress.Since
	case other == nil && t.Progress.Kind == byTimer && known.fullDue(t.Repository, now):
		return known.Full.Add(-sweepOverlap) // GitHub's answers to the questions since then can have left out a change
	}
	return last
}

// shorten asks which watched states have open issues, and leaves to a sweep by the timer nothing else if no issue changed.
func (s *Sweeper) shorten(ctx context.Context, t *Task, known record, found policy.Effective) error {
	p, labels := t.Progress, s.watched(t.Repository, found.Lifecycle)
	if len(labels) == 0 || s.Watch == 0 || len(labels) == 1 && p.Kind != byTimer { // one list costs no more than the question
		return nil
	}
	asked := askAbout(t.Repository, labels)
	if p.Kind != byTimer { // it reads the issues, no matter what their checks say
		asked.Checked = nil
	}
	told, err := s.activities(ctx, []issues.Asked{asked})
	if err != nil || told == nil {
		return err
	}
	if p.Watching, err = s.beginWatching(ctx, t.Repository, len(labels)); err != nil {
		return err
	}
	if told[0].Checked.Before(p.Begun.Add(-sweepOverlap)) { // else what is read of the checks can be older than the sum
		p.Checks = told[0].Checks
	}
	if p.Kind != byTimer || known.fullDue(t.Repository, p.Begun) {
		p.Watching.leaveOut(told[0].Has)
		return nil
	}
	read := known.toRead(labels, told[0], p.Version, p.Begun)
	if !slices.Equal(read, told[0].Has) { // what is left out rests until then
		p.Due = known.Settled.Due
	}
	p.Watching.leaveOut(read)
	if !known.changed(told[0], found.Policy, horizon(s.Reconciler, p.Begun)) {
		p.Short = true
		p.begin(stageWatched)
	}
	return nil
}

// horizon is from when on Colony acts at a time on what it did not see.
func horizon(r *reconcile.Reconciler, now time.Time) time.Time {
	return now.Add(-r.ServerSettings.Horizon)
}

// policyAge is how old the policy that is known can be in a sweep. It is more than nothing, so that the repository that speaks for
// others is not read with each of them.
const policyAge = time.Minute

// sweepPolicy reads the policy of a repository, and reports what is broken.
func (s *Sweeper) sweepPolicy(ctx context.Context, repo issues.Repository) (policy.Effective, issues.Epoch, error) {
	s.Reconciler.Policies.InvalidateOlder(repo, policyAge)
	found, since, err := s.Reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return found, since, err
	}
	return found, since, s.Reconciler.ReportInvalidFiles(ctx, repo, found)
}

// sweepStages goes through the stages of a sweep until the last has ended, or until the step is over.
func (s *Sweeper) sweepStages(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	p := t.Progress
	for {
		if isPaused(ctx, step) {
			return &reconcile.Result{}, nil
		}
		result, err := s.sweepStage(ctx, t, step)
		if err != nil {
			return s.interrupted(ctx, step, err)
		}
		if result != nil || p.Stage == "" {
			return result, nil
		}
		step.done++
	}
}

// stages are the parts of the sweep of a repository, in their order. Each does a page, or a part of one, and says whether there is more.
var stages = []struct {
	stage stage
	sweep func(s *Sweeper, ctx context.Context, t *Task, step *currentStep) (more bool, result *reconcile.Result, err error)
}{
	{stageComments, (*Sweeper).sweepComments},
	{stageReflections, (*Sweeper).sweepReflections},
	{stageChanged, (*Sweeper).sweepChanged},
	{stageUnlabeled, (*Sweeper).sweepUnlabeled},
	{stageWatched, (*Sweeper).sweepUnchanged},
}

// sweepStage does the next part of a stage, and goes on with the next stage at its end: none after the last.
func (s *Sweeper) sweepStage(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	for i, row := range stages {
		if row.stage != t.Progress.Stage {
			continue
		}
		more, result, err := row.sweep(s, ctx, t, step)
		if err == nil && result == nil && !more {
			t.Progress.begin(t.Progress.after(i))
		}
		return result, err
	}
	return nil, fmt.Errorf("sweep %q: there is no such stage", t.Progress.Stage)
}

// after returns the stage behind a row of stages.
func (p *Progress) after(row int) stage {
	for _, next := range stages[row+1:] {
		if next.stage != stageUnlabeled || p.Unlabeled {
			return next.stage
		}
	}
	return ""
}

// isPaused reports whether the next part waits for the next step. It does if the time of this one is up, or the points that sweeps can use are.
func isPaused(ctx context.Context, step *currentStep) bool {
	return step.over() || step.done > 0 && ratelimit.More(ctx, ratelimit.PointsOfReconciliation) > 0
}

// interrupted decides what an error under way means. What was done counts: a step that did something does not fail, the next one begins
// with what failed.
func (s *Sweeper) interrupted(ctx context.Context, step *currentStep, err error) (*reconcile.Result, error) {
	limited := (*ratelimit.Error)(nil)
	switch {
	case errors.As(err, &limited):
		return nil, err // the worker knows how long to wait
	case stopped(ctx), step.done > 0 && !issues.IsPermanent(err):
		return &reconcile.Result{}, nil
	}
	return nil, err
}

// endSweep asks for the reconciliations that refuse something, unless they are too many, and remembers that the repository was swept.
func (s *Sweeper) endSweep(ctx context.Context, t *Task, known record) error {
	repo, p, since := t.Repository, t.Progress, time.Duration(0)
	if !known.Until.IsZero() {
		since = s.Clock.Since(known.Until)
	}
	known.Until, known.UnderWay = p.Begun, nil
	if w := p.Watching; w != nil {
		known.Place, known.Settled = w.stopsAt(), p.settled()
	}
	held := 0
	if n := len(p.Refusing); n > s.Brake {
		s.Log.Error().Str("repo", repo.String()).Int("issues", n).Ints("numbers", p.Refusing[:min(n, 50)]).
			Msg("a sweep would undo changes on many issues at once and leaves them alone: see sweep.max_refusals")
		held, p.Refusing = n, nil
	}
	for _, n := range append(p.Refusing, p.Unread[:min(len(p.Unread), s.Brake)]...) { // a request of its own says what is wrong with it
		if err := s.publishIssue(ctx, t, t.OfIssue(n)); err != nil {
			return err
		}
	}
	if err := s.Publisher.DispatchIfSet(ctx, fmt.Sprintf("%s/%d/dispatch", t.Delivery, t.ID), t.Request); err != nil {
		return err
	}
	if err := s.Publisher.DashboardIfSet(ctx, t.Request); err != nil {
		return err
	}
	if held > 0 || len(p.Unread) > s.Brake {
		known.Until = time.Time{} // the next sweep checks them again
	}
	if err := s.history.write(ctx, keyOfRepository(repo.ID), known); err != nil {
		return err
	}
	s.history.hold(repo, held)
	s.Publisher.BroadcastSwept(repo)
	s.Reconciler.Metrics.EndedSweep(held, since)
	return nil
}
