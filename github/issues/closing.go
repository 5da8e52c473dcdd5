package issues

import (
	"context"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
)

// closing observes whether the issue is closed, and as what, or that it was opened again. The issue itself tells.
func closing(_ context.Context, r *reading) error {
	switch v := r.view; {
	case v.Closed:
		fact := lifecycle.Fact("issue-completed")
		if dropped(v.ClosedAs) {
			fact = "issue-dropped"
		}
		r.observe("issue-closed", v.ClosedAt, "")
		r.observe(fact, v.ClosedAt, "")
	case !v.Reopened().IsZero():
		r.observe("issue-reopened", v.Reopened(), "")
	}
	return nil
}

// closedByMerge reports whether a merge completed the issue: one since it was last opened.
func (r *reading) closedByMerge(p *github.PullRequest) bool {
	v := r.view
	return v.Closed && !dropped(v.ClosedAs) && !p.GetMergedAt().Before(v.Reopened())
}

// dropped reports whether a closed issue was not completed, by GitHub's reason.
func dropped(reason string) bool { return reason == "not_planned" || reason == "duplicate" }
