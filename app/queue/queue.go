// Package queue keeps the tasks that Colony has accepted until they are done: on disk, in order for each issue, each ID once.
//
// The engine is NATS JetStream, embedded in the process or an external cluster; both are the same code from the connection
// on. Four streams hold everything:
//
//	<prefix>-task   the tasks, in partitions (see layout.go). Limits retention for DedupeWindow, done or not: it is what makes a duplicate
//	                recognisable after it was worked on and after a restart. On an external server, one durable pull consumer a partition
//	                with MaxAckPending 1 lets every replica pull from every partition and still gives an issue to one worker at a time.
//	                The embedded server has one partition; this process holds many of its tasks at a time (see sequencer).
//	<prefix>-later  requeued tasks, until they are due and can pass their gate.
//	<prefix>-dead   tasks given up.
//	<prefix>-note   what is to be remembered and GitHub does not take, one message a key, for DedupeWindow. The pages of Ledger are in it.
//
// # Order
//
// Tasks of one issue run one at a time, in order of publication. Where Options.Join says how, one takes those along that wait right
// behind it, and all of them are done together. A task that is requeued (Requeue, or an error) gives up its place. It runs when it is due,
// behind all that was published for the issue until then. A task says "reconcile the issue", so that a later one replaces an earlier one. In
// exchange, nothing ever waits for a delay but the task itself. Only one that is held in memory for a short time keeps its place (see hold.go).
//
// # Delivery
//
// At least once. A task runs again if its worker is killed between doing it and the acknowledgement reaching the disk (which is not
// awaited, and which the server writes up to 100 ms late), or if a Handler ignores the end of its context for longer than a lease.
package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/colony-app/colony/bounded"
)

// Task is one thing to do about one issue.
type Task struct {
	// ID is what makes two publications the same task: within DedupeWindow the second is dropped, even after the first was
	// worked on. 1 to 256 bytes without spaces and control characters.
	ID string
	// Repository is GitHub's id of the repository; with Issue it is the key whose tasks run one at a time and in order.
	Repository int64
	// Issue is the issue's number; 0 is the repository itself.
	Issue int
	// Body says what to do. Small: a reduced event, not the webhook's payload.
	Body []byte

	// Attempt counts how often the task was requeued. Set by the queue, as are the following.
	Attempt int
	// Failures counts the errors in a row; Requeue resets it. Options.Attempts bounds it.
	Failures int
	// Published is when the task was first published.
	Published time.Time
	// Held says that the task has waited in memory since it was stored: see Requeue.Hold.
	Held bool
}

// Requeue asks to run a task once more.
type Requeue struct {
	After time.Duration // from now; not positive: as soon as possible, behind what waits already
	Body  []byte        // replaces the task's body; nil keeps it

	// Gate names what the task waits for together with others; empty: it waits for its time only. A gate is closed until the latest time for
	// which a task was requeued to it. Then one task passes, and a moment later, if it was not requeued, more and more. The lowest Rank goes
	// first, and among these the one that was published first.
	Gate string
	Rank int

	// Hold says that nothing is lost if the task begins again as it is stored, without Body, so that it need not be stored again. See hold.go.
	Hold bool

	// Reason says in a word why the task waits; see Queue.Delays.
	Reason string
}

// Handler does a task. Nil and nil: done. An error or a panic: tried again with exponential backoff, dead-lettered after
// Options.Attempts failures in a row, or immediately if the error is Permanent. The context ends before the task's lease does; Handler must obey
// it.
type Handler func(ctx context.Context, t Task) (*Requeue, error)

var (
	// ErrFull says that the queue has no room (Options.MaxBytes). Nothing was accepted.
	ErrFull = errors.New("the queue is full")
	// ErrClosed says that the queue was closed.
	ErrClosed = errors.New("the queue is closed")
)

// Queue is an open queue. All methods can be used concurrently. Several Queues, in one or many processes, can share a server.
type Queue struct {
	opts Options
	connection
	streams
	activity
	lifetime
	delayed *delayQueue
	joined  *lru.Cache[uint64, struct{}] // the tasks that were done with another, by their place in the stream
	commits groupCommit
}

type connection struct {
	server *embedded // nil with an external one
	conn   *nats.Conn
	js     jetstream.JetStream
}

// streams are the places on the server where the queue keeps its tasks and notes; delayQueue has that of the delayed tasks.
type streams struct {
	names      names
	tasks      jetstream.Stream
	workers    []jetstream.Consumer // of the tasks, one a partition
	dead       jetstream.Stream
	notes      jetstream.Stream
	notesSince time.Time
}

// activity is the work of this process.
type activity struct {
	measured *measured
	running  atomic.Int64 // tasks under way
	onHold   heldCount
}

// lifetime lasts until Close, which waits for the runs that began before.
type lifetime struct {
	life  context.Context // ends with Close
	end   context.CancelFunc
	mu    sync.Mutex // guards runs.Add against Close
	runs  sync.WaitGroup
	close sync.Once
}

// begin counts a run until the returned function is called. The error is ErrClosed if the lifetime has ended.
func (l *lifetime) begin() (done func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.life.Err() != nil {
		return nil, ErrClosed
	}
	l.runs.Add(1)
	return l.runs.Done, nil
}

func (l *lifetime) finish(ctx context.Context) error {
	l.mu.Lock()
	l.end()
	l.mu.Unlock()
	return waitFor(ctx, l.runs.Wait)
}

// Open starts the embedded server, or connects to the external one, and creates what is missing there. An external one that
// cannot be reached or has no leader is tried again for Options.OpenTimeout. The error names the setting that is wrong
// (queue.dir, queue.url, …).
func Open(ctx context.Context, o Options) (*Queue, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	q := &Queue{opts: o, joined: bounded.New[uint64, struct{}](notesKept), activity: activity{measured: newMeasured(o.Registerer)}}
	q.names.prefix, q.commits.q = o.prefix, q
	q.life, q.end = context.WithCancel(context.Background())
	if err := q.start(ctx); err != nil {
		return nil, errors.Join(err, q.Close(context.WithoutCancel(ctx)))
	}
	return q, nil
}

func (q *Queue) start(ctx context.Context) error {
	begin := q.reach
	if q.opts.URL == "" {
		begin = q.connectAndProvision
	}
	if err := begin(ctx); err != nil {
		return err
	}
	if err := q.hearJoined(); err != nil {
		return fmt.Errorf("hear what other replicas have done: %w", err)
	}
	if q.server != nil {
		if err := q.reclaim(ctx); err != nil {
			return err
		}
	}
	return q.delayed.watch(q.life)
}

// Close ends Run as the end of its context would, then leaves the server; an embedded one is stopped and its folder released.
// An error means that ctx ended first.
func (q *Queue) Close(ctx context.Context) error {
	var err error
	q.close.Do(func() { err = q.shutDown(ctx) })
	return err
}

func (q *Queue) shutDown(ctx context.Context) error {
	var errs []error
	if err := q.finish(ctx); err != nil {
		errs = append(errs, fmt.Errorf("close the queue: work is still running: %w", err))
	}
	if q.delayed != nil {
		q.delayed.stop()
	}
	if q.conn != nil {
		q.conn.Close()
	}
	if q.server != nil {
		if err := q.server.stop(ctx); err != nil {
			errs = append(errs, fmt.Errorf("close the queue: %w", err))
		}
	}
	return errors.Join(errs...)
}

// waitFor calls wait and returns when it has returned, or ctx's error when that ends first.
func waitFor(ctx context.Context, wait func()) error {
	done := make(chan struct{})
	go func() {
		wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
