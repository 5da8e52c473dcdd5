package queue

import (
	"context"
	"errors"
	"fmt"
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
		onHold = min(held-running, int(q.onHold.first.Load()))
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

// idlePause is how long Idle waits before it asks again, in real time: the server takes a moment to apply an acknowledgement, and other processes
// finish tasks as well.
const idlePause = 2 * time.Millisecond

// Idle returns when every task published so far is done, dead or requeued to a time that has not come. It does not matter which replica did it.
// Without a Run anywhere it waits for ctx.
func (q *Queue) Idle(ctx context.Context) error {
	for {
		idle, err := q.idle(ctx)
		if err != nil {
			return fmt.Errorf("wait for idleness: %w", err)
		}
		if idle {
			return nil
		}
		select {
		case <-time.After(idlePause):
		case <-ctx.Done():
			return fmt.Errorf("wait for idleness: %w", ctx.Err())
		case <-q.life.Done():
			return ErrClosed
		}
	}
}

// idle asks about the tasks between two questions about what was published and delayed. A task publishes what follows from it before it is
// answered. So where both answers are the same, nothing moved past it: from one partition to another, or between the delayed tasks and the others.
func (q *Queue) idle(ctx context.Context) (bool, error) {
	before, quiet, err := q.moment(ctx)
	if err != nil || !quiet {
		return false, err
	}
	for p, worker := range q.workers {
		if worked, err := q.worked(ctx, worker, q.names.partition(p)); err != nil || !worked {
			return false, err
		}
	}
	after, quiet, err := q.moment(ctx)
	return quiet && before == after, err
}

// moment tells two states of the queue apart.
type moment struct {
	published uint64 // place of the last task in its stream
	delays    uint64 // changes of what is delayed
}

func (q *Queue) moment(ctx context.Context) (m moment, quiet bool, err error) {
	info, err := q.tasks.Info(ctx)
	if err != nil {
		return moment{}, false, fmt.Errorf("ask for the last task: %w", err)
	}
	quiet, delays, err := q.delayed.quiet(ctx)
	return moment{published: info.State.LastSeq, delays: delays}, quiet, err
}

// worked says whether a partition's last task was taken and nothing taken is unanswered but what is held. It does not use the consumer's number of
// pending messages: the server counts a new message there a moment after it has acknowledged the publication.
func (q *Queue) worked(ctx context.Context, worker jetstream.Consumer, subject string) (bool, error) {
	last, err := lastOf(ctx, q.tasks, subject)
	if err != nil {
		return false, err
	}
	info, err := worker.Info(ctx)
	if err != nil {
		return false, fmt.Errorf("ask about %s: %w", subject, err)
	}
	return info.NumAckPending == int(q.onHold.all.Load()) && info.Delivered.Stream >= last.Sequence, nil
}

// lastOf returns the last message of a subject in its stream; the zero message, whose sequence is 0, without one.
func lastOf(ctx context.Context, stream jetstream.Stream, subject string) (jetstream.RawStreamMsg, error) {
	last, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return jetstream.RawStreamMsg{}, nil
	}
	if err != nil {
		return jetstream.RawStreamMsg{}, fmt.Errorf("read the last message of %s: %w", subject, err)
	}
	return *last, nil
}
