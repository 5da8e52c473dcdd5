package handlers

import (
	"slices"

	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

type pushEvent struct {
	envelope
	Ref     string `json:"ref"`
	After   string `json:"after"`
	Forced  bool   `json:"forced"`
	Deleted bool   `json:"deleted"`
	Commits []struct {
		Added    []string `json:"added"`
		Removed  []string `json:"removed"`
		Modified []string `json:"modified"`
	} `json:"commits"`
}

// maxCommits is how many commits GitHub lists at most, and maxFiles how many changes it lists of each; of others the payload
// says nothing.
const (
	maxCommits = 2048
	maxFiles   = 3000
)

// routePush routes "push": a repository's own settings might have changed, and what leads to the default branch might conflict with it now. Of a
// conflict GitHub tells nothing (https://docs.github.com/webhooks/webhook-events-and-payloads#push).
func (publisher) routePush(event pushEvent) routing {
	if event.Deleted || event.Ref != "refs/heads/"+event.Repository.DefaultBranch {
		return ignore(otherBranch)
	}
	request, without := event.repositoryRequest()
	if without != "" {
		return ignore(without)
	}
	conflicts := request
	conflicts.Kind = reconcile.KindConflicts
	if !event.touchesPolicy() {
		return enqueue(conflicts)
	}
	request.Kind, request.AllOfOwner = reconcile.KindPolicy, true
	request.Expect.Commit = event.After
	return routing{requests: []reconcile.Request{request, conflicts}}
}

// touchesPolicy reports whether a push changes a file of settings, as far as the payload tells: a branch that was set to another
// commit can change anything.
func (e pushEvent) touchesPolicy() bool {
	if e.Forced || len(e.Commits) == 0 || len(e.Commits) >= maxCommits {
		return true
	}
	for _, c := range e.Commits {
		changed := slices.Concat(c.Added, c.Removed, c.Modified)
		if len(changed) >= maxFiles || slices.ContainsFunc(changed, policy.IsPolicyFile) {
			return true
		}
	}
	return false
}
