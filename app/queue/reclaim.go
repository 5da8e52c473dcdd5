package queue

import (
	"context"
	"fmt"
	"time"
)

// reclaim gives back what the process before us held when it was killed, so that nothing waits for its leases to end. Only for
// the embedded server, whose folder is locked: no one else can hold a lease there.
//
// An answer needs nothing but its numbers: $JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.<consumer
// sequence>.<time>.<pending>. Of these, the server reads the two sequences
// (https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-15.md). Which tasks are unanswered it does not tell; but
// they are between the last one below which all are answered and the last delivered, and it takes no notice of an answer about another.
func (q *Queue) reclaim(ctx context.Context) error {
	for p, worker := range q.workers {
		info, err := worker.Info(ctx)
		if err != nil {
			return fmt.Errorf("ask what the last run left of partition %d: %w", p, err)
		}
		if info.NumAckPending == 0 {
			continue
		}
		var answers []string
		for place := info.AckFloor.Stream + 1; place <= info.Delivered.Stream; place++ {
			answers = append(answers, fmt.Sprintf("$JS.ACK.%s.%s.1.%d.%d.%d.0", info.Stream, info.Name, place, info.Delivered.Consumer, time.Now().UnixNano()))
		}
		if err := q.giveBack(ctx, answers, ""); err != nil {
			return fmt.Errorf("give back what the last run left of partition %d: %w", p, err)
		}
	}
	return nil
}

// giveBack has tasks of one consumer delivered again, before any other; answers are the subjects of their answers. It returns when the server
// has processed that, and all that came before it on this connection. Then it answers to another word about the last of them.
func (q *Queue) giveBack(ctx context.Context, answers []string, last string) error {
	for _, answer := range answers {
		last = answer
		if err := q.conn.Publish(answer, []byte("-NAK")); err != nil {
			return err //nolint:wrapcheck // the caller names the attempt
		}
	}
	if last == "" {
		return nil
	}
	_, err := q.conn.RequestWithContext(ctx, last, []byte("+WPI"))
	return err //nolint:wrapcheck // the caller names the attempt
}
