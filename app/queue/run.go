package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// maxAbandoned is how many workers can end without an answer to a task (killed, cut off, stuck) before the task counts as failed. The failure
// makes room for what waits behind the task.
const maxAbandoned = 3

// pullTime is about how long the server holds a request for a task before it is repeated.
const pullTime = 30 * time.Second

// ErrStillRunning says that work did not end although its context did. Its tasks were not acknowledged; they run again.
var ErrStillRunning = errors.New("work did not end in time")

// Run works until ctx ends or the queue is closed. Then it takes nothing more, gives running work Options.Drain to end, ends
// the contexts of what is left, and returns; what did not get done is given to the next worker without counting as a failure. An
// error means that the server no longer serves us (then nothing more would ever come), or ErrStillRunning.
func (q *Queue) Run(ctx context.Context, work Handler) error {
	done, err := q.begin()
	if err != nil {
		return err
	}
	defer done()

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(q.life, func() { stop(ErrClosed) })()
	workCtx, endWork := context.WithCancel(context.WithoutCancel(ctx))
	defer endWork()

	r := &run{
		q: q, ctx: ctx, work: work, workCtx: workCtx, leave: make(chan struct{}),
		slots: make(chan struct{}, q.opts.Concurrency), behind: make(chan struct{}, max(1, q.opts.Concurrency/2)),
	}
	var pulls errgroup.Group
	for p, consumer := range q.workers {
		pulls.Go(func() error {
			err := r.pull(ctx, consumer)
			if err != nil {
				err = fmt.Errorf("pull tasks of partition %d: %w", p, err)
				stop(err)
			}
			return err
		})
	}
	ended, failed := make(chan struct{}), error(nil)
	go func() {
		failed = pulls.Wait()
		close(ended)
	}()

	<-ctx.Done()
	left := r.drain(ended, endWork)
	if failed != nil {
		return failed //nolint:wrapcheck // it names its partition
	}
	if left > 0 {
		return fmt.Errorf("stop the queue: %d tasks: %w", left, ErrStillRunning)
	}
	return nil
}

// run is one call of Run.
type run struct {
	q       *Queue
	ctx     context.Context // ends when nothing more is to be taken
	work    Handler
	workCtx context.Context // ends when running work is to end
	leave   chan struct{}   // closed when running work is no longer waited for
	slots   chan struct{}   // one held for each task until it is answered or left behind
	behind  chan struct{}   // one held for each such task that no one waits for; fewer than slots, so that the others find one
}

// pull takes the tasks of one partition until ctx ends.
func (r *run) pull(ctx context.Context, consumer jetstream.Consumer) error {
	// The server gives a task to the replica that asked first. As each request lasts for another time, idle replicas come first in about as
	// many partitions each, and share what comes at the same time.
	expiry := pullTime/2 + rand.N(pullTime) //nolint:gosec // no secret
	messages, err := consumer.Messages(jetstream.PullMaxMessages(max(r.q.opts.window/2, 1)), jetstream.PullExpiry(expiry))
	if err != nil {
		return fmt.Errorf("pull from a partition: %w", err)
	}
	s := r.newSequencer(ctx, consumer)
	defer r.giveBackAll(s, messages)
	defer s.end()
	// Not Stop: it throws away a message that has arrived, which would then wait for its lease to end.
	defer context.AfterFunc(ctx, messages.Drain)()
	if r.q.server != nil {
		if err := s.resume(messages); err != nil {
			return err
		}
	}
	for {
		m, err := messages.Next()
		switch {
		case errors.Is(err, jetstream.ErrMsgIteratorClosed) && ctx.Err() != nil:
			return nil
		case errors.Is(err, jetstream.ErrNoHeartbeat):
			// A node that dies or elects is silent for a while. The next turn asks again.
			r.q.opts.Log.Warn().Err(err).Msg("queue: NATS is silent")
		case err != nil:
			return fmt.Errorf("pull the next task: %w", err)
		default:
			s.take(m)
		}
	}
}

