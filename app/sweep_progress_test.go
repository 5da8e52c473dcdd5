package app_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

// inReview makes so many issues that each have a pull request and wait for what becomes of it. No webhook reports them.
func (w *world) inReview(issues int) []*issue {
	w.t.Helper()
	w.Deaf()
	var all []*issue
	for range issues {
		i := w.open("olivia", "", "colony:in-review")
		i.Fixed()
		all = append(all, i)
	}
	w.clock.Advance(10 * time.Minute) // the budgets are whole again
	return all
}

// sweepToItsEnd sweeps and lets time pass until nothing of it is left, for so long at most. It returns how many calls that was, those
// answered 304 too: they count against the points of a minute.
func (w *world) sweepToItsEnd(most time.Duration) int {
	w.t.Helper()
	w.github.ResetCalls()
	w.Must(w.colony.server.Sweep(ctx))
	w.Quiet()
	for begun := w.clock.Now(); w.Delayed() > 0; w.Quiet() {
		if w.clock.Since(begun) > most {
			w.t.Fatalf("the sweep has not ended after %s and %d calls", most, w.allCalls())
		}
		w.clock.Advance(time.Second)
	}
	return w.allCalls()
}

// allCalls counts Colony's calls for the installation.
func (w *world) allCalls() int {
	n := 0
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Installation == w.Installation {
			n++
		}
	}
	return n
}

// One step of a sweep may read less at once than its issues need: what was read of some must not be read again for
// the sake of the others.
func TestASweepThatIsCutGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	sweep := func(t *testing.T, points int) (calls int) {
		t.Helper()
		w := newWorld(t, acme.Follows, func(c *config.Config) { c.GitHub.Budget.Points = points; c.Sweep.Watch = 100 })
		all := w.inReview(60)
		last := all[len(all)-1]
		last.Review(last.Number+1, "REQUEST_CHANGES", "mona")
		calls = w.sweepToItsEnd(30 * time.Minute)
		last.Has("colony:changes-requested")
		for _, i := range all[:len(all)-1] {
			i.Has("colony:in-review")
		}
		if ended := acme.Value(w.metrics(), "colony_sweeps_total"); ended < 1 || ended > 2 { // that of the start can be one with it
			t.Errorf("%v sweeps came to their end, want 1, and that of the start", ended)
		}
		if dead := w.colony.ready().Queue.Dead; dead > 0 {
			t.Errorf("%d dead letters", dead)
		}
		return calls
	}
	floor, paced := sweep(t, 0), sweep(t, config.Default().GitHub.Budget.Points)
	t.Logf("%d calls without a budget, %d with it", floor, paced)
	if floor < 240 {
		t.Errorf("%d calls are within the budget: this test shows nothing", floor)
	}
	if paced > floor*5/4 {
		t.Errorf("a sweep that was cut cost %d calls, %d if it was not", paced, floor)
	}
}
