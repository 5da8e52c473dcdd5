package app_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/ratelimit"
)

// BenchmarkBoard starts a Colony with a board where there are ten thousand old issues in two hundred repositories, a tenth of which wait for
// a person, and asks it for the page Needs you, over and over, while fifty webhooks a second come in, each of a label that is edited.
//
//	go test ./app -run '^$' -bench Board -benchtime 20s -timeout 30m
//
// filled-s is how long it took from the start until all logs were read, calls/issue how many calls that were; p50-ms and p99-ms are of the
// pages, heap-MB is what the process kept in memory at the end more than before Colony started: the playground and the test run in the same.
func BenchmarkBoard(b *testing.B) {
	const repositories, perRepository, each = 200, 50, time.Second / 50
	w := newWorldWithoutColony(b, func(c *config.Config) {
		c.GitHub.Budget = ratelimit.Settings{} // the time of the computer, not that of GitHub's limits
		c.Sweep.Watch = 0
	})
	w.Patience = 20 * time.Minute
	w.board = board.Open{}
	w.github.SetRateLimit(1 << 30)
	name := func(n int) string { return fmt.Sprintf("widgets-%d", n%repositories) }
	for n := range repositories {
		w.github.AddRepository("acme", name(n))
		w.github.SetPermission("acme", name(n), "olivia", "write")
	}
	for n := range repositories * perRepository {
		state := "colony:in-review"
		if n%10 == 0 {
			state = "colony:needs-clarification"
		}
		_, _, err := w.As("olivia").Issues.Create(ctx, "acme", name(n), &github.IssueRequest{Title: new(fmt.Sprintf("Widget %d", n)), Body: new("It does not turn."), Labels: &[]string{state}})
		w.Must(err)
	}
	w.clock.Advance(100 * time.Hour)
	before := heap()

	w.github.Install(appID, "acme")
	w.github.ResetCalls()
	began := time.Now()
	w.start()
	w.Quiet()
	filled := time.Since(began)
	calls := len(w.github.Calls())

	var edits sync.WaitGroup
	stop := make(chan struct{})
	edits.Go(func() {
		tick := time.NewTicker(each)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			w.clock.Advance(each)
			to := []string{"colony:changes-requested", "colony:in-review"}[n/900%2]
			one := n%900/9*10 + n%9 + 1 // each tenth waits, and goes on waiting
			_, _, err := w.As("olivia").Issues.AddLabelsToIssue(ctx, "acme", name(one), 1+one/repositories, []string{to})
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
	var took []time.Duration
	for b.Loop() {
		at := time.Now()
		response, err := http.Get(w.colony.address + "/board")
		w.Must(err)
		_, err = io.Copy(io.Discard, response.Body)
		w.Must(err)
		w.Must(response.Body.Close())
		took = append(took, time.Since(at))
	}
	close(stop)
	edits.Wait()
	w.Quiet()
	slices.Sort(took)
	percentile := func(p int) float64 { return float64(took[(len(took)*p+99)/100-1]) / float64(time.Millisecond) }
	w.github.ResetCalls()
	b.ReportMetric(percentile(50), "p50-ms")
	b.ReportMetric(percentile(99), "p99-ms")
	b.ReportMetric(float64(heap()-before)/(1<<20), "heap-MB")
	b.ReportMetric(filled.Seconds(), "filled-s")
	b.ReportMetric(float64(calls)/(repositories*perRepository), "calls/issue")
	b.ReportMetric(0, "ns/op")
	if waiting := len(w.waiting()); waiting != 100 { // of a thousand, a page
		b.Errorf("%d issues wait on the page", waiting)
	}
}

// heap is how much memory is in use.
func heap() int64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return int64(memory.HeapAlloc)
}
