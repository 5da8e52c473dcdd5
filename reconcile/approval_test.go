package reconcile_test

import (
	"testing"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
)

// A bot brings an issue to its end only if the pull request is merged.
func TestABotCannotEndWhatIsNotMerged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, pull := w.fixedIn("colony:merge-pending")
	i.Label("dev[bot]", "colony:done")
	w.Settle()
	i.Has("colony:merge-pending")
	i.ColonySays("merged", "The pull request has to be merged first.")
	i.Must(w.github.MergePullRequest("acme", "widgets", pull, "dev[bot]"))
	w.Settle()
	i.Has("colony:done")
}

// What a bot merged although no person approved it waits for a person, who can still approve it on GitHub.
func TestAMergeThatNobodyApprovedAsksAPerson(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		i := w.open("ada", "Paint it.")
		pull := i.Fixed()
		i.Label("olivia", "colony:in-review")
		after()
		i.Must(w.github.MergePullRequest("acme", "widgets", pull, "dev[bot]"))
		after()
		i.Has("colony:in-review", lifecycle.NeedsHuman)
		i.ColonySays("The pull request was merged. A person has to approve first, with an approving review")
		w.Sweep()
		i.Review(pull, "APPROVE", "reviewer[bot]")
		i.Review(pull, "APPROVE", "rita") // who can only read
		after()
		i.Has("colony:in-review", lifecycle.NeedsHuman)
		w.clock.Advance(hour)
		i.Review(pull, "APPROVE", "olivia")
		after()
		i.Has("colony:done")
	})
}

// Nor does a bot's label end it.
func TestABotCannotEndWhatNobodyApproved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, pull := w.fixedIn("colony:in-review")
	i.Label("reviewer[bot]", "colony:human-review-ready")
	w.Settle()
	i.Must(w.github.MergePullRequest("acme", "widgets", pull, "dev[bot]"))
	i.Label("dev[bot]", "colony:done")
	w.Settle()
	i.Has("colony:human-review-ready", lifecycle.NeedsHuman)
	i.ColonySays("`dev[bot]` tried", "bots have no work in")
	i.ColonySays("A person has to approve first, with an approving review")
}

// A person who merges approves.
func TestAPersonsMergeIsAnApproval(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, pull := w.fixedIn("colony:in-review")
	i.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	w.Settle()
	i.Has("colony:done")
}

// A role that the repository lets move issues to merge-pending approves by that.
func TestAWidenedRoleApproves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	w.CommitAndSettle("widgets", ".github/colony.yml", "executors:\n  logins: {\"reviewer[bot]\": [reviewer]}\n  widen: [{role: reviewer, from: in-review, to: merge-pending}]\n")
	i, pull := w.fixedIn("colony:in-review")
	i.Label("reviewer[bot]", "colony:merge-pending")
	w.Settle()
	i.Must(w.github.MergePullRequest("acme", "widgets", pull, "dev[bot]"))
	w.Settle()
	i.Has("colony:done")
}

// An approving review sends an issue to its merger where the repository follows approvals.
func TestAReviewSendsTheIssueOnWhereApprovalsAreFollowed(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*config.Config){
		"colony:human-review-ready": acme.Follows,
		"colony:merge-pending":      func(c *config.Config) { c.Follow = lifecycle.EveryReading() },
	} {
		w := newWorld(t, change)
		i, pull := w.fixedIn("colony:human-review-ready")
		i.Review(pull, "APPROVE", "reviewer[bot]")
		w.Settle()
		i.Has("colony:human-review-ready")
		i.Review(pull, "APPROVE", "olivia")
		w.Settle()
		i.Has(want)
	}
}
