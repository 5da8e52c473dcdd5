package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
)

// What a sweep costs in calls that GitHub counts: at the first start with every issue touched within the horizon, at a start
// with one issue of a hundred touched, and the sweeps after that. The issues are in a state that nothing but people and executors
// moves: docs/costs.md has what the others add.
func BenchmarkSweep(b *testing.B) {
	for _, issues := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("%d issues", issues), func(b *testing.B) {
			w := newWorld(b, func(c *config.Config) {
				c.Sweep.Interval = 0 // none but those that are counted
				c.Follow = config.Default().Follow
			})
			w.Patience = 10 * time.Minute
			w.github.SetRateLimit(1 << 30)
			w.github.SetWebhookURL(appID, "")
			for range issues {
				w.open("olivia", "", "colony:new")
			}
			w.Issues = nil // silence is proved elsewhere
			restart := func() (reads int) {
				w.stopColony()
				w.github.ResetCalls()
				w.start()
				w.rest()
				reads, _ = w.Cost()
				return reads
			}
			all := restart()
			w.clock.Advance(100 * time.Hour)
			for n := 1; n <= issues; n += 100 {
				w.people.Label(n, "olivia", "colony:planning")
			}
			few := restart()
			for range 2 { // the first sees what Colony itself changed a moment ago
				w.Sweep()
				w.rest()
			}
			for b.Loop() {
				w.github.ResetCalls()
				w.Sweep()
				w.rest()
			}
			reads, _ := w.Cost()
			b.ReportMetric(float64(all), "calls/all-touched")
			b.ReportMetric(float64(few), "calls/one-in-100-touched")
			b.ReportMetric(float64(reads), "calls/quiet")
		})
	}
}

// rest lets time pass until a sweep of many steps has come to its end: until nothing is done and nothing waits for its time, be it
// that of a step or that of a budget.
func (w *world) rest() {
	w.t.Helper()
	for w.Quiet(); w.Delayed() > 0; w.Quiet() {
		w.clock.Advance(10 * time.Second)
	}
}
