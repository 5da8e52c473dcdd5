package queue

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Join begins to make one task out of a task and those of its issue that wait right behind it.
type Join func(first Task) Joining

// Joining is a task that takes others along. It keeps the first one's ID.
type Joining interface {
	// Add takes the next task along, oldest first, and reports whether that is possible.
	Add(next Task) bool
	// Body asks for all that the tasks ask for.
	Body() ([]byte, error)
}

// A task that is taken takes those along that wait right behind it for the same issue. Once what came of the whole is durable, they are
// noted as done, and acknowledged when their turn comes. If the process ends before that, or the work fails, each runs for itself: a note
// only ever saves work.

// maxJoined bounds what one task takes along, so that its body stays small.
const maxJoined = 100

// notesKept bounds the memory of what was done with others.
const notesKept = 10_000

// waiting is a task that waits behind another, and its place in the stream.
type waiting struct {
	Task
	place uint64
}

// joined is what one task took along: their places in the stream.
type joined []uint64

// inStream reads what waits behind a task without having it delivered: the consumer still has it, in its order.
func (r *run) inStream(ctx context.Context, m jetstream.Msg) iter.Seq[waiting] {
	return func(yield func(waiting) bool) {
		meta, err := m.Metadata()
		if err != nil || meta.NumPending == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, r.q.opts.lease/4)
		defer cancel()
		for place := meta.Sequence.Stream; ; {
			next, err := r.q.tasks.GetMsg(ctx, place+1, jetstream.WithGetMsgSubject(m.Subject()))
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				return
			}
			if err != nil {
				r.q.opts.Log.Debug().Err(err).Str("subject", m.Subject()).Msg("queue: what waits behind a task cannot be read; it runs alone")
				return
			}
			place = next.Sequence
			t, err := parseTask(next.Subject, next.Header, next.Data)
			if err != nil || !yield(waiting{t, place}) {
				return
			}
		}
	}
}

// note remembers, here and in the other replicas, that tasks were done with another.
func (q *Queue) note(done joined) {
	if len(done) == 0 {
		return
	}
	word := make([]byte, 0, 8*len(done))
	for _, seq := range done {
		q.joined.Add(seq, struct{}{})
		word = binary.BigEndian.AppendUint64(word, seq)
	}
	// Before the acknowledgement on the same connection: where the next task goes, this has come before.
	if err := q.conn.Publish(q.names.joined(), word); err != nil {
		q.opts.Log.Debug().Err(err).Msg("queue: other replicas do not hear what was done with another task")
	}
}

// hearJoined takes note of what other replicas have done.
func (q *Queue) hearJoined() error {
	_, err := q.conn.Subscribe(q.names.joined(), func(m *nats.Msg) {
		for word := m.Data; len(word) >= 8; word = word[8:] {
			q.joined.Add(binary.BigEndian.Uint64(word), struct{}{})
		}
	})
	return err //nolint:wrapcheck // the caller names the attempt
}

// wasJoined reports whether a task that is delivered was done with another.
func (q *Queue) wasJoined(m jetstream.Msg) bool {
	meta, err := m.Metadata()
	return err == nil && q.joined.Remove(meta.Sequence.Stream)
}
