package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Some webhooks are about something on which issues depend, and do not say which: a pull request, a commit, another issue. What can
// move no issue of the repository is not read.

// fanOut asks to reconcile the issues that depend on what a webhook is about.
type fanOut struct {
	*Publisher

	reconciler interface {
		PolicyOf(ctx context.Context, repo issues.Repository) (policy.Effective, issues.Epoch, error)
		Repository(ctx context.Context, request reconcile.Request) error
	}
	store interface {
		PullRequestIssues(ctx context.Context, at issues.Ref) ([]int, error)
		Conflicts(ctx context.Context, repo issues.Repository) (found issues.Conflicts, whole bool, err error)
		PullRequestsAt(ctx context.Context, repo issues.Repository, commit string) ([]int, error)
		Overlapping(ctx context.Context, at issues.Ref, waiting, without []int) ([]int, error)
		Dependents(ctx context.Context, of issues.Ref, watched func(label string) bool) ([]issues.Ref, error)
		Repository(ctx context.Context, repo issues.Repository) (issues.Repository, error)
		List(ctx context.Context, repo issues.Repository, f issues.Filter) (list []issues.Entry, more bool, err error)
		WithAny(ctx context.Context, repo issues.Repository, labels []string, filter func(label string) issues.Filter) (list []issues.Entry, more bool, err error)
	}
	policies policyReader
	namesOf  namesOf
	metrics  *reconcile.Metrics
	watch    int // the most issues in states with a trigger that one request asks for
	horizon  time.Duration
	clock    clockwork.Clock
}

// namesOf returns the labels of a repository that name a state.
type namesOf func(repo issues.Repository, life *statemachine.Table, state string) []string

// uses reports whether any row of a lifecycle needs one of some readings.
func uses(life *statemachine.Table, readings ...lifecycle.Reading) bool {
	return slices.ContainsFunc(life.States, func(s lifecycle.State) bool {
		return slices.ContainsFunc(life.Readings(s.Name, false), func(r lifecycle.Reading) bool { return slices.Contains(readings, r) })
	})
}

// waitsFor reports whether issues of a repository can be moved by what some readings tell.
func (f *fanOut) waitsFor(ctx context.Context, repo issues.Repository, readings ...lifecycle.Reading) (bool, error) {
	found, _, err := f.reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return false, err
	}
	return uses(found.Lifecycle, readings...), nil
}

var pullRequestReadings = []lifecycle.Reading{lifecycle.ReadPullRequests, lifecycle.ReadReviews, lifecycle.ReadApprovals, lifecycle.ReadChecks}

func (f *fanOut) pullRequest(ctx context.Context, item *Item) error {
	ref := item.Ref
	if waits, err := f.waitsFor(ctx, ref.Repository, pullRequestReadings...); err != nil || !waits {
		return err
	}
	numbers, err := f.store.PullRequestIssues(f.log.WithContext(ctx), ref)
	if errors.Is(err, issues.ErrForbidden) { // a sweep finds what is linked by hand only
		f.log.Warn().Err(err).Str("because", item.Cause).Str("delivery", item.Delivery).Msg("GitHub does not tell which issues it links with this pull request")
		f.metrics.Unread(lifecycle.ReadPullRequests)
	} else if err != nil {
		return err
	}
	one := item.Request
	one.Expect.PullRequest = item.Number
	return f.publishIssues(ctx, one, fmt.Sprintf("pull/%d/%d", item.ID, item.Number), numbers)
}

// GitHub finds out after a push which pull requests conflict now, once it is asked. It is asked again a second later, so many times. Then it is
// asked about each pull request that is left.
const (
	conflictsOpen = 3
	conflictsWait = time.Second
)

// conflicts asks to reconcile the issues that a conflict moves. A push to the branch that their pull requests lead to might have made one. It covers
// as many issues as a sweep does, which has the others.
func (f *fanOut) conflicts(ctx context.Context, item *Item) (*reconcile.Result, error) {
	repo := item.Repository
	found, _, err := f.reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return nil, err
	}
	waiting, err := f.issuesIn(ctx, repo, found.Lifecycle, func(state string) bool {
		return reconcile.HasTrigger(found.Lifecycle, state, "pull-request-conflicting")
	})
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	conflicts, whole, err := f.store.Conflicts(ctx, repo)
	if err != nil {
		return nil, err
	}
	if whole {
		waiting = slices.DeleteFunc(waiting, func(n int) bool { return !slices.Contains(conflicts.Known, n) && !slices.Contains(conflicts.Open, n) })
		if item.Waited < conflictsOpen && slices.ContainsFunc(waiting, func(n int) bool { return slices.Contains(conflicts.Open, n) }) {
			return &reconcile.Result{RequeueAfter: conflictsWait, Waits: true}, nil
		}
	}
	return nil, f.publishIssues(ctx, item.Request, fmt.Sprintf("conflicts/%d", item.ID), waiting)
}

