package queue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"
)

// AnswerTime is how long a webhook's handler may take by default. GitHub gives up after 10 seconds
// (https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks).
const AnswerTime = 8 * time.Second

// SchedulerOptions configures NewScheduler.
type SchedulerOptions struct {
	Timeout time.Duration // how long a handler may take; 0: AnswerTime
	Log     zerolog.Logger
}

// NewScheduler returns a scheduler that runs a webhook's handler before it is answered: the handler publishes a task, which
// is safe when it returns, and an error of it makes GitHub record a failed delivery that can be redelivered. (The schedulers of
// go-githubapp that answer first keep events in memory.) A handler's ErrFull is returned as githubapp.ErrCapacityExceeded,
// answered with 503; its panic as an error, answered with 500.
func NewScheduler(o SchedulerOptions) githubapp.Scheduler {
	setDefault(&o.Timeout, AnswerTime)
	return &scheduler{o}
}

type scheduler struct{ SchedulerOptions }

// Schedule implements githubapp.Scheduler.
func (s *scheduler) Schedule(ctx context.Context, d githubapp.Dispatch) (err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			s.Log.Error().Str("event", d.EventType).Str("delivery", d.DeliveryID).Interface("panic", v).
				Bytes("stack", debug.Stack()).Msg("a webhook's handler panicked")
			err = fmt.Errorf("handle %s, delivery %s: panic: %v", d.EventType, d.DeliveryID, v)
		}
	}()
	err = d.Execute(ctx)
	if errors.Is(err, ErrFull) {
		s.Log.Error().Err(err).Str("event", d.EventType).Str("delivery", d.DeliveryID).Msg("a webhook cannot be accepted")
		return fmt.Errorf("%w: %w", githubapp.ErrCapacityExceeded, err)
	}
	return err //nolint:wrapcheck // go-githubapp looks at the type of a handler's error
}
