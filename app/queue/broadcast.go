package queue

import (
	"fmt"

	"github.com/nats-io/nats.go"
)

// headerTeller says whose word a message is, so that no Queue receives what it said itself.
const headerTeller = "Colony-Teller"

// Broadcast says something to every other Queue on the same server. It is gone once it is said: a Queue that is away does not receive it.
func (q *Queue) Broadcast(word []byte) error {
	m := nats.NewMsg(q.names.told())
	m.Data = word
	m.Header.Set(headerTeller, q.teller)
	if err := q.conn.PublishMsg(m); err != nil {
		return fmt.Errorf("tell the other replicas: %w", err)
	}
	return nil
}

// Subscribe calls a function with everything that other Queues Broadcast, one after the other, until the Queue is closed.
func (q *Queue) Subscribe(heard func(word []byte)) error {
	if _, err := q.conn.Subscribe(q.names.told(), func(m *nats.Msg) {
		if m.Header.Get(headerTeller) != q.teller {
			heard(m.Data)
		}
	}); err != nil {
		return fmt.Errorf("hear the other replicas: %w", err)
	}
	// From now on we receive what is broadcast at the same node; the other nodes know of us a moment later.
	if err := q.conn.FlushTimeout(connectTime); err != nil {
		return fmt.Errorf("hear the other replicas: %w", err)
	}
	return nil
}
