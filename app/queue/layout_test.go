package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/nats-io/nats.go/jetstream"
)

// journal is work that notes what ran for each issue.
type journal struct {
	mu  sync.Mutex
	ran map[int][]string
}

func (j *journal) work(_ context.Context, t Task) (*Requeue, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ran == nil {
		j.ran = map[int][]string{}
	}
	j.ran[t.Issue] = append(j.ran[t.Issue], t.ID)
	return nil, nil
}

func (j *journal) all() map[int][]string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.ran)
}

// without leaves out the tasks of a round that were done before the queue was closed, where they ran first. The embedded server can forget an
// acknowledgement that it hears between encoding a consumer's state and writing it (consumerFileStore.flushLoop marks the state as written
// that it encoded before), if it is stopped within a tenth of a second. That is a task or two, and never a round.
func (j *journal) without(t *testing.T, round string) map[int][]string {
	t.Helper()
	all, again := j.all(), 0
	for issue, ran := range all {
		if ran[0] == fmt.Sprintf("%s-%d", round, issue) {
			all[issue], again = ran[1:], again+1
		}
	}
	if again > 2 {
		t.Errorf("%d tasks of %s ran again", again, round)
	}
	return all
}

func consumers(t *testing.T, q *Queue) (n int) {
	t.Helper()
	info, err := q.tasks.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Consumers
}

// round publishes one task for each of twenty issues.
func round(t *testing.T, q *Queue, name string) {
	t.Helper()
	for issue := range 20 {
		publish(t, q, Task{ID: fmt.Sprintf("%s-%d", name, issue), Repository: int64(issue % 3), Issue: issue})
	}
}

func rounds(names ...string) map[int][]string {
	want := map[int][]string{}
	for issue := range 20 {
		for _, name := range names {
			want[issue] = append(want[issue], fmt.Sprintf("%s-%d", name, issue))
		}
	}
	return want
}

// The queue works on what waits before what comes under the new number, each issue's tasks in their order; what is done stays done, also
// if the number is what it was.
func TestPartitionsCanBeChanged(t *testing.T) {
	o := Options{Dir: t.TempDir(), Clock: clockwork.NewFakeClock()}
	for n, step := range []struct {
		partitions int
		want       map[int][]string
	}{
		{16, rounds("0-done")},
		{5, rounds("0-waits", "1-done")},
		{64, rounds("1-waits", "2-done")},
		{16, rounds("2-waits", "3-done")},
		{16, rounds("3-waits", "4-done")},
	} {
		o.Partitions = step.partitions
		q := open(t, o)
		round(t, q, fmt.Sprint(n, "-done"))
		j := &journal{}
		stop := start(t, q, j.work)
		idle(t, q)
		if diff := cmp.Diff(step.want, j.without(t, fmt.Sprint(n-1, "-done"))); diff != "" {
			t.Fatalf("with %d partitions (-want +ran):\n%s", step.partitions, diff)
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		if got := consumers(t, q); got != step.partitions {
			t.Errorf("%d consumers for %d partitions", got, step.partitions)
		}
		round(t, q, fmt.Sprint(n, "-waits"))
		closed(t, q)
	}
}

// A process that was killed while it changed the number left consumers, or no more than the intention.
func TestAChangeOfPartitionsThatWasCutOffIsMade(t *testing.T) {
	for _, next := range []int{2, 3, 4} {
		o := Options{Dir: t.TempDir(), Partitions: 2}
		q := open(t, o)
		round(t, q, "a")
		q.layout = layout{1, 3}
		if err := q.consumers(t.Context()); err != nil {
			t.Fatal(err)
		}
		closed(t, q)

		o.Partitions = next
		q = open(t, o)
		round(t, q, "b")
		j := &journal{}
		start(t, q, j.work)
		idle(t, q)
		if diff := cmp.Diff(rounds("a", "b"), j.all()); diff != "" {
			t.Errorf("then %d partitions (-want +ran):\n%s", next, diff)
		}
		if got := consumers(t, q); got != next {
			t.Errorf("%d consumers for %d partitions", got, next)
		}
	}
}

// Replicas are started anew one after the other. One that still works on a task keeps its issue; once nothing is left of what it
// pulls from, it ends and says why. A number that is smaller than that of the others does not count.
func TestReplicasChangeTheirPartitionsOneAfterTheOther(t *testing.T) {
	url := external(t)
	before := open(t, Options{URL: url, Partitions: 2})
	began, release := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- before.Run(t.Context(), func(context.Context, Task) (*Requeue, error) {
			close(began)
			<-release
			return nil, nil
		})
	}()
	publish(t, before, Task{ID: "old", Issue: 1})
	receive(t, began)

	after := open(t, Options{URL: url, Partitions: 4})
	publish(t, before, Task{ID: "through-the-old", Issue: 1})
	publish(t, after, Task{ID: "through-the-new", Issue: 1})
	j := &journal{}
	start(t, after, j.work)
	late := open(t, Options{URL: url, Partitions: 3})
	if late.layout != after.layout {
		t.Errorf("a replica that starts with less works with %+v instead of %+v", late.layout, after.layout)
	}
	if len(j.all()) > 0 {
		t.Error("an issue is worked on while another replica still has it")
	}
	close(release)
	if err := receive(t, ended); !errors.Is(err, jetstream.ErrConsumerDeleted) || !strings.Contains(err.Error(), "queue.partitions") {
		t.Errorf("the old replica ended with %v", err)
	}
	idle(t, after)
	if diff := cmp.Diff(map[int][]string{1: {"through-the-old", "through-the-new"}}, j.all()); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
}

func TestAForeignStreamIsLeftAlone(t *testing.T) {
	url := external(t)
	q := open(t, Options{URL: url, prefix: "one"})
	if _, err := q.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "two-task", Subjects: []string{"two.task.>"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{URL: url, prefix: "two"}); err == nil || !strings.Contains(err.Error(), "queue.url") {
		t.Errorf("opened: %v", err)
	}
}
