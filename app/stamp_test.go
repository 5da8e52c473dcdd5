package app_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/statemachine"
)

// What everybody reads in the label picker, and Colony too.
var forcedDescription = regexp.MustCompile(`^Colony marks forced moves\. Here since (\S+); rules (\w+) since (\S+)\.$`)

func (w *world) forcedDescription() string {
	w.t.Helper()
	label, _, err := w.as("mona").Issues.GetLabel(ctx, "acme", "widgets", statemachine.Forced)
	w.must(err)
	return label.GetDescription()
}

// A repository that an earlier Colony provisioned keeps since when it is judged, and gets the words of today.
func TestDescriptionOfAnEarlierColonyIsUnderstood(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"one time":            "Set by Colony around a forced move. Since %[1]s (%[2]s).",
		"two times":           "Set by Colony around a forced move. Since %[1]s, labels %[3]s (%[2]s).",
		"without rules":       "Set by Colony around a forced move. Labels judged since %[1]s.",
		"as it is told today": "Colony marks forced moves. Here since %[1]s; rules %[2]s since %[3]s.",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			before := w.forcedDescription()
			m := forcedDescription.FindStringSubmatch(before)
			if m == nil {
				t.Fatalf("the label picker shows %q", before)
			}
			i := w.open("olivia", "", "colony:in-review")
			w.settle()
			w.stopColony()
			w.clock.Advance(time.Minute)
			i.label("olivia", "colony:new")
			w.clock.Advance(time.Minute)
			_, _, err := w.as("mona").Issues.EditLabel(ctx, "acme", "widgets", statemachine.Forced, &github.Label{Description: new(fmt.Sprintf(form, m[1], m[2], m[3]))})
			w.must(err)
			w.start()
			w.sweep()
			i.has("colony:in-review", "colony:needs-human") // else what was done while Colony was away would be settled
			i.colonySays("from `in-review` to `new`")
			if after := w.forcedDescription(); after != before {
				t.Errorf("the label picker shows %q, and showed %q", after, before)
			}
		})
	}
}
