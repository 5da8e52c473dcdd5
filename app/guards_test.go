package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/long"
)

// A Colony that is killed after any of its calls decides the same about a guarded move.
func TestStopAfterEveryCallOfAGuardedMove(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"olivia", "mona"} {
		for _, both := range []bool{false, true} {
			if !long.Whole() && both == (who == "mona") {
				continue
			}
			t.Run(fmt.Sprint(who, both), func(t *testing.T) {
				t.Parallel()
				scenario := func(w *world) {
					i := w.Issues[0]
					if both {
						i.Swap(who, "colony:in-development", "colony:in-review")
					} else {
						i.Label(who, "colony:in-review")
					}
				}
				guarded := func(w *world) {
					w.Guard(strings.ReplaceAll(strings.ReplaceAll(acme.Leads, "in-review", "in-development"), "merge-pending", "in-review"))
				}
				want, calls := endAfter(t, guarded, scenario, 0)
				for k := range crashPoints(calls) {
					if got, _ := endAfter(t, guarded, scenario, k); got != want {
						t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
					}
				}
				if !strings.Contains(want, map[string]string{"olivia": "[colony:in-development colony:needs-human]", "mona": "[colony:in-review]"}[who]) {
					t.Error(want)
				}
			})
		}
	}
}
