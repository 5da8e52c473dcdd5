package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

func TestIssuesAreWorkedOnInOrderByThreeReplicas(t *testing.T) {
	url := external(t)
	var queues [3]*Queue
	for i := range queues {
		queues[i] = open(t, Options{URL: url, fixed: fixed{partitions: 4}})
	}
	const issues, each = 20, 15
	type key struct {
		repository int64
		issue      int
	}
	var (
		mu      sync.Mutex
		order   = map[key][]string{}
		at      = map[key]bool{}
		overlap []key
		workers = map[int]int{}
	)
	for i, q := range queues {
		start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
			k := key{task.Repository, task.Issue}
			mu.Lock()
			if at[k] {
				overlap = append(overlap, k)
			}
			at[k] = true
			order[k] = append(order[k], task.ID)
			workers[i]++
			mu.Unlock()
			for range rand.IntN(2000) { // let others interleave
			}
			mu.Lock()
			at[k] = false
			mu.Unlock()
			return nil, nil
		})
	}
	want := map[key][]string{}
	var duplicates atomic.Int64
	var publishing sync.WaitGroup
	for issue := range issues {
		k := key{int64(issue % 3), issue}
		for n := range each {
			want[k] = append(want[k], fmt.Sprintf("%d-%d", issue, n))
		}
		ids := want[k]
		publishing.Go(func() {
			for n, id := range ids {
				for r := range 2 { // twice, through different replicas
					dup, err := queues[(n+r)%3].Publish(context.Background(), Task{ID: id, Repository: k.repository, Issue: k.issue})
					if err != nil {
						t.Error(err)
					}
					if dup {
						duplicates.Add(1)
					}
				}
			}
		})
	}
	publishing.Wait()
	for _, q := range queues {
		idle(t, q)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-published +worked on):\n%s", diff)
	}
	if len(overlap) > 0 {
		t.Errorf("issues worked on twice at once: %v", overlap)
	}
	if got := duplicates.Load(); got != issues*each {
		t.Errorf("%d duplicates, want %d", got, issues*each)
	}
	t.Logf("tasks by replica: %v", workers)
}

func TestTaskArrivesWhole(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock})
	got := make(chan Task, 1)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { got <- task; return nil, nil })
	sent := Task{ID: "délivré/1", Repository: 1 << 40, Issue: 7, Body: []byte{0, 1, '\n'}, Attempt: 9, Failures: 9}
	publish(t, q, sent)
	want := sent
	want.Attempt, want.Failures, want.Published = 0, 0, clock.Now()
	if diff := cmp.Diff(want, receive(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestSlowIssueDelaysNoOther(t *testing.T) {
	q := open(t, Options{})
	slow, release := make(chan struct{}), make(chan struct{})
	fast := make(chan int, 100)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if task.ID == "slow" {
			close(slow)
			<-release
			return nil, nil
		}
		fast <- task.Issue
		return nil, nil
	})
	publish(t, q, Task{ID: "slow", Repository: 1, Issue: 1})
	receive(t, slow)
	const others = 64
	for i := range others {
		publish(t, q, Task{ID: fmt.Sprint("fast-", i), Repository: 2, Issue: i})
	}
	// At most those that share the partition wait: with 16 partitions about 4 of 64, never most of them.
	for range others / 2 {
		receive(t, fast)
	}
	if c, err := q.Pending(t.Context()); err != nil || c.Running < 1 {
		t.Errorf("pending %+v, %v", c, err)
	}
	close(release)
	idle(t, q)
	if got := len(fast); got != others/2 {
		t.Errorf("%d others came late, want %d", got, others/2)
	}
}

