package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

// One question by GraphQL tells what takes several calls of the REST API for each pull request: which of them are for an issue, what became of them,
// their reviews and their checks. It costs one point (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api). The
// REST API tells what does not fit into an answer, and everything where GitHub does not answer the question.

const pullFields = `
fragment pull on PullRequest {
  number title body url state isDraft mergeable createdAt updatedAt closedAt mergedAt
  author { __typename login } mergedBy { __typename login }
  baseRefName headRefName headRefOid isCrossRepository repository { nameWithOwner } headRepository { nameWithOwner }
  reviews(first: 100, states: [APPROVED, CHANGES_REQUESTED, DISMISSED]) @include(if: $reviews) {
    pageInfo { hasNextPage }
    nodes { state submittedAt url authorAssociation author { __typename login } }
  }
  statusCheckRollup @include(if: $checks) {
    contexts(first: 100) {
      pageInfo { hasNextPage }
      nodes {
        ... on CheckRun { name status conclusion startedAt completedAt checkSuite { id app { id } } }
        ... on StatusContext { context state createdAt }
      }
    }
  }
}`

const pullsOfIssueQuery = `query pullsOfIssue($owner: String!, $name: String!, $number: Int!, $branches: Boolean!, $reviews: Boolean!, $checks: Boolean!) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { name }
    issue(number: $number) {
      closedByPullRequestsReferences(first: 20, includeClosedPrs: true) { nodes { ...pull } }
      timelineItems(first: 100, itemTypes: [CROSS_REFERENCED_EVENT]) {
        pageInfo { hasNextPage }
        nodes { ... on CrossReferencedEvent { source { ... on PullRequest { number title body repository { nameWithOwner } } } } }
      }
    }
    open: pullRequests(first: 100, states: [OPEN], orderBy: {field: CREATED_AT, direction: DESC}) @include(if: $branches) {
      pageInfo { hasNextPage }
      nodes { number headRefName isCrossRepository }
    }
    closed: pullRequests(first: 100, states: [CLOSED, MERGED], orderBy: {field: UPDATED_AT, direction: DESC}) @include(if: $branches) {
      nodes { number headRefName isCrossRepository }
    }
  }
}` + pullFields

const onePullQuery = `query onePull($owner: String!, $name: String!, $number: Int!, $reviews: Boolean!, $checks: Boolean!) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { name }
    pullRequest(number: $number) { ...pull }
  }
}` + pullFields

type pullsAnswer struct {
	Repository struct {
		DefaultBranchRef struct{ Name string }
		PullRequest      pullNode
		Issue            struct {
			ClosedByPullRequestsReferences *pullNodes
			TimelineItems                  *struct {
				PageInfo pageInfo
				Nodes    []struct{ Source pullNode }
			}
		}
		Open, Closed *pullNodes
	}
}

// pullNodes is a list of pull requests. Whether it goes on is asked for the open ones only.
type pullNodes struct {
	PageInfo pageInfo
	Nodes    []pullNode
}

// pageInfo says whether a list goes on after what the answer has of it.
type pageInfo struct{ HasNextPage bool }

// errUnclear says that an answer leaves open what was asked.
var errUnclear = errors.New("GitHub does not tell all of it")

// listsTell reports whether the REST API has to tell what a question was to. GitHub answers 502 or 504, or an error, if the answer takes too long
// (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#timeouts).
func listsTell(err error) bool {
	said := graphqlErrors(nil)
	return cannotBeAsked(err) || errors.Is(err, errUnclear) || isStatus(err, http.StatusBadGateway) || isStatus(err, http.StatusGatewayTimeout) || errors.As(err, &said)
}

// askForPulls asks GitHub for the pull requests that can be for the issue. What took too long is not asked again for a while.
func (p *issuePulls) askForPulls(ctx context.Context) (answer pullsAnswer, err error) {
	key := fmt.Sprintf("%s/%d", p.forbiddenKey(pullsOfIssueQuery), p.of.Number)
	if known, refused := p.refused.Get(key); refused && p.Clock.Now().Before(known.until) {
		return answer, known.err
	}
	variables := p.variables(p.of.Number)
	variables["branches"] = p.asksForBranches()
	withheld, err := p.queryPartly(ctx, pullsOfIssueQuery, variables, &answer)
	if err == nil {
		err = p.markUntold(answer, withheld)
	}
	if listsTell(err) && !cannotBeAsked(err) {
		p.refused.Add(key, refusal{err: err, until: p.Clock.Now().Add(forbiddenFor)})
	}
	return answer, err
}

