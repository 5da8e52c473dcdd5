package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Some webhooks are about something on which issues depend, and do not say which: a pull request, a commit, another issue. What can
// move no issue of the repository is not read.

// uses reports whether any row of a lifecycle needs one of some readings.
func uses(life *statemachine.Table, readings ...lifecycle.Reading) bool {
	return slices.ContainsFunc(life.States, func(s lifecycle.State) bool {
		return slices.ContainsFunc(life.Readings(s.Name, false), func(r lifecycle.Reading) bool { return slices.Contains(readings, r) })
	})
}

// waitsFor reports whether issues of a repository can be moved by what some readings tell.
func (w *Worker) waitsFor(ctx context.Context, repo issues.Repository, readings ...lifecycle.Reading) (bool, error) {
	found, _, err := w.Reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return false, err
	}
	return uses(found.Lifecycle, readings...), nil
}

var pullRequestReadings = []lifecycle.Reading{lifecycle.ReadPullRequests, lifecycle.ReadReviews, lifecycle.ReadChecks}

// fanOutPullRequest asks to reconcile the issues of a pull request.
func (w *Worker) fanOutPullRequest(ctx context.Context, item *Item) error {
	ref := item.Ref
	if waits, err := w.waitsFor(ctx, ref.Repository, pullRequestReadings...); err != nil || !waits {
		return err
	}
	numbers, err := w.Reconciler.Store.PullRequestIssues(w.log.WithContext(ctx), ref)
	if errors.Is(err, issues.ErrForbidden) { // a sweep finds what is linked by hand only
		w.log.Warn().Err(err).Str("because", item.Cause).Str("delivery", item.Delivery).Msg("GitHub does not tell which issues it links with this pull request")
		w.Reconciler.Metrics.Unread(lifecycle.ReadPullRequests)
	} else if err != nil {
		return err
	}
	one := item.Request
	one.Expect.PullRequest = item.Number
	return w.publishIssues(ctx, one, fmt.Sprintf("pull/%d/%d", item.ID, item.Number), numbers)
}

// fanOutConflicts asks to reconcile the issues that a conflict can move, since a push to the branch that their pull requests lead to
// may have made one. It asks for as many as a sweep does, which has the others.
func (w *Worker) fanOutConflicts(ctx context.Context, item *Item) error {
	repo := item.Repository
	found, _, err := w.Reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return err
	}
	waiting, err := w.issuesWithTrigger(ctx, repo, found.Lifecycle, "pull-request-conflicting")
	if err != nil {
		return err
	}
	return w.publishIssues(ctx, item.Request, fmt.Sprintf("conflicts/%d", item.ID), waiting)
}

// issuesWithTrigger lists the issues in states that have a trigger, as many as a sweep checks.
func (w *Worker) issuesWithTrigger(ctx context.Context, repo issues.Repository, life *statemachine.Table, trigger lifecycle.Fact) ([]int, error) {
	var numbers []int
	for _, s := range life.States {
		left := w.watch - len(numbers)
		if s.Label == "" || left == 0 || !reconcile.HasTrigger(life, s.Name, trigger) {
			continue
		}
		list, _, err := w.Reconciler.Store.WithAny(ctx, repo, w.Reconciler.Labels.NamesOf(repo, life, s.Name), func(label string) issues.Filter {
			return issues.WithLabel(label).At(1, min(left, sweep.PageSize))
		})
		if err != nil {
			return nil, err
		}
		for _, c := range list[:min(left, len(list))] {
			numbers = append(numbers, c.Number)
		}
	}
	return numbers, nil
}

// fanOutCommit asks to reconcile the issues of the pull requests whose newest commit it is.
func (w *Worker) fanOutCommit(ctx context.Context, item *Item) error {
	repo := item.Repository
	if waits, err := w.waitsFor(ctx, repo, lifecycle.ReadChecks); err != nil || !waits {
		return err
	}
	pulls, err := w.Reconciler.Store.PullRequestsAt(ctx, repo, item.Commit)
	if err != nil {
		return err
	}
	for _, n := range pulls {
		one := item.Request
		one.Kind, one.Number, one.Commit = reconcile.KindPullRequest, n, ""
		if err := w.Publish(ctx, fmt.Sprintf("%s/pull/%d/%d", item.Delivery, item.ID, n), one); err != nil {
			return err
		}
	}
	return nil
}

// fanOutFiles asks to reconcile the issues of other pull requests that one may hold up, or not any more. It searches as many waiting
// issues as a sweep does.
func (w *Worker) fanOutFiles(ctx context.Context, item *Item) error {
	at := item.Ref
	found, _, err := w.Reconciler.PolicyOf(ctx, at.Repository)
	if err != nil || !uses(found.Lifecycle, lifecycle.ReadFiles) {
		return err
	}
	waiting, err := w.issuesWithTrigger(ctx, at.Repository, found.Lifecycle, "files-clear")
	if err != nil {
		return err
	}
	numbers, err := w.Reconciler.Store.Overlapping(ctx, at, waiting)
	if err != nil {
		return err
	}
	return w.publishIssues(ctx, item.Request, fmt.Sprintf("files/%d", item.ID), numbers)
}

// fanOutDependents asks to reconcile the issues that an issue's end may move.
func (w *Worker) fanOutDependents(ctx context.Context, item *Item) error {
	ref := item.Ref
	found, _, err := w.Reconciler.PolicyOf(ctx, ref.Repository)
	if err != nil {
		return err
	}
	life := found.Lifecycle
	if !uses(life, lifecycle.ReadDependencies, lifecycle.ReadCycles, lifecycle.ReadEarly, lifecycle.ReadSubIssues) {
		return nil
	}
	dependents, err := w.Reconciler.Store.Dependents(ctx, ref, func(label string) bool { _, is := life.StateOf(label); return is })
	if err != nil {
		return err
	}
	for _, to := range dependents {
		if to.ID == 0 { // of another repository
			if to.Repository, err = w.Reconciler.Store.Repository(ctx, to.Repository); err != nil {
				if issues.IsGone(err) || issues.IsPermanent(err) {
					continue // Colony is not installed there
				}
				return err
			}
		}
		one := item.OfIssue(to.Number)
		one.Repository = to.Repository
		if err := w.Publish(ctx, fmt.Sprintf("%s/dependent/%d/%d", item.Delivery, to.ID, to.Number), one); err != nil {
			return err
		}
	}
	return nil
}

// publishIssues asks for the same of issues of the repository. under names the requests among those of the delivery.
func (w *Worker) publishIssues(ctx context.Context, request reconcile.Request, under string, numbers []int) error {
	for _, n := range numbers {
		if err := w.Publish(ctx, fmt.Sprintf("%s/%s/%d", request.Delivery, under, n), request.OfIssue(n)); err != nil {
			return err
		}
	}
	return nil
}
