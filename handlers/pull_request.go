package handlers

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/reconcile"
)

type pullRequestEvent struct {
	envelope
	PullRequest pull `json:"pull_request"`
	Changes     struct {
		Title changed `json:"title"`
		Body  changed `json:"body"`
	} `json:"changes"`
}

type pull struct {
	Number    int       `json:"number"`
	Title     string    `json:"title"`
	Body      string    `json:"body"`
	UpdatedAt time.Time `json:"updated_at"`
	Head      struct {
		Ref string `json:"ref"`
	} `json:"head"`
}

type changed struct {
	From string `json:"from"`
}

func (e pullRequestEvent) about() (envelope, int) { return e.envelope, e.PullRequest.Number }

// routePullRequest routes "pull_request": the issues that one is for can move with it
// (https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request).
func (publisher) routePullRequest(event pullRequestEvent) routing {
	switch event.Action {
	case "opened", "reopened", "closed", "ready_for_review", "converted_to_draft", "synchronize", "edited":
		v := event.issuesOf(event.PullRequest, event.Changes.Title.From, event.Changes.Body.From)
		if len(v.requests) > 0 && slices.Contains([]string{"reopened", "closed", "synchronize", "edited"}, event.Action) {
			v.requests = append(v.requests, event.overlapping(event.PullRequest)) // a new one is younger than all others, which it never holds up
		}
		return v
	}
	return ignore(otherAction)
}

// overlapping asks to reconcile the issues of other pull requests that one might hold up, or no longer holds up.
func (e envelope) overlapping(p pull) reconcile.Request {
	request, _ := e.repositoryRequest() // issuesOf had no complaint
	request.Kind, request.Number = reconcile.KindFiles, p.Number
	return request
}

// maxNamed bounds how many issues one pull request leads to.
const maxNamed = 20

// numbers are the numbers that the name of a branch has, in any pattern.
var numbers = regexp.MustCompile(`[1-9]\d*`)

// namesOther reports whether a branch might be named after an issue that is not among some.
func namesOther(branch string, named []int) bool {
	return slices.ContainsFunc(numbers.FindAllString(branch, -1), func(number string) bool {
		n, err := strconv.Atoi(number)
		return err == nil && !slices.Contains(named, n)
	})
}

// issuesOf asks to reconcile the issues of the payload's repository that a pull request names with a closing keyword, or named before. Where it names
// none, its branch or GitHub's own links might: the payload cannot tell. So might a branch with another number.
func (e envelope) issuesOf(p pull, before ...string) routing {
	request, without := e.repositoryRequest()
	switch {
	case without != "":
		return ignore(without)
	case p.Number <= 0:
		return ignore(noPullRequest)
	}
	named := commands.ClosesIn(request.Owner, request.Name, append([]string{p.Title, p.Body}, before...)...)
	named = named[:min(len(named), maxNamed)]
	request.Expect.At = p.UpdatedAt.Truncate(time.Second)
	if len(named) == 0 {
		request.Kind, request.Number = reconcile.KindPullRequest, p.Number
		return enqueue(request)
	}
	var v routing
	request.Kind, request.Expect.PullRequest = reconcile.KindIssue, p.Number
	for _, n := range named {
		request.Number = n
		v.requests = append(v.requests, request)
	}
	if namesOther(p.Head.Ref, named) {
		request.Kind, request.Number, request.Expect.PullRequest = reconcile.KindPullRequest, p.Number, 0
		v.requests = append(v.requests, request)
	}
	return v
}