func TestConcurrencyIsBounded(t *testing.T) {
	q := open(t, Options{Concurrency: 2})
	var running, most atomic.Int32
	gate := make(chan struct{})
	entered := make(chan struct{}, 100)
	start(t, q, func(context.Context, Task) (*Requeue, error) {
		n := running.Add(1)
		for before := most.Load(); n > before; before = most.Load() {
			if most.CompareAndSwap(before, n) {
				break
			}
		}
		entered <- struct{}{}
		<-gate
		running.Add(-1)
		return nil, nil
	})
	for i := range 32 {
		publish(t, q, Task{ID: fmt.Sprint(i), Issue: i})
	}
	receive(t, entered)
	receive(t, entered)
	close(gate)
	idle(t, q)
	if most.Load() != 2 || len(entered) != 30 {
		t.Errorf("at most %d at once, %d afterwards", most.Load(), len(entered))
	}
}

func TestPanicIsAFailure(t *testing.T) {
	var log bytes.Buffer
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, Log: zerolog.New(zerolog.SyncWriter(&log)), fixed: fixed{backoff: plainBackoff()}})
	tries := make(chan Task, 2)
	stop := start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		tries <- task
		if task.Attempt == 0 {
			panicking()
		}
		return nil, nil
	})
	publish(t, q, Task{ID: "x", Issue: 1})
	idle(t, q)
	clock.Advance(time.Second)
	idle(t, q)
	receive(t, tries)
	if second := receive(t, tries); second.Attempt != 1 || second.Failures != 1 {
		t.Errorf("second try: %+v", second)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	closed(t, q)
	for _, want := range []string{"panic: out of cheese", "queue.panicking", `"task":"x"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, &log)
		}
	}
}

func panicking() { panic("out of cheese") }

func TestStopLetsRunningWorkEnd(t *testing.T) {
	q := open(t, Options{fixed: fixed{partitions: 1}})
	began, release := make(chan Task, 10), make(chan struct{})
	stop := start(t, q, func(ctx context.Context, task Task) (*Requeue, error) {
		began <- task
		<-release
		return nil, ctx.Err()
	})
	publish(t, q, Task{ID: "running"}, Task{ID: "waiting"})
	receive(t, began)
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	close(release)
	if err := receive(t, stopped); err != nil {
		t.Error(err)
	}
	if len(began) > 0 {
		// The second may have begun before the stop was seen; then it ended as well.
		receive(t, began)
	} else {
		start(t, q, func(_ context.Context, task Task) (*Requeue, error) { began <- task; return nil, nil })
		if next := receive(t, began); next.ID != "waiting" || next.Failures != 0 {
			t.Errorf("after the stop %+v came", next)
		}
	}
	idle(t, q)
	if len(began) > 0 {
		t.Errorf("%s ran twice", (<-began).ID)
	}
}

func TestStopEndsWorkThatTakesTooLong(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, Drain: time.Minute})
	began, ended := make(chan struct{}), make(chan error, 1)
	stop := start(t, q, func(ctx context.Context, _ Task) (*Requeue, error) {
		close(began)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})
	publish(t, q, Task{ID: "x"})
	receive(t, began)
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	if err := clock.BlockUntilContext(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		t.Fatalf("work was ended before the drain was over: %v", err)
	default:
	}
	clock.Advance(time.Minute)
	if err := receive(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("work was ended with %v", err)
	}
	if err := receive(t, stopped); err != nil {
		t.Error(err)
	}
	again := make(chan Task, 1)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { again <- task; return nil, nil })
	if task := receive(t, again); task.Failures != 0 {
		t.Errorf("being cut off counted: %+v", task)
	}
	idle(t, q)
}

func TestStopLeavesWorkThatDoesNotListen(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, Drain: time.Minute})
	began, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	cancel, stopped := running(t, q, func(context.Context, Task) (*Requeue, error) {
		close(began)
		<-release
		return nil, nil
	})
	publish(t, q, Task{ID: "x"})
	receive(t, began)
	cancel()
	for range 2 { // the drain, then the grace
		if err := clock.BlockUntilContext(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
	}
	if err := receive(t, stopped); !errors.Is(err, ErrStillRunning) {
		t.Errorf("Run: %v", err)
	}
	if c, err := q.Pending(t.Context()); err != nil || c.Running+c.Waiting != 1 {
		t.Errorf("what was not done was acknowledged: %+v, %v", c, err)
	}
}

func TestWorkHasADeadlineWithinTheLease(t *testing.T) {
	const lease = 2 * time.Second
	q := open(t, Options{Clock: clockwork.NewFakeClock(), fixed: fixed{lease: lease, attempts: 1}})
	cause := make(chan error, 10)
	within := make(chan bool, 10)
	start(t, q, func(ctx context.Context, _ Task) (*Requeue, error) {
		deadline, ok := ctx.Deadline()
		within <- ok && time.Until(deadline) < lease
		<-ctx.Done()
		cause <- ctx.Err()
		return nil, ctx.Err()
	})
	publish(t, q, Task{ID: "x"})
	if !receive(t, within) {
		t.Error("the deadline is not within the lease")
	}
	if err := receive(t, cause); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ended with %v", err)
	}
	idle(t, q)
	if dead, err := q.DeadLetters(t.Context()); err != nil || len(dead) != 1 {
		t.Errorf("a timeout is a failure: %v, %v", dead, err)
	}
}

func TestStuckWorkIsLeftBehind(t *testing.T) {
	q := open(t, Options{Log: testLog(t), fixed: fixed{lease: 100 * time.Millisecond, partitions: 1}})
	release := make(chan struct{})
	defer close(release)
	var calls atomic.Int32
	after := make(chan string, 100)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if calls.Add(1) == 1 {
			<-release
		}
		after <- task.ID
		return nil, nil
	})
	publish(t, q, Task{ID: "stuck"}, Task{ID: "behind", Issue: 5})
	// Each at least once: where nothing runs for as long as a lease, a task comes again.
	for ran := map[string]bool{}; len(ran) < 2; {
		ran[receive(t, after)] = true
	}
	idle(t, q)
}

func TestMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Registerer: registry, Clock: clock, fixed: fixed{backoff: plainBackoff(), attempts: 2}})
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		switch {
		case task.ID == "bad":
			return nil, errors.New("no")
		case task.ID == "again" && task.Attempt == 0:
			return &Requeue{After: time.Second}, nil
		}
		return nil, nil
	})
	publish(t, q, Task{ID: "good"}, Task{ID: "bad"}, Task{ID: "again"})
	if dup, err := q.Publish(t.Context(), Task{ID: "good"}); !dup || err != nil {
		t.Errorf("duplicate %v, %v", dup, err)
	}
	idle(t, q)
	clock.Advance(time.Second)
	idle(t, q)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		m := f.GetMetric()[0]
		got[f.GetName()] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
	}
	want := map[string]float64{
		"colony_queue_published_total": 3, "colony_queue_duplicates_total": 1, "colony_queue_done_total": 2,
		"colony_queue_joined_total": 0,
		"colony_queue_again_total":  1, "colony_queue_failed_total": 2, "colony_queue_dead_total": 1,
		"colony_queue_running": 0, "colony_queue_duration_seconds": 5,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// silent is a consumer whose server does not answer at first.
type silent struct{ jetstream.Consumer }

func (s silent) Messages(opts ...jetstream.PullMessagesOpt) (jetstream.MessagesContext, error) {
	messages, err := s.Consumer.Messages(opts...)
	return &silentMessages{MessagesContext: messages}, err
}

type silentMessages struct {
	jetstream.MessagesContext
	heard bool
}

func (s *silentMessages) Next(opts ...jetstream.NextOpt) (jetstream.Msg, error) {
	if !s.heard {
		s.heard = true
		return nil, jetstream.ErrNoHeartbeat
	}
	return s.MessagesContext.Next(opts...)
}

func TestASilentServerIsRetried(t *testing.T) {
	q := open(t, Options{fixed: fixed{partitions: 1}})
	q.workers[0] = silent{q.workers[0]}
	ran := make(chan string, 1)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	publish(t, q, Task{ID: "a"})
	if got := receive(t, ran); got != "a" {
		t.Errorf("%s ran", got)
	}
}
