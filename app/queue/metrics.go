package queue

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/metric"
)

// measured are the queue's metrics. They count what this process did.
type measured struct {
	published, duplicates, done, joined, again, failed, dead prometheus.Counter
	running                                                  prometheus.Gauge
	durations                                                prometheus.Histogram
}

func (m *measured) rows() []metric.Metric {
	return []metric.Metric{
		{Name: "colony_queue_published_total", Help: "Tasks that the queue took.", Into: &m.published},
		{Name: "colony_queue_duplicates_total", Help: "Tasks dropped because the queue had one with the same ID.", Into: &m.duplicates},
		{Name: "colony_queue_done_total", Help: "Tasks done.", Into: &m.done},
		{Name: "colony_queue_joined_total", Help: "Tasks done together with an earlier one of the same issue.", Into: &m.joined},
		{Name: "colony_queue_again_total", Help: "Tasks requeued because the work asked for it.", Into: &m.again},
		{Name: "colony_queue_failed_total", Help: "Tasks that failed with an error or a panic, or whose worker died.", Into: &m.failed},
		{Name: "colony_queue_dead_total", Help: "Tasks given up (dead letters).", Into: &m.dead},
		{Name: "colony_queue_running", Help: "Tasks under way.", Into: &m.running},
		{Name: "colony_queue_duration_seconds", Help: "Seconds of work on a task.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 9), Into: &m.durations},
	}
}

// ListMetrics lists the metrics of this package.
func ListMetrics() []metric.Metric { return new(measured).rows() }

func newMeasured(r prometheus.Registerer) *measured {
	m := &measured{}
	if made := metric.Make(m.rows()); r != nil {
		r.MustRegister(made...)
	}
	return m
}
