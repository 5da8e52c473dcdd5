package reconcile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/bench/acme"
)

// fill gives an issue further labels until it has so many.
func (w *world) fill(i *issue, total int) {
	w.t.Helper()
	var names []string
	for n := len(i.Labels()); n < total; n++ {
		names = append(names, fmt.Sprintf("x-%02d", n))
	}
	i.Label("olivia", names...)
	w.Settle()
}

// colonys are the labels of an issue that are Colony's, and how many it has.
func colonys(i *issue) string {
	all := i.Labels()
	return fmt.Sprint(slices.DeleteFunc(slices.Clone(all), func(l string) bool { return !strings.HasPrefix(l, "colony:") }), len(all))
}

// An issue can have as many labels as GitHub allows. What has to go goes all the same.
func TestAnIssueWithAsManyLabelsAsGitHubAllows(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		labels int
		does   func(i *issue)
		end    string
		says   []string
	}{
		"an illegal request that fills it": {99, func(i *issue) { i.Label("dev[bot]", "colony:done") }, "[colony:failure-blocked colony:needs-human] 100", []string{"`done`"}},
		"an illegal swap": {100, func(i *issue) {
			i.Unlabel("dev[bot]", "colony:in-development")
			i.Label("dev[bot]", "colony:done")
		}, "[colony:failure-blocked] 100", []string{"`done`"}},
		"a command":         {100, func(i *issue) { i.Comment("olivia", "/colony:pause lunch") }, "[colony:paused] 100", nil},
		"a legal move":      {99, func(i *issue) { i.Label("olivia", "colony:in-review") }, "[colony:in-review] 99", nil},
		"a refused command": {100, func(i *issue) { i.Comment("dev[bot]", "/colony:move done") }, "[colony:failure-blocked] 100", []string{"`done`"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-development")
			w.fill(i, row.labels)
			w.HoldDeliveries()
			row.does(i)
			w.ReleaseDeliveries(nil)
			w.Settle()
			if got := colonys(i); got != row.end {
				t.Errorf("it has %s", got)
			}
			if row.says != nil {
				i.ColonySays(row.says...)
			}
			i.ReadsReactions()
		})
	}
}

// Where no label has room, the mark that records what a guard granted has none either. Colony does not try again and again.
func TestAGrantOnAnIssueWithAsManyLabelsAsGitHubAllows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Guard(acme.Leads)
	i := w.stateful("colony:in-review")
	w.fill(i, 99)
	before := w.Asked("/issues/1")
	w.HoldDeliveries()
	i.Swap("mona", "colony:in-review", "colony:merge-pending")
	i.Label("mona", "full")
	w.ReleaseDeliveries(nil)
	w.Settle()
	if got := colonys(i); got != "[colony:merge-pending] 100" {
		t.Errorf("it has %s", got)
	}
	if calls := w.Asked("/issues/1") - before; calls > 20 {
		t.Errorf("Colony made %d calls", calls)
	}
}
