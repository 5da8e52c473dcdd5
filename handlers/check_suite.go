package handlers

import "context"

// checkSuite answers "check_suite": all checks that one App makes of a commit are complete
// (https://docs.github.com/webhooks/webhook-events-and-payloads#check_suite).
type checkSuite struct{ publisher }

type checkSuiteEvent struct {
	envelope
	CheckSuite checked `json:"check_suite"`
}

// checked is what was checked: a commit, and the pull requests of which it is the newest as far as GitHub tells. Of those from
// forks it tells none.
type checked struct {
	HeadSHA      string `json:"head_sha"`
	PullRequests []struct {
		Number int `json:"number"`
		Base   struct {
			Repo struct {
				ID int64 `json:"id"`
			} `json:"repo"`
		} `json:"base"`
	} `json:"pull_requests"`
}

// Handles implements githubapp.EventHandler.
func (*checkSuite) Handles() []string { return []string{"check_suite"} }

// Handle implements githubapp.EventHandler.
func (h *checkSuite) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event checkSuiteEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, 0, h.judge(event))
}

func (*checkSuite) judge(event checkSuiteEvent) verdict {
	if event.Action != "completed" {
		return ignore(otherAction)
	}
	return event.checksOf(event.CheckSuite)
}

// checksOf looks at the issues of the pull requests that were checked.
func (e envelope) checksOf(c checked) verdict {
	look, without := e.repositoryLook()
	switch {
	case without != "":
		return ignore(without)
	case c.HeadSHA == "":
		return ignore(noCommit)
	}
	var v verdict
	look.Scope = ScopePullRequest
	for _, p := range c.PullRequests {
		if p.Number > 0 && p.Base.Repo.ID == look.RepositoryID && len(v.looks) < maxNamed {
			look.Issue = p.Number
			v.looks = append(v.looks, look)
		}
	}
	if len(v.looks) > 0 {
		return v
	}
	look.Scope, look.Issue, look.Commit = ScopeCommit, 0, c.HeadSHA
	return lookAt(look)
}
