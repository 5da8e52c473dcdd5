package queue

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

var errAbandoned = errors.New("its workers ended without an answer")

// settle makes the outcome durable, then acknowledges the task. A crash in between repeats it; the message ids make that harmless.
// The whole is the task with the tasks that it took along. What fails, fails alone, and what is held begins again with what waits behind it then.
// It reports whether the task is to be held.
func (r *run) settle(m jetstream.Msg, t, whole Task, with joined, o outcome, mayHold func(Requeue) bool) (hold bool) {
	if o.err == nil && o.again != nil && mayHold(*o.again) {
		r.q.measured.again.Inc()
		return true
	}
	// The run's contexts might have ended; the answer must still get through.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	var err error
	kept := true
	switch {
	case o.err != nil:
		err = r.failed(ctx, t, o.err)
	case o.again != nil:
		kept, err = r.putBack(ctx, whole.again(*o.again), *o.again)
	default:
		r.q.measured.done.Inc()
	}
	if err != nil {
		r.log(t).Error().Err(err).Msg("queue: a task cannot be put aside; it holds up its partition until it can")
		r.giveBack(m, retryAfter)
		return false
	}
	if o.err == nil && kept { // else what it took along runs alone
		r.q.note(with)
	}
	r.acknowledge(m)
	return false
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
	due := r.q.opts.Clock.Now().Add(max(a.After, 0))
	kept, err = r.q.delayed.put(ctx, t, delayed{due: due, gate: a.Gate, rank: a.Rank, reason: a.Reason})
	if err != nil {
		return false, err
	}
	r.q.measured.again.Inc()
	return kept, nil
}