// issuesIn lists the issues in some states, as many as a sweep checks.
func (f *fanOut) issuesIn(ctx context.Context, repo issues.Repository, life *statemachine.Table, wanted func(state string) bool) ([]int, error) {
	var numbers []int
	for _, s := range life.States {
		left := f.watch - len(numbers)
		if s.Label == "" || left == 0 || !wanted(s.Name) {
			continue
		}
		list, _, err := f.store.WithAny(ctx, repo, f.namesOf(repo, life, s.Name), func(label string) issues.Filter {
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

// commit asks to reconcile the issues of the pull requests whose newest commit it is.
func (f *fanOut) commit(ctx context.Context, item *Item) error {
	repo := item.Repository
	if waits, err := f.waitsFor(ctx, repo, lifecycle.ReadChecks); err != nil || !waits {
		return err
	}
	pulls, err := f.store.PullRequestsAt(ctx, repo, item.Commit)
	if err != nil {
		return err
	}
	for _, n := range pulls {
		one := item.Request
		one.Kind, one.Number, one.Commit = reconcile.KindPullRequest, n, ""
		if err := f.Publish(ctx, fmt.Sprintf("%s/pull/%d/%d", item.Delivery, item.ID, n), one); err != nil {
			return err
		}
	}
	return nil
}

// files asks to reconcile the issues of other pull requests that one might hold up, or no longer holds up. It searches as many waiting
// issues as a sweep does.
func (f *fanOut) files(ctx context.Context, item *Item) error {
	at := item.Ref
	found, _, err := f.reconciler.PolicyOf(ctx, at.Repository)
	if err != nil || !uses(found.Lifecycle, lifecycle.ReadFiles) {
		return err
	}
	life := found.Lifecycle
	waits := func(state string) bool { return reconcile.HasTrigger(life, state, "files-clear") }
	plans := func(state string) bool { return len(life.Triggers.PlannedIn(state)) > 0 }
	waiting, err := f.issuesIn(ctx, at.Repository, life, func(state string) bool { return waits(state) && !plans(state) })
	if err != nil {
		return err
	}
	planned, err := f.issuesIn(ctx, at.Repository, life, func(state string) bool { return waits(state) && plans(state) })
	if err != nil {
		return err
	}
	// What waits to be taken up is compared when a bot takes it.
	working, err := f.issuesIn(ctx, at.Repository, life, func(state string) bool { return !waits(state) && plans(state) && life.Roles.WorkIn(state) })
	if err != nil {
		return err
	}
	numbers, err := f.store.Overlapping(ctx, at, slices.Concat(waiting, planned), slices.Concat(planned, working))
	if err != nil {
		return err
	}
	return f.publishIssues(ctx, item.Request, fmt.Sprintf("files/%d", item.ID), numbers)
}

// dependents asks to reconcile the issues that an issue's end can move.
func (f *fanOut) dependents(ctx context.Context, item *Item) error {
	ref := item.Ref
	found, _, err := f.reconciler.PolicyOf(ctx, ref.Repository)
	if err != nil {
		return err
	}
	life := found.Lifecycle
	if !uses(life, lifecycle.ReadDependencies, lifecycle.ReadCycles, lifecycle.ReadEarly, lifecycle.ReadSubIssues) {
		return nil
	}
	dependents, err := f.store.Dependents(ctx, ref, func(label string) bool { _, is := life.StateOf(label); return is })
	if err != nil {
		return err
	}
	for _, to := range dependents {
		if to.ID == 0 { // of another repository
			if to.Repository, err = f.store.Repository(ctx, to.Repository); err != nil {
				if issues.IsGone(err) || issues.IsPermanent(err) {
					continue // Colony is not installed there
				}
				return err
			}
		}
		one := item.OfIssue(to.Number)
		one.Repository = to.Repository
		if err := f.Publish(ctx, fmt.Sprintf("%s/dependent/%d/%d", item.Delivery, to.ID, to.Number), one); err != nil {
			return err
		}
	}
	return nil
}
