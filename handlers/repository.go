package handlers

import (
	"slices"

	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

type repositoryEvent struct {
	envelope
	Changes struct {
		// DefaultBranch is there if another branch became the default.
		DefaultBranch *struct{} `json:"default_branch"`
	} `json:"changes"`
}

// routeRepository routes "repository": one appeared, or what Colony is allowed to do in it changed. Under a new name, nothing is known of it yet
// (https://docs.github.com/webhooks/webhook-events-and-payloads#repository).
func (publisher) routeRepository(event repositoryEvent) routing {
	switch event.Action {
	case "created", "renamed", "transferred", "unarchived", "publicized", "privatized":
	case "edited":
		if event.Changes.DefaultBranch == nil {
			return ignore(otherAction)
		}
	case "deleted":
		if request, without := event.repositoryRequest(); without == "" {
			return ignore(otherAction).without(request.Ref)
		}
		return ignore(otherAction)
	default:
		return ignore(otherAction)
	}
	request, without := event.repositoryRequest()
	if without != "" {
		return ignore(without)
	}
	if slices.Contains([]string{"edited", "renamed", "transferred"}, event.Action) || policy.SpeaksForOthers(request.Name) {
		request.Kind, request.AllOfOwner = reconcile.KindPolicy, true
	}
	return enqueue(request)
}
