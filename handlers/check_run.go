package handlers

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

// routeCheckRun routes "check_run": the last check of a suite is complete
// (https://docs.github.com/webhooks/webhook-events-and-payloads#check_run). Those before it move nothing.
func (publisher) routeCheckRun(event checkRunEvent) routing {
	switch {
	case event.Action != "completed":
		return ignore(otherAction)
	case event.CheckRun.CheckSuite.Status != "" && event.CheckRun.CheckSuite.Status != "completed":
		return ignore(otherChecks)
	}
	return event.checksOf(event.CheckRun.checked)
}
