package handlers

import (
	"context"
	"slices"
)

// issues answers "issues": labels that are edited, and issues that appear with a label or a command
// (https://docs.github.com/webhooks/webhook-events-and-payloads#issues).
type issues struct{ publisher }

type issuesEvent struct {
	envelope
	Issue struct {
		issue
		Body   string  `json:"body"`
		Labels []label `json:"labels"`
	} `json:"issue"`
	// Label is missing if it was deleted from the repository and thereby taken off the issue.
	Label label `json:"label"`
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
	if why := h.author(event.Sender); why != "" {
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
		if !isColonys(event.Label.Name) {
			return ignore(otherLabel)
		}
		look.Expect.Label = event.Label.Name
		look.Expect.Added = event.Action == "labeled"
		return lookAt(look)
	case "opened": // also in the repository to which an issue was transferred
		look.Commands = mayCommand(event.Issue.Body)
		labelled := slices.ContainsFunc(event.Issue.Labels, func(l label) bool { return isColonys(l.Name) })
		if !labelled && !look.Commands {
			return ignore(nothingToDo)
		}
		return lookAt(look)
	case "reopened":
		return lookAt(look)
	default:
		return ignore(otherAction)
	}
}
