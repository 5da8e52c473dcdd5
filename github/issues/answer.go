package issues

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-github/v62/github"
)

// What Colony reads of GitHub's objects. The types of go-github have every field, and each of these objects has people with some twenty
// addresses, so that reading all of it takes most of the time of a reconciliation.

// related is an issue, with what GitHub counts of its relations. A count is nil if the server does not tell it.
type related struct {
	ID            int64     `json:"id"`
	NodeID        string    `json:"node_id"`
	Number        int       `json:"number"`
	Title         string    `json:"title"`
	Body          string    `json:"body"`
	State         string    `json:"state"`
	StateReason   string    `json:"state_reason"`
	Locked        bool      `json:"locked"`
	Association   string    `json:"author_association"`
	User          user      `json:"user"`
	ClosedBy      user      `json:"closed_by"`
	Assignees     []user    `json:"assignees"`
	Labels        []label   `json:"labels"`
	Comments      *int      `json:"comments"` // how many
	Reactions     rollup    `json:"reactions"`
	Created       time.Time `json:"created_at"`
	Updated       time.Time `json:"updated_at"`
	Closed        time.Time `json:"closed_at"`
	URL           string    `json:"url"`
	RepositoryURL string    `json:"repository_url"`
	Milestone     struct {
		Title string `json:"title"`
	} `json:"milestone"`
	Type struct {
		Name string `json:"name"`
	} `json:"type"`
	Repository struct {
		FullName string `json:"full_name"`
	} `json:"repository"`
	PullRequest *asPull `json:"pull_request"` // nil: it is no pull request
	SubIssues   *struct {
		Total     int `json:"total"`
		Completed int `json:"completed"`
	} `json:"sub_issues_summary"`
	Dependencies *struct {
		BlockedBy      int `json:"blocked_by"` // the open ones
		TotalBlockedBy int `json:"total_blocked_by"`
		TotalBlocking  int `json:"total_blocking"`
	} `json:"issue_dependencies_summary"`
}

// asPull is what GitHub tells of a pull request where it lists it among issues.
type asPull struct {
	Merged time.Time `json:"merged_at"`
}

// isPullRequest reports whether it is a pull request, which GitHub lists among issues.
func (i *related) isPullRequest() bool { return i.PullRequest != nil }

// event is an event of an issue: https://docs.github.com/rest/issues/events.
type event struct {
	ID       int64     `json:"id"`
	Event    string    `json:"event"`
	Created  time.Time `json:"created_at"`
	Actor    user      `json:"actor"`
	Assignee user      `json:"assignee"`
	Assigner user      `json:"assigner"` // of an assignment the actor is the assignee
	Label    label     `json:"label"`
	Rename   struct {
		From string `json:"from"`
	} `json:"rename"`
	Via struct {
		ID int64 `json:"id"`
	} `json:"performed_via_github_app"`
	Issue *related `json:"issue"` // only of an event of a repository
}

// said is a comment.
type said struct {
	ID        int64     `json:"id"`
	NodeID    string    `json:"node_id"`
	Body      string    `json:"body"`
	User      user      `json:"user"`
	Reactions rollup    `json:"reactions"`
	Created   time.Time `json:"created_at"`
	Updated   time.Time `json:"updated_at"`
	IssueURL  string    `json:"issue_url"`
}

// user is who did something; without a login if that user was deleted.
type user struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

type label struct {
	Name string `json:"name"`
}

type rollup struct {
	Total int `json:"total_count"`
}

// ask makes a call, whose answer is decoded into a pointer; nil: nothing of it is of use. The error is the one of the call.
func ask(ctx context.Context, client *github.Client, method, path string, body, into any) (*github.Response, error) {
	request, err := client.NewRequest(method, path, body)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", path, err)
	}
	return call(ctx, client, request, into)
}

func call(ctx context.Context, client *github.Client, request *http.Request, into any) (*github.Response, error) {
	response, err := client.BareDo(ctx, request)
	if err != nil {
		return response, err //nolint:wrapcheck // the caller names the attempt
	}
	defer func() { _ = response.Body.Close() }() // it was read
	if into == nil {
		return response, nil
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || len(text) == 0 {
		return response, err //nolint:wrapcheck // the caller names the attempt
	}
	return response, json.Unmarshal(text, into, lenient) //nolint:wrapcheck // the caller names the attempt
}

// lenient takes what encoding/json takes, which reads each text twice and takes three times as long.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
