package queue

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/metric"
)

// measured are the queue's metrics. They count what this process did.
type measured struct {
	published, duplicates, done, joined, again, failed, dead prometheus.Counter
	running                                                  prometheus.Gauge
	durations                                                prometheus.Histogram

	registerer prometheus.Registerer
	registered []prometheus.Collector
}

// rows is the table of the metrics.
func (m *measured) rows() []metric.Metric {
	return []metric.Metric{
		{Name: "colony_queue_published_total", Help: "Tasks that the queue took.", Into: &m.published},
		{Name: "colony_queue_duplicates_total", Help: "Tasks that the queue dropped because it had one with the same ID.", Into: &m.duplicates},
		{Name: "colony_queue_done_total", Help: "Tasks done.", Into: &m.done},
		{Name: "colony_queue_joined_total", Help: "Tasks done together with an earlier one of the same issue.", Into: &m.joined},
		{Name: "colony_queue_again_total", Help: "Tasks requeued for later, because the work asked for that.", Into: &m.again},
		{Name: "colony_queue_failed_total", Help: "Tasks that failed: with an error or a panic, or because their worker died.", Into: &m.failed},
		{Name: "colony_queue_dead_total", Help: "Tasks given up (dead letters): after too many failures, or at once because GitHub refuses for good.", Into: &m.dead},
		{Name: "colony_queue_running", Help: "Tasks under way.", Into: &m.running},
		{Name: "colony_queue_duration_seconds", Help: "Seconds that the work on a task took.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9), Into: &m.durations},
	}
}

// ListMetrics lists the metrics of this package.
func ListMetrics() []metric.Metric { return new(measured).rows() }

func newMeasured(r prometheus.Registerer) (*measured, error) {
	m := &measured{registerer: r}
	made := metric.Make(m.rows())
	if r == nil {
		return m, nil
	}
	for _, c := range made {
		if err := r.Register(c); err != nil {
			return m, fmt.Errorf("register the queue's metrics: %w", err)
		}
		m.registered = append(m.registered, c)
	}
	return m, nil
}

// unregister lets a queue be opened again with the same registerer.
func (m *measured) unregister() {
	for _, c := range m.registered {
		m.registerer.Unregister(c)
	}
}
