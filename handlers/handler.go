package handlers

import "context"

// event is what Colony reads of the payloads of one kind of event.
type event interface {
	// about returns what the payloads of all events have, and the number of the issue or pull request it is about; else 0.
	about() (envelope, int)
}

// handler answers the events of one name: it reads the payload, routes it, and publishes what the routing asks for. It implements
// githubapp.EventHandler.
type handler[E event] struct {
	publisher
	name  string
	route func(publisher, E) routing
}

func on[E event](p publisher, name string, route func(publisher, E) routing) handler[E] {
	return handler[E]{p, name, route}
}

func (h handler[E]) Handles() []string { return []string{h.name} }

func (h handler[E]) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var e E
	if err := d.read(&e); err != nil {
		return err
	}
	about, number := e.about()
	return h.publish(ctx, d, about, number, h.route(h.publisher, e))
}
