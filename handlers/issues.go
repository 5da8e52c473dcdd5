package handlers

import "context"

// issues answers "issues": labels that are edited, issues that appear with a label or a command, and issues that are
// assigned to somebody
// (https://docs.github.com/webhooks/webhook-events-and-payloads#issues).
type issues struct{ publisher }

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

// Handles implements githubapp.EventHandler.
func (*issues) Handles() []string { return []string{"issues"} }

// Handle implements githubapp.EventHandler.
func (h *issues) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event issuesEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, event.Issue.Number, h.judge(event))
}

func (h *issues) judge(event issuesEvent) verdict {
	if event.Issue.PullRequest != nil {
		return ignore(pullRequest)
	}
	if why := h.author(event.Sender); why != "" && !ends(event.Action) {
		return ignore(why)
	}
	look, without := event.issueLook(event.Issue.issue)
	if without != "" {
		return ignore(without)
	}
	switch event.Action {
	case "labeled", "unlabeled":
		if event.Label.Name == "" {
			look.Expect = Expectation{}
			return lookAt(look)
		}
		look.Expect.Label = event.Label.Name
		look.Expect.Added = event.Action == "labeled"
		if !h.labels.begins(event.Label.Name) {
			if look.OnlyIntake = look.Expect.Added; !look.OnlyIntake {
				return ignore(otherLabel)
			}
		}
		return lookAt(look)
	case "opened": // also in the repository to which an issue was transferred
		if look.Commands = mayCommand(event.Issue.Body); look.Commands {
			look.By = event.Sender.Login
		}
		look.OnlyIntake = !h.labels.any(event.Issue.issue) && !look.Commands
		return lookAt(look)
	case "assigned": // which may be how work is given to executors; to take it back, somebody moves the issue
		if event.Assignee.Login == "" {
			return ignore(noAssignee)
		}
		look.Expect.Assignee, look.OnlyIntake = event.Assignee.Login, true
		return lookAt(look)
	case "edited": // by its author it may be an answer; whoever did it, the issue may depend on others now
		switch {
		case event.Changes.Title == nil && event.Changes.Body == nil:
			return ignore(sameText)
		case event.Changes.Body != nil && mayCommand(event.Issue.Body): // not run, which its writer learns
			look.Commands, look.Expect.Edited = true, true
		case !h.labels.any(event.Issue.issue):
			return ignore(noState)
		}
		look.By = event.Sender.Login
		return lookAt(look)
	case "unlocked": // what could not be said may be said now
		look.Retry = true
		return lookAt(look)
	case "reopened":
		dependents := look
		dependents.Scope = ScopeDependents
		return verdict{looks: []Look{look, dependents}}
	case "closed":
		look.Scope = ScopeDependents
		return lookAt(look)
	case "deleted", "transferred": // what depended on it, GitHub does not tell any more; but there may be room where it was
		if !h.labels.any(event.Issue.issue) {
			return ignore(noState)
		}
		look.Scope, look.Issue, look.Expect = ScopeDispatch, 0, Expectation{}
		return lookAt(look)
	default:
		return ignore(otherAction)
	}
}

// ends reports whether an action can move the issues that depend on this one, whoever did it.
func ends(action string) bool {
	return action == "closed" || action == "reopened"
}
