package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/go-github/v62/github"
)

// Webhook is where GitHub sends the App's webhooks, and how: https://docs.github.com/rest/apps/webhooks#get-a-webhook-configuration-for-an-app.
type Webhook struct {
	URL        string
	Secret     bool // there is one
	Unverified bool // GitHub takes any certificate
}

// Webhook reads where GitHub sends webhooks.
func (a *App) Webhook(ctx context.Context) (Webhook, error) {
	is, _, err := a.github.Apps.GetHookConfig(ctx)
	if err != nil {
		return Webhook{}, fmt.Errorf("ask where GitHub sends webhooks: %w", err)
	}
	return Webhook{is.GetURL(), is.GetSecret() != "", is.GetInsecureSSL() == "1"}, nil
}

// Delivery is one attempt to deliver a webhook.
type Delivery struct {
	ID    int64
	GUID  string // the same for each attempt
	Event string
	At    time.Time
	// Code is the status of the answer, 0 without one, and Status what GitHub says of it.
	Code   int
	Status string
	Again  bool // it was asked for
}

// Arrived reports whether the webhook was answered with success.
func (d Delivery) Arrived() bool { return d.Code >= 200 && d.Code < 300 }

// Deliveries reads one page of the log of deliveries, the newest first, and returns the cursor of the next page, empty at the end:
// https://docs.github.com/rest/apps/webhooks#list-deliveries-for-an-app-webhook.
func (a *App) Deliveries(ctx context.Context, cursor string) (page []Delivery, next string, err error) {
	list, response, err := a.github.Apps.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 100, Cursor: cursor})
	if err != nil {
		return nil, "", fmt.Errorf("read the log of deliveries: %w", err)
	}
	for _, d := range list {
		page = append(page, Delivery{d.GetID(), d.GetGUID(), d.GetEvent(), d.GetDeliveredAt().Time, d.GetStatusCode(), d.GetStatus(), d.GetRedelivery()})
	}
	return page, response.Cursor, nil
}

// Redeliver asks GitHub to deliver a webhook again.
func (a *App) Redeliver(ctx context.Context, d int64) error {
	_, _, err := a.github.Apps.RedeliverHookDelivery(ctx, d)
	if accepted := (*github.AcceptedError)(nil); err != nil && !errors.As(err, &accepted) {
		return fmt.Errorf("ask for delivery %d again: %w", d, err)
	}
	return nil
}
