package handlers

import "context"

// ownRepository answers "repository": one appeared, or what Colony may do in it changed
// (https://docs.github.com/webhooks/webhook-events-and-payloads#repository).
type ownRepository struct{ publisher }

// Handles implements githubapp.EventHandler.
func (*ownRepository) Handles() []string { return []string{"repository"} }

// Handle implements githubapp.EventHandler.
func (h *ownRepository) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event envelope
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event, 0, h.judge(event))
}

func (*ownRepository) judge(event envelope) verdict {
	switch event.Action {
	case "created", "renamed", "transferred", "unarchived", "publicized", "privatized":
	default:
		return ignore(otherAction)
	}
	look, without := event.repositoryLook()
	if without != "" {
		return ignore(without)
	}
	return lookAt(look)
}
