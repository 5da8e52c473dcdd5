package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// onPullRequests returns the comments that say on open pull requests that a limit of their issue is reached. They go before
// the comment on the issue, so that a crash in between leaves nothing out; one that is there already is not written again.
func (rc *reconciliation) onPullRequests(ctx context.Context, d statemachine.Decision) ([]issues.Write, error) {
	notices := noticesOf(rc.settings.Lifecycle, d)
	if len(notices) == 0 {
		return nil, nil
	}
	open, err := rc.store.OpenPullRequests(ctx, rc.view)
	if err != nil {
		return nil, err
	}
	var writes []issues.Write
	for _, number := range open {
		said, err := rc.store.Comments(ctx, issues.Ref{Repository: rc.view.Ref.Repository, Number: number}, rc.judgedSince)
		if err != nil {
			return nil, err
		}
		for _, n := range notices {
			if !slices.ContainsFunc(said, n.isIn) {
				writes = append(writes, issues.Write{On: number, Comment: wording.OnPullRequest(rc.view.Ref.Number, n.to, n.why, n.event)})
			}
		}
	}
	return writes, nil
}

// notice is what Colony says on a pull request: that its issue went somewhere, and why.
type notice struct {
	to, why string
	event   int64
}

func noticesOf(life *statemachine.Lifecycle, d statemachine.Decision) []notice {
	var notices []notice
	for _, r := range d.Explain {
		if limit, ok := life.Reached(r); ok && limit.OnPullRequest {
			notices = append(notices, notice{r.LedTo, limit.Why, slices.Max(r.IDs)})
		}
	}
	for _, t := range d.Announce {
		if t.OnPullRequest {
			notices = append(notices, notice{t.To, t.Why, t.EventID})
		}
	}
	return notices
}

func (n notice) isIn(c issues.Comment) bool {
	return c.By.Kind == statemachine.Colony && slices.Contains(wording.Markers(c.Body)[wording.Explains], n.event)
}
