package budget

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
)

// clock is the simulated time of a world. It jumps to the next moment for which something waits, once nothing in this process can run before that.
type clock struct {
	*clockwork.FakeClock

	mu      sync.Mutex
	moments []time.Time // in their order
}

func newClock() *clock {
	return &clock{FakeClock: clockwork.NewFakeClockAt(time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC))}
}

// After implements clockwork.Clock.
func (c *clock) After(d time.Duration) <-chan time.Time { return c.NewTimer(d).Chan() }

// NewTimer implements clockwork.Clock.
func (c *clock) NewTimer(d time.Duration) clockwork.Timer {
	c.mu.Lock()
	at := c.Now().Add(d)
	place, _ := slices.BinarySearchFunc(c.moments, at, time.Time.Compare)
	c.moments = slices.Insert(c.moments, place, at)
	c.mu.Unlock()
	return c.FakeClock.NewTimer(d)
}

// next is the next moment for which something waits or waited, at the latest a given one.
func (c *clock) next(latest time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Now()
	for len(c.moments) > 0 && !c.moments[0].After(now) {
		c.moments = c.moments[1:]
	}
	if len(c.moments) > 0 && c.moments[0].Before(latest) {
		return c.moments[0]
	}
	return latest
}

// passTo lets the time pass until a moment, and everything be done in it that can be. It ends early where a condition holds.
func (c *clock) passTo(ctx context.Context, until time.Time, holds func() bool) error {
	for {
		rest()
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("simulate: %w", err)
		}
		if !c.Now().Before(until) || holds != nil && holds() {
			return nil
		}
		c.Advance(c.next(until).Sub(c.Now()))
	}
}

// restSamples is for how many samples in a row no goroutine can run: one that another wakes up is in neither sample for a moment.
const restSamples = 20

// rest returns when no goroutine but this one can run. All wait then for the simulated time, because nothing here waits for a network, and the
// queue is in memory.
func rest() {
	samples := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}}
	for quiet := 0; quiet < restSamples; quiet++ {
		runtime.Gosched()
		metrics.Read(samples)
		if samples[0].Value.Uint64() > 0 || samples[1].Value.Uint64() > 1 {
			quiet = 0
		}
	}
}
