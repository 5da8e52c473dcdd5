package handlers

import "context"

// ownRepository answers "repository": one appeared, or what Colony may do in it changed
// (https://docs.github.com/webhooks/webhook-events-and-payloads#repository).
type ownRepository struct{ publisher }

type repositoryEvent struct {
	envelope
	Changes struct {
		// DefaultBranch is there if another branch became the default.
		DefaultBranch *struct{} `json:"default_branch"`
	} `json:"changes"`
}

// Handles implements githubapp.EventHandler.
func (*ownRepository) Handles() []string { return []string{"repository"} }

// Handle implements githubapp.EventHandler.
func (h *ownRepository) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event repositoryEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, 0, h.judge(event))
}

func (*ownRepository) judge(event repositoryEvent) verdict {
	switch event.Action {
	case "created", "renamed", "transferred", "unarchived", "publicized", "privatized":
	case "edited":
		if event.Changes.DefaultBranch == nil {
			return ignore(otherAction)
		}
	default:
		return ignore(otherAction)
	}
	look, without := event.repositoryLook()
	if without != "" {
		return ignore(without)
	}
	if event.Action == "edited" || SpeaksForOthers(look.Repo) {
		look.Scope, look.Others = ScopeRules, true
	}
	return lookAt(look)
}
