package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/issues"
)

// GitHub never delivers a webhook again by itself, and keeps its log for three days:
// https://docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries.
const (
	// redeliverPages bounds how much of the log one sweep reads, 100 deliveries a page.
	redeliverPages = 100
	// redeliverMost bounds how many deliveries one sweep asks for; the next goes on.
	redeliverMost = 200
	// redeliverAfter leaves a delivery alone that was tried a moment ago.
	redeliverAfter = time.Minute
)

// redeliver asks GitHub for the webhooks that it could not deliver. What arrives twice is dropped by the queue.
func (d *desk) redeliver(ctx context.Context) error {
	begun := d.clock.Now()
	failed, err := d.failedDeliveries(ctx)
	if issues.IsMissing(err) {
		d.log.Debug().Msg("this GitHub has no log of deliveries")
		return nil
	}
	if err != nil {
		return err
	}
	slices.Reverse(failed) // the oldest first, as they happened
	for _, delivery := range failed[:min(len(failed), redeliverMost)] {
		_, _, err := d.app.Apps.RedeliverHookDelivery(ctx, delivery.GetID())
		if accepted := (*github.AcceptedError)(nil); err != nil && !errors.As(err, &accepted) {
			return fmt.Errorf("ask for delivery %s again: %w", delivery.GetGUID(), err)
		}
		d.log.Info().Str("delivery", delivery.GetGUID()).Str("event", delivery.GetEvent()).Msg("asked for a failed delivery again")
	}
	if len(failed) <= redeliverMost { // else the next sweep reads as far back again
		d.sweeps.sweptLog(begun)
	}
	return nil
}

// failedDeliveries reads the log, newest first, and returns the last attempt at each delivery of which none succeeded.
func (d *desk) failedDeliveries(ctx context.Context) ([]*github.HookDelivery, error) {
	now := d.clock.Now()
	horizon := d.sweeps.since(logSwept, now.Add(-d.looker.Rules.Horizon))
	var failed []*github.HookDelivery
	known := map[string]bool{} // the deliveries of which a later attempt was seen
	options := &github.ListCursorOptions{PerPage: 100}
	for range redeliverPages {
		batch, response, err := d.app.Apps.ListHookDeliveries(ctx, options)
		if err != nil {
			return nil, fmt.Errorf("read the log of deliveries: %w", err)
		}
		for _, delivery := range batch {
			at := delivery.GetDeliveredAt().Time
			if at.Before(horizon) {
				return failed, nil
			}
			if known[delivery.GetGUID()] {
				continue
			}
			known[delivery.GetGUID()] = true
			if !succeeded(delivery) && now.Sub(at) >= redeliverAfter {
				failed = append(failed, delivery)
			}
		}
		if response.Cursor == "" {
			break
		}
		options.Cursor = response.Cursor
	}
	return failed, nil
}

func succeeded(delivery *github.HookDelivery) bool {
	return delivery.GetStatusCode() >= 200 && delivery.GetStatusCode() < 300
}
