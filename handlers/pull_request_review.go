package handlers

import "context"

// pullRequestReview answers "pull_request_review": what a reviewer decided may move the issues of the pull request
// (https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request_review).
type pullRequestReview struct{ publisher }

type pullRequestReviewEvent struct {
	envelope
	PullRequest pull `json:"pull_request"`
}

// Handles implements githubapp.EventHandler.
func (*pullRequestReview) Handles() []string { return []string{"pull_request_review"} }

// Handle implements githubapp.EventHandler.
func (h *pullRequestReview) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event pullRequestReviewEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, event.PullRequest.Number, h.judge(event))
}

func (*pullRequestReview) judge(event pullRequestReviewEvent) verdict {
	switch event.Action {
	case "submitted", "dismissed":
		return event.issuesOf(event.PullRequest)
	}
	return ignore(otherAction)
}
