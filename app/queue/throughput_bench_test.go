package queue

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// BenchmarkThroughput shows that processes add up, to what one installation may do at once. Each task makes three calls of 50 ms, as a legal label edit does on a GitHub that
// answers in that time; tasks/s is to be compared with floor/s, what all workers could do if each
// always had a task.
//
//	go test ./app/queue -run '^$' -bench Throughput -benchtime 1x
func BenchmarkThroughput(b *testing.B) {
	const (
		call, calls = 50 * time.Millisecond, 3
		tasks       = 1600
	)
	for _, bench := range []struct {
		name            string
		external        bool
		processes, each int
	}{
		{"built in", false, 1, 16},
		{"built in", false, 1, DefaultConcurrency},
		{"one server", true, 1, 16},
		{"one server", true, 2, 16},
		{"one server", true, 4, 16},
		{"one server", true, 1, DefaultConcurrency},
		{"one server", true, 2, DefaultConcurrency},
		{"one server", true, 4, DefaultConcurrency},
	} {
		b.Run(fmt.Sprintf("%s, %d processes of %d", bench.name, bench.processes, bench.each), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				o := Options{Concurrency: bench.each}
				if bench.external {
					o.URL = external(b)
				}
				var queues []*Queue
				for range bench.processes {
					queues = append(queues, open(b, o))
				}
				for i := range tasks {
					publish(b, queues[0], Task{ID: fmt.Sprint(i), Repository: 1, Issue: i})
				}
				b.StartTimer()
				began := time.Now()
				for _, q := range queues {
					start(b, q, func(context.Context, Task) (*Requeue, error) {
						for range calls {
							<-time.After(call) // GitHub's, in real time
						}
						return nil, nil
					})
				}
				idle(b, queues[0])
				took := time.Since(began)
				b.StopTimer()
				b.ReportMetric(tasks/took.Seconds(), "tasks/s")
				b.ReportMetric(float64(min(bench.processes*bench.each, DefaultConcurrency))/(calls*call).Seconds(), "floor/s")
				b.StartTimer()
			}
		})
	}
}
