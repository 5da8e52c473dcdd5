package handlers

import "context"

// commitStatus answers "status": somebody said how a commit stands
// (https://docs.github.com/webhooks/webhook-events-and-payloads#status). The event has no action; its state stands in for it.
type commitStatus struct{ publisher }

type statusEvent struct {
	envelope
	SHA   string `json:"sha"`
	State string `json:"state"`
}

// Handles implements githubapp.EventHandler.
func (*commitStatus) Handles() []string { return []string{"status"} }

// Handle implements githubapp.EventHandler.
func (h *commitStatus) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event statusEvent
	if err := d.read(&event); err != nil {
		return err
	}
	event.Action = event.State
	return h.carryOut(ctx, d, event.envelope, 0, h.judge(event))
}

func (*commitStatus) judge(event statusEvent) verdict {
	switch event.State {
	case "success", "failure", "error":
		return event.checksOf(checked{HeadSHA: event.SHA})
	}
	return ignore(otherAction)
}
