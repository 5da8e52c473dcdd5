package handlers

import "context"

// subIssues answers "sub_issues": an issue became a part of another one, or is none any more
// (https://docs.github.com/webhooks/webhook-events-and-payloads#sub_issues). GitHub tells it twice, in the repository of either
// issue; the parent is looked at.
type subIssues struct{ publisher }

type subIssuesEvent struct {
	envelope
	ParentIssue issue `json:"parent_issue"`
}

// Handles implements githubapp.EventHandler.
func (*subIssues) Handles() []string { return []string{"sub_issues"} }

// Handle implements githubapp.EventHandler.
func (h *subIssues) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event subIssuesEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, event.ParentIssue.Number, h.judge(event))
}

func (*subIssues) judge(event subIssuesEvent) verdict {
	switch event.Action {
	case "sub_issue_added", "sub_issue_removed":
		return event.related(event.ParentIssue)
	}
	return ignore(otherAction)
}
