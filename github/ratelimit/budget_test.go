package ratelimit

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// Three requests that each begin anew when there are no points left need more reads than a reconciliation does as a rule. They get them in a
// few attempts.
func TestWhatNeedsManyReadsGetsThemAtLast(t *testing.T) {
	t.Parallel()
	const installation, reads, attempts = 7, 100, 12
	clock := clockwork.NewFakeClock()
	l := NewLimiter(Settings{Points: 900}, clock)
	points := l.budget(installation).points
	points.AllowN(clock.Now(), points.Burst()/2) // reads find none
	asked := l.Middleware(RoundTripperFunc(func(*http.Request) (*http.Response, error) { return &http.Response{}, nil }))
	attempt := func() time.Duration {
		ctx := WithCaller(context.Background(), Caller{Installation: installation, Waited: true})
		for range reads {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://github.test/repos/acme/widgets/issues/1", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			_, err = asked.RoundTrip(request)
			if limited := (*Error)(nil); errors.As(err, &limited) {
				return limited.Wait
			} else if err != nil {
				t.Fatal(err)
			}
		}
		return 0
	}
	began := clock.Now()
	due := []time.Time{began, began, began}
	for n := range attempts * len(due) {
		next := slices.IndexFunc(due, func(at time.Time) bool { return at.Equal(slices.MinFunc(due, time.Time.Compare)) })
		clock.Advance(max(0, due[next].Sub(clock.Now())))
		wait := attempt()
		if wait > 0 {
			due[next] = clock.Now().Add(wait)
			continue
		}
		if due = slices.Delete(due, next, next+1); len(due) == 0 {
			t.Logf("after %d attempts and %s", n+1, clock.Since(began))
			return
		}
	}
	t.Errorf("%d of 3 requests have not come through after %s", len(due), clock.Since(began))
}
