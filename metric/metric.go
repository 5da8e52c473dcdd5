// Package metric makes metrics of rows of a table, which the documents read as well.
package metric

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// Metric is a row of a table of metrics.
type Metric struct {
	Name, Help string
	Labels     []string
	Buckets    []float64 // of a histogram
	// Into points to the variable for the metric, whose type says of what kind it is.
	Into any
}

// Make puts the metrics of rows into their variables, and returns those that can be registered: not those of which a variable takes the
// description alone, for a collector of its own.
func Make(rows []Metric) []prometheus.Collector {
	var made []prometheus.Collector
	for _, m := range rows {
		switch into := m.Into.(type) {
		case *prometheus.Counter:
			*into = prometheus.NewCounter(prometheus.CounterOpts{Name: m.Name, Help: m.Help})
			made = append(made, *into)
		case **prometheus.CounterVec:
			*into = prometheus.NewCounterVec(prometheus.CounterOpts{Name: m.Name, Help: m.Help}, m.Labels)
			made = append(made, *into)
		case *prometheus.Gauge:
			*into = prometheus.NewGauge(prometheus.GaugeOpts{Name: m.Name, Help: m.Help})
			made = append(made, *into)
		case *prometheus.Histogram:
			*into = prometheus.NewHistogram(prometheus.HistogramOpts{Name: m.Name, Help: m.Help, Buckets: m.Buckets})
			made = append(made, *into)
		case **prometheus.HistogramVec:
			*into = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: m.Name, Help: m.Help, Buckets: m.Buckets}, m.Labels)
			made = append(made, *into)
		case **prometheus.Desc:
			*into = prometheus.NewDesc(m.Name, m.Help, m.Labels, nil)
		default:
			panic(fmt.Sprintf("metric %s: there is no kind of metric for a variable of type %T", m.Name, into))
		}
	}
	return made
}
