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
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/statemachine"
)

// Bounds of one issue's pull requests.
const (
	// pullsRead is how many of an issue's pull requests are read, the newest first.
	pullsRead = 20
	// openPages is how many pages of a repository's open pull requests are searched for a branch. Of the closed ones it is the first page, with the
	// pull requests that changed last.
	openPages = 3
)

func pullRequestFacts(ctx context.Context, r *reading) error {
	pulls, err := r.pulls.list(ctx)
	if err != nil {
		return err
	}
	var merged, closed *github.PullRequest // the latest of each
	open := false
	for _, p := range pulls {
		switch {
		case p.GetState() == "open":
			open = true
			r.openPullRequest(p)
		case p.MergedAt != nil:
			if merged == nil || p.GetMergedAt().After(merged.GetMergedAt().Time) {
				merged = p
			}
		case closed == nil || p.GetClosedAt().After(closed.GetClosedAt().Time):
			closed = p
		}
	}
	if open {
		if merged != nil && r.closedByMerge(merged) {
			r.merged(merged)
		}
		return headsChanged(ctx, r, pulls)
	}
	r.endedPullRequests(merged, closed)
	return nil
}

// endedPullRequests observes the last merge and the last end without one; either is nil if there was none.
func (r *reading) endedPullRequests(merged, closed *github.PullRequest) {
	if merged != nil {
		r.merged(merged)
	}
	last := merged == nil || closed != nil && closed.GetClosedAt().After(merged.GetMergedAt().Time)
	if last {
		r.observe("pull-request-missing", time.Time{}, "") // a merge of long ago does not count for what followed it
	}
	if last && closed != nil {
		r.observe("pull-request-closed", closed.GetClosedAt().Time, pullName(closed))
	}
}

// merged observes a merge, which can have closed the issue.
func (r *reading) merged(p *github.PullRequest) {
	at, name := p.GetMergedAt().Time, pullName(p)
	r.observe("pull-request-merged", at, name)
	if r.closedByMerge(p) {
		r.observe("issue-merged", at, name)
	}
}

func (r *reading) openPullRequest(p *github.PullRequest) {
	r.observe("pull-request-opened", time.Time{}, pullName(p))
	if !p.GetDraft() {
		r.observe("pull-request-ready", time.Time{}, pullName(p))
	}
	switch {
	case p.Mergeable != nil && !p.GetMergeable(), p.GetMergeableState() == "dirty":
		r.add(statemachine.Observation{Fact: "pull-request-conflicting", About: pullName(p), Version: p.GetHead().GetSHA()})
	case p.Mergeable == nil: // GitHub finds it out once it is asked: https://docs.github.com/rest/pulls/pulls#get-a-pull-request
		r.found.Unsettled = true
	}
}

func pullName(p *github.PullRequest) string { return fmt.Sprintf("#%d", p.GetNumber()) }

type pulls struct {
	connection
	keptHeads *lru.Cache[string, heads]
	keptFiles *lru.Cache[string, []string]
	timelines pageCache[timelinePage]
}

// issuePulls are the pull requests of an issue, read once.
type issuePulls struct {
	questions
	lists     *pullLists
	timelines pageCache[timelinePage]
	view      View
	ask       Ask
	all       []*github.PullRequest
	read      bool
	unread    error // why it is not known which pull requests GitHub links
	behind    bool  // GitHub shows a pull request as it was before its webhook
	listed    bool  // GitHub does not answer the question about them, so that its lists tell
	details   map[int]pullDetail
}

// candidates are the numbers of the pull requests that can be for an issue.
type candidates struct {
	linked  []int // GitHub itself links them
	numbers []int // others
}

func (s pulls) pullsOf(client *github.Client, v View, ask Ask) *issuePulls {
	return &issuePulls{questions: s.about(client, v.Ref), lists: s.in(client, v.Ref.Repository), timelines: s.timelines, view: v, ask: ask, details: map[int]pullDetail{}}
}

