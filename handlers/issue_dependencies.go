package handlers

type issueDependenciesEvent struct {
	envelope
	BlockedIssue  issue `json:"blocked_issue"`
	BlockingIssue issue `json:"blocking_issue"`
}

func (e issueDependenciesEvent) about() (envelope, int) { return e.envelope, e.BlockedIssue.Number }

// routeIssueDependencies routes "issue_dependencies": an issue depends on another one, or no longer does
// (https://docs.github.com/webhooks/webhook-events-and-payloads#issue_dependencies). GitHub tells it twice, in the repository of either issue. The
// one that depends on the other is reconciled, and the other one where a circle might close.
func (publisher) routeIssueDependencies(event issueDependenciesEvent) routing {
	switch event.Action {
	case "blocked_by_added", "blocked_by_removed":
		return event.related(event.BlockedIssue)
	case "blocking_added":
		return event.related(event.BlockingIssue)
	}
	return ignore(otherAction)
}

// related asks to reconcile an issue whose relations to others changed.
func (e envelope) related(i issue) routing {
	request, without := e.issueRequest(i)
	if without != "" {
		return ignore(without)
	}
	return enqueue(request)
}
