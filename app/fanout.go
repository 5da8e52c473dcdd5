package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Some webhooks are about something that issues hang on, and do not say which: a pull request, a commit, another issue. What can
// move no issue of the repository is not read.

// uses reports whether any row of a lifecycle goes by one of some readings.
func uses(life *statemachine.Lifecycle, readings ...statemachine.Reading) bool {
	return slices.ContainsFunc(life.States, func(s statemachine.State) bool {
		return slices.ContainsFunc(life.Readings(s.Name), func(r statemachine.Reading) bool { return slices.Contains(readings, r) })
	})
}

// waitsFor reports whether issues of a repository can be moved by what some readings tell.
func (d *worker) waitsFor(ctx context.Context, repo issues.Repository, readings ...statemachine.Reading) (bool, error) {
	found, _, err := d.reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return false, err
	}
	return uses(found.Lifecycle, readings...), nil
}

var pullRequestReadings = []statemachine.Reading{statemachine.ReadPullRequests, statemachine.ReadReviews, statemachine.ReadChecks}

// fanOutPullRequest asks for looks at the issues of a pull request.
func (d *worker) fanOutPullRequest(ctx context.Context, e *item) error {
	ref := reconcile.RefOf(e.Request)
	if waits, err := d.waitsFor(ctx, ref.Repository, pullRequestReadings...); err != nil || !waits {
		return err
	}
	numbers, err := d.reconciler.Store.PullRequestIssues(d.log.WithContext(ctx), ref)
	if errors.Is(err, issues.ErrForbidden) { // a sweep finds what is linked by hand only
		d.log.Warn().Err(err).Str("because", e.Cause).Str("delivery", e.Delivery).Msg("GitHub does not tell which issues it links with this pull request")
		d.reconciler.Metrics.Unread(statemachine.ReadPullRequests)
	} else if err != nil {
		return err
	}
	return d.lookAtIssues(ctx, e, e.Issue, numbers)
}

// fanOutConflicts asks for looks at the issues that a conflict can move, since a push to the branch that their pull requests lead to
// may have made one. It asks for as many as a sweep does, which has the others.
func (d *worker) fanOutConflicts(ctx context.Context, e *item) error {
	repo := reconcile.RefOf(e.Request).Repository
	found, _, err := d.reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return err
	}
	left := d.watch
	for _, s := range found.Lifecycle.States {
		if s.Label == "" || left == 0 || !reconcile.HasTrigger(found.Lifecycle, s.Name, "pull-request-conflicting") {
			continue
		}
		list, _, err := d.reconciler.Store.List(ctx, repo, issues.WithLabel(s.Label).At(1, min(left, sweepPage)))
		if err != nil {
			return err
		}
		left -= len(list)
		for _, c := range list {
			if err := d.Publish(ctx, fmt.Sprintf("%s/conflicts/%d/%d", e.Delivery, e.RepositoryID, c.Number), e.issue(c.Number)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fanOutCommit asks for looks at the issues of the pull requests that a commit is the newest of.
func (d *worker) fanOutCommit(ctx context.Context, e *item) error {
	repo := reconcile.RefOf(e.Request).Repository
	if waits, err := d.waitsFor(ctx, repo, statemachine.ReadChecks); err != nil || !waits {
		return err
	}
	pulls, err := d.reconciler.Store.PullRequestsAt(ctx, repo, e.Commit)
	if err != nil {
		return err
	}
	for _, n := range pulls {
		one := e.Request
		one.Kind, one.Issue, one.Commit = reconcile.KindPullRequest, n, ""
		if err := d.Publish(ctx, fmt.Sprintf("%s/pull/%d/%d", e.Delivery, e.RepositoryID, n), one); err != nil {
			return err
		}
	}
	return nil
}

// fanOutFiles asks for looks at the issues of other pull requests that one may hold up, or not any more. Of those that wait, it looks
// among as many as a sweep does.
func (d *worker) fanOutFiles(ctx context.Context, e *item) error {
	at := reconcile.RefOf(e.Request)
	found, _, err := d.reconciler.PolicyOf(ctx, at.Repository)
	if err != nil || !uses(found.Lifecycle, statemachine.ReadFiles) {
		return err
	}
	var waiting []int
	left := d.watch
	for _, s := range found.Lifecycle.States {
		if s.Label == "" || left == 0 || !reconcile.HasTrigger(found.Lifecycle, s.Name, "files-clear") {
			continue
		}
		list, _, err := d.reconciler.Store.List(ctx, at.Repository, issues.WithLabel(s.Label).At(1, min(left, sweepPage)))
		if err != nil {
			return err
		}
		left -= len(list)
		for _, c := range list {
			waiting = append(waiting, c.Number)
		}
	}
	numbers, err := d.reconciler.Store.Overlapping(ctx, at, waiting)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		if err := d.Publish(ctx, fmt.Sprintf("%s/files/%d/%d", e.Delivery, e.RepositoryID, n), e.issue(n)); err != nil {
			return err
		}
	}
	return nil
}

// fanOutDependents asks for looks at the issues that an issue's end may move.
func (d *worker) fanOutDependents(ctx context.Context, e *item) error {
	ref := reconcile.RefOf(e.Request)
	found, _, err := d.reconciler.PolicyOf(ctx, ref.Repository)
	if err != nil {
		return err
	}
	life := found.Lifecycle
	if !uses(life, statemachine.ReadDependencies, statemachine.ReadCycles, statemachine.ReadEarly, statemachine.ReadSubIssues) {
		return nil
	}
	dependents, err := d.reconciler.Store.Dependents(ctx, ref, func(label string) bool { _, is := life.StateOf(label); return is })
	if err != nil {
		return err
	}
	for _, to := range dependents {
		if to.ID == 0 { // of another repository
			if to.Repository, err = d.reconciler.Store.Repository(ctx, to.Repository); err != nil {
				if issues.IsGone(err) || issues.IsPermanent(err) {
					continue // Colony is not installed there
				}
				return err
			}
		}
		one := e.issue(to.Number)
		one.RepositoryID, one.Owner, one.Repo = to.ID, to.Owner, to.Name
		if err := d.Publish(ctx, fmt.Sprintf("%s/dependent/%d/%d", e.Delivery, to.ID, to.Number), one); err != nil {
			return err
		}
	}
	return nil
}

// lookAtIssues asks for looks at issues of the repository because of a pull request.
func (d *worker) lookAtIssues(ctx context.Context, e *item, pull int, numbers []int) error {
	for _, n := range numbers {
		one := e.issue(n)
		one.Expect.PullRequest = pull
		if err := d.Publish(ctx, fmt.Sprintf("%s/pull/%d/%d/%d", e.Delivery, e.RepositoryID, pull, n), one); err != nil {
			return err
		}
	}
	return nil
}
