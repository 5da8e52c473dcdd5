package handlers

import (
	"context"

	"github.com/rs/zerolog"
)

// appInstallation answers "installation": Colony was installed, came back or was granted more
// (https://docs.github.com/webhooks/webhook-events-and-payloads#installation).
type appInstallation struct{ publisher }

// Handles implements githubapp.EventHandler.
func (*appInstallation) Handles() []string { return []string{"installation"} }

// Handle implements githubapp.EventHandler.
func (h *appInstallation) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event envelope
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event, 0, h.judge(event))
}

func (*appInstallation) judge(event envelope) verdict {
	switch event.Action {
	case "created", "unsuspend", "new_permissions_accepted":
		if event.Installation.ID <= 0 {
			return ignore(noInstallation)
		}
		return lookAt(Look{Scope: ScopeInstallation, Installation: event.Installation.ID})
	case "deleted", "suspend":
		return verdict{ignored: farewell, level: zerolog.InfoLevel}
	default:
		return ignore(otherAction)
	}
}
