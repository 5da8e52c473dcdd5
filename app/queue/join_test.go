package queue

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/nats-io/nats.go/jetstream"
)

// together joins tasks whose bodies have no exclamation mark.
func together(first Task) Joining { return &bodies{first.Body} }

type bodies struct{ whole []byte }

// Add implements Joining.
func (b *bodies) Add(next Task) bool {
	if strings.Contains(string(b.whole)+string(next.Body), "!") {
		return false
	}
	b.whole = slices.Concat(b.whole, []byte("+"), next.Body)
	return true
}

// Body implements Joining.
func (b *bodies) Body() ([]byte, error) { return b.whole, nil }

// first is work whose first run waits until it is released.
type first struct {
	began, release chan struct{}
	once           sync.Once
	then           func(Task) (*Requeue, error)
	ran            chan string
}

func newFirst(then func(Task) (*Requeue, error)) *first {
	return &first{began: make(chan struct{}), release: make(chan struct{}), then: then, ran: make(chan string, 100)}
}

func (f *first) work(_ context.Context, t Task) (*Requeue, error) {
	f.once.Do(func() {
		close(f.began)
		<-f.release
	})
	f.ran <- string(t.Body)
	if f.then == nil {
		return nil, nil
	}
	return f.then(t)
}

// behind publishes a task that runs and, while it does, others.
func (f *first) behind(t *testing.T, q *Queue, tasks ...Task) {
	t.Helper()
	publish(t, q, Task{ID: "first", Issue: 1, Body: []byte("first!")})
	receive(t, f.began)
	publish(t, q, tasks...)
	counted(t, q, len(tasks))
	close(f.release)
	idle(t, q)
}

// counted waits until the server counts so many waiting tasks. It does so a moment after it has stored them, and says with each task that
// it delivers how many wait behind it.
func counted(t *testing.T, q *Queue, want int) {
	t.Helper()
	for n := -1; n < want; {
		n = 0
		for _, w := range q.workers {
			info, err := w.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			n += int(info.NumPending)
		}
	}
}

// taken takes the first task, as a worker would.
func taken(t *testing.T, q *Queue) (*run, jetstream.Msg, Task) {
	t.Helper()
	m, err := q.workers[0].Next()
	if err != nil {
		t.Fatal(err)
	}
	task, err := parseTask(m.Subject(), m.Headers(), m.Data())
	if err != nil {
		t.Fatal(err)
	}
	return &run{q: q, ctx: t.Context(), workCtx: t.Context()}, m, task
}

func named(issue int, names ...string) (tasks []Task) {
	for _, n := range names {
		tasks = append(tasks, Task{ID: n, Issue: issue, Body: []byte(n)})
	}
	return tasks
}

