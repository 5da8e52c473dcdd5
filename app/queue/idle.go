package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Counts says how many tasks are in which condition, over all replicas.
type Counts struct {
	Waiting int `json:"waiting"` // not yet taken
	Running int `json:"running"` // taken by a worker that has not answered
	Delayed int `json:"delayed"` // requeued, due or not
	Dead    int `json:"dead"`    // given up
}

// Pending counts the tasks. Under load Waiting lags behind by moments.
func (q *Queue) Pending(ctx context.Context) (Counts, error) {
	var c Counts
	list := q.tasks.ListConsumers(ctx)
	for info := range list.Info() {
		c.Waiting += int(info.NumPending)
		c.Running += info.NumAckPending
	}
	if err := list.Err(); err != nil {
		return Counts{}, fmt.Errorf("count the waiting tasks: %w", err)
	}
	onHold := 0
	if q.server != nil { // all of them are here, and most of the delivered tasks wait
		held, running := c.Running, min(c.Running, int(q.running.Load()))
		onHold = min(held-running, q.onHold.count().first)
		c.Waiting, c.Running = c.Waiting+held-running-onHold, running
	}
	for _, s := range []struct {
		stream jetstream.Stream
		count  *int
	}{{q.delayed.stream, &c.Delayed}, {q.dead, &c.Dead}} {
		info, err := s.stream.Info(ctx)
		if err != nil {
			return Counts{}, fmt.Errorf("count the delayed and dead tasks: %w", err)
		}
		*s.count = int(info.State.Msgs)
	}
	c.Delayed += onHold
	return c, nil
}

// How long Idle waits before it asks again: the server takes a moment to apply an acknowledgement, and other processes finish tasks as well. In
// real time, the server's.
const (
	firstIdlePause = time.Millisecond
	maxIdlePause   = 20 * time.Millisecond
)

// Idle returns when every task published so far is done, dead or requeued to a time that has not come. It does not matter which replica did it.
// Without a Run anywhere it waits for ctx.
func (q *Queue) Idle(ctx context.Context) error {
	pause := firstIdlePause
	again := time.NewTimer(pause)
	defer again.Stop()
	busy := 0
	for {
		changed := q.changed.next()
		idle, err := q.idle(ctx, &busy)
		if err != nil {
			return fmt.Errorf("wait for idleness: %w", err)
		}
		if idle {
			return nil
		}
		again.Reset(pause)
		select {
		case <-changed:
			pause = firstIdlePause
		case <-again.C:
			pause = min(2*pause, maxIdlePause)
		case <-ctx.Done():
			return fmt.Errorf("wait for idleness: %w", ctx.Err())
		case <-q.life.Done():
			return ErrClosed
		}
	}
}

// idle looks at the delayed tasks before and after the others: a task that moves from one to the other in between would
// else be seen in neither. It starts with the partition that was busy last time.
func (q *Queue) idle(ctx context.Context, busy *int) (bool, error) {
	quiet, before, err := q.delayed.quiet(ctx)
	if err != nil || !quiet {
		return false, err
	}
	for range q.workers {
		worked, err := q.worked(ctx, q.workers[*busy], q.names.partition(*busy))
		if err != nil || !worked {
			return false, err
		}
		*busy = (*busy + 1) % len(q.workers)
	}
	quiet, after, err := q.delayed.quiet(ctx)
	return quiet && before == after, err
}

// worked says whether a partition's last task was taken and nothing taken is unanswered but what is held. It does not use the consumer's number of
// pending messages: the server counts a new message there a moment after it has acknowledged the publication.
func (q *Queue) worked(ctx context.Context, worker jetstream.Consumer, subject string) (bool, error) {
	newest := q.newest.place()
	info, err := worker.Info(ctx)
	if err != nil {
		return false, fmt.Errorf("ask about %s: %w", subject, err)
	}
	if info.NumAckPending != q.onHold.count().all() {
		return false, nil
	}
	if q.server != nil && info.Delivered.Stream >= newest {
		return true, nil
	}
	last, err := q.tasks.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the last task of %s: %w", subject, err)
	}
	return info.Delivered.Stream >= last.Sequence, nil
}

// newest is the place in its stream of the newest task that this process knows of. Only this process adds tasks to the embedded server.
type newest struct{ at atomic.Uint64 }

func (n *newest) place() uint64 { return n.at.Load() }

// stored notes a task that is in the stream by now.
func (n *newest) stored(place uint64) {
	for {
		is := n.at.Load()
		if place <= is || n.at.CompareAndSwap(is, place) {
			return
		}
	}
}

// signal wakes everybody who waits for a change.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

// next returns a channel that is closed at the next call of all.
func (b *signal) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

func (b *signal) all() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}
