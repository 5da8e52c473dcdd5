package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Some things GitHub tells only through GraphQL. Not every server has it, or all of its fields; without, there is less to know.

// errNoGraphQL says that a server does not answer a query at all.
var errNoGraphQL = errors.New("this GitHub does not answer that")

// query asks GitHub's GraphQL API (https://docs.github.com/graphql/guides/forming-calls-with-graphql) and decodes the data into a
// pointer. The error is errNoGraphQL if the server does not have it, and ErrForbidden if GitHub does not let this App read it now;
// either is remembered for a while.
func (r *factReader) query(ctx context.Context, query string, into any) error {
	ref := r.view.Ref
	return r.queryWith(ctx, query, map[string]any{"owner": ref.Owner, "name": ref.Name, "number": ref.Number}, into)
}

// queryWith is query with other variables than those that name the issue.
func (r *factReader) queryWith(ctx context.Context, query string, variables map[string]any, into any) error {
	if err := r.unanswered(query); err != nil {
		return err
	}
	// The API of GitHub Enterprise Server is at /api/v3/ and /api/graphql, that of github.com at / and /graphql.
	at := "graphql"
	if strings.HasSuffix(r.client.BaseURL.Path, "/v3/") {
		at = "../graphql"
	}
	request, err := r.client.NewRequest(http.MethodPost, at, map[string]any{"query": query, "variables": variables})
	if err != nil {
		return fmt.Errorf("ask GraphQL: %w", err)
	}
	answer := struct {
		Data   any            `json:"data"`
		Errors []graphqlError `json:"errors"`
	}{Data: into}
	_, err = r.client.Do(ctx, request, &answer)
	return r.answered(ctx, query, answer.Errors, err)
}

const linkedQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      closedByPullRequestsReferences(first: 20, includeClosedPrs: true) { nodes { number repository { nameWithOwner } } }
    }
  }
}`

// linkedPullRequests lists the pull requests of the issue's repository that GitHub itself links with the issue, also by hand.
func (r *factReader) linkedPullRequests(ctx context.Context) ([]int, error) {
	var data struct {
		Repository struct {
			Issue struct{ ClosedByPullRequestsReferences linkedNodes }
		}
	}
	err := r.queryLinks(ctx, linkedQuery, &data)
	return data.Repository.Issue.ClosedByPullRequestsReferences.in(r.view.Ref.Repository), err
}

const closingQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { closingIssuesReferences(first: 50) { nodes { number repository { nameWithOwner } } } }
  }
}`

// linkedIssues lists the issues of a pull request's repository that GitHub links it with, also by hand.
func (r *factReader) linkedIssues(ctx context.Context) ([]int, error) {
	var data struct {
		Repository struct {
			PullRequest struct{ ClosingIssuesReferences linkedNodes }
		}
	}
	err := r.queryLinks(ctx, closingQuery, &data)
	return data.Repository.PullRequest.ClosingIssuesReferences.in(r.view.Ref.Repository), err
}

// queryLinks asks for links. A server without GraphQL has none.
func (r *factReader) queryLinks(ctx context.Context, query string, into any) error {
	err := r.query(ctx, query, into)
	if errors.Is(err, errNoGraphQL) {
		return nil
	}
	return err
}

// linkedNodes is a list of issues or pull requests.
type linkedNodes struct {
	Nodes []struct {
		Number     int
		Repository struct{ NameWithOwner string }
	}
}

// in lists the numbers of those of a repository.
func (l linkedNodes) in(repo Repository) []int {
	var numbers []int
	for _, n := range l.Nodes {
		if strings.EqualFold(n.Repository.NameWithOwner, repo.String()) {
			numbers = append(numbers, n.Number)
		}
	}
	return numbers
}

const editsQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { lastEditedAt editor { login } } }
}`

// edits observes that the author changed the title, which the log tells, or the text, which only GraphQL tells; of several edits
// of the text it tells the last. Of what was approved it observes whether it is still the same.
func (r *factReader) edits(ctx context.Context) error {
	author := r.view.Author.Login
	for _, renamed := range r.view.Renamed {
		if author != "" && strings.EqualFold(renamed.By, author) {
			r.observe("author-edited", renamed.At, author)
		}
	}
	var data struct {
		Repository struct {
			Issue struct {
				LastEditedAt *time.Time
				Editor       *struct{ Login string }
			}
		}
	}
	err := r.query(ctx, editsQuery, &data)
	if err != nil && !errors.Is(err, errNoGraphQL) {
		return err
	}
	edited := data.Repository.Issue
	// GraphQL leaves the ending of a bot's login away.
	if edited.LastEditedAt != nil && edited.Editor != nil && author != "" &&
		strings.EqualFold(edited.Editor.Login, strings.TrimSuffix(author, "[bot]")) {
		r.observe("author-edited", *edited.LastEditedAt, author)
	}
	if r.ask.Approval == nil {
		return nil
	}
	var last time.Time
	if edited.LastEditedAt != nil {
		last = *edited.LastEditedAt
	}
	return r.textChanged(ctx, last)
}
