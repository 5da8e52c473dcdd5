package worker

import (
	"context"
	"hash/fnv"
	"math"

	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/metric"
	"github.com/colony-app/colony/reconcile"
)

// What is sent to a webhook waits in a line of the webhook's own: no issue waits for it, no matter what its receiver does.

// kindNotify sends an event to a webhook. Nothing is reconciled for it.
const kindNotify reconcile.Kind = "notify"

const causeNotify = "notify"

type notifier struct {
	*Publisher

	sender interface { // nil: there is no webhook
		Webhooks() []notify.Webhook
		Send(ctx context.Context, message notify.Message) (later *notify.Later, err error)
	}
	sendings *Sendings
	web      string // the address of GitHub's pages
	clock    clockwork.Clock
}

// notify keeps an event for each webhook that wants a verdict. It returns once all are safe; what was kept before is not kept twice.
func (n *notifier) notify(ctx context.Context, v reconcile.Verdict, about reconcile.Subject) error {
	for _, hook := range n.sender.Webhooks() {
		if !hook.Takes(v) {
			continue
		}
		message := &notify.Message{Webhook: hook.Name, Event: notify.NewEvent(v, about, n.clock.Now(), n.web)}
		request := reconcile.Request{Kind: kindNotify, Ref: v.Ref, Cause: causeNotify, Delivery: v.Delivery}
		if err := n.publish(ctx, "notify/"+hook.Name+"/"+v.Key(), &Item{Request: request, Notify: message}); err != nil {
			return err
		}
	}
	return nil
}

// NotifyDigest keeps a digest for its webhook, once: replicas that come to the same send one.
func (n *notifier) NotifyDigest(ctx context.Context, webhook string, d notify.Digest) error {
	request := reconcile.Request{Kind: kindNotify, Cause: causeNotify, Delivery: d.ID}
	return n.publish(ctx, "notify/"+d.ID, &Item{Request: request, Notify: &notify.Message{Webhook: webhook, Digest: &d}})
}

func lineOf(webhook string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(webhook)) // it never fails
	return int64(h.Sum64() & math.MaxInt64)
}

func (n *notifier) send(ctx context.Context, item Item) (*queue.Requeue, error) {
	message := *item.Notify
	if n.sender == nil { // there is no longer a webhook
		return nil, nil
	}
	later, err := n.sender.Send(ctx, message)
	log := n.log.With().Str("webhook", message.Webhook).Str("event", message.ID()).Str("repo", message.Event.Repo).Int("issue", message.Event.Issue).Logger()
	if err != nil {
		n.sendings.count(outcomeRefused)
		log.Error().Err(err).Msg("an event for a webhook is given up")
		return nil, err
	}
	if later == nil {
		n.sendings.count(outcomeDone)
		return nil, nil
	}
	if later.Tried != nil {
		message.Tries++
		n.sendings.count(outcomeRequeued)
		log.Warn().Err(later.Tried).Dur("wait", later.After).Msg("an event for a webhook is tried again")
	}
	item.Notify = &message
	body, err := item.encode()
	if err != nil {
		return nil, err
	}
	return &queue.Requeue{After: later.After, Body: body, Reason: causeNotify}, nil
}

// Sendings counts what came of events for webhooks.
type Sendings struct{ sent *prometheus.CounterVec }

func (s *Sendings) rows() []metric.Metric {
	return []metric.Metric{{
		Name: "colony_notifications_total", Labels: []string{"outcome"}, Into: &s.sent,
		Help: "Attempts to send to notify.webhooks, by outcome: done, put_off (Colony tries again) or given_up.",
	}}
}

// ListMetrics lists the metrics of this package.
func ListMetrics() []metric.Metric { return new(Sendings).rows() }

// NewSendings registers the metrics with r.
func NewSendings(r prometheus.Registerer) *Sendings {
	s := &Sendings{}
	r.MustRegister(metric.Make(s.rows())...)
	return s
}

func (s *Sendings) count(outcome string) { s.sent.WithLabelValues(outcome).Inc() }
