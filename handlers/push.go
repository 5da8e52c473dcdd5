package handlers

import (
	"slices"

	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

type pushEvent struct {
	envelope
	Ref        string `json:"ref"`
	After      string `json:"after"`
	Forced     bool   `json:"forced"`
	Deleted    bool   `json:"deleted"`
	Repository struct {
		repository
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
	Commits []struct {
		Added    []string `json:"added"`
		Removed  []string `json:"removed"`
		Modified []string `json:"modified"`
	} `json:"commits"`
}

// commitsTold is how many commits GitHub lists at most, and filesTold how many changes it lists of each; of others the payload
// says nothing.
const (
	commitsTold = 2048
	filesTold   = 3000
)

func (e pushEvent) about() (envelope, int) {
	e.envelope.Repository = e.Repository.repository
	return e.envelope, 0
}

// routePush routes "push": a repository's own settings may have changed, and what leads to the default branch may conflict with it now.
// Of a conflict GitHub tells nothing (https://docs.github.com/webhooks/webhook-events-and-payloads#push).
func (publisher) routePush(event pushEvent) routing {
	event.envelope, _ = event.about()
	switch {
	case event.Deleted, event.Ref != "refs/heads/"+event.Repository.DefaultBranch:
		return ignore(otherBranch)
	}
	request, without := event.repositoryRequest()
	if without != "" {
		return ignore(without)
	}
	conflicts := request
	conflicts.Kind = reconcile.KindConflicts
	if !event.touchesRules() {
		return enqueue(conflicts)
	}
	request.Kind, request.AllOfOwner = reconcile.KindPolicy, true
	request.Expect.Commit = event.After
	return routing{requests: []reconcile.Request{request, conflicts}}
}

// touchesRules reports whether a push changes a file of settings, as far as the payload tells: a branch that was set to another
// commit can change anything.
func (e pushEvent) touchesRules() bool {
	if e.Forced || len(e.Commits) == 0 || len(e.Commits) >= commitsTold {
		return true
	}
	for _, c := range e.Commits {
		changed := slices.Concat(c.Added, c.Removed, c.Modified)
		if len(changed) >= filesTold || slices.ContainsFunc(changed, policy.IsPolicyFile) {
			return true
		}
	}
	return false
}
