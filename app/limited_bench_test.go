package app_test

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/ratelimit"
)

// BenchmarkLimited shows what a limited installation costs: a thousand label edits, and a thousand commands, while one call of
// twenty is answered with 403 or 429 and Retry-After: 1, beside the same without limits. The clock runs five times as fast as the
// real one: a limit lasts long enough for the process to spend on it what it would spend on a real one.
//
//	go test ./app -run '^$' -bench Limited -benchtime 1x
//
// cpu-s is what the whole process used, the playground and the test included; idle-cpu-s is what it would have used in as much real
// time without any work, which is its clock's most of all; s is the time until all was done, limited-s how much of
// that Colony had to wait for GitHub; calls is how many calls Colony made, limits how many of them were answered with a limit.
func BenchmarkLimited(b *testing.B) {
	const issues = 1000
	for _, work := range []struct {
		name string
		ask  func(*issue)
	}{
		{"label edits", func(i *issue) { i.Label("olivia", "colony:analyzing") }},
		{"commands", func(i *issue) { i.Comment("olivia", "/colony:move analyzing") }},
	} {
		for _, limited := range []bool{false, true} {
			name := work.name
			if limited {
				name += ", limited"
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					limits := &moodyGitHub{rng: rand.New(rand.NewPCG(1, 2))}
					w := newWorldWithoutColony(b, func(c *config.Config) {
						c.GitHub.Budget = ratelimit.Settings{} // GitHub's limits, not Colony's own
						c.Queue.Concurrency = 16
					})
					limits.clock, w.transport = w.clock, limits
					w.github.SetRateLimit(1 << 30)
					w.start()
					w.install()
					var all []*issue
					for range issues {
						all = append(all, w.open("olivia", "", "colony:new"))
					}
					w.Settle()
					w.Issues = nil // silence is proved elsewhere
					w.github.ResetCalls()
					b.StartTimer()

					began, started, cpu := w.clock.Now(), time.Now(), processorTime(b)
					limits.reset(limited)
					stop := w.hurry()
					for _, i := range all {
						work.ask(i)
					}
					w.untilNothingIsLeft()
					used, took, lasted := processorTime(b)-cpu, w.clock.Since(began), time.Since(started)

					b.StopTimer()
					cpu = processorTime(b)
					<-time.After(time.Second)
					idle := (processorTime(b) - cpu).Seconds() * lasted.Seconds()
					stop()
					limits.set(false)
					for _, i := range all {
						if labels := i.Labels(); len(labels) != 1 || labels[0] != "colony:analyzing" {
							b.Fatalf("#%d ended with %v", i.Number, labels)
						}
					}
					b.ReportMetric(used.Seconds(), "cpu-s")
					b.ReportMetric(idle, "idle-cpu-s")
					b.ReportMetric(took.Seconds(), "s")
					b.ReportMetric(limits.waited.Seconds(), "limited-s")
					b.ReportMetric(float64(limits.refused), "limits")
					b.ReportMetric(float64(limits.calls), "calls")
					w.stopColony()
					b.StartTimer()
				}
			})
		}
	}
}

// moodyGitHub answers one call of twenty that is for an installation with a limit, once the test says so.
type moodyGitHub struct {
	clock clockwork.Clock

	mu             sync.Mutex
	rng            *rand.Rand
	on             bool
	calls, refused int
	waited         time.Duration // in which a limit held
	until          time.Time
}

func (m *moodyGitHub) set(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.on = on
}

func (m *moodyGitHub) reset(on bool) {
	m.set(on)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls, m.refused, m.waited = 0, 0, 0
}

func (m *moodyGitHub) RoundTrip(r *http.Request) (*http.Response, error) {
	if status := m.limit(r); status != 0 {
		return &http.Response{
			StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
			Header: http.Header{"Retry-After": {"1"}, "Content-Type": {"application/json"}},
			Body:   io.NopCloser(strings.NewReader(`{"message": "You have exceeded a secondary rate limit."}`)),
		}, nil
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (m *moodyGitHub) limit(r *http.Request) (status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !strings.Contains(r.URL.Path, "/repos/") {
		return 0
	}
	m.calls++
	if !m.on || m.rng.IntN(20) > 0 {
		return 0
	}
	m.refused++
	now, until := m.clock.Now(), m.clock.Now().Add(time.Second)
	if now.After(m.until) {
		m.until = now
	}
	m.waited += until.Sub(m.until)
	m.until = until
	return [...]int{http.StatusForbidden, http.StatusTooManyRequests}[m.refused%2]
}

// hurry lets the clock run five times as fast as the real one until the test stops it.
func (w *world) hurry() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				w.clock.Advance(25 * time.Millisecond)
			}
		}
	}()
	return func() { close(end); <-ended }
}

// untilNothingIsLeft waits until the queue holds nothing, be it due or not.
func (w *world) untilNothingIsLeft() {
	w.t.Helper()
	w.Must(w.github.Quiet(ctx))
	for {
		answer := httptest.NewRecorder()
		w.colony.server.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", http.NoBody))
		var r struct{ Queue queue.Counts }
		w.Must(json.Unmarshal(answer.Body.Bytes(), &r))
		if r.Queue.Dead > 0 {
			w.t.Fatalf("%d requests were given up", r.Queue.Dead)
		}
		if r.Queue.Waiting+r.Queue.Running+r.Queue.Delayed == 0 {
			return
		}
		<-time.After(500 * time.Millisecond) // of the real clock: the other one runs
	}
}

func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
