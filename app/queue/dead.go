package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Dead is a task that was given up.
type Dead struct {
	Task
	Error string    // the last failure, at most about 1 KiB of it
	Died  time.Time // when it was given up
}

func (q *Queue) bury(ctx context.Context, t Task, cause error) error {
	m := t.message(q.names.dead(t))
	m.Header.Set(headerError, headerText(cause.Error()))
	m.Header.Set(headerDied, formatTime(q.opts.Clock.Now()))
	if _, err := q.store(ctx, m); err != nil {
		return fmt.Errorf("dead-letter task %s: %w", t.ID, err)
	}
	return nil
}

// DeadLetters returns what was given up, oldest first. Dead letters are kept for 30 days, or until younger ones need the room.
func (q *Queue) DeadLetters(ctx context.Context) ([]Dead, error) {
	var out []Dead
	for seq := uint64(1); ; {
		m, err := q.dead.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(q.names.allDead()))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read dead letter %d: %w", seq, err)
		}
		d := Dead{Error: m.Header.Get(headerError)}
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
