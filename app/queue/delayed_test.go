package queue

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jonboulle/clockwork"
)

func TestRequeuedTaskComesWhenDueAndDelaysNoOther(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, fixed: fixed{partitions: 1}})
	began := clock.Now()
	ran := make(chan Task, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		ran <- task
		if task.ID != "later" {
			return nil, nil
		}
		switch task.Attempt {
		case 0:
			return &Requeue{After: time.Hour, Body: []byte("new")}, nil
		case 1:
			return &Requeue{After: time.Minute}, nil
		}
		return nil, nil
	})
	later := Task{ID: "later", Repository: 1, Issue: 1, Body: []byte("old"), Published: began}
	same := Task{ID: "same-issue", Repository: 1, Issue: 1, Published: began}
	publish(t, q, later, same)
	idle(t, q)
	if c, err := q.Pending(t.Context()); err != nil || c != (Counts{Delayed: 1}) {
		t.Errorf("pending %+v, %v", c, err)
	}
	clock.Advance(time.Hour - time.Nanosecond)
	idle(t, q)
	if len(ran) != 2 {
		t.Fatalf("%d ran before it was due", len(ran))
	}
	clock.Advance(time.Nanosecond)
	idle(t, q)
	clock.Advance(time.Minute)
	idle(t, q)
	second, third := later, later
	second.Attempt, second.Body = 1, []byte("new")
	third.Attempt, third.Body = 2, []byte("new")
	want := []Task{later, same, second, third}
	if diff := cmp.Diff(want, drained(ran), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if c, err := q.Pending(t.Context()); err != nil || c != (Counts{}) {
		t.Errorf("pending %+v, %v", c, err)
	}
}

func TestRequeueAtOnce(t *testing.T) {
	q := open(t, Options{Clock: clockwork.NewFakeClock()})
	ran := make(chan int, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		ran <- task.Attempt
		if task.Attempt < 3 {
			return &Requeue{After: -time.Second}, nil
		}
		return nil, nil
	})
	publish(t, q, Task{ID: "x"})
	idle(t, q)
	if diff := cmp.Diff([]int{0, 1, 2, 3}, drained(ran)); diff != "" {
		t.Error(diff)
	}
}

// hasty is a clock that somebody moves at the very moment at which a timer for an hour is being set.
type hasty struct {
	*clockwork.FakeClock
	once  sync.Once
	moved chan struct{}
}

func (h *hasty) NewTimer(d time.Duration) clockwork.Timer {
	if d == time.Hour {
		h.once.Do(func() {
			h.Advance(time.Hour)
			close(h.moved)
		})
	}
	return h.FakeClock.NewTimer(d)
}

func TestDelayedTaskRunsAlthoughTheClockMovedWhileItsTimerWasSet(t *testing.T) {
	clock := &hasty{FakeClock: clockwork.NewFakeClock(), moved: make(chan struct{})}
	q := open(t, Options{Clock: clock})
	ran := make(chan int, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		ran <- task.Attempt
		if task.Attempt == 0 {
			return &Requeue{After: time.Hour}, nil
		}
		return nil, nil
	})
	publish(t, q, Task{ID: "x"})
	receive(t, clock.moved)
	idle(t, q)
	if diff := cmp.Diff([]int{0, 1}, drained(ran)); diff != "" {
		t.Error(diff)
	}
}

func TestErrorsBackOffUntilDead(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, fixed: fixed{backoff: plainBackoff(), attempts: 5, partitions: 1}})
	ran := make(chan Task, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		ran <- task
		return nil, errors.New("two\nlines")
	})
	published := clock.Now()
	publish(t, q, Task{ID: "x", Repository: 3, Issue: 4, Body: []byte("b")})
	idle(t, q)
	for n, wait := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 4 * time.Second} { // doubling, up to the maximum
		clock.Advance(wait - 1)
		idle(t, q)
		if len(ran) != n+1 {
			t.Fatalf("try %d came too early", n+2)
		}
		clock.Advance(1)
		idle(t, q)
		if len(ran) != n+2 {
			t.Fatalf("try %d did not come", n+2)
		}
	}
	dead, err := q.DeadLetters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []DeadLetter{{
		Task:   Task{ID: "x", Repository: 3, Issue: 4, Body: []byte("b"), Attempt: 4, Failures: 5, Published: published},
		Letter: 1, Error: "two lines", Died: published.Add(11 * time.Second),
	}}
	if diff := cmp.Diff(want, dead); diff != "" {
		t.Error(diff)
	}
	if c, err := q.Pending(t.Context()); err != nil || c != (Counts{Dead: 1}) {
		t.Errorf("pending %+v, %v", c, err)
	}
	if dup, err := q.Publish(t.Context(), Task{ID: "x", Repository: 3, Issue: 4}); err != nil || !dup {
		t.Errorf("a dead task's ID is forgotten: %v, %v", dup, err)
	}
}

func TestRequeueForgivesFailures(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, fixed: fixed{backoff: plainBackoff(), attempts: 2}})
	failures := make(chan int, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		failures <- task.Failures
		switch task.Attempt {
		case 0, 2:
			return nil, errors.New("no")
		case 1:
			return &Requeue{}, nil
		}
		return nil, nil
	})
	publish(t, q, Task{ID: "x"})
	for range 3 {
		idle(t, q)
		clock.Advance(time.Second)
	}
	idle(t, q)
	if diff := cmp.Diff([]int{0, 1, 0, 1}, drained(failures)); diff != "" {
		t.Error(diff)
	}
}

func TestDelayedTaskOutlivesItsReplica(t *testing.T) {
	url := external(t)
	clock := clockwork.NewFakeClock()
	dying, heir, other := open(t, Options{URL: url, Clock: clock}), open(t, Options{URL: url, Clock: clock}), open(t, Options{URL: url, Clock: clock})
	stop := start(t, dying, func(context.Context, Task) (*Requeue, error) { return &Requeue{After: time.Hour}, nil })
	publish(t, dying, Task{ID: "x", Issue: 1}, Task{ID: "y", Issue: 2})
	idle(t, heir)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	closed(t, dying)

	ran := make(chan string, 10)
	for _, q := range []*Queue{heir, other} { // both publish what is due
		start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	}
	clock.Advance(time.Hour)
	idle(t, heir)
	idle(t, other)
	if diff := cmp.Diff([]string{"x", "y"}, drained(ran), cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
		t.Error(diff)
	}
	if c, err := heir.Pending(t.Context()); err != nil || c != (Counts{}) {
		t.Errorf("pending %+v, %v", c, err)
	}
}

func TestWaitGrowsWithinBounds(t *testing.T) {
	o := Options{}.withDefaults()
	for n, want := 1, time.Second; n < 20; n, want = n+1, min(2*want, 5*time.Minute) {
		for range 50 {
			if d := o.wait(n); d < want/2 || d > want*3/2+time.Microsecond {
				t.Fatalf("wait %d is %v, not %v ± 50 %%", n, d, want)
			}
		}
	}
}

func drained[T any](ch chan T) []T {
	var out []T
	for len(ch) > 0 {
		out = append(out, <-ch)
	}
	return out
}
