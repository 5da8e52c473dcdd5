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

// patient is work that is held as long as its gate is closed, but that of repository 2.
type patient struct {
	clock *clockwork.FakeClock
	until time.Time
	ran   chan string
}

func newPatient() *patient {
	clock := clockwork.NewFakeClock()
	return &patient{clock: clock, until: clock.Now().Add(time.Minute), ran: make(chan string, 1000)}
}

func (p *patient) work(_ context.Context, t Task) (*Requeue, error) {
	if wait := p.until.Sub(p.clock.Now()); wait > 0 && t.Repository != 2 {
		return &Requeue{After: wait, Body: []byte("lost"), Gate: "limit", Hold: true}, nil
	}
	p.ran <- string(t.Body)
	return nil, nil
}

// titled is a task whose body is its name.
func titled(id string, repository int64, issue int) Task {
	return Task{ID: id, Repository: repository, Issue: issue, Body: []byte(id)}
}

// pass lets the clock go until everything may have passed the gate.
func (p *patient) pass(t *testing.T, q *Queue) {
	t.Helper()
	p.clock.Advance(max(0, p.until.Sub(p.clock.Now())))
	for range 10 {
		idle(t, q)
		p.clock.Advance(gatePace)
	}
	idle(t, q)
}

// What waits for a short time is not stored again, holds no place at work, keeps its place in its issue, and takes along what came
// meanwhile.
func TestWhatIsHeldCostsNothingUntilItsTime(t *testing.T) {
	p := newPatient()
	q := open(t, Options{Clock: p.clock, Concurrency: 1, Join: together})
	start(t, q, p.work)
	publish(t, q, titled("a", 1, 1), titled("b", 1, 2), titled("c", 1, 3))
	idle(t, q)
	publish(t, q, titled("a2", 1, 1), titled("a3", 1, 1), titled("other", 2, 1))
	idle(t, q)
	if diff := cmp.Diff([]string{"other"}, drained(p.ran)); diff != "" {
		t.Errorf("while the gate is closed (-want +ran):\n%s", diff)
	}
	if c, err := q.Pending(t.Context()); err != nil || c != (Counts{Waiting: 2, Delayed: 3}) {
		t.Errorf("pending: %+v, %v", c, err)
	}
	if diff := cmp.Diff([]Delay{{Tasks: 3, Until: p.until}}, q.Delays()); diff != "" {
		t.Errorf("delays (-want +got):\n%s", diff)
	}
	p.pass(t, q)
	ran := drained(p.ran)
	slices.Sort(ran[min(1, len(ran)):]) // after the first several pass at once
	if diff := cmp.Diff([]string{"a+a2+a3", "b", "c"}, ran); diff != "" {
		t.Errorf("after it opened (-want +ran):\n%s", diff)
	}
	if n := stored(t, q); n > 0 {
		t.Errorf("%d tasks were stored again", n)
	}
	if c, err := q.Pending(t.Context()); err != nil || c != (Counts{}) {
		t.Errorf("pending in the end: %+v, %v", c, err)
	}
}

// A task learns that it was held, and that its stored body counts.
func TestAHeldTaskBeginsAnewAsItIsStored(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock})
	ran := make(chan Task, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		ran <- task
		if !task.Held {
			return &Requeue{After: time.Second, Body: []byte("new"), Gate: "limit", Hold: true}, nil
		}
		return nil, nil
	})
	publish(t, q, titled("old", 1, 1))
	idle(t, q)
	clock.Advance(time.Second)
	idle(t, q)
	for n, task := range drained(ran) {
		if string(task.Body) != "old" || task.Held != (n > 0) || task.Failures > 0 {
			t.Errorf("run %d: %+v", n, task)
		}
	}
}

// What waits for long, or asks for something else when it comes back, is stored, and so is everything on an external server or where one
// process has one task of a partition only.
func TestWhatMayNotBeHeldIsStored(t *testing.T) {
	for name, r := range map[string]Requeue{
		"long":    {After: holdAtMost + time.Second, Gate: "limit", Hold: true},
		"other":   {After: time.Second, Gate: "limit"},
		"no gate": {After: time.Second, Hold: true},
	} {
		clock := clockwork.NewFakeClock()
		q := open(t, Options{Clock: clock})
		start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
			if task.Attempt == 0 {
				return &r, nil
			}
			return nil, nil
		})
		publish(t, q, titled("task", 1, 1))
		idle(t, q)
		if n := stored(t, q); n != 1 {
			t.Errorf("%s: %d were stored", name, n)
		}
	}
}

// However much is held, there is room for what need not wait, and nothing is lost.
func TestWhatIsHeldLeavesRoomForOthers(t *testing.T) {
	const room = 16
	p := newPatient()
	q := open(t, Options{Clock: p.clock, fixed: fixed{window: room}})
	start(t, q, p.work)
	want := map[string]bool{}
	for n := range 3 * room {
		id := fmt.Sprintf("%02d", n)
		want[id] = true
		publish(t, q, titled(id, 1, n%(room/2))) // behind others, too
		if n < room/2 {
			idle(t, q) // held while there is room: what comes back later would be stored, with another body
		}
	}
	idle(t, q)
	publish(t, q, titled("other", 2, 1))
	if got := receive(t, p.ran); got != "other" {
		t.Errorf("%s ran", got)
	}
	for range 3 * room { // those that were put aside wait behind others once more
		p.pass(t, q)
		p.clock.Advance(time.Second)
	}
	for _, id := range drained(p.ran) {
		if !want[id] {
			t.Errorf("%s ran again", id)
		}
		delete(want, id)
	}
	if len(want) > 0 {
		t.Errorf("lost: %v", want)
	}
}

// A process that ends gives back what it holds, in order and without counting that as a failure. For one that is killed see
// TestKilledProcessLosesNothing.
func TestWhatIsHeldWhenAProcessEndsIsDoneByTheNext(t *testing.T) {
	dir := t.TempDir()
	p := newPatient()
	q := open(t, Options{Clock: p.clock, Dir: dir})
	stop, stopped := running(t, q, p.work)
	publish(t, q, titled("a", 1, 1), titled("b", 1, 2))
	idle(t, q)
	publish(t, q, titled("a2", 1, 1))
	idle(t, q)
	stop()
	if err := receive(t, stopped); err != nil {
		t.Fatal(err)
	}
	if delays := q.Delays(); len(delays) > 0 {
		t.Errorf("still waits: %v", delays)
	}
	closed(t, q)
	q = open(t, Options{Clock: p.clock, Dir: dir})
	start(t, q, p.work)
	idle(t, q)
	p.pass(t, q)
	if diff := cmp.Diff([]string{"a", "a2", "b"}, drained(p.ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
	if n := stored(t, q); n > 0 {
		t.Errorf("%d tasks were stored again", n)
	}
}

// The lease of a held task is kept, so that it does not come twice.
func TestTheLeaseOfATaskOnHoldIsKept(t *testing.T) {
	p := newPatient()
	q := open(t, Options{Clock: p.clock, fixed: fixed{lease: time.Second}})
	start(t, q, p.work)
	publish(t, q, titled("a", 1, 1))
	idle(t, q)
	other := make(chan struct{})
	time.AfterFunc(3*time.Second, func() { close(other) }) // three leases, which the server counts in real time
	<-other
	info, err := q.workers[0].Info(t.Context())
	if err != nil || info.NumRedelivered > 0 {
		t.Errorf("%d came again, %v", info.NumRedelivered, err)
	}
	p.pass(t, q)
	if diff := cmp.Diff([]string{"a"}, drained(p.ran)); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}
