package board

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// How long the page Needs you takes over HTTP where there are ten thousand issues in two hundred repositories, each of which was moved ten
// times, while fifty issues are observed each second; and how much the process keeps in memory.
func BenchmarkNeedsYou(b *testing.B) {
	for _, waiting := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("%d wait", waiting), func(b *testing.B) {
			clock := clockwork.NewFakeClockAt(start.Add(20 * day))
			x := NewIndex("https://github.test", Window, clock)
			life := *colony()
			life.TimeOuts = nil // or others would wait as well
			observed := func(n int) reconcile.Observed {
				moves := []any{"new", time.Hour}
				for m := range 8 {
					moves = append(moves, []string{"in-development", "in-review"}[m%2], time.Duration(n%1000)*time.Minute)
				}
				if n < waiting {
					moves = append(moves, "failure-blocked", time.Hour)
				}
				o := seen(b, n, moves...)
				o.Settings.Lifecycle = &life
				o.Request.Name = fmt.Sprintf("widgets-%d", n%200)
				o.View.Labels = []string{"colony:" + o.Standing.State, "bug", "area/painting"}
				return o
			}
			for n := range 10_000 {
				x.Observe(observed(n))
			}
			if got := len(x.Waiting(x.Repositories())); got != waiting {
				b.Fatalf("%d issues wait", got)
			}
			server := httptest.NewServer(NewPages(Options{Index: x, Gate: Open{}, GitHub: "https://github.test", Clock: clock, Log: zerolog.Nop()}).Handler())
			defer server.Close()
			var others sync.WaitGroup
			stop := make(chan struct{})
			others.Go(func() {
				tick := time.NewTicker(time.Second / 50)
				defer tick.Stop()
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					case <-tick.C:
						x.Observe(observed(n % 10_000))
					}
				}
			})
			var took []time.Duration
			size := int64(0)
			for b.Loop() {
				began := time.Now()
				size = get(b, server.URL+Root)
				took = append(took, time.Since(began))
			}
			close(stop)
			others.Wait()
			report(b, took, size)
			runtime.KeepAlive(x)
		})
	}
}

// get reads a page, and returns its size.
func get(b *testing.B, address string) int64 {
	b.Helper()
	response, err := http.Get(address)
	if err != nil {
		b.Fatal(err)
	}
	size, err := io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("the page is answered with %d: %v", response.StatusCode, err)
	}
	return size
}

func report(b *testing.B, took []time.Duration, size int64) {
	b.Helper()
	slices.Sort(took)
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(percentile(took, 50))/float64(time.Millisecond), "p50-ms")
	b.ReportMetric(float64(percentile(took, 99))/float64(time.Millisecond), "p99-ms")
	b.ReportMetric(float64(size)/1024, "page-KB")
	b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "heap-MB")
	b.ReportMetric(0, "ns/op")
}

// The flow of a repository with two hundred issues, from what is kept of each.
func BenchmarkFlow(b *testing.B) {
	x := NewIndex("https://github.test", Window, clockwork.NewFakeClockAt(start.Add(20*day)))
	for n := range 200 {
		x.Observe(seen(b, n, "new", time.Hour, "in-development", time.Duration(n)*time.Hour, "in-review", time.Hour, "done", day))
	}
	repo := issues.Repository{Owner: "acme", Name: "widgets"}
	for b.Loop() {
		if f, ok := x.Flow(repo.Owner, repo.Name); !ok || len(f.InState) == 0 {
			b.Fatal("there is no flow")
		}
	}
}
