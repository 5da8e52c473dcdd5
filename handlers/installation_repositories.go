package handlers

import "github.com/colony-app/colony/reconcile"

type installationRepositoriesEvent struct {
	envelope
	Added []repository `json:"repositories_added"`
}

// routeInstallationRepositories routes "installation_repositories": Colony was given more repositories
// (https://docs.github.com/webhooks/webhook-events-and-payloads#installation_repositories).
func (publisher) routeInstallationRepositories(event installationRepositoriesEvent) routing {
	switch {
	case event.Action != "added":
		return ignore(otherAction)
	case event.Installation.ID <= 0:
		return ignore(noInstallation)
	case len(event.Added) == 0:
		return ignore(noRepository)
	}
	var v routing
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
