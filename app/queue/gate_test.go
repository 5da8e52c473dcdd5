package queue

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
)

// limited is work that is put back to a gate as long as it is closed.
type limited struct {
	clock *clockwork.FakeClock
	until time.Time
	ran   chan string
}

func (l *limited) work(_ context.Context, t Task) (*Requeue, error) {
	l.ran <- t.ID
	if wait := l.until.Sub(l.clock.Now()); wait > 0 {
		return &Requeue{After: wait, Gate: "limit", Rank: len(t.Body)}, nil
	}
	return nil, nil
}

// stored is how many messages the stream of delayed tasks has ever taken.
func stored(t *testing.T, q *Queue) uint64 {
	t.Helper()
	info, err := q.delayed.stream.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info.State.LastSeq
}

func TestTasksAtAClosedGateCostNothing(t *testing.T) {
	const tasks, limits = 50, 20
	l := &limited{clock: clockwork.NewFakeClock(), ran: make(chan string, 1000)}
	q := open(t, Options{Clock: l.clock, Concurrency: 1, fixed: fixed{window: 1}})
	start(t, q, l.work)
	l.until = l.clock.Now().Add(time.Minute)
	for i := range tasks {
		publish(t, q, Task{ID: fmt.Sprint(i), Issue: i})
		idle(t, q)
		l.clock.Advance(time.Millisecond)
	}
	drained(l.ran)
	before := stored(t, q)
	for range limits { // each time the first that passes finds out that the wait goes on
		began := l.until
		l.until = l.until.Add(time.Minute)
		l.clock.Advance(began.Sub(l.clock.Now()))
		idle(t, q)
	}
	if diff := cmp.Diff(limits, len(l.ran)); diff != "" {
		t.Errorf("tasks that ran while nothing could be done (-want +got): %s", diff)
	}
	if wrote := stored(t, q) - before; wrote != limits {
		t.Errorf("%d were put back, want one for each limit", wrote)
	}
	drained(l.ran)
	l.clock.Advance(l.until.Sub(l.clock.Now()))
	for range tasks {
		idle(t, q)
		l.clock.Advance(gatePace)
	}
	idle(t, q)
	want := make([]string, tasks)
	for i := range tasks {
		want[i] = fmt.Sprint(i)
	}
	if diff := cmp.Diff(want, drained(l.ran)); diff != "" {
		t.Errorf("order (-published +ran):\n%s", diff)
	}
}

func TestOneTaskPassesAGateAndThenMoreTheLowestRankFirst(t *testing.T) {
	dir := t.TempDir()
	l := &limited{clock: clockwork.NewFakeClock(), ran: make(chan string, 1000)}
	o := Options{Dir: dir, Clock: l.clock, fixed: fixed{window: 1}}
	q := open(t, o)
	start(t, q, l.work)
	l.until = l.clock.Now().Add(time.Minute)
	rank := func(n int) []byte { return make([]byte, n) }
	publish(t, q,
		Task{ID: "sweep", Issue: 1, Body: rank(3)}, Task{ID: "label", Issue: 2, Body: rank(0)},
		Task{ID: "provision", Issue: 3, Body: rank(2)}, Task{ID: "command", Issue: 4, Body: rank(0)},
	)
	idle(t, q)
	drained(l.ran)
	closed(t, q)

	q = open(t, o) // what waits where is read back
	start(t, q, l.work)
	idle(t, q)
	var passed [][]string
	l.clock.Advance(time.Minute)
	for range 4 {
		idle(t, q)
		passed = append(passed, drained(l.ran))
		l.clock.Advance(gatePace)
	}
	if diff := cmp.Diff([][]string{{"label"}, nil, {"command", "provision", "sweep"}, nil}, passed); diff != "" {
		t.Errorf("(-want +passed):\n%s", diff)
	}
}

func TestAGateHoldsUpNoOther(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, fixed: fixed{window: 1}})
	ran := make(chan string, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		ran <- task.ID
		switch {
		case task.Attempt > 0:
			return nil, nil
		case task.ID == "here":
			return &Requeue{After: time.Hour, Gate: "here"}, nil
		case task.ID == "there":
			return &Requeue{After: time.Minute, Gate: "there"}, nil
		}
		return &Requeue{After: time.Second}, nil
	})
	publish(t, q, Task{ID: "here"}, Task{ID: "there"}, Task{ID: "alone"})
	for range 60 {
		idle(t, q)
		clock.Advance(time.Second)
	}
	idle(t, q)
	if diff := cmp.Diff([]string{"here", "there", "alone", "alone", "there"}, drained(ran)); diff != "" {
		t.Error(diff)
	}
}

// A task that cannot be moved when it is due is tried again, with those behind it at its gate.
func TestATaskThatCannotBeMovedHoldsUpItsGate(t *testing.T) {
	clock := clockwork.NewFakeClock()
	now := clock.Now()
	l := newDelayQueue(&Queue{opts: Options{Clock: clock}}, nil)
	for seq := range uint64(3) {
		l.add(delayed{seq: seq, due: now, published: now, gate: "limit"})
	}
	l.add(delayed{seq: 3, due: now.Add(time.Second)})
	for _, step := range []struct {
		seq   uint64
		after time.Duration
		held  bool
	}{
		{0, 0, false},
		{1, 2 * gatePace, true}, // which moves it behind the one that waits alone
		{3, time.Second, true},
		{1, 2*gatePace + retryAfter, false},
		{2, 4*gatePace + retryAfter, false},
		{3, time.Second + retryAfter, false},
	} {
		next, at, ok := l.next()
		if !ok || next.seq != step.seq || at.Sub(now) != step.after {
			t.Fatalf("task %d comes after %v, want task %d after %v", next.seq, at.Sub(now), step.seq, step.after)
		}
		if step.held {
			l.holdUp(l.entries[next.seq], at.Add(retryAfter))
		} else {
			l.left(next)
		}
	}
	if _, _, ok := l.next(); ok || len(l.gates)+len(l.entries) > 0 {
		t.Errorf("there is more: %v", l.entries)
	}
}
