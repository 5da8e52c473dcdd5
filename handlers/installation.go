package handlers

import (
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// routeInstallation routes "installation": Colony was installed, came back or was granted more
// (https://docs.github.com/webhooks/webhook-events-and-payloads#installation).
func (publisher) routeInstallation(event envelope) routing {
	switch event.Action {
	case "created", "unsuspend", "new_permissions_accepted":
		if event.Installation.ID <= 0 {
			return ignore(noInstallation)
		}
		return enqueue(reconcile.Request{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: event.Installation.ID}}})
	case "deleted", "suspend":
		v := routing{ignored: farewell, level: zerolog.InfoLevel}
		if event.Installation.ID > 0 {
			v.gone = []issues.Ref{{Repository: issues.Repository{Installation: event.Installation.ID}}}
		}
		return v
	default:
		return ignore(otherAction)
	}
}
