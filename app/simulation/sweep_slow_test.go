package simulation

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/ratelimit"
)

// labels are the labels of an issue.
func (w *slowGitHub) labels(number int) []string {
	w.Helper()
	var labels []struct{ Name string }
	w.call("mona", http.MethodGet, fmt.Sprintf("/repos/acme/widgets/issues/%d/labels", number), nil, &labels)
	var names []string
	for _, l := range labels {
		names = append(names, l.Name)
	}
	return names
}

func (w *slowGitHub) isIn(number int, label string) {
	w.Helper()
	if labels := w.labels(number); len(labels) != 1 || labels[0] != label {
		w.Errorf("#%d has the labels %v, want %s", number, labels, label)
	}
}

// wantChanges asks for changes of the pull request of an issue: that moves it.
func (w *slowGitHub) wantChanges(issue int) {
	w.Helper()
	_, err := w.github.ReviewPullRequest("acme", "widgets", issue+1, "REQUEST_CHANGES", "so be it", "mona")
	w.must(err)
}

func unpaced(c *config.Config) { c.GitHub.Budget = ratelimit.Settings{}; c.Sweep.Watch = 1000 }

// A sweep of slow calls needs more than the time of one task: what it read of some issues counts.
func TestASweepOfASlowGitHubComesToItsEnd(t *testing.T) {
	t.Parallel()
	w := newSlowGitHub(t, unpaced)
	all := w.inReview(40)
	last := all[len(all)-1]
	w.wantChanges(last)
	w.took = 200 * time.Millisecond
	calls, took := w.sweep(10 * time.Minute)
	w.isIn(last, "colony:changes-requested")
	if len(w.queue.dead) > 0 {
		t.Errorf("given up: %v", w.queue.dead)
	}
	if took < taskTime {
		t.Errorf("the sweep took %s, which fits into one task: this test shows nothing", took)
	}
	if most := callsOfOneInReview * len(all); calls > most {
		t.Errorf("the sweep took %d calls, more than %d", calls, most)
	}
	t.Logf("%d calls in %s", calls, took)
}

// An issue that cannot be read within the time of a task, or at all, does not keep the others from being swept.
func TestASweepGoesOnWithoutAnIssueThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, hinder := range map[string]func(w *slowGitHub, issue int){
		"its calls fail":     func(w *slowGitHub, issue int) { w.failing = fmt.Sprintf("/api/v3/repos/acme/widgets/issues/%d", issue) },
		"its calls are slow": func(w *slowGitHub, issue int) { w.slow = fmt.Sprintf("/api/v3/repos/acme/widgets/issues/%d", issue) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSlowGitHub(t, unpaced)
			all := w.inReview(10)
			last := all[len(all)-1]
			w.wantChanges(last)
			hinder(w, all[4])
			w.must(w.worker.Sweeper.Sweep(t.Context()))
			for n := 0; w.step() && len(w.queue.dead) == 0; n++ {
				if n == 1000 {
					t.Fatal("there is no end to the sweep")
				}
			}
			w.isIn(last, "colony:changes-requested")
			if n := len(w.queue.dead); n != 1 || w.queue.dead[0].Issue != all[4] {
				t.Errorf("given up are %v, want the request for #%d", w.queue.dead, all[4])
			}
		})
	}
}

// While a sweep takes its time, an edit finds as many points as it needs.
func TestASweepLeavesBudgetForPeople(t *testing.T) {
	t.Parallel()
	w := newSlowGitHub(t, func(c *config.Config) { c.Sweep.Watch = 1000 })
	w.inReview(40)
	w.took = time.Millisecond
	w.must(w.worker.Sweeper.Sweep(t.Context()))
	for steps := 0; w.step(); steps++ {
		if left := w.parts.Limiter.Points(w.repo.Installation); left < 2*ratelimit.PointsOfReconciliation {
			t.Fatalf("after %d steps %v points are left", steps, left)
		}
		if until, waits := w.parts.Limiter.List().Requests[w.repo.Installation]; waits {
			t.Fatalf("after %d steps requests wait until %s", steps, until)
		}
	}
}

// byTimer asks for a sweep as the timer does.
func (w *slowGitHub) byTimer() {
	w.Helper()
	w.must(w.worker.Sweeper.SweepAsTimer(w.Context()))
}

// callsOfOneInReview is about what an issue in review costs, with its part of the lists.
const callsOfOneInReview = 6

