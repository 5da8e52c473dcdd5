package app

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

// sweepPage is how many issues are listed at once.
const sweepPage = 40

// sweepOverlap is how much of the time before the last sweep is swept again, for clocks that differ.
const sweepOverlap = 2 * time.Minute

// sweepRepository carries out one step of the sweep of a repository, and remembers how far that came.
func (d *worker) sweepRepository(ctx context.Context, e *item, step *sweepStep) (*reconcile.Result, error) {
	repo := reconcile.RefOf(e.Request).Repository
	known, err := d.sweeps.read(ctx, keyOfRepository(repo.ID))
	if err != nil {
		return nil, err
	}
	if e.Sweep.Begun.IsZero() {
		begins, err := d.beginSweep(ctx, e, known)
		if err != nil || !begins {
			return nil, err
		}
	} else if e.superseded(known) {
		d.log.Debug().Str("repo", repo.String()).Str("delivery", e.Delivery).Msg("another sweep has taken over")
		return nil, nil
	}
	result, err := d.sweepStages(ctx, e, step)
	limited := (*ratelimit.Error)(nil)
	failing := err != nil && !errors.As(err, &limited)
	switch {
	case err == nil && result == nil:
		err = d.endSweep(ctx, e, known)
	default:
		known.UnderWay = &underWay{Delivery: e.Delivery, Alive: d.clock.Now(), Failing: failing, Progress: *e.Sweep}
		if wrong := d.sweeps.write(ctx, keyOfRepository(repo.ID), known); wrong != nil {
			d.log.Warn().Err(wrong).Str("repo", repo.String()).Msg("other replicas do not know of this sweep")
		}
	}
	return result, err
}

// superseded reports whether another sweep of the repository goes on in place of this one, or has come to the end of it.
func (e *item) superseded(known swept) bool {
	if known.UnderWay != nil {
		return known.UnderWay.Delivery != e.Delivery
	}
	return !known.Until.Before(e.Sweep.Begun)
}

