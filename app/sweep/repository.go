package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// PageSize is how many issues a sweep lists at once.
const PageSize = 40

// sweepOverlap is how much of the time before the last sweep is swept again, for clocks that differ.
const sweepOverlap = 2 * time.Minute

// sweepRepository carries out one step of the sweep of a repository, and remembers how far that came.
func (s *Sweeper) sweepRepository(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	repo := reconcile.RefOf(t.Request).Repository
	known, err := s.history.read(ctx, keyOfRepository(repo.ID))
	if err != nil {
		return nil, err
	}
	if t.Progress.Begun.IsZero() {
		begins, err := s.beginSweep(ctx, t, known)
		if err != nil || !begins {
			return nil, err
		}
	} else if t.superseded(known) {
		s.log.Debug().Str("repo", repo.String()).Str("delivery", t.Delivery).Msg("another sweep has taken over")
		return nil, nil
	}
	result, err := s.sweepStages(ctx, t, step)
	limited := (*ratelimit.Error)(nil)
	failing := err != nil && !errors.As(err, &limited)
	switch {
	case err == nil && result == nil:
		err = s.endSweep(ctx, t, known)
	default:
		known.UnderWay = &underWay{Delivery: t.Delivery, Alive: s.clock.Now(), Failing: failing, Progress: *t.Progress}
		if wrong := s.history.write(ctx, keyOfRepository(repo.ID), known); wrong != nil {
			s.log.Warn().Err(wrong).Str("repo", repo.String()).Msg("other replicas do not know of this sweep")
		}
	}
	return result, err
}

// superseded reports whether another sweep of the repository goes on in place of this one, or has come to the end of it.
func (t *Task) superseded(known record) bool {
	if known.UnderWay != nil {
		return known.UnderWay.Delivery != t.Delivery
	}
	return !known.Until.Before(t.Progress.Begun)
}

// beginSweep finds out what the sweep of a repository has to look at. There is one at a time: what the timer asks for is left to the
// sweep that is under way, or was asked for later and has ended; it takes the place of one that has failed, where that stopped.
// A sweep that somebody asked for, or a process that starts, takes the place of any other, and begins anew.
func (s *Sweeper) beginSweep(ctx context.Context, t *Task, known record) (begins bool, err error) {
	p, now, other := t.Progress, s.clock.Now(), known.UnderWay
	if other != nil && other.Delivery == t.Delivery { // its first step was cut before the queue heard of it
		*p = other.Progress
		return true, nil
	}
	if p.Kind == byTimer {
		switch {
		case other != nil && other.goesOn(now), !known.Until.Before(t.Asked):
			s.log.Debug().Str("repo", t.Owner+"/"+t.Repo).Str("delivery", t.Delivery).Msg("another sweep does this")
			return false, nil
		case other != nil:
			*p = other.Progress
			return true, nil
		}
	}
	since, err := s.sweepPolicy(ctx, reconcile.RefOf(t.Request).Repository)
	if err != nil {
		return false, err
	}
	p.Begun, p.Since = now, issues.Latest(since.Commands, now.Add(-s.reconciler.Settings.Horizon))
	if p.Kind != atStart {
		last := known.Until.Add(-sweepOverlap)
		if other != nil && other.Progress.Since.Before(last) {
			last = other.Progress.Since
		}
		p.Since = issues.Latest(p.Since, last)
	}
	p.From = p.Since
	p.begin(stageComments)
	return true, nil
}

// policyAge is how old the policy that is known may be in a sweep. It is more than nothing, so that the repository that speaks for
// others is not read with each of them.
const policyAge = time.Minute

// sweepPolicy reads the policy of a repository, and reports what is broken.
func (s *Sweeper) sweepPolicy(ctx context.Context, repo issues.Repository) (issues.Epoch, error) {
	s.reconciler.Policies.InvalidateOlder(repo, policyAge)
	found, since, err := s.reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return since, err
	}
	return since, s.reconciler.ReportInvalidFile(ctx, repo, found.Broken)
}

