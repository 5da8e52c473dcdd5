package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// delayQueue holds the tasks that were requeued. Each is durable in a stream of its own; in memory there is only when it is due. Tasks that are
// held (see hold.go) are among them, and in no stream but that of the tasks. Every replica watches the whole stream and publishes what is due
// under a message id that all of them share. So a replica that dies takes nothing with it, and two that publish at the same time publish once.
type delayQueue struct {
	q      *Queue
	stream jetstream.Stream
	wake   chan struct{} // the earliest due time might have changed

	mu       sync.Mutex
	schedule        // by sequence in the stream; see firstHeld for tasks that are held
	watched  uint64 // highest sequence up to which the watch has entered everything
	watching jetstream.ConsumeContext
	loop     sync.WaitGroup
}

// retryAfter is how long a due task waits when it could not be published, on the injected clock.
const retryAfter = 5 * time.Second

func newDelayQueue(q *Queue, s jetstream.Stream) *delayQueue {
	return &delayQueue{
		q: q, stream: s, wake: make(chan struct{}, 1),
		schedule: schedule{entries: map[uint64]*delayed{}, due: lane{order: byDue}, gates: map[string]*gate{}},
	}
}

// watch reads back what is delayed, follows what any replica adds, and publishes what falls due, until ctx ends.
func (l *delayQueue) watch(ctx context.Context) error {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverAllPolicy,
		HeadersOnly:   true,
	})
	if err != nil {
		return fmt.Errorf("watch stream %s: %w", l.q.names.laterStream(), err)
	}
	l.watching, err = consumer.Consume(l.noticed, jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
		if ctx.Err() == nil {
			l.q.opts.Log.Debug().Err(err).Msg("queue: the watch of delayed tasks starts again")
		}
	}))
	if err != nil {
		return fmt.Errorf("watch stream %s: %w", l.q.names.laterStream(), err)
	}
	l.loop.Go(func() { l.publishDue(ctx) })
	return nil
}

func (l *delayQueue) stop() {
	if l.watching != nil {
		l.watching.Stop()
	}
	l.loop.Wait()
}

func (l *delayQueue) noticed(m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		l.q.opts.Log.Error().Err(err).Str("subject", m.Subject()).Msg("queue: a delayed task cannot be read")
		return
	}
	d := readDelayed(m.Headers())
	d.seq = meta.Sequence.Stream
	if d.due.IsZero() {
		l.q.opts.Log.Error().Str("subject", m.Subject()).Msg("queue: a delayed task does not say when it is due; it runs now")
		d.due = l.q.opts.Clock.Now()
	}
	l.mu.Lock()
	known := meta.Sequence.Stream <= l.watched // a watch that started again repeats itself
	l.watched = max(l.watched, meta.Sequence.Stream)
	l.mu.Unlock()
	if !known {
		l.add(d)
	}
}

// put makes the task durable until it is due. It returns once that is so. It is not kept if the queue has this attempt already.
func (l *delayQueue) put(ctx context.Context, t Task, d delayed) (kept bool, err error) {
	m := t.message(l.q.names.later(t))
	d.published = t.Published
	d.write(m.Header)
	ack, err := l.q.store(ctx, m)
	if err != nil {
		return false, fmt.Errorf("put back task %s: %w", t.ID, err)
	}
	if ack.Duplicate { // a worker that died before its acknowledgement put it back already
		return false, nil
	}
	d.seq = ack.Sequence
	l.add(d)
	return true, nil
}

func (l *delayQueue) add(d delayed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.entries[d.seq]; known { // our own put and the watch both bring it
		return
	}
	l.enter(d, l.q.opts.Clock.Now())
	l.rouse()
}

func (l *delayQueue) rouse() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *delayQueue) publishDue(ctx context.Context) {
	for ctx.Err() == nil {
		next, at, ok := l.earliest()
		if ok && !at.After(l.q.opts.Clock.Now()) {
			l.settle(ctx, next)
			continue
		}
		var ring <-chan time.Time
		stop := func() bool { return false }
		if ok {
			timer := l.q.opts.Clock.NewTimer(at.Sub(l.q.opts.Clock.Now()))
			ring, stop = timer.Chan(), timer.Stop
		}
		select {
		case <-ctx.Done():
		case <-l.wake:
		case <-ring:
		}
		stop()
	}
}

// earliest returns the task that goes back to the others next, and when.
func (l *delayQueue) earliest() (next delayed, at time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next()
}

// settle moves one due task to the others. It leaves the memory last: until then it keeps Idle waiting.
func (l *delayQueue) settle(ctx context.Context, d delayed) {
	if d.held != nil {
		l.goOn(d)
		return
	}
	err := l.move(ctx, d.seq)
	if ctx.Err() != nil {
		return
	}
	l.mu.Lock()
	if entry, ok := l.entries[d.seq]; ok {
		if err == nil {
			l.left(d)
		} else {
			l.holdUp(entry, l.q.opts.Clock.Now().Add(retryAfter))
		}
	}
	l.mu.Unlock()
	if err != nil {
		l.q.opts.Log.Warn().Err(err).Dur("wait", retryAfter).Msg("queue: a delayed task is due but cannot be moved")
	}
}

func (l *delayQueue) move(ctx context.Context, seq uint64) error {
	stored, err := l.stream.GetMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil // another replica was first
	}
	if err != nil {
		return fmt.Errorf("read delayed task %d: %w", seq, err)
	}
	t, err := parseTask(stored.Subject, stored.Header, stored.Data)
	if err != nil {
		l.q.opts.Log.Error().Err(err).Uint64("sequence", seq).Msg("queue: a delayed task cannot be read and is dropped")
	} else if _, err := l.q.store(ctx, t.message(l.q.names.task(t))); err != nil {
		return fmt.Errorf("publish delayed task %s: %w", t.ID, err)
	}
	if err := l.stream.DeleteMsg(ctx, seq); err != nil {
		if _, gone := l.stream.GetMsg(ctx, seq); errors.Is(gone, jetstream.ErrMsgNotFound) {
			return nil
		}
		return fmt.Errorf("delete delayed task %d: %w", seq, err)
	}
	return nil
}

// quiet says whether no task is due, with the number of changes so far: if that is the same at a later call that says so too,
// none became due in between. While this process has not read back all that is delayed, it does not know.
func (l *delayQueue) quiet(ctx context.Context) (quiet bool, changes uint64, err error) {
	last, err := lastOf(ctx, l.stream, l.q.names.allLater())
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || l.watched < last.Sequence {
		return false, l.changes, err
	}
	if _, at, ok := l.next(); ok && !at.After(l.q.opts.Clock.Now()) {
		l.rouse() // a clock that someone moves might have moved while the timer was being set
		return false, l.changes, nil
	}
	return true, l.changes, nil
}

// Delays tells why tasks were requeued, over all replicas, in the order of the reasons.
func (q *Queue) Delays() []Delay {
	q.delayed.mu.Lock()
	defer q.delayed.mu.Unlock()
	return q.delayed.delays()
}
