package handlers

import "context"

// ping answers "ping", which GitHub sends when a webhook is set up
// (https://docs.github.com/webhooks/webhook-events-and-payloads#ping).
type ping struct{ publisher }

// Handles implements githubapp.EventHandler.
func (*ping) Handles() []string { return []string{"ping"} }

// Handle implements githubapp.EventHandler.
func (h *ping) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event envelope
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event, 0, ignore(onlyPing))
}
