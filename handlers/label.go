package handlers

import "context"

// repositoryLabel answers "label": a repository's label that was created, edited, renamed or deleted
// (https://docs.github.com/webhooks/webhook-events-and-payloads#label).
type repositoryLabel struct{ publisher }

type labelEvent struct {
	envelope
	Label   label `json:"label"`
	Changes struct {
		Name struct {
			From string `json:"from"`
		} `json:"name"`
	} `json:"changes"`
}

// Handles implements githubapp.EventHandler.
func (*repositoryLabel) Handles() []string { return []string{"label"} }

// Handle implements githubapp.EventHandler.
func (h *repositoryLabel) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event labelEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, 0, h.judge(event))
}

func (h *repositoryLabel) judge(event labelEvent) verdict {
	switch event.Action {
	case "created", "edited", "deleted":
	default:
		return ignore(otherAction)
	}
	name, before := event.Label.Name, event.Changes.Name.From
	switch {
	case name == "" && before == "":
		return ignore(noLabel)
	case !h.labels.begins(name) && !h.labels.begins(before):
		return ignore(otherLabel)
	}
	if why := h.author(event.Sender); why != "" {
		return ignore(why)
	}
	look, without := event.repositoryLook()
	if without != "" {
		return ignore(without)
	}
	if event.Action == "edited" && name != "" && before != "" && before != name {
		look.Renamed = &Rename{From: before, To: name}
	}
	return lookAt(look)
}
