package app_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/github/ratelimit"
)

// How many reads of a sweep GitHub answers with "not modified", so that they cost nothing of the hour's calls. Every issue has a pull
// request and is in a state with triggers on its reviews and checks, so that each sweep reads it anew.
func BenchmarkConditionalReads(b *testing.B) {
	for _, issues := range []int{40, 200, 1000} {
		b.Run(fmt.Sprintf("%d issues", issues), func(b *testing.B) {
			w := newWorld(b, acme.Follows, func(c *config.Config) {
				c.Sweep.Interval, c.Sweep.Watch = 0, issues
				c.GitHub.Budget = ratelimit.Settings{} // what a budget makes wait is read twice
			})
			w.Patience = 20 * time.Minute
			w.github.SetRateLimit(1 << 30)
			w.Commit("widgets", ".github/colony-lifecycle.yml", acme.RowsLifecycle(`triggers:
  - {on: review-changes-requested, in: state-a, to: state-b, why: A review requested changes}
  - {on: checks-failed, in: state-a, to: state-c, why: The checks failed}
`))
			w.Settle()
			w.github.SetWebhookURL(appID, "")
			for range issues {
				i := w.OpenIn("colony:a", "Paint it.")
				i.Fixed()
			}
			w.Issues = nil // silence is proved elsewhere
			for range 2 {  // the first sees what changed a moment ago
				w.Sweep()
				w.rest()
			}
			for b.Loop() {
				w.clock.Advance(10 * time.Minute)
				w.github.ResetCalls()
				w.Sweep()
				w.rest()
			}
			reads, unmodified := 0, 0
			for _, c := range w.github.Calls() {
				if c.Actor != "colony[bot]" || c.Method != http.MethodGet {
					continue
				}
				reads++
				if c.Status == http.StatusNotModified {
					unmodified++
				}
			}
			b.ReportMetric(float64(reads)/float64(issues), "reads/issue")
			b.ReportMetric(100*float64(unmodified)/float64(reads), "%304")
			b.ReportMetric(0, "ns/op")
		})
	}
}
