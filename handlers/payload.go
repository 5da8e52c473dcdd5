package handlers

import (
	"strings"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// The fields of GitHub's payloads that decide what to reconcile, and nothing else: what is not declared is not decoded. Each field can be missing or
// null (https://docs.github.com/webhooks/webhook-events-and-payloads).

// envelope is what payloads have around their subject.
type envelope struct {
	Action       string       `json:"action"`
	Installation installation `json:"installation"`
	Repository   repository   `json:"repository"`
	Sender       account      `json:"sender"`
}

func (e envelope) about() (envelope, int) { return e, 0 }

type installation struct {
	ID int64 `json:"id"`
}

type account struct {
	Login string `json:"login"`
}

type label struct {
	Name string `json:"name"`
}

type issue struct {
	Number    int       `json:"number"`
	UpdatedAt time.Time `json:"updated_at"`
	User      account   `json:"user"`
	Labels    []label   `json:"labels"`
	// PullRequest is there if the issue is a pull request.
	PullRequest *struct{} `json:"pull_request"`
}

// repository is as in most payloads, with an owner, or as in installation_repositories, with its full name alone.
type repository struct {
	ID       int64   `json:"id"`
	Name     string  `json:"name"`
	FullName string  `json:"full_name"`
	Owner    account `json:"owner"`
	// DefaultBranch is in the payload of a push.
	DefaultBranch string `json:"default_branch"`
}

// address is the repository's owner and name in the payload's own spelling; both are empty if either is unknown.
func (r repository) address() (owner, name string) {
	owner, name = r.Owner.Login, r.Name
	if owner == "" || name == "" {
		owner, name, _ = strings.Cut(r.FullName, "/")
	}
	if owner == "" || name == "" || strings.Contains(owner+name, "/") {
		return "", ""
	}
	return owner, name
}

// request asks to reconcile the whole repository; without is noRepository if the payload does not say which one it is.
func (r repository) request(installation int64) (request reconcile.Request, without reason) {
	owner, name := r.address()
	if owner == "" || r.ID <= 0 {
		return reconcile.Request{}, noRepository
	}
	return reconcile.Request{Kind: reconcile.KindRepository, Ref: issues.Ref{Repository: issues.Repository{Installation: installation, ID: r.ID, Owner: owner, Name: name}}}, ""
}

func (e envelope) repositoryRequest() (request reconcile.Request, without reason) {
	if e.Installation.ID <= 0 {
		return reconcile.Request{}, noInstallation
	}
	return e.Repository.request(e.Installation.ID)
}

// issueRequest asks to reconcile an issue of the payload's repository. The API has to be as new as the payload's issue.
func (e envelope) issueRequest(issue issue) (request reconcile.Request, without reason) {
	request, without = e.repositoryRequest()
	switch {
	case without != "":
		return reconcile.Request{}, without
	case issue.Number <= 0:
		return reconcile.Request{}, noIssue
	}
	request.Kind = reconcile.KindIssue
	request.Number, request.Expect.By = issue.Number, e.Sender.Login
	request.Expect.At = issue.UpdatedAt.Truncate(time.Second)
	return request, ""
}
