package queue

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// BenchmarkThroughput shows that processes add up. Each task makes three calls of 50 ms, as a legal label edit does on a GitHub that
// answers in that time; tasks/s is to be compared with floor/s, what all workers could do if each
// always had a task.
//
//	go test ./app/queue -run '^$' -bench Throughput -benchtime 1x
func BenchmarkThroughput(b *testing.B) {
	const (
		call, calls = 50 * time.Millisecond, 3
		tasks       = 1600
	)
	for _, bench := range []struct{ partitions, processes, each int }{{16, 1, 16}, {16, 4, 16}, {64, 1, 16}, {64, 2, 16}, {64, 4, 16}, {128, 4, 16}, {64, 1, 64}} {
		b.Run(fmt.Sprintf("%d partitions, %d processes of %d", bench.partitions, bench.processes, bench.each), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				url := external(b)
				var queues []*Queue
				for range bench.processes {
					queues = append(queues, open(b, Options{URL: url, Partitions: bench.partitions, Concurrency: bench.each}))
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
				b.ReportMetric(float64(bench.processes*bench.each)/(calls*call).Seconds(), "floor/s")
				b.StartTimer()
			}
		})
	}
}