// markUntold marks the linked pull requests that GitHub withheld something of, and fails if that leaves open which they are. What it withholds of a
// timeline, its lists leave out, and a link that is withheld leads to another repository.
func (p *issuePulls) markUntold(answer pullsAnswer, withheld []graphqlError) error {
	in := answer.Repository
	lacksLists := p.asksForBranches() && (in.Open == nil || in.Closed == nil)
	if in.DefaultBranchRef.Name == "" || in.Issue.ClosedByPullRequestsReferences == nil || in.Issue.TimelineItems == nil || lacksLists {
		return errUnclear
	}
	linked := in.Issue.ClosedByPullRequestsReferences.Nodes
	for _, e := range withheld {
		at, rest := e.under("repository", "issue", "closedByPullRequestsReferences", "nodes")
		line, _ := e.under("repository", "issue", "timelineItems", "nodes")
		switch {
		case line >= 0, at >= 0 && len(rest) == 0:
		case at < 0, at >= len(linked), linked[at].Number == 0:
			return errUnclear
		default:
			linked[at].untold = true
		}
	}
	return nil
}

// candidatesOf finds the pull requests that can be for the issue in the answer, and in the lists that go on after it.
func (p *issuePulls) candidatesOf(ctx context.Context, answer pullsAnswer) (could candidates, err error) {
	in := answer.Repository
	if in.Issue.TimelineItems.PageInfo.HasNextPage {
		if could.numbers, err = p.crossReferences(ctx); err != nil {
			return candidates{}, err
		}
	}
	for _, n := range in.Issue.ClosedByPullRequestsReferences.Nodes {
		if n.in(p.of.Repository) {
			could.linked = append(could.linked, n.Number)
			p.details[n.Number] = p.detailOf(n, in.DefaultBranchRef.Name)
		}
	}
	for _, line := range in.Issue.TimelineItems.Nodes {
		if by := line.Source; by.in(p.of.Repository) && slices.Contains(commands.ClosesIn(p.of.Owner, p.of.Name, by.Title, by.Body), p.of.Number) {
			could.numbers = append(could.numbers, by.Number)
		}
	}
	if !p.asksForBranches() {
		return could, nil
	}
	for _, n := range slices.Concat(in.Open.Nodes, in.Closed.Nodes) {
		if issue, ok := p.Branches.Issue(n.HeadRefName); ok && issue == p.of.Number && !n.IsCrossRepository {
			could.numbers = append(could.numbers, n.Number)
		}
	}
	if !in.Open.PageInfo.HasNextPage {
		return could, nil
	}
	more, err := p.lists.openNamesakes(ctx, p.of.Number, 2)
	could.numbers = append(could.numbers, more...)
	return could, err
}

func (p *issuePulls) asksForBranches() bool { return len(p.Branches.matches) > 0 }

// askForPull asks GitHub for a pull request, and keeps what it tells.
func (p *issuePulls) askForPull(ctx context.Context, number int) (there bool, err error) {
	var answer pullsAnswer
	withheld, err := p.queryPartly(ctx, onePullQuery, p.variables(number), &answer)
	in := answer.Repository
	switch said := graphqlErrors(nil); {
	case errors.As(err, &said) && len(said) == 1 && said[0].Type == "NOT_FOUND" && slices.Equal(said[0].Path, []any{"repository", "pullRequest"}):
		return false, nil
	case err != nil:
		return false, err
	case len(withheld) > 0, in.PullRequest.Number == 0, in.DefaultBranchRef.Name == "":
		return false, errUnclear
	}
	p.details[number] = p.detailOf(in.PullRequest, in.DefaultBranchRef.Name)
	return true, nil
}

func (p *issuePulls) variables(number int) map[string]any {
	return map[string]any{
		"owner": p.of.Owner, "name": p.of.Name, "number": number,
		"reviews": p.needs(lifecycle.ReadReviews) || p.needs(lifecycle.ReadApprovals), "checks": p.needs(lifecycle.ReadChecks),
	}
}

func (p *issuePulls) needs(one lifecycle.Reading) bool { return slices.Contains(p.ask.Needs, one) }
