package handlers

import "context"

// checkRun answers "check_run": the last check of a suite is complete
// (https://docs.github.com/webhooks/webhook-events-and-payloads#check_run). Those before it move nothing.
type checkRun struct{ publisher }

type checkRunEvent struct {
	envelope
	CheckRun struct {
		checked
		CheckSuite struct {
			// Status is empty where a server does not tell it.
			Status string `json:"status"`
		} `json:"check_suite"`
	} `json:"check_run"`
}

// Handles implements githubapp.EventHandler.
func (*checkRun) Handles() []string { return []string{"check_run"} }

// Handle implements githubapp.EventHandler.
func (h *checkRun) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event checkRunEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, 0, h.judge(event))
}

func (*checkRun) judge(event checkRunEvent) verdict {
	switch {
	case event.Action != "completed":
		return ignore(otherAction)
	case event.CheckRun.CheckSuite.Status != "" && event.CheckRun.CheckSuite.Status != "completed":
		return ignore(otherChecks)
	}
	return event.checksOf(event.CheckRun.checked)
}
