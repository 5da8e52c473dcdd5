package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
)

// Why tasks wait is known of all of them, at a gate or not, also after a restart.
func TestDelaysTellWhyTasksWait(t *testing.T) {
	clock, dir := clockwork.NewFakeClock(), t.TempDir()
	work := func(_ context.Context, task Task) (*Requeue, error) {
		switch task.Issue {
		case 1, 2:
			return &Requeue{After: time.Duration(task.Issue) * time.Minute, Reason: "points/7"}, nil
		case 3:
			return &Requeue{After: time.Hour, Reason: "github/7", Gate: "github/7"}, nil
		}
		return nil, errors.New("out of order")
	}
	q := open(t, Options{Clock: clock, Dir: dir})
	start(t, q, work)
	for i := range 4 {
		publish(t, q, Task{ID: fmt.Sprint(i), Issue: i + 1})
	}
	idle(t, q)
	begun := clock.Now()
	want := []Delay{{"", 1, time.Time{}}, {"github/7", 1, begun.Add(time.Hour)}, {"points/7", 2, begun.Add(2 * time.Minute)}}
	check := func() {
		t.Helper()
		got := q.Delays()
		got[0].Until = time.Time{} // a failed task waits for a random time
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	check()
	if err := q.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	q = open(t, Options{Clock: clock, Dir: dir})
	start(t, q, work)
	idle(t, q)
	check()
}

// Half of the places at work are for what somebody waits for, however much of the other there is.
func TestBackgroundWorkLeavesPlaces(t *testing.T) {
	const places = 4
	over, begun := make(chan struct{}), make(chan int, 100)
	q := open(t, Options{Concurrency: places, Background: func(task Task) bool { return task.Issue == 0 }})
	start(t, q, func(ctx context.Context, task Task) (*Requeue, error) {
		begun <- task.Issue
		if task.Issue == 0 {
			select {
			case <-over:
			case <-ctx.Done():
			}
		}
		return nil, nil
	})
	for i := range 20 {
		publish(t, q, Task{ID: fmt.Sprintf("background/%d", i), Repository: int64(i + 1)})
	}
	for range places / 2 {
		<-begun
	}
	for i := range 10 {
		publish(t, q, Task{ID: fmt.Sprintf("person/%d", i), Repository: int64(i + 1), Issue: 1})
		if issue := <-begun; issue != 1 {
			t.Fatal("background work takes more than half of the places")
		}
	}
	close(over)
	idle(t, q)
	if n := len(begun); n != 18 {
		t.Errorf("%d of the other 18 tasks ran", n)
	}
}
