package app

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/metric"
)

func webhookRows(into **prometheus.CounterVec) []metric.Metric {
	meanings := make([]string, len(handlers.AnswerMeanings))
	for i, a := range handlers.AnswerMeanings {
		meanings[i] = string(a.Answer) + " (" + a.Meaning + ")"
	}
	return []metric.Metric{{Name: "colony_webhooks_total", Help: "Webhooks, by answer: " + strings.Join(meanings, ", ") + ".", Labels: []string{"answer"}, Into: into}}
}

// newWebhookMetrics registers the counter, and returns what counts a request.
func newWebhookMetrics(r prometheus.Registerer) func(handlers.Answer) {
	var webhooks *prometheus.CounterVec
	r.MustRegister(metric.Make(webhookRows(&webhooks))...)
	counters := map[handlers.Answer]prometheus.Counter{}
	for _, a := range handlers.AnswerMeanings { // a first one is a rise too
		counters[a.Answer] = webhooks.WithLabelValues(string(a.Answer))
	}
	return func(answer handlers.Answer) { counters[answer].Inc() }
}
