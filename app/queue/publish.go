package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Publish puts a task at the end of its issue's line. It returns once the task is safe: on the embedded server's disk, or
// on a majority of the cluster. With duplicate the ID was published before and this task was dropped. ErrFull: no room; any error means that the
// task can be published again under the same ID without harm.
func (q *Queue) Publish(ctx context.Context, t Task) (duplicate bool, err error) {
	if q.life.Err() != nil {
		return false, ErrClosed
	}
	if err := t.validate(); err != nil {
		return false, fmt.Errorf("publish: %w", err)
	}
	t.Attempt, t.Failures, t.Published = 0, 0, q.opts.Clock.Now()
	store := q.store
	if q.server != nil {
		store = q.commits.store
	}
	ack, err := store(ctx, t.message(q.names.task(t)))
	if err != nil {
		return false, fmt.Errorf("publish task %s: %w", t.ID, err)
	}
	if ack.Duplicate {
		q.measured.duplicates.Inc()
		return true, nil
	}
	q.measured.published.Inc()
	return false, nil
}

// JetStream's error codes for "no room" (errors.json of nats-server).
const (
	codeInsufficientResources = 10023
	codeStorageExceeded       = 10047
	codeStoreFailed           = 10077 // what DiscardNew answers with
)

// codeInProcess is JetStream's error code for a message whose ID another replica is publishing at this moment.
const codeInProcess = 10158

// inProcessFor is how long we wait to learn whether the other one succeeded. In real time, the server's.
const inProcessFor = 5 * time.Second

// store publishes a message and returns once it is safe. Replicas publish what falls due, and what GitHub sends twice, at the
// same moment: then one learns that the other is at it, and asks again until that is decided.
func (q *Queue) store(ctx context.Context, m *nats.Msg) (*jetstream.PubAck, error) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 10*time.Millisecond, 500*time.Millisecond
	ack, err := backoff.Retry(ctx, func() (*jetstream.PubAck, error) {
		ack, err := q.js.PublishMsg(ctx, m)
		if api, ok := errors.AsType[*jetstream.APIError](err); err != nil && (!ok || api.ErrorCode != codeInProcess) {
			return nil, backoff.Permanent(err)
		}
		return ack, err //nolint:wrapcheck // wrapped below
	}, backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(inProcessFor))
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		switch api.ErrorCode {
		case codeInsufficientResources, codeStorageExceeded, codeStoreFailed:
			return nil, fmt.Errorf("%w (queue.max_bytes): %w", ErrFull, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("store a message on %s: %w", m.Subject, err)
	}
	return ack, nil
}
