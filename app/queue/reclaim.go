package queue

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// reclaim gives back what the process before us held when it was killed, so that nothing waits for its leases to end. Only for
// the embedded server, whose folder is locked: nobody else can hold a lease there.
//
// With MaxAckPending 1 the one message that is unanswered is the last delivered, and an answer needs nothing but its
// numbers: $JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.<consumer sequence>.<time>.<pending>, of which the server
// reads the two sequences (https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-15.md).
func (q *Queue) reclaim(ctx context.Context) error {
	workers := slices.Clone(q.workers)
	for _, e := range q.earlier {
		workers = append(workers, e.consumer)
	}
	for p, worker := range workers {
		info, err := worker.Info(ctx)
		if err != nil {
			return fmt.Errorf("ask what the last run left of partition %d: %w", p, err)
		}
		if info.NumAckPending == 0 {
			continue
		}
		answer := fmt.Sprintf("$JS.ACK.%s.%s.1.%d.%d.%d.0", info.Stream, info.Name, info.Delivered.Stream, info.Delivered.Consumer, time.Now().UnixNano())
		if err := q.conn.Publish(answer, []byte("-NAK")); err != nil {
			return fmt.Errorf("give back what the last run left of partition %d: %w", p, err)
		}
	}
	if err := q.conn.FlushTimeout(requestTime); err != nil {
		return fmt.Errorf("give back what the last run left: %w", err)
	}
	return nil
}
