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

// outcome is what came of one run of Work.
type outcome struct {
	again *Again
	err   error
	cut   bool // it was ended by the drain: an error is no failure
}

// panicError is a panic of Work, as an error.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

var errAbandoned = errors.New("its workers ended without an answer")

func (r *run) do(t Task) outcome {
	r.q.measured.running.Inc()
	defer r.q.measured.running.Dec()
	began := time.Now()
	defer func() { r.q.measured.durations.Observe(time.Since(began).Seconds()) }()
	ctx, cancel := context.WithTimeout(r.workCtx, r.q.opts.workTime())
	defer cancel()
	again, err := r.guarded(ctx, t)
	return outcome{again: again, err: err, cut: err != nil && r.workCtx.Err() != nil}
}

func (r *run) guarded(ctx context.Context, t Task) (again *Again, err error) {
	defer func() {
		if v := recover(); v != nil {
			again, err = nil, &panicError{value: v, stack: debug.Stack()}
		}
	}()
	return r.work(ctx, t)
}

// settle makes the outcome durable, then acknowledges the task. A crash in between repeats it; the message ids make that harmless.
func (r *run) settle(m jetstream.Msg, t Task, o outcome) {
	// The run's contexts may have ended; the answer must still get through.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	var err error
	switch {
	case o.err != nil:
		err = r.failed(ctx, t, o.err)
	case o.again != nil:
		err = r.putBack(ctx, t, *o.again)
	default:
		r.q.measured.done.Inc()
	}
	if err != nil {
		r.log(t).Error().Err(err).Msg("queue: a task cannot be put aside; it holds up its partition until it can")
		r.giveBack(m, retryAfter)
		return
	}
	if err := m.DoubleAck(ctx); err != nil {
		r.log(t).Warn().Err(err).Msg("queue: a task was done but cannot be acknowledged; it may run again")
	}
	r.q.announce()
}

func (r *run) putBack(ctx context.Context, t Task, a Again) error {
	t.Attempt++
	t.Failures = 0
	if a.Body != nil {
		t.Body = a.Body
	}
	if err := r.q.later.put(ctx, t, r.q.opts.Clock.Now().Add(max(a.After, 0))); err != nil {
		return err
	}
	r.q.measured.again.Inc()
	return nil
}

func (r *run) failed(ctx context.Context, t Task, cause error) error {
	t.Failures++
	log := r.log(t).Warn().Err(cause).Int("failures", t.Failures)
	if p, ok := errors.AsType[*panicError](cause); ok {
		log = r.log(t).Error().Err(cause).Int("failures", t.Failures).Bytes("stack", p.stack)
	}
	if permanent := IsPermanent(cause); permanent || t.Failures >= r.q.opts.Attempts {
		if err := r.q.bury(ctx, t, cause); err != nil {
			log.Discard()
			return err
		}
		r.q.measured.failed.Inc()
		r.q.measured.dead.Inc()
		log.Bool("permanent", permanent).Msg("queue: a task is given up")
		return nil
	}
	t.Attempt++
	wait := r.q.opts.wait(t.Failures)
	if err := r.q.later.put(ctx, t, r.q.opts.Clock.Now().Add(wait)); err != nil {
		log.Discard()
		return err
	}
	r.q.measured.failed.Inc()
	log.Dur("retry", wait).Msg("queue: a task failed and is tried again")
	return nil
}

func (r *run) log(t Task) *zerolog.Logger {
	l := r.q.opts.Log.With().Str("task", t.ID).Int64("repository", t.Repository).Int("issue", t.Issue).Int("attempt", t.Attempt).Logger()
	return &l
}
