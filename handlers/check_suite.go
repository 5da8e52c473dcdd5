package handlers

import "github.com/colony-app/colony/reconcile"

type checkSuiteEvent struct {
	envelope
	CheckSuite checked `json:"check_suite"`
}

// checked is what was checked: a commit, and the pull requests whose newest commit it is, as far as GitHub tells. GitHub tells no pull requests from
// forks.
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

// routeCheckSuite routes "check_suite": all checks that one App makes of a commit are complete
// (https://docs.github.com/webhooks/webhook-events-and-payloads#check_suite).
func (publisher) routeCheckSuite(event checkSuiteEvent) routing {
	if event.Action != "completed" {
		return ignore(otherAction)
	}
	return event.checksOf(event.CheckSuite)
}

// checksOf asks to reconcile the issues of the pull requests that were checked.
func (e envelope) checksOf(c checked) routing {
	request, without := e.repositoryRequest()
	switch {
	case without != "":
		return ignore(without)
	case c.HeadSHA == "":
		return ignore(noCommit)
	}
	var v routing
	request.Kind = reconcile.KindPullRequest
	for _, p := range c.PullRequests {
		if p.Number > 0 && p.Base.Repo.ID == request.ID && len(v.requests) < maxNamed {
			request.Number = p.Number
			v.requests = append(v.requests, request)
		}
	}
	if len(v.requests) > 0 {
		return v
	}
	request.Kind, request.Number, request.Commit = reconcile.KindCommit, 0, c.HeadSHA
	return enqueue(request)
}
