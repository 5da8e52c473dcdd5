package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

// One question by GraphQL tells what takes several calls of the REST API for each pull request: which of them are for an issue, what became of them,
// their reviews and their checks. It costs one point (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api). The
// REST API tells what does not fit into an answer, and everything where GitHub does not answer the question.

// pullFields are what is of use of a pull request.
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

// pullsAnswer is the answer to either question.
type pullsAnswer struct {
	Repository struct {
		DefaultBranchRef struct{ Name string }
		PullRequest      pullNode
		Issue            struct {
			ClosedByPullRequestsReferences struct{ Nodes []pullNode }
			TimelineItems                  struct {
				PageInfo pageInfo
				Nodes    []struct{ Source pullNode }
			}
		}
		Open, Closed struct {
			PageInfo pageInfo
			Nodes    []pullNode
		}
	}
}

// pageInfo says whether a list goes on after what the answer has of it.
type pageInfo struct{ HasNextPage bool }

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

type checkNodes struct {
	PageInfo pageInfo
	Nodes    []*checkNode
}

// checkNode is a check run, or a commit status with a Context. A run that has not begun has no time.
type checkNode struct {
	Name, Status, Conclusion string
	StartedAt, CompletedAt   time.Time
	CheckSuite               struct {
		ID  string
		App struct{ ID string }
	}
	Context, State string
	CreatedAt      time.Time
}

// pullDetail is what was answered of a pull request. Without reviews or checks it has none of them, because they were not asked for or were too many.
type pullDetail struct {
	*github.PullRequest

	reviews []*github.PullRequestReview
	checks  *checksSaid
}

// errUnclear says that an answer leaves open what was asked.
var errUnclear = errors.New("GitHub does not tell all of it")

// listsTell reports whether the REST API has to tell what a question was to. GitHub answers 502 or 504, or an error, if the answer takes too long
// (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#timeouts).
func listsTell(err error) bool {
	return cannotBeAsked(err) || errors.Is(err, errUnclear) || tookTooLong(err)
}

func tookTooLong(err error) bool {
	said := graphqlErrors(nil)
	return isStatus(err, http.StatusBadGateway) || isStatus(err, http.StatusGatewayTimeout) || errors.As(err, &said)
}

// askForPulls asks GitHub for the pull requests that can be for the issue. What took too long is not asked again for a while.
func (p *issuePulls) askForPulls(ctx context.Context) (answer pullsAnswer, err error) {
	key := fmt.Sprintf("%s/%d", p.forbiddenKey(pullsOfIssueQuery), p.of.Number)
	if known, refused := p.refused.Get(key); refused && p.Clock.Now().Before(known.until) {
		return answer, known.err
	}
	variables := p.variables(p.of.Number)
	variables["branches"] = len(p.Branches.matches) > 0
	withheld, err := p.queryPartly(ctx, pullsOfIssueQuery, variables, &answer)
	if err == nil {
		err = p.markUntold(&answer, withheld)
	}
	if listsTell(err) && !cannotBeAsked(err) {
		p.refused.Add(key, refusal{err: err, until: p.Clock.Now().Add(forbiddenFor)})
	}
	return answer, err
}

// markUntold marks the linked pull requests that GitHub withheld something of, and fails if that leaves open which they are. What it withholds of a
// timeline, its lists leave out, and a link that is withheld leads to another repository.
func (p *issuePulls) markUntold(answer *pullsAnswer, withheld []graphqlError) error {
	if answer.Repository.DefaultBranchRef.Name == "" {
		return errUnclear
	}
	linked := answer.Repository.Issue.ClosedByPullRequestsReferences.Nodes
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
	if in.Open.PageInfo.HasNextPage {
		namesakes, err := p.lists.openNamesakes(ctx, p.of.Number, 2)
		if err != nil {
			return candidates{}, err
		}
		could.numbers = append(could.numbers, namesakes...)
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
	for _, n := range slices.Concat(in.Open.Nodes, in.Closed.Nodes) {
		if issue, ok := p.Branches.Issue(n.HeadRefName); ok && issue == p.of.Number && !n.IsCrossRepository {
			could.numbers = append(could.numbers, n.Number)
		}
	}
	return could, nil
}

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

// detailOf is what was answered of a pull request. It is without the pull request itself if the REST API has to tell of that: GitHub withheld something, the
// fork that it comes from too, or it finds out whether it conflicts, which the REST API is sure to make it do
// (https://docs.github.com/rest/pulls/pulls#get-a-pull-request).
func (p *issuePulls) detailOf(n pullNode, standard string) (d pullDetail) {
	open := n.State == "OPEN"
	if n.untold || n.IsCrossRepository && n.HeadRepository.NameWithOwner == "" {
		return pullDetail{}
	}
	if n.Reviews != nil && !n.Reviews.PageInfo.HasNextPage {
		d.reviews = n.Reviews.list()
	}
	if contexts := n.StatusCheckRollup.Contexts; p.needs(lifecycle.ReadChecks) && !contexts.PageInfo.HasNextPage {
		d.checks = contexts.said()
	}
	if !open || n.Mergeable != "UNKNOWN" || !p.needs(lifecycle.ReadPullRequests) {
		d.PullRequest = n.pullRequest(standard)
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

// said returns the checks that count; nil if the times leave open which do. GitHub does not say whether it leaves out runs in whose place a later one
// of the same suite came. It tells of contexts that a branch's rules expect and that no one has reported, too.
func (all checkNodes) said() *checksSaid {
	said := &checksSaid{}
	for _, n := range all.Nodes {
		if n == nil {
			return nil
		}
		switch state := strings.ToLower(n.State); {
		case n.Context != "" && state != "expected":
			said.statuses = append(said.statuses, commitStatus{n.Context, state, n.CreatedAt})
		case n.Context == "":
			again, unclear := all.startedAgain(n)
			if unclear {
				return nil
			}
			if !again {
				said.runs = append(said.runs, checkRun{
					name: n.Name, app: n.CheckSuite.App.ID, order: n.begun().Unix(), status: strings.ToLower(n.Status),
					conclusion: strings.ToLower(n.Conclusion), completed: n.CompletedAt,
				})
			}
		}
	}
	return said
}

// startedAgain reports whether a run of the same suite came in the place of a run. It is unclear if two runs began in the same second, and which is
// the later one matters.
func (all checkNodes) startedAgain(run *checkNode) (again, unclear bool) {
	for _, o := range all.Nodes {
		if o == nil || o == run || o.Context != "" || o.Name != run.Name || o.CheckSuite.App != run.CheckSuite.App {
			continue
		}
		sameSuite := o.CheckSuite.ID == run.CheckSuite.ID
		again = again || sameSuite && o.begun().After(run.begun())
		unclear = unclear || o.begun().Equal(run.begun()) && (sameSuite || run.Conclusion == "CANCELLED")
	}
	return again, unclear
}

// begun is when a run began: one that has not is the latest.
func (n *checkNode) begun() time.Time {
	if n.StartedAt.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return n.StartedAt
}