// beginSweep finds out what the sweep of a repository has to look at. There is one at a time: what the timer asks for is left to the
// sweep that is under way, or was asked for later and has ended; it takes the place of one that has failed, where that stopped.
// A sweep that somebody asked for, or a process that starts, takes the place of any other, and begins anew.
func (d *worker) beginSweep(ctx context.Context, e *item, known swept) (begins bool, err error) {
	p, now, other := e.Sweep, d.clock.Now(), known.UnderWay
	if other != nil && other.Delivery == e.Delivery { // its first step was cut before the queue heard of it
		*p = other.Progress
		return true, nil
	}
	if p.Kind == sweepByTimer {
		switch {
		case other != nil && other.goesOn(now), !known.Until.Before(e.asked):
			d.log.Debug().Str("repo", e.Owner+"/"+e.Repo).Str("delivery", e.Delivery).Msg("another sweep does this")
			return false, nil
		case other != nil:
			*p = other.Progress
			return true, nil
		}
	}
	since, err := d.sweepRules(ctx, reconcile.RefOf(e.Request).Repository)
	if err != nil {
		return false, err
	}
	p.Begun, p.Since = now, issues.Latest(since.Commands, now.Add(-d.reconciler.Settings.Horizon))
	if p.Kind != sweepAtStart {
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

// sweepStages goes through what a sweep looks at until that is all, or until the step is over.
func (d *worker) sweepStages(ctx context.Context, e *item, step *sweepStep) (*reconcile.Result, error) {
	p := e.Sweep
	p.upgrade()
	for {
		if result := d.pause(e, step); result != nil {
			return result, nil
		}
		result, err := d.sweepStage(ctx, e, step)
		if err != nil {
			return d.interrupted(ctx, step, err)
		}
		if result != nil || p.Stage == "" {
			return result, nil
		}
		step.done++
	}
}

// upgrade understands what an earlier version has put into the queue.
func (p *progress) upgrade() {
	switch {
	case p.Stage != "":
	case p.Watching != nil:
		p.Stage = stageWatched
	default:
		p.Stage, p.From = stageChanged, p.Since
	}
}

// sweepStage does the next part of a stage, and goes on with the next stage at its end: none after the last.
func (d *worker) sweepStage(ctx context.Context, e *item, step *sweepStep) (*reconcile.Result, error) {
	p := e.Sweep
	switch p.Stage {
	case stageComments:
		more, err := d.sweepComments(ctx, e)
		if err == nil && !more {
			p.begin(stageReflections)
		}
		return nil, err
	case stageReflections:
		more, err := d.sweepReflections(ctx, e)
		if err == nil && !more {
			p.begin(stageChanged)
		}
		return nil, err
	case stageChanged:
		more, result, err := d.sweepChanged(ctx, e, step)
		switch {
		case err != nil, result != nil, more:
		case p.Unlabeled:
			p.begin(stageUnlabeled)
		default:
			p.begin(stageWatched)
		}
		return result, err
	case stageUnlabeled:
		more, result, err := d.sweepUnlabeled(ctx, e, step)
		if err == nil && result == nil && !more {
			p.begin(stageWatched)
		}
		return result, err
	case stageWatched:
		more, result, err := d.sweepWatched(ctx, e, step)
		if err == nil && result == nil && !more {
			p.begin("")
		}
		return result, err
	}
	return nil, fmt.Errorf("sweep %q: there is no such stage", p.Stage)
}

// pause says that the next part waits for the next step, because the time of this one is up, or the points that sweeps may use are.
func (d *worker) pause(e *item, step *sweepStep) *reconcile.Result {
	if step.over() {
		return &reconcile.Result{}
	}
	if step.done > 0 && !d.limiter.MaySweepOn(e.Installation) {
		return &reconcile.Result{RequeueAfter: d.limiter.WaitForSweep(e.Installation, e.Sweep.Cut)}
	}
	return nil
}

// interrupted decides what an error under way means. What was done counts: a step that did something does not fail, the next one begins
// with what failed.
func (d *worker) interrupted(ctx context.Context, step *sweepStep, err error) (*reconcile.Result, error) {
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
func (d *worker) sweepComments(ctx context.Context, e *item) (more bool, err error) {
	numbers, more, err := d.reconciler.Store.Mentions(ctx, reconcile.RefOf(e.Request).Repository, e.Sweep.Since, e.Sweep.Page, func(body string) bool {
		return len(commands.Parse(body)) > 0
	})
	if err != nil {
		return false, err
	}
	for _, n := range numbers {
		one := e.issue(n)
		one.Commands = true
		if err := d.askForLook(ctx, e, one); err != nil {
			return false, err
		}
	}
	e.Sweep.Page++
	return more, nil
}

// sweepChanged looks at a page of the issues that changed, those that changed first before others.
func (d *worker) sweepChanged(ctx context.Context, e *item, step *sweepStep) (more bool, result *reconcile.Result, err error) {
	p := e.Sweep
	list, more, err := d.reconciler.Store.List(ctx, reconcile.RefOf(e.Request).Repository, issues.ChangedSince(p.From).At(p.Page, sweepPage))
	if err != nil {
		return false, nil, err
	}
	// What changes while the sweep is under way is for the next one, or there would be no end to it.
	if i := slices.IndexFunc(list, func(c issues.Entry) bool { return c.Updated.After(p.Begun.Add(sweepOverlap)) }); i >= 0 {
		list, more = list[:i], false
	}
	if result, err := d.sweepIssues(ctx, e, step, list); err != nil || result != nil {
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
func (d *worker) sweepUnlabeled(ctx context.Context, e *item, step *sweepStep) (more bool, result *reconcile.Result, err error) {
	p, repo := e.Sweep, reconcile.RefOf(e.Request).Repository
	ours, err := d.ownLabels(ctx, e)
	if err != nil {
		return false, nil, err
	}
	list, more, err := d.reconciler.Store.Unlabeled(ctx, repo, p.Since, p.Page, ours)
	if err != nil {
		return false, nil, err
	}
	list = slices.DeleteFunc(list, func(c issues.Entry) bool { return !c.Closed || slices.ContainsFunc(c.Labels, ours) }) // seen already
	if result, err := d.sweepIssues(ctx, e, step, list); err != nil || result != nil {
		return false, result, err
	}
	p.Page++
	if more && p.Page > unlabeledPages {
		d.log.Info().Str("repo", repo.String()).Int("pages", unlabeledPages).
			Msg("too much happened in this repository to find every closed issue that lost the label of its state")
		more = false
	}
	return more, nil, nil
}

// sweepIssues sees what looks at the issues of a page would do, those that were not seen yet.
func (d *worker) sweepIssues(ctx context.Context, e *item, step *sweepStep, list []issues.Entry) (*reconcile.Result, error) {
	for _, c := range list {
		if slices.Contains(e.Sweep.Seen, c.Number) {
			continue
		}
		if result := d.pause(e, step); result != nil {
			return result, nil
		}
		if err := d.sweepIssue(ctx, e, c); err != nil {
			if result, err := d.cutOff(ctx, e, step, c.Number, err); result != nil || err != nil {
				return result, err
			}
		}
		e.Sweep.saw(c.Number)
		step.done++
	}
	return nil, nil
}

// cutOff decides what becomes of an issue that could not be read to its end: it is tried again, with more time and more points. After
// some attempts the sweep goes on without it, or it would never come to those behind.
func (d *worker) cutOff(ctx context.Context, e *item, step *sweepStep, number int, cause error) (*reconcile.Result, error) {
	p, limited := e.Sweep, (*ratelimit.Error)(nil)
	ofPoints := errors.As(cause, &limited) && limited.Budget == ratelimit.BudgetPoints
	timeUp := ctx.Err() != nil && !stopped(ctx)
	if ofPoints || timeUp && step.done == 0 {
		p.Cut++
	}
	tooLong := p.Cut >= sweepTries
	fails := limited == nil && ctx.Err() == nil && len(p.Unread) < d.brake && (issues.IsPermanent(cause) || e.failures+1 >= sweepTries)
	switch {
	case tooLong, fails:
		d.log.Warn().Err(cause).Str("repo", e.Owner+"/"+e.Repo).Int("issue", number).Msg("a sweep cannot read this issue, and goes on without it")
		p.Unread = append(p.Unread, number)
		if timeUp { // and there is none for the next
			p.saw(number)
			return &reconcile.Result{}, nil
		}
		return nil, nil
	case ofPoints:
		return &reconcile.Result{RequeueAfter: d.limiter.WaitForSweep(e.Installation, p.Cut)}, nil
	case timeUp:
		return &reconcile.Result{}, nil
	}
	return nil, cause
}

// sweepIssue sees what a look at an issue would do. Looks that only finish something are asked for at once.
func (d *worker) sweepIssue(ctx context.Context, e *item, c issues.Entry) error {
	one := e.issue(c.Number)
	if len(commands.Parse(c.Body)) > 0 && !c.Created.Before(e.Sweep.Since) {
		d.reconciler.Metrics.SweptIssue()
		one.Commands = true
		return d.askForLook(ctx, e, one)
	}
	if c.Closed && e.Sweep.Stage != stageUnlabeled {
		concerns, err := d.concerns(ctx, e, c)
		if err != nil || !concerns {
			e.Sweep.Unlabeled = e.Sweep.Unlabeled || err == nil
			return err
		}
	}
	d.reconciler.Metrics.SweptIssue()
	untouched := c.Updated.Before(e.Sweep.Since) // what stands there is settled, but for what it does by itself
	ref := reconcile.RefOf(one)
	if d.reconciler.Clean.Has(ref, c.Updated, d.clock.Now()) || d.limiter.CommentReserved(ref.Installation, ref.Repository.String(), ref.Number) {
		return nil
	}
	seen, err := d.reconciler.Foresee(ctx, one)
	if err != nil {
		return err
	}
	switch {
	case seen == reconcile.Moves, seen == reconcile.Acts && !untouched:
		return d.askForLook(ctx, e, one)
	case seen == reconcile.Refuses && !untouched:
		e.Sweep.Refusing = append(e.Sweep.Refusing, c.Number)
	}
	return nil
}

// concerns reports whether an issue that is closed has a label that is Colony's business. Most closed issues of a repository do not,
// and are not read.
func (d *worker) concerns(ctx context.Context, e *item, c issues.Entry) (bool, error) {
	ours, err := d.ownLabels(ctx, e)
	return err == nil && slices.ContainsFunc(c.Labels, ours), err
}

// ownLabels returns the test that tells whether a label makes an issue Colony's business.
func (d *worker) ownLabels(ctx context.Context, e *item) (func(label string) bool, error) {
	found, _, err := d.reconciler.PolicyOf(ctx, reconcile.RefOf(e.Request).Repository)
	if err != nil {
		return nil, err
	}
	return func(label string) bool {
		_, is := found.Lifecycle.StateOf(label)
		return is || statemachine.SameLabel(label, statemachine.Forced)
	}, nil
}

// endSweep asks for the looks that refuse something, unless they are too many, and remembers that the repository was swept.
func (d *worker) endSweep(ctx context.Context, e *item, known swept) error {
	repo, p := reconcile.RefOf(e.Request).Repository, e.Sweep
	known.Until, known.UnderWay = p.Begun, nil
	if w := p.Watching; w != nil {
		known.Place = w.stopsAt()
	}
	held := 0
	if n := len(p.Refusing); n > d.brake {
		d.log.Error().Str("repo", repo.String()).Int("issues", n).Ints("numbers", p.Refusing[:min(n, 50)]).
			Msg("a sweep would undo changes on many issues at once and leaves them alone: see sweep.brake")
		held, p.Refusing = n, nil
	}
	for _, n := range append(p.Refusing, p.Unread[:min(len(p.Unread), d.brake)]...) { // a look of its own says what is wrong with it
		if err := d.askForLook(ctx, e, e.issue(n)); err != nil {
			return err
		}
	}
	if err := d.dispatchIfSet(ctx, fmt.Sprintf("%s/%d/dispatch", e.Delivery, e.RepositoryID), e.Request); err != nil {
		return err
	}
	if held > 0 || len(p.Unread) > d.brake {
		known.Until = time.Time{} // the next sweep looks at them again
	}
	if err := d.sweeps.write(ctx, keyOfRepository(repo.ID), known); err != nil {
		return err
	}
	d.sweeps.hold(repo, held)
	d.tellOfSwept(repo)
	d.reconciler.Metrics.EndedSweep(held)
	return nil
}

// askForLook asks for a look that a sweep found worth it; for one that reads commands beside one that does not.
func (d *worker) askForLook(ctx context.Context, e *item, one reconcile.Request) error {
	return d.Publish(ctx, fmt.Sprintf("%s/%d/%d/%t", e.Delivery, e.RepositoryID, one.Issue, one.Commands), one)
}
