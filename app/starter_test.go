package app_test

import (
	"testing"

	"github.com/colony-app/colony/app/setup"
	"github.com/colony-app/colony/policy"
)

// What "colony init" writes runs the pipeline of the document without another setting: from an issue that somebody opens to the merge, each
// executor doing no more than its own part.
func TestTheStarterRunsTheWholePipeline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, string(setup.Starter))
	i := w.open("ada", "")
	i.Settle()
	i.Has("colony:analyzing") // taken in, and handed to the analyzer
	i.Label("analyzer[bot]", "colony:needs-clarification")
	i.Settle()
	i.Comment("ada", "It is red.")
	i.Settle()
	i.Has("colony:analyzing")
	i.Label("analyzer[bot]", "colony:ready-for-dev")
	i.Settle()
	i.Has("colony:in-development")
	pull := i.Fixed()
	i.Label("dev[bot]", "colony:in-review")
	i.Settle()
	i.Label("reviewer[bot]", "colony:changes-requested")
	i.Settle()
	i.Has("colony:in-development")
	i.Label("dev[bot]", "colony:in-review")
	i.Settle()
	i.Label("reviewer[bot]", "colony:human-review-ready")
	i.Settle()
	i.Has("colony:human-review-ready")
	i.Must(i.github.MergePullRequest("acme", "widgets", pull, "olivia"))
	i.Settle()
	i.Has("colony:done")
	if state := i.Closed(); state != "completed" {
		t.Errorf("the issue is closed as %q", state)
	}
}
