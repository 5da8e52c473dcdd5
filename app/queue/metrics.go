package queue

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// measured are the queue's metrics. They count what this process did.
type measured struct {
	published, duplicates, done, joined, again, failed, dead prometheus.Counter
	running                                                  prometheus.Gauge
	durations                                                prometheus.Histogram

	registerer prometheus.Registerer
	registered []prometheus.Collector
}

func newMeasured(r prometheus.Registerer) (*measured, error) {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "colony", Subsystem: "queue", Name: name, Help: help})
	}
	m := &measured{
		registerer: r,
		published:  counter("published_total", "Tasks that the queue took."),
		duplicates: counter("duplicates_total", "Tasks that the queue dropped because it had one with the same ID."),
		done:       counter("done_total", "Tasks done."),
		joined:     counter("joined_total", "Tasks done together with an earlier one of the same issue."),
		again:      counter("again_total", "Tasks requeued for later, because the work asked for that."),
		failed:     counter("failed_total", "Tasks that failed: with an error or a panic, or because their worker died."),
		dead:       counter("dead_total", "Tasks given up (dead letters): after too many failures, or at once because GitHub refuses for good."),
		running:    prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "colony", Subsystem: "queue", Name: "running", Help: "Tasks under way."}),
		durations: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "colony", Subsystem: "queue", Name: "duration_seconds", Help: "Seconds that the work on a task took.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 9),
		}),
	}
	if r == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.published, m.duplicates, m.done, m.joined, m.again, m.failed, m.dead, m.running, m.durations} {
		if err := r.Register(c); err != nil {
			return m, fmt.Errorf("register the queue's metrics: %w", err)
		}
		m.registered = append(m.registered, c)
	}
	return m, nil
}

// DescribeMetrics registers the queue's metrics without a queue, for those who document them.
func DescribeMetrics(r prometheus.Registerer) error {
	_, err := newMeasured(r)
	return err
}

// unregister lets a queue be opened again with the same registerer.
func (m *measured) unregister() {
	for _, c := range m.registered {
		m.registerer.Unregister(c)
	}
}
