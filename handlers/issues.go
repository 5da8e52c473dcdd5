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

// routeIssues routes "issues": labels that are edited, issues that appear with a label or a command, and issues that are assigned to someone
// (https://docs.github.com/webhooks/webhook-events-and-payloads#issues).
func (p publisher) routeIssues(event issuesEvent) routing {
	if event.Issue.PullRequest != nil {
		return ignore(pullRequest)
	}
	// These can move the issues that depend on this one, even if Colony itself did it.
	if p.self.IsSelf(event.Sender.Login) && event.Action != "closed" && event.Action != "reopened" {
		return ignore(ownWrite)
	}
	request, without := event.issueRequest(event.Issue.issue)
	if without != "" {
		return ignore(without)
	}
	act := issuesActions[event.Action]
	if act == nil {
		return ignore(otherAction)
	}
	v := act(event, request)
	if p.self.IsSelf(event.Sender.Login) { // Colony knows of it: what depends on the issue does not
		v.requests = slices.DeleteFunc(v.requests, func(r reconcile.Request) bool { return r.Kind == reconcile.KindIssue })
	}
	return v
}

// issuesActions are the actions of "issues" that matter to Colony, each with what it asks to reconcile.
var issuesActions = map[string]func(issuesEvent, reconcile.Request) routing{
	"labeled":     issuesEvent.labelChanged,
	"unlabeled":   issuesEvent.labelChanged,
	"opened":      issuesEvent.opened, // also in the repository to which an issue was transferred
	"assigned":    issuesEvent.assigned,
	"edited":      issuesEvent.edited,
	"unlocked":    issuesEvent.unlocked,
	"reopened":    issuesEvent.reopened,
	"closed":      issuesEvent.closed,
	"deleted":     issuesEvent.gone,
	"transferred": issuesEvent.gone,
}

func (e issuesEvent) labelChanged(request reconcile.Request) routing {
	if e.Label.Name == "" {
		request.Expect = reconcile.ExpectedEvent{By: request.Expect.By}
		return enqueue(request)
	}
	request.Expect.Label = e.Label.Name
	request.Expect.Added = e.Action == "labeled"
	if request.Expect.Added {
		request.OnlyIntake = !issues.IsColonys(e.Label.Name)
	} else {
		onlyIfStates(&request, e.Label.Name)
	}
	return enqueue(request)
}

func (e issuesEvent) opened(request reconcile.Request) routing {
	if request.Commands = e.Issue.Body.mayCommand; request.Commands {
		request.By = e.Sender.Login
	}
	request.OnlyIntake = !request.Commands && !slices.ContainsFunc(e.Issue.labelNames(), issues.IsColonys)
	if request.OnlyIntake {
		onlyIfStates(&request, e.Issue.labelNames()...)
	}
	return enqueue(request)
}

// assigned might be how work is given to bots; to withdraw it, someone moves the issue.
func (e issuesEvent) assigned(request reconcile.Request) routing {
	if e.Assignee.Login == "" {
		return ignore(noAssignee)
	}
	request.Expect.Assignee, request.OnlyIntake = e.Assignee.Login, true
	return enqueue(request)
}

// edited might be an answer by the author; after an edit by anyone, the issue might depend on others.
func (e issuesEvent) edited(request reconcile.Request) routing {
	switch {
	case e.Changes.Title == nil && e.Changes.Body == nil:
		return ignore(sameText)
	case e.Changes.Body != nil && e.Issue.Body.mayCommand: // not run, which its writer learns
		request.Commands, request.Expect.Edited = true, true
	case !onlyIfStates(&request, e.Issue.labelNames()...):
		return ignore(noState)
	}
	request.By = e.Sender.Login
	return enqueue(request)
}

// unlocked asks again: what could not be said can perhaps be said now.
func (issuesEvent) unlocked(request reconcile.Request) routing {
	request.Retry = true
	return enqueue(request)
}

func (issuesEvent) reopened(request reconcile.Request) routing {
	dependents := request
	dependents.Kind = reconcile.KindDependents
	return routing{requests: []reconcile.Request{request, dependents}}
}

func (e issuesEvent) closed(request reconcile.Request) routing {
	closed, dependents := request.Ref, request
	dependents.Kind = reconcile.KindDependents
	v := routing{requests: []reconcile.Request{dependents}, closed: &closed}
	if onlyIfStates(&request, e.Issue.labelNames()...) {
		v.requests = append(v.requests, request)
	}
	return v
}

// gone leaves what depended on the issue, which GitHub no longer tells; but there might be capacity where it was.
func (e issuesEvent) gone(request reconcile.Request) routing {
	gone := request.Ref
	if !onlyIfStates(&request, e.Issue.labelNames()...) {
		return ignore(noState).without(gone)
	}
	request.Kind, request.Number, request.Expect = reconcile.KindDispatch, 0, reconcile.ExpectedEvent{}
	return enqueue(request).without(gone)
}
