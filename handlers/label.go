package handlers

import "github.com/colony-app/colony/reconcile"

type labelEvent struct {
	envelope
	Label   label `json:"label"`
	Changes struct {
		Name struct {
			From string `json:"from"`
		} `json:"name"`
	} `json:"changes"`
}

// routeLabel routes "label": a repository's label that was created, edited, renamed or deleted
// (https://docs.github.com/webhooks/webhook-events-and-payloads#label).
func (p publisher) routeLabel(event labelEvent) routing {
	switch event.Action {
	case "created", "edited", "deleted":
	default:
		return ignore(otherAction)
	}
	name, before := event.Label.Name, event.Changes.Name.From
	if name == "" && before == "" {
		return ignore(noLabel)
	}
	if p.self.IsSelf(event.Sender.Login) {
		return ignore(ownWrite)
	}
	request, without := event.repositoryRequest()
	if without != "" {
		return ignore(without)
	}
	onlyIfStates(&request, name, before)
	if event.Action == "edited" && name != "" && before != "" && before != name {
		request.Renamed = &reconcile.Rename{From: before, To: name}
	}
	return enqueue(request)
}