// sweepStages goes through what a sweep looks at until that is all, or until the step is over.
func (s *Sweeper) sweepStages(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	p := t.Progress
	p.upgrade()
	for {
		if result := s.pause(t, step); result != nil {
			return result, nil
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

// upgrade understands what an earlier version has put into the queue.
func (p *Progress) upgrade() {
	switch {
	case p.Stage != "":
	case p.Watching != nil:
		p.Stage = stageWatched
	default:
		p.Stage, p.From = stageChanged, p.Since
	}
}

// sweepStage does the next part of a stage, and goes on with the next stage at its end: none after the last.
func (s *Sweeper) sweepStage(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	p := t.Progress
	switch p.Stage {
	case stageComments:
		more, err := s.sweepComments(ctx, t)
		if err == nil && !more {
			p.begin(stageReflections)
		}
		return nil, err
	case stageReflections:
		more, err := s.sweepReflections(ctx, t)
		if err == nil && !more {
			p.begin(stageChanged)
		}
		return nil, err
	case stageChanged:
		more, result, err := s.sweepChanged(ctx, t, step)
		switch {
		case err != nil, result != nil, more:
		case p.Unlabeled:
			p.begin(stageUnlabeled)
		default:
			p.begin(stageWatched)
		}
		return result, err
	case stageUnlabeled:
		more, result, err := s.sweepUnlabeled(ctx, t, step)
		if err == nil && result == nil && !more {
			p.begin(stageWatched)
		}
		return result, err
	case stageWatched:
		more, result, err := s.sweepWatched(ctx, t, step)
		if err == nil && result == nil && !more {
			p.begin("")
		}
		return result, err
	}
	return nil, fmt.Errorf("sweep %q: there is no such stage", p.Stage)
}

// pause says that the next part waits for the next step, because the time of this one is up, or the points that sweeps may use are.
func (s *Sweeper) pause(t *Task, step *currentStep) *reconcile.Result {
	if step.over() {
		return &reconcile.Result{}
	}
	if step.done > 0 && !s.limiter.MaySweepOn(t.Installation) {
		return &reconcile.Result{RequeueAfter: s.limiter.WaitForSweep(t.Installation, t.Progress.Cut)}
	}
	return nil
}

// interrupted decides what an error under way means. What was done counts: a step that did something does not fail, the next one begins
// with what failed.
func (s *Sweeper) interrupted(ctx context.Context, step *currentStep, err error) (*reconcile.Result, error) {
	limited := (*ratelimit.Error)(nil)
	switch {
	case errors.As(err, &limited):
		return nil, err // the desk knows how long to wait
	case stopped(ctx), step.done > 0 && !issues.IsPermanent(err):
		return &reconcile.Result{}, nil
	}
	return nil, err
}

// sweepComments asks for a look wherever somebody wrote a command, as far as a page of comments tells.
func (s *Sweeper) sweepComments(ctx context.Context, t *Task) (more bool, err error) {
	numbers, more, err := s.reconciler.Store.Mentions(ctx, reconcile.RefOf(t.Request).Repository, t.Progress.Since, t.Progress.Page, func(body string) bool {
		return len(commands.Parse(body)) > 0
	})
	if err != nil {
		return false, err
	}
	for _, n := range numbers {
		one := t.issue(n)
		one.Commands = true
		if err := s.publishIssue(ctx, t, one); err != nil {
			return false, err
		}
	}
	t.Progress.Page++
	return more, nil
}

// sweepChanged looks at a page of the issues that changed, those that changed first before others.
func (s *Sweeper) sweepChanged(ctx context.Context, t *Task, step *currentStep) (more bool, result *reconcile.Result, err error) {
	p := t.Progress
	list, more, err := s.reconciler.Store.List(ctx, reconcile.RefOf(t.Request).Repository, issues.ChangedSince(p.From).At(p.Page, PageSize))
	if err != nil {
		return false, nil, err
	}
	// What changes while the sweep is under way is for the next one, or there would be no end to it.
	if i := slices.IndexFunc(list, func(c issues.Entry) bool { return c.Updated.After(p.Begun.Add(sweepOverlap)) }); i >= 0 {
		list, more = list[:i], false
	}
	if result, err := s.sweepIssues(ctx, t, step, list); err != nil || result != nil {
		return false, result, err
	}
	if len(list) == 0 || !list[len(list)-1].Updated.After(p.From) { // pull requests alone, or many issues at once
		p.Page, p.Seen = p.Page+1, nil
		return more, nil, nil
	}
	p.From, p.Page, p.Seen = list[len(list)-1].Updated, 1, nil
	for _, c := range list {
		if c.Updated.Equal(p.From) {
			p.Seen = append(p.Seen, c.Number)
		}
	}
	return more, nil, nil
}

// unlabeledPages bounds how many pages of a repository's events a sweep reads.
const unlabeledPages = 20

// sweepUnlabeled looks at the closed issues that lost a label of Colony's and carry none now, as far as a page of the repository's
// events tells. It is cheaper than to read each closed issue that changed: most of them are none of Colony's business.
func (s *Sweeper) sweepUnlabeled(ctx context.Context, t *Task, step *currentStep) (more bool, result *reconcile.Result, err error) {
	p, repo := t.Progress, reconcile.RefOf(t.Request).Repository
	ours, err := s.ownLabels(ctx, t)
	if err != nil {
		return false, nil, err
	}
	list, more, err := s.reconciler.Store.Unlabeled(ctx, repo, p.Since, p.Page, ours)
	if err != nil {
		return false, nil, err
	}
	list = slices.DeleteFunc(list, func(c issues.Entry) bool { return !c.Closed || slices.ContainsFunc(c.Labels, ours) }) // seen already
	if result, err := s.sweepIssues(ctx, t, step, list); err != nil || result != nil {
		return false, result, err
	}
	p.Page++
	if more && p.Page > unlabeledPages {
		s.log.Info().Str("repo", repo.String()).Int("pages", unlabeledPages).
			Msg("too much happened in this repository to find every closed issue that lost the label of its state")
		more = false
	}
	return more, nil, nil
}

// sweepIssues sees what looks at the issues of a page would do, those that were not seen yet.
func (s *Sweeper) sweepIssues(ctx context.Context, t *Task, step *currentStep, list []issues.Entry) (*reconcile.Result, error) {
	for _, c := range list {
		if slices.Contains(t.Progress.Seen, c.Number) {
			continue
		}
		if result := s.pause(t, step); result != nil {
			return result, nil
		}
		if err := s.sweepIssue(ctx, t, c); err != nil {
			if result, err := s.cutOff(ctx, t, step, c.Number, err); result != nil || err != nil {
				return result, err
			}
		}
		t.Progress.saw(c.Number)
		step.done++
	}
	return nil, nil
}

// cutOff decides what becomes of an issue that could not be read to its end: it is tried again, with more time and more points. After
// some attempts the sweep goes on without it, or it would never come to those behind.
func (s *Sweeper) cutOff(ctx context.Context, t *Task, step *currentStep, number int, cause error) (*reconcile.Result, error) {
	p, limited := t.Progress, (*ratelimit.Error)(nil)
	ofPoints := errors.As(cause, &limited) && limited.Budget == ratelimit.BudgetPoints
	timeUp := ctx.Err() != nil && !stopped(ctx)
	if ofPoints || timeUp && step.done == 0 {
		p.Cut++
	}
	tooLong := p.Cut >= issueTries
	fails := limited == nil && ctx.Err() == nil && len(p.Unread) < s.brake && (issues.IsPermanent(cause) || t.Failures+1 >= issueTries)
	switch {
	case tooLong, fails:
		s.log.Warn().Err(cause).Str("repo", t.Owner+"/"+t.Repo).Int("issue", number).Msg("a sweep cannot read this issue, and goes on without it")
		p.Unread = append(p.Unread, number)
		if timeUp { // and there is none for the next
			p.saw(number)
			return &reconcile.Result{}, nil
		}
		return nil, nil
	case ofPoints:
		return &reconcile.Result{RequeueAfter: s.limiter.WaitForSweep(t.Installation, p.Cut)}, nil
	case timeUp:
		return &reconcile.Result{}, nil
	}
	return nil, cause
}

// sweepIssue sees what a look at an issue would do. Looks that only finish something are asked for at once.
func (s *Sweeper) sweepIssue(ctx context.Context, t *Task, c issues.Entry) error {
	one := t.issue(c.Number)
	if len(commands.Parse(c.Body)) > 0 && !c.Created.Before(t.Progress.Since) {
		s.reconciler.Metrics.SweptIssue()
		one.Commands = true
		return s.publishIssue(ctx, t, one)
	}
	if c.Closed && t.Progress.Stage != stageUnlabeled {
		concerns, err := s.concerns(ctx, t, c)
		if err != nil || !concerns {
			t.Progress.Unlabeled = t.Progress.Unlabeled || err == nil
			return err
		}
	}
	s.reconciler.Metrics.SweptIssue()
	untouched := c.Updated.Before(t.Progress.Since) // what stands there is settled, but for what it does by itself
	ref := reconcile.RefOf(one)
	if s.reconciler.Clean.Has(ref, c.Updated, s.clock.Now()) || s.limiter.CommentReserved(ref.Installation, ref.Repository.String(), ref.Number) {
		return nil
	}
	seen, err := s.reconciler.Foresee(ctx, one)
	if err != nil {
		return err
	}
	switch {
	case seen == reconcile.Moves, seen == reconcile.Acts && !untouched:
		return s.publishIssue(ctx, t, one)
	case seen == reconcile.Refuses && !untouched:
		t.Progress.Refusing = append(t.Progress.Refusing, c.Number)
	}
	return nil
}

// concerns reports whether an issue that is closed has a label that is Colony's business. Most closed issues of a repository do not,
// and are not read.
func (s *Sweeper) concerns(ctx context.Context, t *Task, c issues.Entry) (bool, error) {
	ours, err := s.ownLabels(ctx, t)
	return err == nil && slices.ContainsFunc(c.Labels, ours), err
}

// ownLabels returns the test that tells whether a label makes an issue Colony's business.
func (s *Sweeper) ownLabels(ctx context.Context, t *Task) (func(label string) bool, error) {
	found, _, err := s.reconciler.PolicyOf(ctx, reconcile.RefOf(t.Request).Repository)
	if err != nil {
		return nil, err
	}
	return func(label string) bool {
		_, is := found.Lifecycle.StateOf(label)
		return is || statemachine.SameLabel(label, statemachine.Forced)
	}, nil
}

// endSweep asks for the looks that refuse something, unless they are too many, and remembers that the repository was swept.
func (s *Sweeper) endSweep(ctx context.Context, t *Task, known record) error {
	repo, p := reconcile.RefOf(t.Request).Repository, t.Progress
	known.Until, known.UnderWay = p.Begun, nil
	if w := p.Watching; w != nil {
		known.Place = w.stopsAt()
	}
	held := 0
	if n := len(p.Refusing); n > s.brake {
		s.log.Error().Str("repo", repo.String()).Int("issues", n).Ints("numbers", p.Refusing[:min(n, 50)]).
			Msg("a sweep would undo changes on many issues at once and leaves them alone: see sweep.brake")
		held, p.Refusing = n, nil
	}
	for _, n := range append(p.Refusing, p.Unread[:min(len(p.Unread), s.brake)]...) { // a look of its own says what is wrong with it
		if err := s.publishIssue(ctx, t, t.issue(n)); err != nil {
			return err
		}
	}
	if err := s.publisher.DispatchIfSet(ctx, fmt.Sprintf("%s/%d/dispatch", t.Delivery, t.RepositoryID), t.Request); err != nil {
		return err
	}
	if held > 0 || len(p.Unread) > s.brake {
		known.Until = time.Time{} // the next sweep looks at them again
	}
	if err := s.history.write(ctx, keyOfRepository(repo.ID), known); err != nil {
		return err
	}
	s.history.hold(repo, held)
	s.publisher.BroadcastSwept(repo)
	s.reconciler.Metrics.EndedSweep(held)
	return nil
}

// publishIssue asks for a look that a sweep found worth it; for one that reads commands beside one that does not.
func (s *Sweeper) publishIssue(ctx context.Context, t *Task, one reconcile.Request) error {
	return s.publisher.Publish(ctx, fmt.Sprintf("%s/%d/%d/%t", t.Delivery, t.RepositoryID, one.Issue, one.Commands), one)
}