// giveBackAll ends the requests of a partition and leaves what is unfinished to the next run. The order matters. A task that the server sends to
// a request of ours from now on would reach no one and wait for its lease to end. When it returns the server has processed all answers.
func (r *run) giveBackAll(s *sequencer, messages jetstream.MessagesContext) {
	messages.Stop()
	if s, ok := messages.(interface{ Closed() <-chan struct{} }); ok {
		select {
		case <-s.Closed():
		case <-time.After(requestTime):
		}
	}
	var answers []string
	for _, m := range slices.SortedFunc(slices.Values(s.unfinished), byPlace) {
		if r.q.server == nil {
			r.putAside(m, 0)
		} else { // what the embedded server forgets of it when it stops, reclaim makes good
			answers = append(answers, m.Reply())
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	if err := r.q.giveBack(ctx, answers, s.last); err != nil {
		r.q.opts.Log.Warn().Err(err).Msg("queue: tasks cannot be given back; they will be when their leases end")
	}
}

// putAside keeps a task for later, or for the next run of any replica as one that is due immediately. Merely given back it would be
// forgotten by a server that stops now, and wait for its lease to end.
func (r *run) putAside(m jetstream.Msg, wait time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	t, err := parseTask(m.Subject(), m.Headers(), m.Data())
	if err == nil {
		t.Attempt++
		_, err = r.q.delayed.put(ctx, t, delayed{due: r.q.opts.Clock.Now().Add(wait)})
	}
	if err == nil {
		err = m.Ack()
	}
	if err != nil {
		r.q.opts.Log.Warn().Err(err).Str("subject", m.Subject()).Msg("queue: a task cannot be put aside; it runs again when its lease ends")
		r.giveBack(m, 0)
	}
}

// attend has one task done and answers the server, unless the task is to be held until what comes back says. The caller keeps the lease while
// this runs. held says that it was held until now. unfinished says that no one worked on it to its end, because the run is over.
func (r *run) attend(s *sequencer, m jetstream.Msg, held bool) (hold *Requeue, unfinished bool) {
	behind := s.behind(m)
	if r.q.wasJoined(m) {
		r.q.measured.joined.Inc()
		r.acknowledge(m)
		return nil, false
	}
	task, err := parseTask(m.Subject(), m.Headers(), m.Data())
	if err != nil {
		r.discard(m, err)
		return nil, false
	}
	task.Held = held
	if r.q.opts.Background != nil && r.q.opts.Background(task) {
		if !r.enter(r.behind) {
			return nil, true
		}
		defer func() { <-r.behind }()
	}
	if !r.enter(r.slots) {
		return nil, true
	}
	defer func() { <-r.slots }()
	if abandoned(m) {
		r.settle(m, task, task, nil, outcome{err: errAbandoned}, s.mayHold)
		return nil, false
	}
	done := make(chan outcome, 1)
	whole, with := r.join(task, behind)
	go func() { done <- r.do(whole) }()
	// A goroutine cannot be ended from outside. One that ignores the end of its context keeps its issue for one more lease; then
	// the issue goes on without it.
	stuck := time.NewTimer(r.q.opts.workTime() + r.q.opts.lease)
	defer stuck.Stop()
	select {
	case o := <-done:
		if o.cut {
			return nil, true
		}
		if r.settle(m, task, whole, with, o, s.mayHold) {
			return o.again, false
		}
	case <-stuck.C:
		r.log(task).Error().Msg("queue: work ignores the end of its context and is left behind; its task will run again")
	case <-r.leave:
		r.log(task).Error().Msg("queue: work did not end when asked to; its task will run again")
	}
	return nil, false
}

// enter waits for a place at work. It reports false if the run is over.
func (r *run) enter(places chan<- struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// abandoned says whether too many workers got this message and did not answer.
func abandoned(m jetstream.Msg) bool {
	meta, err := m.Metadata()
	return err == nil && meta.NumDelivered > maxAbandoned
}

// giveBack lets the next worker have the task, after a delay that holds up its partition: only for what cannot be put aside.
func (r *run) giveBack(m jetstream.Msg, after time.Duration) {
	if err := m.NakWithDelay(after); err != nil {
		r.q.opts.Log.Warn().Err(err).Str("subject", m.Subject()).Msg("queue: a task cannot be given back; it will be when its lease ends")
	}
}

// discard drops a message that this queue has not written.
func (r *run) discard(m jetstream.Msg, err error) {
	r.q.opts.Log.Error().Err(err).Str("subject", m.Subject()).Msg("queue: a message is not a task and is dropped")
	if err := m.TermWithReason("not a task"); err != nil {
		r.q.opts.Log.Warn().Err(err).Msg("queue: a message that is not a task cannot be dropped")
	}
}
