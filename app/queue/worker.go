package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"time"

	"github.com/rs/zerolog"
)

// outcome is what came of one run of the Handler.
type outcome struct {
	again *Requeue
	err   error
	cut   bool // it was ended by the drain: an error is no failure
}

type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// do runs the Handler, and counts what is under way in this process.
func (r *run) do(t Task) outcome {
	r.q.running.Add(1)
	defer r.q.running.Add(-1)
	r.q.measured.running.Inc()
	defer r.q.measured.running.Dec()
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

// join takes along what waits behind a task. A task that failed is tried alone, so that none fails because of another.
func (r *run) join(t Task, behind iter.Seq[waiting]) (Task, joined) {
	if r.q.opts.Join == nil || t.Failures > 0 {
		return t, nil
	}
	var whole Joining
	var with joined
	for next := range behind {
		if next.Failures > 0 {
			break
		}
		if whole == nil {
			whole = r.q.opts.Join(t)
		}
		if !whole.Add(next.Task) {
			break
		}
		if with = append(with, next.place); len(with) == maxJoined {
			break
		}
	}
	if len(with) == 0 {
		return t, nil
	}
	body, err := whole.Body()
	if err != nil {
		r.log(t).Warn().Err(err).Msg("queue: a task cannot take others along; it runs alone")
		return t, nil
	}
	t.Body = body
	return t, with
}

func (t Task) again(a Requeue) Task {
	t.Attempt++
	t.Failures = 0
	if a.Body != nil {
		t.Body = a.Body
	}
	return t
}

// failed has a task tried again later, or gives it up. It counts and logs that; a panic is louder and shows where.
func (r *run) failed(ctx context.Context, t Task, cause error) error {
	t.Failures++
	next, wait, dead := t, r.q.opts.wait(t.Failures), IsPermanent(cause) || t.Failures >= r.q.opts.attempts
	next.Attempt++
	var err error
	if dead {
		err = r.q.deadLetter(ctx, t, cause)
	} else {
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

// drain waits for running work and returns how many tasks did not end.
func (r *run) drain(ended <-chan struct{}, endWork context.CancelFunc) (left int) {
	select {
	case <-ended:
		return 0
	case <-r.q.opts.Clock.After(r.q.opts.Drain):
	}
	endWork()
	select {
	case <-ended:
		return 0
	case <-r.q.opts.Clock.After(r.q.opts.Drain/10 + time.Millisecond):
	}
	left = len(r.slots)
	close(r.leave)
	<-ended
	return left
}
