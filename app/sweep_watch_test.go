package app_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

// A process that starts knows nothing of the issues that nobody changed. It reads as many of them as the setting says, also if more fit on a
// page of the list.
func TestSweepWatchesNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t), acme.Follows, func(c *config.Config) { c.GitHub.Budget.Points, c.Sweep.Watch = 0, 20 })
	w.Deaf()
	for range 45 {
		w.open("olivia", "", "colony:human-review-ready")
	}
	w.Sweep()
	w.stopColony()
	w.clock.Advance(100 * time.Hour)
	w.github.ResetCalls()
	w.start()
	w.Settle()
	read := map[string]bool{}
	for _, c := range w.github.Calls() {
		if c.Route == "/repos/{owner}/{repo}/issues/{issue_number}/events" && c.Actor == "colony[bot]" {
			read[c.Path] = true
		}
	}
	if len(read) == 0 || len(read) > 20 {
		t.Errorf("a sweep has read %d issues that nobody changed, want 20 at most", len(read))
	}
}
