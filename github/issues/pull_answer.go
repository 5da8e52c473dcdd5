package issues

import (
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
)

// pullNode is a pull request as GraphQL tells it.
type pullNode struct {
	Number                               int
	Title, Body, URL, State, Mergeable   string
	IsDraft, IsCrossRepository           bool
	CreatedAt, UpdatedAt                 github.Timestamp
	ClosedAt, MergedAt                   *github.Timestamp
	Author, MergedBy                     *editor
	BaseRefName, HeadRefName, HeadRefOid string
	Repository                           struct{ NameWithOwner string }
	HeadRepository                       struct{ NameWithOwner string }
	Reviews                              *reviewNodes
	StatusCheckRollup                    struct{ Contexts checkNodes }

	untold bool // GitHub withheld something of it
}

type reviewNodes struct {
	PageInfo pageInfo
	Nodes    []struct {
		State, URL, AuthorAssociation string
		SubmittedAt                   *github.Timestamp
		Author                        *editor
	}
}

// pullDetail is what was answered of a pull request. What it lacks, because it was not asked for, withheld, or too much, the REST API has to tell.
type pullDetail struct {
	pull    *github.PullRequest
	reviews []*github.PullRequestReview
	checks  *checksSaid
	head    string
	updated time.Time
}

// isOf reports whether the answer is of a pull request as it is now.
func (d pullDetail) isOf(now *github.PullRequest) bool {
	return d.head == now.GetHead().GetSHA() && d.updated.Equal(now.GetUpdatedAt().Time)
}

// detailOf is what was answered of a pull request. The REST API is sure to make GitHub find out whether an open one conflicts
// (https://docs.github.com/rest/pulls/pulls#get-a-pull-request), so it has to tell of one about which GitHub does not know that.
func (p *issuePulls) detailOf(n pullNode, standard string) pullDetail {
	if n.untold || n.IsCrossRepository && n.HeadRepository.NameWithOwner == "" {
		return pullDetail{}
	}
	d := pullDetail{head: n.HeadRefOid, updated: n.UpdatedAt.Time}
	if n.Reviews != nil && !n.Reviews.PageInfo.HasNextPage {
		d.reviews = n.Reviews.list()
	}
	if contexts := n.StatusCheckRollup.Contexts; p.needs(lifecycle.ReadChecks) && !contexts.PageInfo.HasNextPage {
		d.checks = contexts.said()
	}
	if n.State != "OPEN" || n.Mergeable != "UNKNOWN" || !p.needs(lifecycle.ReadPullRequests) {
		d.pull = n.pullRequest(standard)
	}
	return d
}

func (n pullNode) in(repo Repository) bool {
	return n.Number > 0 && strings.EqualFold(n.Repository.NameWithOwner, repo.String())
}

// pullRequest is the pull request as the REST API tells it, as far as that is of use. standard is its repository's default branch.
func (n pullNode) pullRequest(standard string) *github.PullRequest {
	state := "closed"
	if n.State == "OPEN" {
		state = "open"
	}
	p := &github.PullRequest{
		Number: &n.Number, Title: &n.Title, Body: &n.Body, HTMLURL: &n.URL, State: &state, Draft: &n.IsDraft,
		CreatedAt: &n.CreatedAt, UpdatedAt: &n.UpdatedAt, ClosedAt: n.ClosedAt, MergedAt: n.MergedAt, User: n.Author.user(), MergedBy: n.MergedBy.user(),
		Base: &github.PullRequestBranch{Ref: &n.BaseRefName, Repo: &github.Repository{FullName: &n.Repository.NameWithOwner, DefaultBranch: &standard}},
		Head: &github.PullRequestBranch{Ref: &n.HeadRefName, SHA: &n.HeadRefOid, Repo: &github.Repository{FullName: &n.HeadRepository.NameWithOwner}},
	}
	if n.Mergeable != "UNKNOWN" {
		p.Mergeable = new(n.Mergeable == "MERGEABLE")
	}
	return p
}

// user is the account as the REST API tells it; nil if it is gone.
func (e *editor) user() *github.User {
	if e == nil {
		return nil
	}
	return &github.User{Login: new(e.login()), Type: &e.Typename}
}

// list returns reviews as the REST API tells them, never nil.
func (all reviewNodes) list() []*github.PullRequestReview {
	reviews := []*github.PullRequestReview{}
	for _, n := range all.Nodes {
		reviews = append(reviews, &github.PullRequestReview{
			User: n.Author.user(), State: &n.State, SubmittedAt: n.SubmittedAt, HTMLURL: &n.URL, AuthorAssociation: &n.AuthorAssociation,
		})
	}
	return reviews
}
