package queue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"
)

var errAbandoned = errors.New("its workers ended without an answer")

// outcome is what came of one run of the Handler.
type outcome struct {
	again *Requeue
	err   error
	cut   bool // it was ended by the drain: an error is no failure
}

// panicError is a panic of the Handler, as an error.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// do calls the Handler with a task, and counts that.
func (r *run) do(t Task) outcome {
	r.q.running.Add(1)
	r.q.measured.running.Inc()
	began := time.Now()
	defer func() {
		r.q.running.Add(-1)
		r.q.measured.running.Dec()
		r.q.measured.durations.Observe(time.Since(began).Seconds())
	}()
	ctx, cancel := context.WithTimeout(r.workCtx, r.q.opts.workTime())
	defer cancel()
	requeue, err := r.guarded(ctx, t)
	return outcome{again: requeue, err: err, cut: err != nil && r.workCtx.Err() != nil}
}

func (r *run) guarded(ctx context.Context, t Task) (requeue *Requeue, err error) {
	defer func() {
		if v := recover(); v != nil {
			requeue, err = nil, &panicError{value: v, stack: debug.Stack()}
		}
	}()
	return r.work(ctx, t)
}

// settle makes the outcome durable, then acknowledges the task. A crash in between repeats it; the message ids make that harmless.
// The whole is the task with the tasks that it took along. What fails, fails alone.
func (r *run) settle(m jetstream.Msg, t, whole Task, with joined, o outcome) {
	// The run's contexts might have ended; the answer must still get through.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	var err error
	kept := true
	switch {
	case o.err != nil:
		err = r.failed(ctx, t, o.err)
	case o.again != nil:
		kept, err = r.putBack(ctx, whole, *o.again)
	default:
		r.q.measured.done.Inc()
	}
	if err != nil {
		r.log(t).Error().Err(err).Msg("queue: a task cannot be put aside; it holds up its partition until it can")
		r.giveBack(m, retryAfter)
		return
	}
	if o.err == nil && kept { // else what it took along runs alone
		r.q.note(with)
	}
	r.acknowledge(m)
}

// acknowledge tells the server that a task is done. It does not wait until the server has received that: a task whose acknowledgement never
// arrives runs again. See giveBackAll for the end of a run.
func (r *run) acknowledge(m jetstream.Msg) {
	if err := m.Ack(); err != nil {
		r.q.opts.Log.Warn().Err(err).Str("subject", m.Subject()).Msg("queue: a task was done but cannot be acknowledged; it may run again")
	}
}

// putBack requeues a task. It is not kept if it was requeued already, by a worker that ended before its acknowledgement: then that is what
// runs, and it knows nothing of what this one took along.
func (r *run) putBack(ctx context.Context, t Task, a Requeue) (kept bool, err error) {
	t.Attempt++
	t.Failures = 0
	if a.Body != nil {
		t.Body = a.Body
	}
	due := r.q.opts.Clock.Now().Add(max(a.After, 0))
	kept, err = r.q.delayed.put(ctx, t, delayed{due: due, gate: a.Gate, rank: a.Rank, reason: a.Reason})
	if err != nil {
		return false, err
	}
	r.q.measured.again.Inc()
	return kept, nil
}

// failed has a task tried again that failed, or gives it up. It counts and logs that; a panic is louder and shows where.
func (r *run) failed(ctx context.Context, t Task, cause error) error {
	t.Failures++
	dead := IsPermanent(cause) || t.Failures >= r.q.opts.attempts
	var wait time.Duration
	var err error
	if dead {
		err = r.q.deadLetter(ctx, t, cause)
	} else {
		wait = r.q.opts.wait(t.Failures)
		next := t
		next.Attempt++
		_, err = r.q.delayed.put(ctx, next, delayed{due: r.q.opts.Clock.Now().Add(wait)})
	}
	if err != nil {
		return err
	}
	r.q.measured.failed.Inc()
	level, stack := zerolog.WarnLevel, func(*zerolog.Event) {}
	if p, ok := errors.AsType[*panicError](cause); ok {
		level, stack = zerolog.ErrorLevel, func(e *zerolog.Event) { e.Bytes("stack", p.stack) }
	}
	e := r.log(t).WithLevel(level).Err(cause).Int("failures", t.Failures).Func(stack)
	if dead {
		r.q.measured.dead.Inc()
		e.Bool("permanent", IsPermanent(cause)).Msg("queue: a task is given up")
		return nil
	}
	e.Dur("wait", wait).Msg("queue: a task failed and is tried again")
	return nil
}

func (r *run) log(t Task) *zerolog.Logger {
	l := r.q.opts.Log.With().Str("task", t.ID).Int64("repository_id", t.Repository).Int("issue", t.Issue).Int("attempt", t.Attempt).Logger()
	return &l
}
