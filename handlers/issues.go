package handlers

import "github.com/colony-app/colony/reconcile"

type issuesEvent struct {
	envelope
	Issue struct {
		issue
		Body string `json:"body"`
	} `json:"issue"`
	Changes struct {
		// Title and Body are there if they were edited.
		Title *changed `json:"title"`
		Body  *changed `json:"body"`
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
	if why := p.ignoreSelf(event.Sender); why != "" && !ends(event.Action) {
		return ignore(why)
	}
	look, without := event.issueLook(event.Issue.issue)
	if without != "" {
		return ignore(without)
	}
	switch event.Action {
	case "labeled", "unlabeled":
		if event.Label.Name == "" {
			look.Expect = reconcile.ExpectedEvent{}
			return enqueue(look)
		}
		look.Expect.Label = event.Label.Name
		look.Expect.Added = event.Action == "labeled"
		if !p.labels.begins(event.Label.Name) {
			if look.OnlyIntake = look.Expect.Added; !look.OnlyIntake {
				return ignore(otherLabel)
			}
		}
		return enqueue(look)
	case "opened": // also in the repository to which an issue was transferred
		if look.Commands = mayCommand(event.Issue.Body); look.Commands {
			look.By = event.Sender.Login
		}
		look.OnlyIntake = !p.labels.any(event.Issue.issue) && !look.Commands
		return enqueue(look)
	case "assigned": // which may be how work is given to executors; to take it back, somebody moves the issue
		if event.Assignee.Login == "" {
			return ignore(noAssignee)
		}
		look.Expect.Assignee, look.OnlyIntake = event.Assignee.Login, true
		return enqueue(look)
	case "edited": // by its author it may be an answer; whoever did it, the issue may depend on others now
		switch {
		case event.Changes.Title == nil && event.Changes.Body == nil:
			return ignore(sameText)
		case event.Changes.Body != nil && mayCommand(event.Issue.Body): // not run, which its writer learns
			look.Commands, look.Expect.Edited = true, true
		case !p.labels.any(event.Issue.issue):
			return ignore(noState)
		}
		look.By = event.Sender.Login
		return enqueue(look)
	case "unlocked": // what could not be said may be said now
		look.Retry = true
		return enqueue(look)
	case "reopened":
		dependents := look
		dependents.Kind = reconcile.KindDependents
		return routing{looks: []reconcile.Request{look, dependents}}
	case "closed":
		look.Kind = reconcile.KindDependents
		return enqueue(look)
	case "deleted", "transferred": // what depended on it, GitHub does not tell any more; but there may be room where it was
		if !p.labels.any(event.Issue.issue) {
			return ignore(noState)
		}
		look.Kind, look.Issue, look.Expect = reconcile.KindDispatch, 0, reconcile.ExpectedEvent{}
		return enqueue(look)
	default:
		return ignore(otherAction)
	}
}

// ends reports whether an action can move the issues that depend on this one, whoever did it.
func ends(action string) bool {
	return action == "closed" || action == "reopened"
}
