package queue

import (
	"fmt"

	"github.com/nats-io/nats.go"
)

// Broadcast says something to every other Queue on the same server. It is gone once it is said: a Queue that is away does not receive it.
func (q *Queue) Broadcast(word []byte) error {
	if err := q.conn.Publish(q.names.told(), word); err != nil {
		return fmt.Errorf("tell the other replicas: %w", err)
	}
	return nil
}

// Subscribe calls a function with everything that other Queues Broadcast, one after the other, until the Queue is closed.
func (q *Queue) Subscribe(heard func(word []byte)) error {
	if _, err := q.conn.Subscribe(q.names.told(), func(m *nats.Msg) { heard(m.Data) }); err != nil {
		return fmt.Errorf("hear the other replicas: %w", err)
	}
	// From now on we receive what is broadcast at the same node; the other nodes know of us a moment later.
	if err := q.conn.FlushTimeout(connectTime); err != nil {
		return fmt.Errorf("hear the other replicas: %w", err)
	}
	return nil
}
