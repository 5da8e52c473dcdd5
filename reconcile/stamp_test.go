package reconcile_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
)

// Everybody reads this in the label picker, and Colony too.
var forcedDescription = regexp.MustCompile(`^Colony marks forced moves\. Here since (\S+); rules (\w+) since (\S+)\.$`)

// A repository that an earlier Colony provisioned keeps since when it is judged, and gets the words of today.
func TestDescriptionOfAnEarlierColonyIsUnderstood(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"one time":                  "Set by Colony around a forced move. Since %[1]s (%[2]s).",
		"two times":                 "Set by Colony around a forced move. Since %[1]s, labels %[3]s (%[2]s).",
		"without rules":             "Set by Colony around a forced move. Labels judged since %[1]s.",
		"as Colony writes it today": "Colony marks forced moves. Here since %[1]s; rules %[2]s since %[3]s.",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			before := w.ForcedDescription()
			m := forcedDescription.FindStringSubmatch(before)
			if m == nil {
				t.Fatalf("the label picker shows %q", before)
			}
			i := w.open("olivia", "", "colony:in-review")
			w.Settle()
			w.stopColony()
			w.clock.Advance(time.Minute)
			i.Label("olivia", "colony:new")
			w.clock.Advance(time.Minute)
			_, _, err := w.As("mona").Issues.EditLabel(ctx, "acme", "widgets", lifecycle.Forced, &github.Label{Description: new(fmt.Sprintf(form, m[1], m[2], m[3]))})
			w.Must(err)
			w.start()
			w.Sweep()
			i.Has("colony:in-review", "colony:needs-human") // else what was done while Colony was away would be settled
			i.ColonySays("from `in-review` to `new`")
			if after := w.ForcedDescription(); after != before {
				t.Errorf("the label picker shows %q, and showed %q", after, before)
			}
		})
	}
}

// Anyone who may edit labels can write a date of the future into that description: it must not switch Colony off.
func TestStampOfTheFutureIsALostOne(t *testing.T) {
	t.Parallel()
	for _, restarts := range []bool{false, true} {
		t.Run(fmt.Sprintf("restarts %t", restarts), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-review")
			m := forcedDescription.FindStringSubmatch(w.ForcedDescription())
			ahead := w.clock.Now().AddDate(1, 0, 0).UTC().Format(time.RFC3339)
			if restarts {
				w.stopColony()
			}
			_, _, err := w.As("olivia").Issues.EditLabel(ctx, "acme", "widgets", lifecycle.Forced,
				&github.Label{Description: new(fmt.Sprintf("Colony marks forced moves. Here since %s; rules %s since %s.", ahead, m[2], ahead))})
			w.Must(err)
			if restarts {
				w.start()
			}
			w.Settle()
			if is := w.ForcedDescription(); strings.Contains(is, ahead) || !forcedDescription.MatchString(is) {
				t.Errorf("the label picker shows %q", is)
			}
			if got := acme.Value(w.metrics(), "colony_judging_start_altered_total", "how=ahead"); got != 1 {
				t.Errorf("%v alterations were counted", got)
			}
			w.clock.Advance(time.Second)
			i.Label("olivia", "colony:new")
			w.Settle()
			i.Has("colony:in-review", "colony:needs-human")
			i.ColonySays("from `in-review` to `new`")
			asked := i.Comment("olivia", "/colony:status")
			w.Settle()
			i.ColonyReacts(asked, "+1")
			i.ColonySays("`in-review`")
		})
	}
}

func TestStampThatMovedIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := forcedDescription.FindStringSubmatch(w.ForcedDescription())
	for _, c := range []struct{ how, description string }{
		{"moved", fmt.Sprintf("Colony marks forced moves. Here since 2020-01-01T00:00:00Z; rules %s since 2020-01-01T00:00:00Z.", m[2])},
		{"lost", "Mine."},
	} {
		_, _, err := w.As("olivia").Issues.EditLabel(ctx, "acme", "widgets", lifecycle.Forced, &github.Label{Description: &c.description})
		w.Must(err)
		w.Settle()
		if got := acme.Value(w.metrics(), "colony_judging_start_altered_total", "how="+c.how); got != 1 {
			t.Errorf("%s: %v alterations were counted", c.how, got)
		}
	}
	if got := acme.Value(w.metrics(), "colony_judging_start_altered_total", "how=ahead"); got != 0 {
		t.Errorf("%v were ahead", got)
	}
}
