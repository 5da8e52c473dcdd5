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

var errAbandoned = errors.New("its workers ended without an answer")

func (r *run) do(t Task) outcome {
	r.q.measured.running.Inc()
	r.q.running.Add(1)
	defer func() {
		r.q.measured.running.Dec()
		r.q.running.Add(-1)
	}()
	began := time.Now()
	defer func() { r.q.measured.durations.Observe(time.Since(began).Seconds()) }()
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
// The whole is the task with those that it took along; what fails, fails alone, and what is held begins anew with what waits behind it then.
// It reports whether the task is to be held.
func (r *run) settle(m jetstream.Msg, t, whole Task, with joined, o outcome, mayHold func(Requeue) bool) (hold bool) {
	if o.err == nil && o.again != nil && mayHold(*o.again) {
		r.q.measured.again.Inc()
		return true
	}
	// The run's contexts may have ended; the answer must still get through.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	var err error
	switch {
	case o.err != nil:
		err = r.failed(ctx, t, o.err)
	case o.again != nil:
		err = r.putBack(ctx, whole, *o.again)
	default:
		r.q.measured.done.Inc()
	}
	if err != nil {
		r.log(t).Error().Err(err).Msg("queue: a task cannot be put aside; it holds up its partition until it can")
		r.giveBack(m, retryAfter)
		return false
	}
	if o.err == nil {
		r.q.note(with)
	}
	r.acknowledge(m)
	return false
}

// acknowledge tells the server that a task is done. It does not wait until the server has heard that: what the server never hears of
// runs again. See giveBackAll for the end of a run.
func (r *run) acknowledge(m jetstream.Msg) {
	if err := m.Ack(); err != nil {
		r.q.opts.Log.Warn().Err(err).Str("subject", m.Subject()).Msg("queue: a task was done but cannot be acknowledged; it may run again")
	}
	r.q.changed.all()
}

func (r *run) putBack(ctx context.Context, t Task, a Requeue) error {
	t.Attempt++
	t.Failures = 0
	if a.Body != nil {
		t.Body = a.Body
	}
	due := r.q.opts.Clock.Now().Add(max(a.After, 0))
	if err := r.q.delayed.put(ctx, t, delayed{due: due, gate: a.Gate, rank: a.Rank, reason: a.Reason}); err != nil {
		return err
	}
	r.q.measured.again.Inc()
	return nil
}

func (r *run) failed(ctx context.Context, t Task, cause error) error {
	t.Failures++
	failed := t
	if permanent := IsPermanent(cause); permanent || t.Failures >= r.q.opts.attempts {
		if err := r.q.deadLetter(ctx, t, cause); err != nil {
			return err
		}
		r.q.measured.failed.Inc()
		r.q.measured.dead.Inc()
		r.tell(failed, cause, "queue: a task is given up", func(e *zerolog.Event) { e.Bool("permanent", permanent) })
		return nil
	}
	t.Attempt++
	wait := r.q.opts.wait(t.Failures)
	if err := r.q.delayed.put(ctx, t, delayed{due: r.q.opts.Clock.Now().Add(wait)}); err != nil {
		return err
	}
	r.q.measured.failed.Inc()
	r.tell(failed, cause, "queue: a task failed and is tried again", func(e *zerolog.Event) { e.Dur("wait", wait) })
	return nil
}

// tell logs a failure; a panic is louder and shows where.
func (r *run) tell(t Task, cause error, message string, more func(*zerolog.Event)) {
	level, stack := zerolog.WarnLevel, func(*zerolog.Event) {}
	if p, ok := errors.AsType[*panicError](cause); ok {
		level, stack = zerolog.ErrorLevel, func(e *zerolog.Event) { e.Bytes("stack", p.stack) }
	}
	r.log(t).WithLevel(level).Err(cause).Int("failures", t.Failures).Func(stack).Func(more).Msg(message)
}

func (r *run) log(t Task) *zerolog.Logger {
	l := r.q.opts.Log.With().Str("task", t.ID).Int64("repository_id", t.Repository).Int("issue", t.Issue).Int("attempt", t.Attempt).Logger()
	return &l
}
