package app

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/handlers"
)

// newWebhookMetrics registers the counter of requests at the webhook's address, and returns what counts one.
func newWebhookMetrics(r prometheus.Registerer) func(handlers.Answer) {
	meanings := make([]string, len(handlers.AnswerMeanings))
	for i, a := range handlers.AnswerMeanings {
		meanings[i] = string(a.Answer) + " (" + a.Meaning + ")"
	}
	webhooks := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "colony", Name: "webhooks_total", Help: "Webhooks, by answer: " + strings.Join(meanings, ", ") + ".",
	}, []string{"answer"})
	r.MustRegister(webhooks)
	for _, a := range handlers.AnswerMeanings { // a first one is a rise too
		webhooks.WithLabelValues(string(a.Answer))
	}
	return func(answer handlers.Answer) { webhooks.WithLabelValues(string(answer)).Inc() }
}
