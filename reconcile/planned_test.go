package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
)

// An issue without a pull request waits for an older one that changes the files that it is going to change, and goes on when that is merged.
func TestFilesCountBeforeThereIsAPullRequest(t *testing.T) {
	t.Parallel()
	const plan = "It is clear.\n\n## Planned files\n\n- `shared.txt`\n"
	for name, c := range map[string]struct {
		text, by, comment string
		waits             bool
	}{
		"its text says so":                  {text: "Paint it.\n\n" + plan, waits: true},
		"an executor says so":               {text: "Paint it.", by: "analyzer[bot]", comment: plan, waits: true},
		"its text says something else":      {text: "## Planned files\n\nother.txt", by: "analyzer[bot]", comment: plan},
		"somebody else says so":             {text: "Paint it.", by: "rita", comment: plan},
		"an executor names it by the way":   {text: "Paint it.", by: "analyzer[bot]", comment: "See shared.txt"},
		"nobody says which files it is for": {text: "Paint it."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows)
			i := w.open("ada", c.text)
			older := i.Older("shared.txt")
			i.Label("olivia", "colony:analyzing")
			w.Settle()
			if c.comment != "" {
				i.Comment(c.by, c.comment)
			}
			i.Label("analyzer[bot]", "colony:ready-for-dev")
			w.Settle()
			if !c.waits {
				i.Has("colony:ready-for-dev")
				return
			}
			i.Has("colony:dependency-blocked")
			i.ColonySays("changes the same files, and goes first", "shared.txt")
			w.clock.Advance(time.Minute)
			i.Must(i.MergePullRequest("acme", "widgets", older, "mona"))
			w.Settle()
			i.Has("colony:ready-for-dev")
		})
	}
}

// A pull request that comes while another issue is developed holds that up, if it plans to change the same files.
func TestANewPullRequestHoldsUpWhatIsPlanned(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.\n\n## Files to change\n\nshared/\n")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Older("shared/red.txt")
	w.Settle()
	w.Sweep()
	i.Has("colony:dependency-blocked")
	i.ColonySays("changes the same files, and goes first", "shared/red.txt")
}

// A developer can say that its issue waits for another one, and for which. The issue goes on when that is closed, and if it waits for none.
func TestADeveloperSaysWhatItsIssueWaitsFor(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]func(i *issue, other int){
		"by label": func(i *issue, _ int) { i.Label("dev[bot]", "colony:dependency-blocked") },
		"by label, named first": func(i *issue, other int) {
			i.Comment("dev[bot]", fmt.Sprintf("/colony:depends-on #%d", other))
			i.Label("dev[bot]", "colony:dependency-blocked")
		},
		"by label, named then": func(i *issue, other int) {
			i.Label("dev[bot]", "colony:dependency-blocked")
			i.Comment("dev[bot]", fmt.Sprintf("/colony:depends-on #%d", other))
		},
		"by command": func(i *issue, other int) {
			i.Comment("dev[bot]", fmt.Sprintf("/colony:depends-on #%d\n/colony:move dependency-blocked", other))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows)
			i := w.open("ada", "Paint it.")
			other := i.Other()
			i.Label("olivia", "colony:in-development")
			w.Settle()
			w.clock.Advance(time.Minute)
			says(i, other)
			w.Settle()
			i.ReadsReactions()
			if name == "by label" {
				i.Has("colony:ready-for-dev")
				return
			}
			i.Has("colony:dependency-blocked")
			w.clock.Advance(time.Minute)
			i.CloseAs(other, "completed")
			w.Settle()
			i.Has("colony:ready-for-dev")
		})
	}
}