// list reads the issue's pull requests. A pull request of its repository counts if it names the issue with a closing keyword and leads to the default
// branch. It also counts if its branch is named after the issue, and so does one that GitHub itself links. Where GitHub does not tell what it links,
// the others come with ErrForbidden.
func (p *issuePulls) list(ctx context.Context) ([]*github.PullRequest, error) {
	if p.read {
		return p.all, p.unread
	}
	could, err := p.candidates(ctx)
	if err != nil {
		return nil, err
	}
	numbers := slices.Concat(could.linked, could.numbers)
	if p.ask.PullRequest > 0 {
		numbers = append(numbers, p.ask.PullRequest)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for _, n := range numbers[max(0, len(numbers)-pullsRead):] {
		pull, err := p.pull(ctx, n)
		switch {
		case err != nil:
			return nil, err
		case pull == nil:
			continue
		case n == p.ask.PullRequest && pull.GetUpdatedAt().Before(p.ask.PullRequestUpdated):
			p.behind = true
		}
		if slices.Contains(could.linked, n) || slices.Contains(p.Branches.issuesOf(p.of.Repository, pull), p.of.Number) {
			p.all = append(p.all, pull)
		}
	}
	p.read = true
	return p.all, p.unread
}

// candidates finds the pull requests that can be for the issue, by one question, or in GitHub's lists.
func (p *issuePulls) candidates(ctx context.Context) (candidates, error) {
	answer, err := p.askForPulls(ctx)
	switch {
	case listsTell(err):
		p.listed = true
		return p.listCandidates(ctx)
	case err != nil:
		return candidates{}, err
	}
	return p.candidatesOf(ctx, answer)
}

// listCandidates finds the pull requests that can be for the issue in GitHub's lists.
func (p *issuePulls) listCandidates(ctx context.Context) (could candidates, err error) {
	could.linked, err = p.linked(ctx, linkedQuery)
	if errors.Is(err, ErrForbidden) {
		p.unread = err
	} else if err != nil {
		return candidates{}, err
	}
	named, err := p.crossReferences(ctx)
	if err != nil {
		return candidates{}, err
	}
	namesakes, err := p.lists.namesakes(ctx, p.of.Number)
	could.numbers = slices.Concat(named, namesakes)
	return could, err
}

// pull reads a pull request; nil if it was deleted, or is something else.
func (p *issuePulls) pull(ctx context.Context, number int) (*github.PullRequest, error) {
	if _, asked := p.details[number]; !asked && !p.listed {
		switch there, err := p.askForPull(ctx, number); {
		case listsTell(err):
			p.listed = true
		case err != nil:
			return nil, fmt.Errorf("read pull request #%d: %w", number, err)
		case !there && number != p.ask.PullRequest: // GraphQL might not show the reported one yet
			return nil, nil
		}
	}
	known := p.details[number]
	if known.pull != nil {
		return known.pull, nil
	}
	pull, _, err := p.client.PullRequests.Get(ctx, p.of.Owner, p.of.Name, number)
	switch {
	case isStatus(err, http.StatusNotFound), isStatus(err, http.StatusGone):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read pull request #%d: %w", number, err)
	case !known.isOf(pull):
		delete(p.details, number)
	}
	return pull, nil
}

// open lists those of the issue's pull requests that are open: only they are reviewed and checked.
func (p *issuePulls) open(ctx context.Context) ([]*github.PullRequest, error) {
	pulls, err := p.list(ctx)
	return slices.DeleteFunc(slices.Clone(pulls), func(p *github.PullRequest) bool { return p.GetState() != "open" }), err
}

// OpenPullRequests lists the numbers of the issue's open pull requests, as far as GitHub tells.
func (s pulls) OpenPullRequests(ctx context.Context, v View) ([]int, error) {
	open, err := s.pullsOf(s.client(v.Ref.Repository), v, Ask{}).open(ctx)
	if err != nil && !errors.Is(err, ErrForbidden) {
		return nil, fmt.Errorf("read the pull requests of %s: %w", v.Ref, err)
	}
	var numbers []int
	for _, p := range open {
		numbers = append(numbers, p.GetNumber())
	}
	return numbers, nil
}

// issuesOf lists the issues of a repository that a pull request says it is for: by a closing keyword, if it leads to the default
// branch, as on GitHub (https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue),
// and by the name of its branch, if that is one of the repository itself. What GitHub links by hand is not among them.
func (b Branches) issuesOf(repo Repository, p *github.PullRequest) []int {
	var numbers []int
	base := p.GetBase()
	if standard := base.GetRepo().GetDefaultBranch(); standard == "" || base.GetRef() == standard {
		numbers = append(numbers, commands.ClosesIn(repo.Owner, repo.Name, p.GetTitle(), p.GetBody())...)
	}
	if p.GetHead().GetRepo().GetFullName() == base.GetRepo().GetFullName() {
		if n, ok := b.Issue(p.GetHead().GetRef()); ok && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// PullRequestIssues reads a pull request, whose number the reference has, and lists the issues of its repository that it is for, also issues that
// GitHub links by hand. The list is empty if it is not there. Where GitHub does not tell what it links, the others come with ErrForbidden.
func (s pulls) PullRequestIssues(ctx context.Context, at Ref) ([]int, error) {
	client := s.client(at.Repository)
	p, _, err := client.PullRequests.Get(ctx, at.Owner, at.Name, at.Number)
	if err != nil {
		return nil, fmt.Errorf("read pull request %s: %w", at, asNotFound(err))
	}
	numbers := s.Branches.issuesOf(at.Repository, p)
	linked, err := s.about(client, at).linked(ctx, closingQuery)
	if err != nil {
		return numbers, fmt.Errorf("read the issues of pull request %s: %w", at, err)
	}
	for _, n := range linked {
		if !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

// PullRequestsAt lists the open pull requests of a repository whose newest commit is a certain one.
func (s pulls) PullRequestsAt(ctx context.Context, repo Repository, commit string) ([]int, error) {
	all, err := s.in(s.client(repo), repo).open(ctx)
	var numbers []int
	for _, h := range all {
		if h.commit == commit {
			numbers = append(numbers, h.number)
		}
	}
	return numbers, err
}

func mentions(ctx context.Context, client *github.Client, ref Ref, found func(*related)) error {
	err := each(ctx, client, timelinePath(ref), func(line *timelineEntry) {
		if line.Event == "cross-referenced" && line.Source != nil && line.Source.Issue != nil {
			found(line.Source.Issue)
		}
	})
	if err != nil {
		return fmt.Errorf("read the timeline: %w", asNotFound(err))
	}
	return nil
}

func sameRepository(i *related, repo Repository) bool {
	owner, name, ok := repositoryOf(i)
	return ok && strings.EqualFold(owner, repo.Owner) && strings.EqualFold(name, repo.Name)
}

// repositoryOf tells the repository of an issue in a list of issues of several.
func repositoryOf(i *related) (owner, name string, ok bool) {
	if full := i.Repository.FullName; full != "" {
		return strings.Cut(full, "/")
	}
	_, path, ok := strings.Cut(i.RepositoryURL, "/repos/")
	if !ok {
		return "", "", false
	}
	return strings.Cut(path, "/")
}
