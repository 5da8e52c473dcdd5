package sweep

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// sweepComments asks to reconcile each issue on which someone wrote a command, as far as a page of comments tells.
func (s *Sweeper) sweepComments(ctx context.Context, t *Task, _ *currentStep) (more bool, _ *reconcile.Result, err error) {
	numbers, more, err := s.Reconciler.Store.Mentions(ctx, t.Repository, t.Progress.Since, t.Progress.Page, func(body string) bool {
		return len(commands.Parse(body)) > 0
	})
	if err != nil {
		return false, nil, err
	}
	for _, n := range numbers {
		one := t.OfIssue(n)
		one.Commands = true
		if err := s.publishIssue(ctx, t, one); err != nil {
			return false, nil, err
		}
	}
	t.Progress.Page++
	return more, nil, nil
}

// sweepChanged checks a page of the issues that changed, the earliest change first.
func (s *Sweeper) sweepChanged(ctx context.Context, t *Task, step *currentStep) (more bool, result *reconcile.Result, err error) {
	p := t.Progress
	list, more, err := s.Reconciler.Store.List(ctx, t.Repository, issues.ChangedSince(p.From).At(p.Page, PageSize))
	if err != nil {
		return false, nil, err
	}
	// What changes while the sweep is under way is for the next one, or there would be no end to it.
	if i := slices.IndexFunc(list, func(c issues.Entry) bool { return c.Updated.After(p.Begun.Add(sweepOverlap)) }); i >= 0 {
		list, more = list[:i], false
	}
	p.Again = p.Again || slices.ContainsFunc(list, func(c issues.Entry) bool { return !slices.Contains(p.Seen, c.Number) })
	if result, err := s.sweepIssues(ctx, t, step, list); err != nil || result != nil {
		return false, result, err
	}
	sameTime := len(list) == 0 || !list[len(list)-1].Updated.After(p.From) // pull requests alone, or many issues at the same time
	switch {
	case sameTime && more:
		p.Page++
		return true, nil, nil
	case p.Page > 1 && p.Again: // what was moved in between made others move up, to pages that had been seen
		p.Page, p.Again = 1, false
		return true, nil, nil
	case sameTime:
		return false, nil, nil
	}
	p.From, p.Page, p.Seen, p.Again = list[len(list)-1].Updated, 1, nil, false
	for _, c := range list {
		if c.Updated.Equal(p.From) {
			p.Seen = append(p.Seen, c.Number)
		}
	}
	return more, nil, nil
}

// unlabeledPages bounds how many pages of a repository's events a sweep reads.
const unlabeledPages = 20

// sweepUnlabeled checks the closed issues that had a label of Colony's and carry none now, as far as a page of the repository's events
// tells. It is cheaper than to read each closed issue that changed: most of them are none of Colony's business.
func (s *Sweeper) sweepUnlabeled(ctx context.Context, t *Task, step *currentStep) (more bool, result *reconcile.Result, err error) {
	p, repo := t.Progress, t.Repository
	ours, err := s.ownLabels(ctx, t)
	if err != nil {
		return false, nil, err
	}
	list, more, err := s.Reconciler.Store.Relabeled(ctx, repo, p.Since, p.Page, ours)
	if err != nil {
		return false, nil, err
	}
	list = slices.DeleteFunc(list, func(c issues.Entry) bool { return !c.Closed || slices.ContainsFunc(c.Labels, ours) }) // seen already
	if result, err := s.sweepIssues(ctx, t, step, list); err != nil || result != nil {
		return false, result, err
	}
	p.Page++
	if more && p.Page > unlabeledPages {
		s.Log.Info().Str("repo", repo.String()).Int("pages", unlabeledPages).
			Msg("too much happened in this repository to find every closed issue that lost the label of its state")
		more = false
	}
	return more, nil, nil
}
