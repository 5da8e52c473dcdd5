package queue

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
)

// passes publishes a task of another issue and waits until it has run: what was published before is held by then.
func passes(t *testing.T, q *Queue, ran <-chan string, id string) {
	t.Helper()
	publish(t, q, Task{ID: id, Issue: 999, Body: []byte(id + "!")})
	if got := receive(t, ran); got != id+"!" {
		t.Fatalf("%s ran, not %s", got, id)
	}
}

func TestIssuesDoNotWaitForEachOther(t *testing.T) {
	q := open(t, Options{})
	release := make(chan struct{})
	ran := make(chan string, 100)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if task.Issue == 1 {
			<-release
		}
		ran <- task.ID
		return nil, nil
	})
	publish(t, q, Task{ID: "a", Issue: 1}, Task{ID: "b", Issue: 1}, Task{ID: "c", Issue: 2}, Task{ID: "d", Issue: 1})
	if got := receive(t, ran); got != "c" {
		t.Errorf("%s ran first", got)
	}
	close(release)
	idle(t, q)
	if diff := cmp.Diff([]string{"a", "b", "d"}, drained(ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

func TestWhatIsHeldBehindATaskIsDoneAtOnce(t *testing.T) {
	q := open(t, Options{Join: together})
	began, release := make(chan struct{}), make(chan struct{})
	ran := make(chan string, 100)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if task.ID == "first" {
			close(began)
			<-release
		}
		ran <- string(task.Body)
		return nil, nil
	})
	publish(t, q, Task{ID: "first", Issue: 1, Body: []byte("first!")})
	receive(t, began)
	tasks := named(1, "a", "b", "c", "d!", "e", "f")
	publish(t, q, tasks...)
	passes(t, q, ran, "another")
	close(release)
	idle(t, q)
	if diff := cmp.Diff([]string{"first!", "a+b+c", "d!", "e+f"}, drained(ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
	for _, task := range tasks {
		if dup, err := q.Publish(t.Context(), task); err != nil || !dup {
			t.Errorf("%s is forgotten: %v, %v", task.ID, dup, err)
		}
	}
	idle(t, q)
	if again := drained(ran); len(again) > 0 {
		t.Errorf("%v ran again", again)
	}
}

// An issue with more tasks than are held of one does not keep the others waiting, and all its tasks run.
func TestABusyIssueLeavesRoomForOthers(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock})
	release := make(chan struct{})
	ran := make(chan string, 2*maxBehind)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if task.Issue == 1 {
			<-release
		}
		ran <- string(task.Body)
		return nil, nil
	})
	var want []string
	for n := range maxBehind + 20 {
		id := fmt.Sprintf("%03d", n)
		want = append(want, id)
		publish(t, q, Task{ID: id, Issue: 1, Body: []byte(id)})
	}
	passes(t, q, ran, "another")
	passes(t, q, ran, "yet-another")
	for counts := (Counts{}); counts != (Counts{Waiting: maxBehind - 1, Running: 1, Delayed: 20}); { // once the server has heeded the answers
		var err error
		if counts, err = q.Pending(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	close(release)
	idle(t, q)
	clock.Advance(putAsideFor)
	idle(t, q)
	if diff := cmp.Diff(want, drained(ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

// A burst that is done faster than others grow impatient is not put aside: no clock moves here.
func TestABurstThatIsDoneInTimeKeepsItsPlace(t *testing.T) {
	q := open(t, Options{Clock: clockwork.NewFakeClock()})
	ran := make(chan string, 3*maxBehind)
	var want []string
	for n := range 3 * maxBehind {
		id := fmt.Sprintf("%03d", n)
		want = append(want, id)
		publish(t, q, Task{ID: id, Issue: 1, Body: []byte(id)})
	}
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- string(task.Body); return nil, nil })
	idle(t, q)
	if diff := cmp.Diff(want, drained(ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

// The lease of a task is kept while it waits for those before it.
func TestTheLeaseOfAHeldTaskIsKept(t *testing.T) {
	q := open(t, Options{fixed: fixed{lease: time.Second}})
	again := make(chan int, 1)
	start(t, q, func(ctx context.Context, task Task) (*Requeue, error) {
		if task.ID == "last" {
			info, err := q.workers[0].Info(context.WithoutCancel(ctx))
			if err != nil {
				return nil, err
			}
			again <- info.NumRedelivered
			return nil, nil
		}
		<-ctx.Done() // three quarters of a lease
		return nil, nil
	})
	publish(t, q, Task{ID: "first", Issue: 1}, Task{ID: "second", Issue: 1}, Task{ID: "last", Issue: 1})
	if n := receive(t, again); n > 0 {
		t.Errorf("%d tasks came again", n)
	}
	idle(t, q)
}

// A process that stops gives back what it holds, in order and without counting that as a failure.
func TestWhatIsHeldWhenARunEndsIsDoneByTheNext(t *testing.T) {
	q := open(t, Options{})
	began, release := make(chan struct{}), make(chan struct{})
	stop, stopped := running(t, q, func(context.Context, Task) (*Requeue, error) {
		close(began)
		<-release
		return nil, nil
	})
	ran := make(chan Task, 100)
	publish(t, q, Task{ID: "0", Issue: 1})
	receive(t, began)
	for n := range 20 {
		publish(t, q, Task{ID: fmt.Sprint(n + 1), Issue: 1})
	}
	stop()
	close(release)
	if err := receive(t, stopped); err != nil {
		t.Fatal(err)
	}
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- task; return nil, nil })
	idle(t, q)
	var got []string
	for _, task := range drained(ran) {
		got = append(got, task.ID)
		if task.Failures > 0 {
			t.Errorf("%s failed", task.ID)
		}
	}
	var want []string
	for n := range 20 {
		want = append(want, fmt.Sprint(n+1))
	}
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}
