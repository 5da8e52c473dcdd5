package handlers

import (
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

type installationRepositoriesEvent struct {
	envelope
	Added   []repository `json:"repositories_added"`
	Removed []repository `json:"repositories_removed"`
}

// routeInstallationRepositories routes "installation_repositories": Colony was given more repositories
// (https://docs.github.com/webhooks/webhook-events-and-payloads#installation_repositories).
func (publisher) routeInstallationRepositories(event installationRepositoriesEvent) routing {
	switch {
	case event.Action == "removed" && event.Installation.ID > 0:
		v := ignore(otherAction)
		for _, removed := range event.Removed {
			if request, without := removed.request(event.Installation.ID); without == "" {
				v.gone = append(v.gone, request.Ref)
			}
		}
		return v
	case event.Action != "added":
		return ignore(otherAction)
	case event.Installation.ID <= 0:
		return ignore(noInstallation)
	case len(event.Added) == 0:
		return ignore(noRepository)
	}
	v := routing{}
	if len(event.Added) > onboardedAlone {
		return onboard(event)
	}
	for _, added := range event.Added {
		request, without := added.request(event.Installation.ID)
		if without != "" {
			v.ignored = without
			continue
		}
		request.Kind, request.AllOfOwner = reconcile.KindPolicy, true // what could not be read before can be now
		v.requests = append(v.requests, request)
	}
	return v
}

// onboardedAlone is how many repositories are asked for each on its own. More are onboarded one after the other, so that someone can see how far that
// is; addedAtOnce bounds how many one request names.
const (
	onboardedAlone = 10
	addedAtOnce    = 300
)

func onboard(event installationRepositoriesEvent) (v routing) {
	var added []issues.Repository
	for _, a := range event.Added {
		request, without := a.request(event.Installation.ID)
		if without != "" {
			v.ignored = without
			continue
		}
		added = append(added, request.Repository)
	}
	for some := range slices.Chunk(added, addedAtOnce) {
		v.requests = append(v.requests, reconcile.Request{
			Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: event.Installation.ID}}, Extent: reconcile.Extent{Added: some},
		})
	}
	return v
}
