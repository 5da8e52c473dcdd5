package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v62/github"
)

// Some things GitHub tells only through GraphQL. Not every server has it, or all of its fields; without, there is less to know.

// errNoGraphQL says that a server does not answer a query at all.
var errNoGraphQL = errors.New("this GitHub does not answer that")

// questions asks GitHub's GraphQL API about an issue or pull request.
type questions struct {
	connection
	client *github.Client
	of     Ref
}

func (c connection) about(client *github.Client, of Ref) questions { return questions{c, client, of} }

// query asks a question (https://docs.github.com/graphql/guides/forming-calls-with-graphql) and decodes the data into a
// pointer. The error is errNoGraphQL if the server does not have it, and ErrForbidden if GitHub does not let this App read it now;
// either is remembered for a while.
func (q questions) query(ctx context.Context, query string, into any) error {
	ref := q.of
	return q.queryWith(ctx, query, map[string]any{"owner": ref.Owner, "name": ref.Name, "number": ref.Number}, into)
}

// queryWith is query with other variables than the ones that name the issue.
func (q questions) queryWith(ctx context.Context, query string, variables map[string]any, into any) error {
	_, err := q.queryPartly(ctx, query, variables, into)
	return err
}

// queryPartly is queryWith, and returns why elements of lists, or parts of them, are not in the answer.
func (q questions) queryPartly(ctx context.Context, query string, variables map[string]any, into any) (withheld []graphqlError, err error) {
	if err := q.unanswered(query); err != nil {
		return nil, err
	}
	request, err := GraphQLRequest(q.client, query, variables)
	if err != nil {
		return nil, err
	}
	answer := struct {
		Data   any            `json:"data"`
		Errors []graphqlError `json:"errors"`
	}{Data: into}
	_, err = q.client.Do(ctx, request, &answer)
	for _, e := range answer.Errors {
		if e.ofAnElement() {
			withheld = append(withheld, e)
		}
	}
	return withheld, q.answered(ctx, query, answer.Errors, err)
}

// GraphQLRequest makes the call that asks a question.
func GraphQLRequest(client *github.Client, query string, variables map[string]any) (*http.Request, error) {
	// The API of GitHub Enterprise Server is at /api/v3/ and /api/graphql, that of github.com at / and /graphql.
	at := "graphql"
	if strings.HasSuffix(client.BaseURL.Path, "/v3/") {
		at = "../graphql"
	}
	request, err := client.NewRequest(http.MethodPost, at, map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, fmt.Errorf("ask GraphQL: %w", err)
	}
	return request, nil
}

type repositoryKey struct{}

// mutate changes something in the issue's repository, which it keeps in the context of the call for the code that decides what is allowed to be
// written. The document begins after its first word. What was done is decoded into a pointer. What GitHub refuses, or a server cannot do, comes back as
// refused.
func (q questions) mutate(ctx context.Context, document string, variables map[string]any, done any) (refused, err error) {
	err = q.queryWith(context.WithValue(ctx, repositoryKey{}, q.of.Repository), "mutation"+document, variables, done)
	if said := graphqlErrors(nil); errors.Is(err, errNoGraphQL) || errors.Is(err, ErrForbidden) || errors.As(err, &said) {
		return err, nil
	}
	return nil, err
}

// RepositoryOf returns the repository that a mutation by GraphQL changes; ok is false for any other call.
func RepositoryOf(ctx context.Context) (repo Repository, ok bool) {
	repo, ok = ctx.Value(repositoryKey{}).(Repository)
	return repo, ok
}

// The pull requests that an issue is linked with, and the issues that a pull request is.
const linkedQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      closedByPullRequestsReferences(first: 20, includeClosedPrs: true) { nodes { number repository { nameWithOwner } } }
    }
  }
}`

const closingQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { closingIssuesReferences(first: 50) { nodes { number repository { nameWithOwner } } } }
  }
}`

// linked lists what of the same repository GitHub itself links with the issue or the pull request, also by hand, by one of the queries above. A server
// without GraphQL has none.
func (q questions) linked(ctx context.Context, query string) ([]int, error) {
	var data struct {
		Repository struct {
			Issue       struct{ ClosedByPullRequestsReferences linkedNodes }
			PullRequest struct{ ClosingIssuesReferences linkedNodes }
		}
	}
	err := q.query(ctx, query, &data)
	if errors.Is(err, errNoGraphQL) {
		err = nil
	}
	of := data.Repository
	return append(of.Issue.ClosedByPullRequestsReferences.in(q.of.Repository), of.PullRequest.ClosingIssuesReferences.in(q.of.Repository)...), err
}

type linkedNodes struct {
	Nodes []struct {
		Number     int
		Repository struct{ NameWithOwner string }
	}
}

func (l linkedNodes) in(repo Repository) []int {
	var numbers []int
	for _, n := range l.Nodes {
		if strings.EqualFold(n.Repository.NameWithOwner, repo.String()) {
			numbers = append(numbers, n.Number)
		}
	}
	return numbers
}
