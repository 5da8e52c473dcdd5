package app

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/reconcile"
)

// Metric describes one of Colony's metrics.
type Metric struct {
	Name, Help string
	Labels     []string
}

// ListMetrics lists the metrics of /metrics, in the order of their names.
func ListMetrics() ([]Metric, error) {
	var known recorder
	reconcile.NewMetrics(&known, handlers.Events())
	newWebhookMetrics(&known)
	client.NewCallMetrics(&known)
	known.MustRegister(newDepths(nil, nil, nil))
	if err := queue.DescribeMetrics(&known); err != nil {
		return nil, fmt.Errorf("list the metrics: %w", err)
	}
	slices.SortFunc(known.metrics, func(a, b Metric) int { return strings.Compare(a.Name, b.Name) })
	return known.metrics, known.err
}

// recorder is a registerer that only takes down what it is given. Its zero value is ready.
type recorder struct {
	metrics []Metric
	err     error
}

// description is how a description prints itself: client_golang offers no other way to read it.
var description = regexp.MustCompile(`^Desc\{fqName: "([^"]*)", help: "((?:[^"\\]|\\.)*)", .*variableLabels: \{([^}]*)\}\}$`)

// Register implements prometheus.Registerer.
func (r *recorder) Register(c prometheus.Collector) error {
	described := make(chan *prometheus.Desc)
	go func() {
		c.Describe(described)
		close(described)
	}()
	for d := range described {
		m := description.FindStringSubmatch(d.String())
		if m == nil {
			r.err = errors.Join(r.err, fmt.Errorf("read the description %s", d))
			continue
		}
		metric := Metric{Name: m[1], Help: m[2]}
		if m[3] != "" {
			metric.Labels = strings.Split(m[3], ",")
		}
		r.metrics = append(r.metrics, metric)
	}
	return nil
}

// MustRegister implements prometheus.Registerer.
func (r *recorder) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		_ = r.Register(c) // it keeps what went wrong
	}
}

// Unregister implements prometheus.Registerer.
func (r *recorder) Unregister(prometheus.Collector) bool { return false }
