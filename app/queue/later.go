package queue

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// later holds the tasks that were put back. Each is durable in a stream of its own; in memory there is only when it is due.
// Every replica watches the whole stream and publishes what is due under a message id that all of them share, so that
// a replica that dies takes nothing with it and two that publish at once publish once.
type later struct {
	q      *Queue
	stream jetstream.Stream
	wake   chan struct{} // the earliest due time may have changed

	mu       sync.Mutex
	entries  map[uint64]*delayed // by sequence in the stream
	due      dueHeap
	watched  uint64 // highest sequence up to which the watch has entered everything
	changes  uint64 // counts additions and removals
	watching jetstream.ConsumeContext
	loop     sync.WaitGroup
}

type delayed struct {
	seq   uint64
	due   time.Time
	index int
}

// retryAfter is how long a due task waits when it could not be published, on the injected clock.
const retryAfter = 5 * time.Second

func newLater(q *Queue, s jetstream.Stream) *later {
	return &later{q: q, stream: s, wake: make(chan struct{}, 1), entries: map[uint64]*delayed{}}
}

// watch reads back what is delayed, follows what any replica adds, and publishes what falls due, until ctx ends.
func (l *later) watch(ctx context.Context) error {
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

func (l *later) stop() {
	if l.watching != nil {
		l.watching.Stop()
	}
	l.loop.Wait()
}

func (l *later) noticed(m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		l.q.opts.Log.Error().Err(err).Str("subject", m.Subject()).Msg("queue: a delayed task cannot be read")
		return
	}
	due, err := parseTime(m.Headers().Get(headerDue))
	if err != nil {
		l.q.opts.Log.Error().Err(err).Str("subject", m.Subject()).Msg("queue: a delayed task does not say when it is due; it runs now")
		due = l.q.opts.Clock.Now()
	}
	l.mu.Lock()
	known := meta.Sequence.Stream <= l.watched // a watch that started again repeats itself
	l.watched = max(l.watched, meta.Sequence.Stream)
	l.mu.Unlock()
	if !known {
		l.add(meta.Sequence.Stream, due)
	}
	l.q.changed.all()
}

// put makes the task durable until it is due. It returns once that is so.
func (l *later) put(ctx context.Context, t Task, due time.Time) error {
	m := t.message(l.q.names.later(t))
	m.Header.Set(headerDue, formatTime(due))
	ack, err := l.q.store(ctx, m)
	if err != nil {
		return fmt.Errorf("put back task %s: %w", t.ID, err)
	}
	if !ack.Duplicate { // else a worker that died before its acknowledgement put it back already
		l.add(ack.Sequence, due)
	}
	return nil
}

func (l *later) add(seq uint64, due time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.entries[seq]; known { // our own put and the watch both bring it
		return
	}
	d := &delayed{seq: seq, due: due}
	l.entries[seq] = d
	heap.Push(&l.due, d)
	l.changes++
	l.rouse()
}

func (l *later) rouse() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *later) publishDue(ctx context.Context) {
	for ctx.Err() == nil {
		next, ok := l.earliest()
		if ok && !next.due.After(l.q.opts.Clock.Now()) {
			l.settle(ctx, next)
			continue
		}
		var ring <-chan time.Time
		stop := func() bool { return false }
		if ok {
			timer := l.q.opts.Clock.NewTimer(next.due.Sub(l.q.opts.Clock.Now()))
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

func (l *later) earliest() (delayed, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.due) == 0 {
		return delayed{}, false
	}
	return *l.due[0], true
}

// settle moves one due task to the others. It leaves the memory last: until then it keeps Idle waiting.
func (l *later) settle(ctx context.Context, d delayed) {
	err := l.move(ctx, d.seq)
	if ctx.Err() != nil {
		return
	}
	l.mu.Lock()
	if entry, ok := l.entries[d.seq]; ok {
		if err == nil {
			heap.Remove(&l.due, entry.index)
			delete(l.entries, d.seq)
		} else {
			entry.due = l.q.opts.Clock.Now().Add(retryAfter)
			heap.Fix(&l.due, entry.index)
		}
		l.changes++
	}
	l.mu.Unlock()
	if err != nil {
		l.q.opts.Log.Warn().Err(err).Dur("wait", retryAfter).Msg("queue: a delayed task is due but cannot be moved")
	}
	l.q.changed.all()
}

func (l *later) move(ctx context.Context, seq uint64) error {
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
// none became due in between.
func (l *later) quiet(ctx context.Context) (quiet bool, changes uint64, err error) {
	var last uint64
	stored, err := l.stream.GetLastMsgForSubject(ctx, l.q.names.allLater())
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
	case err != nil:
		return false, 0, fmt.Errorf("read the last delayed task: %w", err)
	default:
		last = stored.Sequence
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watched < last {
		return false, l.changes, nil
	}
	if len(l.due) > 0 && !l.due[0].due.After(l.q.opts.Clock.Now()) {
		l.rouse() // a clock that somebody moves may have moved while the timer was being set
		return false, l.changes, nil
	}
	return true, l.changes, nil
}

// dueHeap orders delayed tasks by when they are due (container/heap), then by when they were put back.
type dueHeap []*delayed

func (h dueHeap) Len() int { return len(h) }

func (h dueHeap) Less(i, j int) bool {
	if c := h[i].due.Compare(h[j].due); c != 0 {
		return c < 0
	}
	return h[i].seq < h[j].seq
}

func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *dueHeap) Push(x any) {
	d := x.(*delayed)
	d.index = len(*h)
	*h = append(*h, d)
}

func (h *dueHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}
