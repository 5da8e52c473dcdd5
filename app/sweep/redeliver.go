package sweep

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"time"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// GitHub never delivers a webhook again unless asked, and keeps its log for three days:
// https://docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries.
const (
	// redeliverPages bounds how much of the log one sweep reads, 100 deliveries a page.
	redeliverPages = 100
	// redeliverMost bounds how many deliveries one sweep asks for; the next goes on.
	redeliverMost = 200
	// redeliverAfter leaves a delivery alone that was tried a moment ago.
	redeliverAfter = time.Minute
	// redeliverTries is how often in a row GitHub can fail to redeliver a webhook before the sweep goes on with the others.
	redeliverTries = 3
)

// logProgress is how far a sweep has come with the log of deliveries.
type logProgress struct {
	Begun time.Time `json:"begun"`
	// Since is until when the log was read before.
	Since time.Time `json:"since"`
	// Cursor is where to go on reading, Pages how many pages were read, Read that all were that have to be.
	Cursor string `json:"cursor,omitempty"`
	Pages  int    `json:"pages,omitempty"`
	Read   bool   `json:"read,omitempty"`
	// Attempts are the deliveries that were asked for again before, and whose last attempt was seen.
	Attempts []uint64 `json:"attempts,omitempty"`
	// Failed are the oldest deliveries without an attempt that succeeded, the newest first. More says that there are others.
	Failed []failedDelivery `json:"failed,omitempty"`
	More   bool             `json:"more,omitempty"`
}

type failedDelivery struct {
	ID    int64  `json:"id"`
	GUID  string `json:"guid"`
	Event string `json:"event"`
}

// redeliver asks GitHub for the webhooks that it could not deliver, step by step: the log can be longer than the time of one task. The
// queue drops what arrives twice.
func (s *Sweeper) redeliver(ctx context.Context, t *Task, step *currentStep) (*reconcile.Result, error) {
	p := t.Progress.Log
	err := s.readDeliveries(ctx, p, step)
	if issues.IsMissing(err) {
		s.Log.Debug().Msg("this GitHub has no log of deliveries")
		return nil, nil
	}
	for err == nil && p.Read && len(p.Failed) > 0 && !step.over() {
		err = s.redeliverOldest(ctx, t, step)
	}
	switch {
	case err != nil:
		return s.interrupted(ctx, step, err)
	case !p.Read || len(p.Failed) > 0:
		return &reconcile.Result{}, nil
	case p.More: // the next sweep reads as far back again
		return nil, nil
	}
	return nil, s.history.write(ctx, keyOfLog, record{Until: p.Begun.Add(-redeliverAfter)}) // what was tried a moment before is read again
}

// redeliverOldest asks for the oldest of the failed deliveries. One that GitHub refuses, or fails to redeliver again and again, is left to
// the next sweep, so that the younger ones do not wait for it.
func (s *Sweeper) redeliverOldest(ctx context.Context, t *Task, step *currentStep) error {
	p := t.Progress.Log
	oldest := p.Failed[len(p.Failed)-1]
	err, limited := s.App.Redeliver(ctx, oldest.ID), (*ratelimit.Error)(nil)
	switch {
	case err == nil:
		s.Log.Info().Str("delivery", oldest.GUID).Str("event", oldest.Event).Msg("asked for a failed delivery again")
	case errors.As(err, &limited), ctx.Err() != nil, !issues.IsPermanent(err) && (step.done > 0 || t.Failures+1 < redeliverTries):
		return err
	default:
		s.Log.Warn().Err(err).Str("delivery", oldest.GUID).Str("event", oldest.Event).Msg("GitHub does not redeliver this webhook; the next sweep asks again")
		p.More = true
	}
	p.Failed = p.Failed[:len(p.Failed)-1]
	step.done++
	return nil
}

// readDeliveries reads the log, newest first.
func (s *Sweeper) readDeliveries(ctx context.Context, p *logProgress, step *currentStep) error {
	if p.Pages == 0 {
		known, err := s.history.read(ctx, keyOfLog)
		if err != nil {
			return err
		}
		p.Since = issues.Latest(known.Until.Add(-sweepOverlap), s.Clock.Now().Add(-s.Reconciler.ServerSettings.Horizon))
	}
	for !p.Read && !step.over() {
		batch, next, err := s.App.Deliveries(ctx, p.Cursor)
		if err != nil {
			return err
		}
		p.Pages++
		p.Cursor = next
		p.Read = p.add(batch, s.Clock.Now()) || p.Cursor == "" || p.Pages == redeliverPages
		step.done++
	}
	return nil
}

// add takes in one page of the log. It reports whether what follows is too old.
func (p *logProgress) add(batch []client.Delivery, now time.Time) (end bool) {
	for _, delivery := range batch {
		if delivery.At.Before(p.Since) {
			return true
		}
		name := fnv.New64a()
		_, _ = name.Write([]byte(delivery.GUID)) // never fails
		guid := name.Sum64()
		if slices.Contains(p.Attempts, guid) {
			continue
		}
		if delivery.Again { // the attempts before come later in the log
			p.Attempts = append(p.Attempts, guid)
		}
		if delivery.Arrived() || now.Sub(delivery.At) < redeliverAfter {
			continue
		}
		p.Failed = append(p.Failed, failedDelivery{delivery.ID, delivery.GUID, delivery.Event})
		if len(p.Failed) > redeliverMost {
			p.Failed, p.More = p.Failed[1:], true
		}
	}
	return false
}
