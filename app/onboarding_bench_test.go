package app_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/client"
)

// callTime is what a call of GitHub's API takes.
const callTime = 50 * time.Millisecond

// BenchmarkMoveDuringOnboarding shows how long a person waits for a legal move to be finished while the labels of 200 repositories are
// made, beside the same where nothing else is going on. The clock is the real one, and each call takes 50 ms.
//
//	go test ./app -run '^$' -bench MoveDuringOnboarding -benchtime 10x
//
// ms/move is the mean from the answer to the person until the old label is gone, max-ms the longest; calls/move is what Colony asks for it,
// the floor of which is 50 ms each.
func BenchmarkMoveDuringOnboarding(b *testing.B) {
	const untouched = 20 // issues that nobody has moved; as many moves as can be measured
	for _, c := range []struct {
		name         string
		repositories int
		unbegun      bool
	}{
		{"floor", 0, false},
		{"in a repository that is done", onboardedAtMost, false},
		{"in one that was not begun", onboardedAtMost, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := newWorldAt(b, clockwork.NewRealClock(), func(c *config.Config) { c.Queue.Concurrency = queue.DefaultConcurrency })
			w.github.SetRateLimit(1 << 30) // of the person who asks all the time whether it is done, too
			names := w.optedIn(c.repositories)
			var ready []*partIssue
			if c.unbegun {
				for _, name := range names[len(names)-untouched:] {
					ready = append(ready, w.openAt(name, "colony:new"))
				}
			}
			server, err := app.New(ctx, w.config, app.Options{Transport: slow{client.NewTransport()}, Log: zerolog.Nop()})
			w.Must(err)
			w.run(server)
			w.Must(server.Idle(ctx)) // the sweep of the start finds nothing yet
			w.Installation = w.github.Install(appID, "acme")
			for w.provisioned("widgets") < 17 {
				<-time.After(callTime)
			}
			if !c.unbegun {
				for range untouched {
					ready = append(ready, w.openAt("widgets", "colony:new"))
				}
				<-time.After(time.Minute) // what was asked for them is done, and its points are back
			}
			var sum, longest time.Duration
			calls, moves := 0, 0
			for b.Loop() {
				i := ready[moves]
				before := w.callsIn(i.repo)
				began := time.Now()
				i.label("colony:analyzing")
				for !slices.Equal(i.labels(), []string{"colony:analyzing"}) {
					<-time.After(time.Millisecond)
				}
				took := time.Since(began)
				sum, longest = sum+took, max(longest, took)
				calls, moves = calls+w.callsIn(i.repo)-before, moves+1
			}
			if c.repositories > 0 && w.provisioned(names[len(names)-untouched-1]) > 1 {
				b.Fatal("the onboarding has ended: this shows nothing")
			}
			b.ReportMetric(float64(sum.Milliseconds())/float64(moves), "ms/move")
			b.ReportMetric(float64(longest.Milliseconds()), "max-ms")
			b.ReportMetric(float64(calls)/float64(moves), "calls/move")
		})
	}
}

// slow is a GitHub that is far away.
type slow struct{ next http.RoundTripper }

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(callTime):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return s.next.RoundTrip(r)
}
