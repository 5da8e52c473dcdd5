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
	for _, added := range event.Added {
		request, without := added.request(event.Installation.ID)
		if without != "" {
			v.ignored = without
			continue
		}
		request.Kind, request.AllOfOwner = reconcile.KindPolicy, true // what could not be read before can be now
		v.requests = append(v.requests, request)
	}
	if len(event.Added) > onboardedAlone {
		v.requests = onboard(v.requests)
	}
	return v
}

// onboardedAlone is how many repositories are asked for each on its own. More are onboarded one after the other, so that someone can see how far that
// is; addedAtOnce bounds how many one request names.
const (
	onboardedAlone = 10
	addedAtOnce    = 300
)

func onboard(each []reconcile.Request) (together []reconcile.Request) {
	for some := range slices.Chunk(each, addedAtOnce) {
		one := reconcile.Request{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: some[0].Installation}}}
		for _, r := range some {
			one.Added = append(one.Added, r.Repository)
		}
		together = append(together, one)
	}
	return together
}