func TestWhatWaitsForOneIssueIsDoneAtOnce(t *testing.T) {
	q := open(t, Options{Concurrency: 1, Join: together, fixed: fixed{window: 1}}) // else the other issue's first task runs before the second is published
	f := newFirst(nil)
	start(t, q, f.work)
	tasks := slices.Concat(named(1, "a", "b"), named(2, "x"), named(1, "c", "d!", "e"), named(2, "y"))
	f.behind(t, q, tasks...)
	ran := drained(f.ran)
	other := slices.Index(ran, "x+y") // no order is promised between issues
	if other < 0 {
		t.Fatalf("the other issue's tasks did not run together: %v", ran)
	}
	if diff := cmp.Diff([]string{"first!", "a+b+c", "d!", "e"}, slices.Delete(ran, other, other+1)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
	for _, task := range tasks {
		if dup, err := q.Publish(t.Context(), task); err != nil || !dup {
			t.Errorf("%s is forgotten: %v, %v", task.ID, dup, err)
		}
	}
	idle(t, q)
	if again := drained(f.ran); len(again) > 0 {
		t.Errorf("%v ran again", again)
	}
}

// A requeued task asks for all that was joined; nothing of it runs meanwhile.
func TestWhatWasJoinedIsPutBackAsOne(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Join: together, Clock: clock, fixed: fixed{window: 1}})
	f := newFirst(func(task Task) (*Requeue, error) {
		if task.ID == "a" && task.Attempt == 0 {
			return &Requeue{After: time.Minute}, nil
		}
		return nil, nil
	})
	start(t, q, f.work)
	f.behind(t, q, named(1, "a", "b", "c")...)
	if diff := cmp.Diff([]string{"first!", "a+b+c"}, drained(f.ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
	clock.Advance(time.Minute)
	idle(t, q)
	if diff := cmp.Diff([]string{"a+b+c"}, drained(f.ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

// A task that fails does so for itself: the others are not given up with it, and it is tried again alone.
func TestWhatFailsFailsAlone(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Join: together, Clock: clock, fixed: fixed{window: 1, backoff: plainBackoff(), attempts: 2}})
	f := newFirst(func(task Task) (*Requeue, error) {
		if strings.Contains(string(task.Body), "bad") {
			return nil, errors.New("no")
		}
		return nil, nil
	})
	start(t, q, f.work)
	f.behind(t, q, named(1, "a", "bad", "c")...)
	if diff := cmp.Diff([]string{"first!", "a+bad+c", "bad+c", "c"}, drained(f.ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
	clock.Advance(time.Second)
	idle(t, q)
	if diff := cmp.Diff([]string{"a", "bad"}, drained(f.ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
	dead, err := q.DeadLetters(t.Context())
	if err != nil || len(dead) != 1 || string(dead[0].Body) != "bad" {
		t.Errorf("given up: %+v, %v", dead, err)
	}
}

// A process that ends after the work, and before what was joined is acknowledged, leaves it to the next: nothing is lost.
func TestAJoinedTaskRunsAgainIfNoReplicaKnowsThatItWasDone(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, Join: together, fixed: fixed{window: 1}}
	q := open(t, o)
	publish(t, q, named(1, "a", "b", "c")...)
	counted(t, q, 3)
	r, m, task := taken(t, q)
	whole, with := r.join(task, r.inStream(t.Context(), m))
	if string(whole.Body) != "a+b+c" || len(with) != 2 {
		t.Fatalf("took along %v: %s", with, whole.Body)
	}
	r.settle(m, task, whole, with, outcome{}, nil)
	if err := q.giveBack(t.Context(), nil, m.Reply()); err != nil { // answered behind the acknowledgement
		t.Fatal(err)
	}
	closed(t, q)

	q = open(t, o)
	ran := make(chan string, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- string(task.Body); return nil, nil })
	idle(t, q)
	if diff := cmp.Diff([]string{"b+c"}, drained(ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

// A worker requeues a task and ends before its acknowledgement. What the next one takes along with that task is not lost with its own
// requeue, of which the queue has that attempt already.
func TestWhatIsJoinedToARequeuedTaskIsNotLost(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Join: together, Clock: clock, fixed: fixed{window: 1}})
	publish(t, q, named(1, "a", "b")...)
	counted(t, q, 2)
	r, m, task := taken(t, q)
	if _, err := r.putBack(t.Context(), task.again(Requeue{After: time.Minute}), Requeue{After: time.Minute}); err != nil {
		t.Fatal(err)
	}
	whole, with := r.join(task, r.inStream(t.Context(), m))
	if string(whole.Body) != "a+b" || len(with) != 1 {
		t.Fatalf("took along %v: %s", with, whole.Body)
	}
	r.settle(m, task, whole, with, outcome{again: &Requeue{After: time.Minute}}, func(Requeue) bool { return false })

	ran := make(chan string, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- string(task.Body); return nil, nil })
	idle(t, q)
	clock.Advance(time.Minute)
	idle(t, q)
	if diff := cmp.Diff([]string{"b", "a"}, drained(ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

// If one replica has done a task together with another, no replica does it again.
func TestReplicasReceiveWhatWasJoined(t *testing.T) {
	url := external(t)
	one := open(t, Options{URL: url, Join: together, fixed: fixed{partitions: 1}})
	another := open(t, Options{URL: url, Join: together, fixed: fixed{partitions: 1}})
	publish(t, one, named(1, "a", "b", "c")...)
	counted(t, one, 3)
	r, m, task := taken(t, one)
	whole, with := r.join(task, r.inStream(t.Context(), m))
	one.note(with)
	for another.joined.Len() < len(with) { // the broadcast arrives in its own time
		select {
		case <-time.After(time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("the other replica receives nothing")
		}
	}
	r.settle(m, task, whole, nil, outcome{}, nil)
	ran := make(chan string, 10)
	start(t, another, func(_ context.Context, task Task) (*Requeue, error) { ran <- string(task.Body); return nil, nil })
	publish(t, one, named(1, "d")...)
	idle(t, another)
	if diff := cmp.Diff([]string{"d"}, drained(ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

func TestATaskTakesNoMoreAlongThanItsBodyHolds(t *testing.T) {
	q := open(t, Options{Join: together, fixed: fixed{window: 1}})
	f := newFirst(nil)
	start(t, q, f.work)
	var many []Task
	for range maxJoined + 2 {
		many = append(many, named(1, strings.Repeat("x", len(many)+1))...)
	}
	f.behind(t, q, many...)
	ran := drained(f.ran)
	if len(ran) != 3 || strings.Count(ran[1], "+") != maxJoined || strings.Contains(ran[2], "+") {
		t.Errorf("%d runs: %v", len(ran), ran)
	}
}
