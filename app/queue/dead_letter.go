package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// DeadLetter is a task that was given up.
type DeadLetter struct {
	Task
	// Letter is the number of the dead letter, by which it can be revived.
	Letter uint64
	Error  string    // the last failure, at most about 1 KiB of it
	Died   time.Time // when it was given up
}

// ErrNoLetter says that there is no such dead letter, or no longer.
var ErrNoLetter = errors.New("there is no such dead letter")

// Permanent marks an error of a Handler that will be the same however often it is tried: the task is given up immediately.
func Permanent(err error) error { return &permanentError{err} }

type permanentError struct{ error }

func (e *permanentError) Unwrap() error { return e.error }

// IsPermanent reports whether an error was marked with Permanent.
func IsPermanent(err error) bool {
	_, ok := errors.AsType[*permanentError](err)
	return ok
}

// RetryDeadLetter puts a dead letter back at the end of its issue's line, as if it had never failed. Reviving it twice at the same time, or
// again after a crash, runs it once. The error is ErrNoLetter if it is not there.
func (q *Queue) RetryDeadLetter(ctx context.Context, letter uint64) error {
	m, err := q.dead.GetMsg(ctx, letter)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return ErrNoLetter
	}
	if err != nil {
		return fmt.Errorf("read dead letter %d: %w", letter, err)
	}
	t, err := parseTask(m.Subject, m.Header, m.Data)
	if err != nil {
		return fmt.Errorf("read dead letter %d: %w", letter, err)
	}
	t.Attempt++ // another message to the server, which drops the one it knows
	t.Failures = 0
	if _, err := q.store(ctx, t.message(q.names.task(t))); err != nil {
		return fmt.Errorf("revive dead letter %d: %w", letter, err)
	}
	if err := q.dead.DeleteMsg(ctx, letter); err != nil {
		if _, gone := q.dead.GetMsg(ctx, letter); !errors.Is(gone, jetstream.ErrMsgNotFound) {
			return fmt.Errorf("remove dead letter %d, which was revived: %w", letter, err)
		}
	}
	return nil
}

func (q *Queue) deadLetter(ctx context.Context, t Task, cause error) error {
	m := t.message(q.names.dead(t))
	m.Header.Set(headerError, headerText(cause.Error()))
	m.Header.Set(headerDied, formatTime(q.opts.Clock.Now()))
	if _, err := q.store(ctx, m); err != nil {
		return fmt.Errorf("dead-letter task %s: %w", t.ID, err)
	}
	return nil
}

// DeadLetters returns what was given up, oldest first. Dead letters are kept for 30 days, or until younger ones need the room.
func (q *Queue) DeadLetters(ctx context.Context) ([]DeadLetter, error) {
	var out []DeadLetter
	for seq := uint64(1); ; {
		m, err := q.dead.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(q.names.allDead()))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read dead letter %d: %w", seq, err)
		}
		d := DeadLetter{Letter: m.Sequence, Error: m.Header.Get(headerError)}
		if d.Task, err = parseTask(m.Subject, m.Header, m.Data); err == nil {
			d.Died, err = parseTime(m.Header.Get(headerDied))
		}
		if err != nil {
			return nil, fmt.Errorf("read dead letter %d: %w", m.Sequence, err)
		}
		out = append(out, d)
		seq = m.Sequence + 1
	}
}
