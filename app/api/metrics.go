package api

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/metric"
)

// otherRoute is the label for everything that is no route: what strangers ask for is in no label.
const otherRoute = "other"

func requestRows(into **prometheus.CounterVec) []metric.Metric {
	return []metric.Metric{{
		Name: "colony_api_requests_total", Labels: []string{"route", "class"}, Into: into,
		Help: "Requests to the JSON API, by route (other: an unknown address) and class of the status: 2xx, 4xx or 5xx. Only with api.enabled.",
	}}
}

// ListMetrics lists the metrics of this package.
func ListMetrics() []metric.Metric { return requestRows(nil) }

// classes are those of the statuses that the API answers with.
var classes = []string{"2xx", "4xx", "5xx"}

// newRequestCounter registers the counter, and returns what counts a request. A nil registerer means that no one measures.
func newRequestCounter(r prometheus.Registerer) func(route string, status int) {
	if r == nil {
		return func(string, int) {}
	}
	var requests *prometheus.CounterVec
	r.MustRegister(metric.Make(requestRows(&requests))...)
	names := []string{otherRoute}
	for _, route := range Routes() {
		names = append(names, route.Pattern)
	}
	for _, name := range names { // a first one is a rise too
		for _, class := range classes {
			requests.WithLabelValues(name, class)
		}
	}
	return func(route string, status int) { requests.WithLabelValues(route, strconv.Itoa(status/100)+"xx").Inc() }
}
