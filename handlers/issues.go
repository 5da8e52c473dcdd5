package handlers

import (
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

type issuesEvent struct {
	envelope
	Issue struct {
		issue
		Body text `json:"body"`
	} `json:"issue"`
	Changes struct {
		// Title and Body are there if they were edited.
		Title *struct{} `json:"title"`
		Body  *struct{} `json:"body"`
	} `json:"changes"`
	// Label is missing if it was deleted from the repository and thereby taken off the issue.
	Label label `json:"label"`
	// Assignee is who the issue was assigned to.
	Assignee account `json:"assignee"`
}

func (e issuesEvent) about() (envelope, int) { return e.envelope, e.Issue.Number }

// routeIssues routes "issues": labels that are edited, issues that appear with a label or a command, and issues that are
// assigned to somebody
// (https://docs.github.com/webhooks/webhook-events-and-payloads#issues).
func (p publisher) routeIssues(event issuesEvent) routing {
	if event.Issue.PullRequest != nil {
		return ignore(pullRequest)
	}
	if p.self.IsSelf(event.Sender.Login) && !ends(event.Action) {
		return ignore(ownWrite)
	}
	request, without := event.issueRequest(event.Issue.issue)
	if without != "" {
		return ignore(without)
	}
	switch event.Action {
	case "labeled", "unlabeled":
		if event.Label.Name == "" {
			request.Expect = reconcile.ExpectedEvent{}
			return enqueue(request)
		}
		request.Expect.Label = event.Label.Name
		request.Expect.Added = event.Action == "labeled"
		if request.Expect.Added {
			request.OnlyIntake = !issues.IsColonys(event.Label.Name)
		} else {
			onlyIfStates(&request, event.Label.Name)
		}
		return enqueue(request)
	case "opened": // also in the repository to which an issue was transferred
		if request.Commands = event.Issue.Body.mayCommand; request.Commands {
			request.By = event.Sender.Login
		}
		request.OnlyIntake = !request.Commands && !slices.ContainsFunc(event.Issue.labelNames(), issues.IsColonys)
		if request.OnlyIntake {
			onlyIfStates(&request, event.Issue.labelNames()...)
		}
		return enqueue(request)
	case "assigned": // which may be how work is given to executors; to take it back, somebody moves the issue
		if event.Assignee.Login == "" {
			return ignore(noAssignee)
		}
		request.Expect.Assignee, request.OnlyIntake = event.Assignee.Login, true
		return enqueue(request)
	case "edited": // by its author it may be an answer; by anybody, the issue may depend on others now
		switch {
		case event.Changes.Title == nil && event.Changes.Body == nil:
			return ignore(sameText)
		case event.Changes.Body != nil && event.Issue.Body.mayCommand: // not run, which its writer learns
			request.Commands, request.Expect.Edited = true, true
		case !onlyIfStates(&request, event.Issue.labelNames()...):
			return ignore(noState)
		}
		request.By = event.Sender.Login
		return enqueue(request)
	case "unlocked": // what could not be said may be said now
		request.Retry = true
		return enqueue(request)
	case "reopened":
		dependents := request
		dependents.Kind = reconcile.KindDependents
		return routing{requests: []reconcile.Request{request, dependents}}
	case "closed":
		closed := request.Ref
		request.Kind = reconcile.KindDependents
		return routing{requests: []reconcile.Request{request}, closed: &closed}
	case "deleted", "transferred": // what depended on it, GitHub does not tell any more; but there may be capacity where it was
		gone := request.Ref
		if !onlyIfStates(&request, event.Issue.labelNames()...) {
			return ignore(noState).without(gone)
		}
		request.Kind, request.Number, request.Expect = reconcile.KindDispatch, 0, reconcile.ExpectedEvent{}
		return enqueue(request).without(gone)
	default:
		return ignore(otherAction)
	}
}

// ends reports whether an action can move the issues that depend on this one, even if Colony itself did it.
func ends(action string) bool {
	return action == "closed" || action == "reopened"
}
