package queue

import (
	"context"
	"errors"
	"fmt"
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
	if q.server != nil { // all of them are here, and most of the delivered tasks wait
		delivered := c.Running
		c.Running = min(delivered, int(q.running.Load()))
		c.Waiting += delivered - c.Running
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
	return c, nil
}

// maxIdlePause is how long Idle waits at most before it asks again: the server takes a moment to apply an acknowledgement, and other processes
// finish tasks as well. In real time, the server's.
const maxIdlePause = 5 * time.Millisecond

// Idle returns when every task published so far is done, dead or requeued to a time that has not come. It does not matter which replica did it.
// Without a Run anywhere it waits for ctx.
func (q *Queue) Idle(ctx context.Context) error {
	for pause := time.Millisecond; ; pause = min(2*pause, maxIdlePause) {
		idle, err := q.idle(ctx)
		if err != nil {
			return fmt.Errorf("wait for idleness: %w", err)
		}
		if idle {
			return nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("wait for idleness: %w", ctx.Err())
		case <-q.life.Done():
			return ErrClosed
		}
	}
}

// idle looks at the delayed tasks before and after the others: a task that moves from one to the other in between would
// else be seen in neither.
func (q *Queue) idle(ctx context.Context) (bool, error) {
	quiet, before, err := q.delayed.quiet(ctx)
	if err != nil || !quiet {
		return false, err
	}
	for p, worker := range q.workers {
		worked, err := q.worked(ctx, worker, q.names.partition(p))
		if err != nil || !worked {
			return false, err
		}
	}
	quiet, after, err := q.delayed.quiet(ctx)
	return quiet && before == after, err
}

// worked says whether a partition's last task was taken and nothing taken is unanswered. It does not use the consumer's number of
// pending messages: the server counts a new message there a moment after it has acknowledged the publication.
func (q *Queue) worked(ctx context.Context, worker jetstream.Consumer, subject string) (bool, error) {
	newest := q.newest.place()
	info, err := worker.Info(ctx)
	if err != nil {
		return false, fmt.Errorf("ask about %s: %w", subject, err)
	}
	if info.NumAckPending > 0 {
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
