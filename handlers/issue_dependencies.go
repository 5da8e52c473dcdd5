package handlers

import "context"

// issueDependencies answers "issue_dependencies": an issue depends on another one, or not any more
// (https://docs.github.com/webhooks/webhook-events-and-payloads#issue_dependencies). GitHub tells it twice, in the repository of
// either issue. The one that depends on the other is looked at, and the other one when a circle may close there.
type issueDependencies struct{ publisher }

type issueDependenciesEvent struct {
	envelope
	BlockedIssue  issue `json:"blocked_issue"`
	BlockingIssue issue `json:"blocking_issue"`
}

// Handles implements githubapp.EventHandler.
func (*issueDependencies) Handles() []string { return []string{"issue_dependencies"} }

// Handle implements githubapp.EventHandler.
func (h *issueDependencies) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event issueDependenciesEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, event.BlockedIssue.Number, h.judge(event))
}

func (*issueDependencies) judge(event issueDependenciesEvent) verdict {
	switch event.Action {
	case "blocked_by_added", "blocked_by_removed":
		return event.related(event.BlockedIssue)
	case "blocking_added":
		return event.related(event.BlockingIssue)
	}
	return ignore(otherAction)
}

// related looks at an issue whose relations to others changed.
func (e envelope) related(i issue) verdict {
	look, without := e.issueLook(i)
	if without != "" {
		return ignore(without)
	}
	return lookAt(look)
}