// The next sweep does not read again what one that ended has read.
func TestASweepIsGoneOnWith(t *testing.T) {
	t.Parallel()
	for name, goOn := range map[string]func(w *slowGitHub){
		"by another replica": func(w *slowGitHub) { w.start() },
		"by the next sweep, if GitHub was down": func(w *slowGitHub) {
			w.down = true
			for len(w.queue.dead) == 0 {
				w.step()
			}
			w.down, w.queue.dead, w.calls = false, nil, 0
			w.start()
			w.byTimer()
		},
		"alone, if the timer asks for another": func(w *slowGitHub) {
			for range 3 {
				w.byTimer()
				w.clock.Advance(time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSlowGitHub(t, unpaced)
			all := w.inReview(40)
			last := all[len(all)-1]
			w.wantChanges(last)
			w.took, w.calls = 100*time.Millisecond, 0
			w.byTimer()
			for w.calls < len(all)*callsOfOneInReview/2 {
				w.step()
			}
			read := w.calls
			goOn(w)
			w.rest(time.Hour)
			w.isIn(last, "colony:changes-requested")
			if w.calls < read { // they were counted anew
				w.calls += read
			}
			if most := len(all) * callsOfOneInReview; w.calls > most {
				t.Errorf("the sweep took %d calls, more than %d", w.calls, most)
			}
		})
	}
}

// A sweep that somebody asks for takes the place of the one under way, and sees what that had passed already.
func TestARequestedSweepBeginsAnew(t *testing.T) {
	t.Parallel()
	w := newSlowGitHub(t, unpaced)
	all := w.inReview(20)
	w.took, w.calls = 100*time.Millisecond, 0
	w.byTimer()
	for w.calls < len(all)*callsOfOneInReview/2 {
		w.step()
	}
	w.wantChanges(all[0])
	w.sweep(time.Hour)
	w.isIn(all[0], "colony:changes-requested")
	w.clock.Advance(time.Hour)
	w.wantChanges(all[1])
	w.byTimer()
	w.rest(time.Hour)
	w.isIn(all[1], "colony:changes-requested")
}

// BenchmarkSweepOfIssuesInReview sweeps 200 issues whose state has triggers on their pull requests, at 100 ms a call and with the budget of
// points. The floor is what the same issues cost without either.
func BenchmarkSweepOfIssuesInReview(b *testing.B) {
	measure := func(b *testing.B, took time.Duration, change func(*config.Config)) (calls int, lasted time.Duration) {
		b.Helper()
		w := newSlowGitHub(b, change)
		w.inReview(200)
		w.took = took
		calls, lasted = w.sweep(24 * time.Hour)
		if len(w.queue.dead) > 0 {
			b.Errorf("given up: %v", w.queue.dead)
		}
		return calls, lasted
	}
	for b.Loop() {
		floor, _ := measure(b, 0, unpaced)
		calls, lasted := measure(b, 100*time.Millisecond, func(*config.Config) {})
		b.ReportMetric(float64(floor), "calls/floor")
		b.ReportMetric(float64(calls), "calls/sweep")
		b.ReportMetric(lasted.Minutes(), "minutes/sweep")
	}
}

// BenchmarkSweepOfAnOrganisation sweeps 200 repositories with 50 issues each, at 100 ms a call and with the budget of points: what a
// new process does, with every issue touched within the horizon, and then a sweep where nothing has happened.
func BenchmarkSweepOfAnOrganisation(b *testing.B) {
	const repositories, each = 200, 50
	for b.Loop() {
		w := newSlowGitHub(b)
		for r := range repositories {
			w.github.AddRepository("acme", gadgets(r))
			w.github.SetPermission("acme", gadgets(r), "olivia", "write")
		}
		w.sweep(24 * time.Hour) // puts the labels there
		for r := range repositories * each {
			w.call("olivia", http.MethodPost, "/repos/acme/"+gadgets(r/each)+"/issues", map[string]any{"title": "A gadget", "labels": []string{"colony:new"}}, &struct{}{})
		}
		w.clock.Advance(10 * time.Minute)
		w.start()
		w.took = 100 * time.Millisecond
		calls, lasted := w.sweep(24 * time.Hour)
		b.ReportMetric(float64(calls), "calls/all-touched")
		b.ReportMetric(lasted.Minutes(), "minutes/all-touched")
		w.sweep(24 * time.Hour) // sees what Colony itself changed
		calls, lasted = w.sweep(24 * time.Hour)
		b.ReportMetric(float64(calls), "calls/quiet")
		b.ReportMetric(lasted.Minutes(), "minutes/quiet")
	}
}

func gadgets(number int) string { return fmt.Sprintf("gadgets-%d", number) }
