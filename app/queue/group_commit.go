package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// The embedded server syncs each message to the disk separately, and all of an atomic batch together
// (https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-50.md). A batch has costs of its own, those of about ten
// messages. So what comes alone is stored alone and immediately, and what comes while others are being stored shares a sync.
const (
	maxAlone = 8   // messages that are stored alone at the same time
	minBatch = 16  // waiting messages that become a batch
	maxBatch = 256 // the server takes up to 1,000
)

// groupCommit stores tasks for many callers together.
type groupCommit struct {
	waiting chan *commit
	alone   chan struct{} // one held for each message that is stored alone
}

func newGroupCommit() groupCommit {
	return groupCommit{make(chan *commit, maxBatch), make(chan struct{}, maxAlone)}
}

// commit is a message that waits to be stored. Its caller learns that it was, with a batch, or that it is to store it alone.
type commit struct {
	message *nats.Msg
	turn    chan bool
}

// storeWithOthers is store, perhaps together with what others store.
func (q *Queue) storeWithOthers(ctx context.Context, m *nats.Msg) (*jetstream.PubAck, error) {
	c := &commit{m, make(chan bool, 1)}
	select {
	case q.commits.waiting <- c:
	case <-q.life.Done():
		return nil, ErrClosed
	}
	// Without regard to ctx: a turn that no one takes would be lost. It comes as soon as the server has answered those before.
	select {
	case stored := <-c.turn:
		if stored {
			return &jetstream.PubAck{}, nil
		}
	case <-q.life.Done():
		return nil, ErrClosed
	}
	defer func() { <-q.commits.alone }()
	return q.store(ctx, m)
}

// commitAll gives the waiting messages their turn until the queue is closed. If a batch is not possible, for example because one of its messages
// is a duplicate, each is stored alone.
func (q *Queue) commitAll(g groupCommit) {
	for q.life.Err() == nil {
		var batch []*commit
		select {
		case c := <-g.waiting:
			batch = append(batch, c)
		case <-q.life.Done():
		}
		for len(g.waiting) > 0 && len(batch) < maxBatch {
			batch = append(batch, <-g.waiting)
		}
		stored := false
		if len(batch) >= minBatch {
			err := q.storeAtOnce(batch)
			if stored = err == nil; !stored {
				q.opts.Log.Debug().Err(err).Int("messages", len(batch)).Msg("queue: a batch cannot be stored at once; its messages are stored one by one")
			}
		}
		for _, c := range batch {
			if !stored {
				select {
				case g.alone <- struct{}{}:
				case <-q.life.Done():
					return
				}
			}
			c.turn <- stored
		}
	}
}

// storeAtOnce returns once all messages are safe; with an error, none or all of them are.
func (q *Queue) storeAtOnce(batch []*commit) error {
	ctx, cancel := context.WithTimeout(q.life, requestTime)
	defer cancel()
	id := nuid.Next()
	for n, c := range batch {
		m := *c.message
		m.Header = nats.Header{headerBatch: {id}, headerBatchSequence: {strconv.Itoa(n + 1)}}
		maps.Copy(m.Header, c.message.Header)
		if n < len(batch)-1 {
			if err := q.conn.PublishMsg(&m); err != nil {
				return fmt.Errorf("send message %d of %d: %w", n+1, len(batch), err)
			}
			continue
		}
		m.Header[headerBatchCommit] = []string{"1"}
		answer, err := q.conn.RequestMsgWithContext(ctx, &m)
		if err != nil {
			return fmt.Errorf("commit %d messages: %w", len(batch), err)
		}
		var ack struct {
			Error    *jetstream.APIError `json:"error"`
			Count    int                 `json:"count"`
			Sequence uint64              `json:"seq"` // of the last message
		}
		switch err := json.Unmarshal(answer.Data, &ack); {
		case err != nil:
			return fmt.Errorf("commit %d messages: read the answer: %w", len(batch), err)
		case ack.Error != nil:
			return fmt.Errorf("commit %d messages: %w", len(batch), ack.Error)
		case ack.Count != len(batch):
			return errors.New("commit a batch: the server took another number of messages")
		}
		q.newest.stored(ack.Sequence)
	}
	return nil
}
