package sweep

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"time"
)

type kind string

const (
	asked   kind = ""      // someone, now
	byTimer kind = "timer" // the schedule
	// atStart is asked for by a process that starts: it was away, or forgot what it knew, and so it sweeps all of the horizon.
	atStart kind = "start"
)

// Schedule says when a process asks for sweeps.
type Schedule struct {
	Interval time.Duration // 0: only at the start
	AppID    int64
	OwnQueue bool // no other process works on the same queue
}

// Schedule asks for a sweep now, calls begun, and then asks once in every interval. It returns when ctx ends.
func (s *Sweeper) Schedule(ctx context.Context, schedule Schedule, begun func()) {
	s.askFor(ctx, schedule.startID(s.Clock.Now()), atStart)
	begun()
	if schedule.Interval == 0 {
		return
	}
	for {
		next := schedule.begin(s.Clock.Now()).Add(schedule.Interval)
		jitter := time.Duration(rand.Int64N(int64(schedule.Interval)/10 + 1)) //nolint:gosec // no secret
		select {
		case <-ctx.Done():
			return
		case <-s.Clock.After(next.Add(jitter).Sub(s.Clock.Now())):
		}
		s.askFor(ctx, timerID(schedule.begin(s.Clock.Now())), byTimer)
	}
}

func (s *Sweeper) askFor(ctx context.Context, id string, kind kind) {
	if err := s.publish(ctx, id, kind); err != nil && ctx.Err() == nil {
		s.Log.Error().Err(err).Msg("ask for a sweep")
	}
}

// begin returns when the interval began that a time is in. All replicas come to the same time; other Apps do not, so that not all of them sweep
// at the same time.
func (c Schedule) begin(now time.Time) time.Time {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(strconv.FormatInt(c.AppID, 10))) // never fails
	phase := time.Duration(hash.Sum64() % uint64(c.Interval))
	return now.Add(-phase).Truncate(c.Interval).Add(phase)
}

// startID names the sweep of a process that starts. Replicas that start within the same interval ask for one together. A process with a queue of
// its own is alone: no one has seen what happened while it was away.
func (c Schedule) startID(now time.Time) string {
	switch {
	case c.OwnQueue:
		return fmt.Sprintf("sweep/start/%s/%d", timestamp(now), rand.Uint64()) //nolint:gosec // no secret
	case c.Interval == 0:
		return "sweep/start/" + timestamp(now.Truncate(time.Minute))
	}
	return "sweep/start/" + timestamp(c.begin(now))
}

func timerID(at time.Time) string { return "sweep/timer/" + timestamp(at) }

func timestamp(t time.Time) string { return t.UTC().Format("20060102T150405.000") }
