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

// worker does tasks with a Handler and says what is to become of them, wherever they are kept.
type worker struct {
	opts     Options
	measured *measured
	work     Handler
	workCtx  context.Context // ends when running work is to end
	leave    chan struct{}   // closed when running work is no longer waited for
}

func newWorker(ctx context.Context, o Options, m *measured, work Handler) worker {
	return worker{opts: o, measured: m, work: work, workCtx: ctx, leave: make(chan struct{})}
}

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

func (w *worker) do(t Task) outcome {
	w.measured.running.Inc()
	defer w.measured.running.Dec()
	began := time.Now()
	defer func() { w.measured.durations.Observe(time.Since(began).Seconds()) }()
	ctx, cancel := context.WithTimeout(w.workCtx, w.opts.workTime())
	defer cancel()
	requeue, err := w.guarded(ctx, t)
	return outcome{again: requeue, err: err, cut: err != nil && w.workCtx.Err() != nil}
}

func (w *worker) guarded(ctx context.Context, t Task) (requeue *Requeue, err error) {
	defer func() {
		if v := recover(); v != nil {
			requeue, err = nil, &panicError{value: v, stack: debug.Stack()}
		}
	}()
	return w.work(ctx, t)
}

// join takes along what waits behind a task. A task that failed is tried alone, so that none fails because of another.
func (w *worker) join(t Task, behind iter.Seq[waiting]) (Task, joined) {
	if w.opts.Join == nil || t.Failures > 0 {
		return t, nil
	}
	var whole Joining
	var with joined
	for next := range behind {
		if next.Failures > 0 {
			break
		}
		if whole == nil {
			whole = w.opts.Join(t)
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
		w.log(t).Warn().Err(err).Msg("queue: a task cannot take others along; it runs alone")
		return t, nil
	}
	t.Body = body
	return t, with
}

// again is the task as it is requeued.
func (t Task) again(a Requeue) Task {
	t.Attempt++
	t.Failures = 0
	if a.Body != nil {
		t.Body = a.Body
	}
	return t
}

// failure is what becomes of a task that failed.
type failure struct {
	task  Task // with the failure counted
	dead  bool
	wait  time.Duration // until it is tried again
	cause error
}

func (w *worker) failure(t Task, cause error) failure {
	t.Failures++
	f := failure{task: t, cause: cause, dead: IsPermanent(cause) || t.Failures >= w.opts.attempts}
	if !f.dead {
		f.wait = w.opts.wait(t.Failures)
	}
	return f
}

// next is the task as it is tried again.
func (f failure) next() Task {
	f.task.Attempt++
	return f.task
}

// tell counts and logs a failure; a panic is louder and shows where.
func (w *worker) tell(f failure) {
	w.measured.failed.Inc()
	level, stack := zerolog.WarnLevel, func(*zerolog.Event) {}
	if p, ok := errors.AsType[*panicError](f.cause); ok {
		level, stack = zerolog.ErrorLevel, func(e *zerolog.Event) { e.Bytes("stack", p.stack) }
	}
	e := w.log(f.task).WithLevel(level).Err(f.cause).Int("failures", f.task.Failures).Func(stack)
	if f.dead {
		w.measured.dead.Inc()
		e.Bool("permanent", IsPermanent(f.cause)).Msg("queue: a task is given up")
		return
	}
	e.Dur("wait", f.wait).Msg("queue: a task failed and is tried again")
}

func (w *worker) log(t Task) *zerolog.Logger {
	l := w.opts.Log.With().Str("task", t.ID).Int64("repository_id", t.Repository).Int("issue", t.Issue).Int("attempt", t.Attempt).Logger()
	return &l
}

// drain waits for running work and returns how many tasks did not end.
func (w *worker) drain(ended <-chan struct{}, endWork context.CancelFunc, running func() int) (left int) {
	select {
	case <-ended:
		return 0
	case <-w.opts.Clock.After(w.opts.Drain):
	}
	endWork()
	select {
	case <-ended:
		return 0
	case <-w.opts.Clock.After(w.opts.Drain/10 + time.Millisecond):
	}
	left = running()
	close(w.leave)
	<-ended
	return left
}
