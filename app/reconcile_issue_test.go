package app_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/policy"
)

// Colony is killed at each call while it takes an issue in; the next one finishes what it began, and writes no comment.
func TestCrashWhileAnIssueIsTakenIn(t *testing.T) {
	t.Parallel()
	change := acme.TakesIn(policy.Labelled)
	scenario := func(w *world) []*issue {
		i := w.open("ada", "")
		i.Label("olivia", "colony:enqueue")
		return []*issue{i}
	}
	everyCrash(t, change, func(*world) {}, scenario, func(_ *world, issues []*issue) { issues[0].Has("colony:new") })
}

// everyCrash plays a scenario once for each call of Colony's, and ends Colony after that call. What has to hold is asked once the
// next Colony has had its time.
func everyCrash(t *testing.T, change func(*config.Config), before func(*world), scenario func(*world) []*issue, holds func(*world, []*issue)) {
	t.Helper()
	play := func(k int) (calls int) {
		w := newWorldWithoutColony(t, change, onDisk(t))
		crash := &crashingTransport{}
		w.transport = crash
		w.start()
		w.install()
		before(w)
		w.Settle()
		crash.after(k)
		issues := scenario(w)
		w.Settle()
		calls = crash.calls()
		w.stopColony()
		w.transport = nil
		w.start()
		for range 6 {
			w.clock.Advance(time.Minute)
			w.Settle()
		}
		w.Sweep()
		holds(w, issues)
		w.Silence()
		w.stopColony()
		return calls
	}
	calls := play(0)
	if calls < 4 {
		t.Fatalf("only %d calls: nothing to end in between", calls)
	}
	for k := range crashPoints(calls - 1) {
		play(k)
		if t.Failed() {
			t.Fatalf("after a crash behind call %d of %d", k, calls)
		}
	}
}
