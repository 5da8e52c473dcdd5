package handlers

type pullRequestReviewEvent struct {
	envelope
	PullRequest pull `json:"pull_request"`
}

func (e pullRequestReviewEvent) about() (envelope, int) { return e.envelope, e.PullRequest.Number }

// routePullRequestReview routes "pull_request_review": what a reviewer decided can move the issues of the pull request
// (https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request_review).
func (publisher) routePullRequestReview(event pullRequestReviewEvent) routing {
	switch event.Action {
	case "submitted", "dismissed":
		return event.issuesOf(event.PullRequest)
	}
	return ignore(otherAction)
}
