package app

import (
	"context"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/github/issues"
)

type digest struct {
	webhook notify.Webhook
	at      notify.DigestTime
}

func digestsOf(webhooks []notify.Webhook) (all []digest) {
	for _, hook := range webhooks {
		if at, err := notify.ParseDigestTime(hook.Digest); hook.Digest != "" && err == nil {
			all = append(all, digest{hook, at})
		}
	}
	return all
}

// digester sends each day, to the webhooks that want that, what needs a person. What it sends is what the board shows at the time.
type digester struct {
	digests []digest
	index   *board.Index
	worker  *worker.Worker
	clock   clockwork.Clock
	log     zerolog.Logger
}

// start sends digests until ctx ends. A time at which no Colony runs passes without one.
func (d *digester) start(ctx context.Context) {
	for _, one := range d.digests {
		go d.send(ctx, one)
	}
}

func (d *digester) send(ctx context.Context, one digest) {
	for next := one.at.Next(d.clock.Now()); ; next = one.at.Next(d.clock.Now()) {
		select {
		case <-ctx.Done():
			return
		case <-d.clock.After(next.Sub(d.clock.Now())):
		}
		all := d.waiting(one.webhook)
		if len(all) == 0 {
			continue
		}
		made := notify.NewDigest(one.webhook.Name, one.at.Day(next), next, all)
		if err := d.worker.NotifyDigest(ctx, one.webhook.Name, made); err != nil && ctx.Err() == nil {
			d.log.Error().Err(err).Str("webhook", one.webhook.Name).Msg("keep a digest for a webhook")
		}
	}
}

// waiting lists what needs a person in the repositories of a webhook, the longest first.
func (d *digester) waiting(hook notify.Webhook) (all []notify.Waiting) {
	var of []issues.Repository
	for _, repo := range d.index.Repositories() {
		if hook.IsAbout(repo) {
			of = append(of, repo)
		}
	}
	now := d.clock.Now()
	for _, i := range d.index.Waiting(of) {
		needs := i.Needs(now)
		if len(needs) == 0 {
			continue // it ended this instant
		}
		all = append(all, notify.Waiting{
			Repo: i.Ref.Repository.String(), Issue: i.Ref.Number, Title: i.Title, URL: i.URL, State: i.State, Need: string(needs[0].Kind),
			Since: needs[0].Since.UTC().Truncate(time.Second), Who: needs[0].Who, Command: needs[0].Command,
		})
	}
	return all
}
