package handlers

type subIssuesEvent struct {
	envelope
	ParentIssue issue `json:"parent_issue"`
}

func (e subIssuesEvent) about() (envelope, int) { return e.envelope, e.ParentIssue.Number }

// routeSubIssues routes "sub_issues": an issue became a part of another one, or is no longer one
// (https://docs.github.com/webhooks/webhook-events-and-payloads#sub_issues). GitHub tells it twice, in the repository of either issue; the parent is
// reconciled.
func (publisher) routeSubIssues(event subIssuesEvent) routing {
	switch event.Action {
	case "sub_issue_added", "sub_issue_removed":
		return event.related(event.ParentIssue)
	}
	return ignore(otherAction)
}
