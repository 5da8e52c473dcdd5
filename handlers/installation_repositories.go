package handlers

import "context"

// installationRepositories answers "installation_repositories": Colony was given more repositories
// (https://docs.github.com/webhooks/webhook-events-and-payloads#installation_repositories).
type installationRepositories struct{ publisher }

type installationRepositoriesEvent struct {
	envelope
	Added []repository `json:"repositories_added"`
}

// Handles implements githubapp.EventHandler.
func (*installationRepositories) Handles() []string { return []string{"installation_repositories"} }

// Handle implements githubapp.EventHandler.
func (h *installationRepositories) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event installationRepositoriesEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, 0, h.judge(event))
}

func (*installationRepositories) judge(event installationRepositoriesEvent) verdict {
	switch {
	case event.Action != "added":
		return ignore(otherAction)
	case event.Installation.ID <= 0:
		return ignore(noInstallation)
	case len(event.Added) == 0:
		return ignore(noRepository)
	}
	var v verdict
	for _, added := range event.Added {
		look, without := added.look(event.Installation.ID)
		if without != "" {
			v.ignored = without
			continue
		}
		look.Scope, look.Others = ScopeRules, true // what could not be read before can be now
		v.looks = append(v.looks, look)
	}
	return v
}
