package handlers

type statusEvent struct {
	envelope
	SHA   string `json:"sha"`
	State string `json:"state"`
}

func (e statusEvent) about() (envelope, int) {
	e.Action = e.State
	return e.envelope, 0
}

// routeStatus routes "status": someone set the status of a commit (https://docs.github.com/webhooks/webhook-events-and-payloads#status). The event
// has no action; its state is used instead.
func (publisher) routeStatus(event statusEvent) routing {
	switch event.State {
	case "success", "failure", "error":
		return event.checksOf(checked{HeadSHA: event.SHA})
	}
	return ignore(otherAction)
}
