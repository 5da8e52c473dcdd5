package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"

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
	q *Queue

	mu       sync.Mutex
	waiting  []*commit
	alone    int
	batching bool
}

// commit is a message that waits to be stored. Its caller learns that it was, with a batch, or that it is to store it alone.
type commit struct {
	message *nats.Msg
	turn    chan bool
}

// store is Queue.store, perhaps together with what others store.
func (g *groupCommit) store(ctx context.Context, m *nats.Msg) (*jetstream.PubAck, error) {
	c := &commit{m, make(chan bool, 1)}
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	g.next()
	g.mu.Unlock()
	// Without regard to ctx: a turn that no one takes would be lost. It comes as soon as the server has answered those before.
	if stored := <-c.turn; stored {
		return &jetstream.PubAck{}, nil
	}
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.alone--
		g.next()
	}()
	return g.q.store(ctx, m)
}

// next gives the waiting messages their turn, as far as they can have it.
func (g *groupCommit) next() {
	for len(g.waiting) > 0 && !g.batching {
		switch {
		case len(g.waiting) >= minBatch:
			n := min(len(g.waiting), maxBatch)
			batch := g.waiting[:n:n]
			g.waiting = g.waiting[n:]
			g.batching = true
			go g.storeBatch(batch)
		case g.alone < maxAlone:
			g.alone++
			g.waiting[0].turn <- false
			g.waiting = g.waiting[1:]
		default:
			return
		}
	}
}

// storeBatch stores messages in one batch. If that is not possible, for example because one of them is a duplicate, each is stored alone.
func (g *groupCommit) storeBatch(batch []*commit) {
	err := g.q.storeAtOnce(batch)
	if err != nil {
		g.q.opts.Log.Debug().Err(err).Int("messages", len(batch)).Msg("queue: a batch cannot be stored at once; its messages are stored one by one")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.batching = false
	for _, c := range batch {
		if err != nil {
			g.alone++
		}
		c.turn <- err == nil
	}
	g.next()
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
			Error *jetstream.APIError `json:"error"`
			Count int                 `json:"count"`
		}
		switch err := json.Unmarshal(answer.Data, &ack); {
		case err != nil:
			return fmt.Errorf("commit %d messages: read the answer: %w", len(batch), err)
		case ack.Error != nil:
			return fmt.Errorf("commit %d messages: %w", len(batch), ack.Error)
		case ack.Count != len(batch):
			return errors.New("commit a batch: the server took another number of messages")
		}
	}
	return nil
}
