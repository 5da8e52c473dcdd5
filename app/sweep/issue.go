package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
)

// sweepIssues checks the issues of a page that were not seen yet.
func (s *Sweeper) sweepIssues(ctx context.Context, t *Task, step *currentStep, list []issues.Entry) (*reconcile.Result, error) {
	unseen := slices.DeleteFunc(slices.Clone(list), func(c issues.Entry) bool { return slices.Contains(t.Progress.Seen, c.Number) })
	if err := s.without(ctx, "which issues are as Colony left them", s.Reconciler.Recognize(ctx, t.Repository, unseen)); err != nil {
		return nil, err
	}
	for _, c := range unseen {
		if isPaused(ctx, step) {
			return &reconcile.Result{}, nil
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
	ofPoints := errors.As(cause, &limited) && limited.Budget == ratelimit.BudgetBackground
	timeUp := ctx.Err() != nil && !stopped(ctx)
	if ofPoints || timeUp && step.done == 0 {
		p.Cut++
	}
	tooLong := p.Cut >= issueTries
	fails := limited == nil && ctx.Err() == nil && len(p.Unread) < s.Brake && (issues.IsPermanent(cause) || t.Failures+1 >= issueTries)
	switch {
	case tooLong, fails:
		s.Log.Warn().Err(cause).Str("repo", t.Repository.String()).Int("issue", number).Msg("a sweep cannot read this issue, and goes on without it")
		p.Unread = append(p.Unread, number)
		if timeUp { // and no time is left for the next
			p.saw(number)
			return &reconcile.Result{}, nil
		}
		return nil, nil
	case ofPoints, timeUp: // the next step waits for the points that it needs
		return &reconcile.Result{}, nil
	}
	return nil, cause
}

// sweepIssue sees what a reconciliation of an issue would do. One that moves it or finishes something is asked for immediately.
func (s *Sweeper) sweepIssue(ctx context.Context, t *Task, c issues.Entry) error {
	one := t.OfIssue(c.Number)
	if len(commands.Parse(c.Body)) > 0 && !c.Created.Before(t.Progress.Since) {
		s.Reconciler.Metrics.SweptIssue()
		one.Commands, t.Progress.Unsettled = true, true
		return s.publishIssue(ctx, t, one)
	}
	if c.Closed && t.Progress.Stage != stageUnlabeled {
		concerns, err := s.concerns(ctx, t, c)
		if err != nil || !concerns {
			t.Progress.Unlabeled = t.Progress.Unlabeled || err == nil
			return err
		}
	}
	s.Reconciler.Metrics.SweptIssue()
	return foresee(ctx, s, t, c, one)
}

// foresee asks for the reconciliation of an issue that does something, and notes how it is otherwise.
func foresee(ctx context.Context, s *Sweeper, t *Task, c issues.Entry, one reconcile.Request) error {
	ref, p := one.Ref, t.Progress
	untouched := c.Updated.Before(p.Since) // what is there is final, but for what moves it automatically
	if s.Reconciler.IsClean(ref, c.Updated, s.Clock.Now()) {
		p.rests(s.Reconciler.NextDue(ref))
		return nil
	}
	if s.Limiter.CommentReserved(ref.Installation, ref.Repository.String(), ref.Number) {
		p.Unsettled = true
		return nil
	}
	seen, err := s.Reconciler.Foresee(ctx, one)
	if err != nil {
		return err
	}
	if seen == reconcile.Rests {
		p.rests(s.Reconciler.NextDue(ref))
		return nil
	}
	p.Unsettled = true
	switch {
	case seen == reconcile.Moves, seen == reconcile.Acts && !untouched:
		return s.publishIssue(ctx, t, one)
	case seen == reconcile.Refuses && !untouched, seen == reconcile.RefusesLate:
		p.Refusing = append(p.Refusing, c.Number)
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
	found, _, err := s.Reconciler.PolicyOf(ctx, t.Repository)
	if err != nil {
		return nil, err
	}
	return func(label string) bool {
		_, is := found.Lifecycle.StateOf(label)
		return is || lifecycle.SameLabel(label, lifecycle.Forced) || found.Lifecycle.NamesNoState(label)
	}, nil
}

// publishIssue asks for a reconciliation that a sweep found worth it; for one that reads commands next to one that does not.
func (s *Sweeper) publishIssue(ctx context.Context, t *Task, one reconcile.Request) error {
	return s.Publisher.Publish(ctx, fmt.Sprintf("%s/%d/%d/%t", t.Delivery, t.ID, one.Number, one.Commands), one)
}
