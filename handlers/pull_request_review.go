package handlers

// routePullRequestReview routes "pull_request_review": what a reviewer decided can move the issues of the pull request
// (https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request_review).
func (publisher) routePullRequestReview(event pullRequestEvent) routing {
	switch event.Action {
	case "submitted", "dismissed":
		return event.issuesOf(event.PullRequest)
	}
	return ignore(otherAction)
}
