package app

import (
	"slices"
	"strings"

	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/metric"
	"github.com/colony-app/colony/reconcile"
)

// ListMetrics lists the metrics of /metrics, in the order of their names.
func ListMetrics() []metric.Metric {
	all := slices.Concat(reconcile.ListMetrics(), queue.ListMetrics(), client.ListMetrics(), worker.ListMetrics(), new(depths).rows(), webhookRows(nil), api.ListMetrics())
	slices.SortFunc(all, func(a, b metric.Metric) int { return strings.Compare(a.Name, b.Name) })
	return all
}
