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
)

// Bounds of one issue's pull requests.
const (
	// pullsRead is how many of an issue's pull requests are read, the newest first.
	pullsRead = 20
	// openPages is how many pages of a repository's open pull requests are searched for a branch. Of the closed ones it is the
	// first page, of those that changed last.
	openPages = 3
)

// pullRequestFacts observes what becomes of the issue's pull requests.
func (r *factReader) pullRequestFacts(ctx context.Context) error {
	pulls, err := r.pullRequests(ctx)
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
		return r.headsChanged(ctx, pulls)
	}
	if merged != nil {
		r.observe("pull-request-merged", merged.GetMergedAt().Time, pullName(merged))
	}
	last := merged == nil || closed != nil && closed.GetClosedAt().After(merged.GetMergedAt().Time)
	if last {
		r.observe("pull-request-missing", time.Time{}, "") // a merge of long ago is none of what followed it
	}
	if last && closed != nil {
		r.observe("pull-request-closed", closed.GetClosedAt().Time, pullName(closed))
	}
	return nil
}

func (r *factReader) openPullRequest(p *github.PullRequest) {
	r.observe("pull-request-opened", time.Time{}, pullName(p))
	if !p.GetDraft() {
		r.observe("pull-request-ready", time.Time{}, pullName(p))
	}
	switch {
	case p.Mergeable != nil && !p.GetMergeable(), p.GetMergeableState() == "dirty":
		r.observe("pull-request-conflicting", time.Time{}, pullName(p))
	case p.Mergeable == nil: // GitHub finds it out once it is asked: https://docs.github.com/rest/pulls/pulls#get-a-pull-request
		r.found.Unsettled = true
	}
}

func pullName(p *github.PullRequest) string { return fmt.Sprintf("#%d", p.GetNumber()) }

// pullRequests reads the issue's pull requests: those of its repository that name it with a closing keyword and lead to the
// default branch, those whose branch is named after it, and those that GitHub itself links. Where GitHub does not tell the last, the
// others come with ErrForbidden.
func (r *factReader) pullRequests(ctx context.Context) ([]*github.PullRequest, error) {
	if r.pullsRead {
		return r.pulls, r.linksUnread
	}
	linked, err := r.linkedPullRequests(ctx)
	if errors.Is(err, ErrForbidden) {
		r.linksUnread = err
	} else if err != nil {
		return nil, err
	}
	numbers := slices.Clone(linked)
	if r.ask.PullRequest > 0 {
		numbers = append(numbers, r.ask.PullRequest)
	}
	for _, search := range []func(context.Context) ([]int, error){r.crossReferences, r.namesakes} {
		more, err := search(ctx)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, more...)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for _, n := range numbers[max(0, len(numbers)-pullsRead):] {
		p, _, err := r.client.PullRequests.Get(ctx, r.view.Ref.Owner, r.view.Ref.Name, n)
		if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) {
			continue // it was deleted, or it is none
		}
		if err != nil {
			return nil, fmt.Errorf("read pull request #%d: %w", n, err)
		}
		if n == r.ask.PullRequest && p.GetUpdatedAt().Before(r.ask.PullRequestUpdated) {
			r.found.Behind = true
		}
		if slices.Contains(linked, n) || slices.Contains(r.store.IssuesOf(r.view.Ref.Repository, p), r.view.Ref.Number) {
			r.pulls = append(r.pulls, p)
		}
	}
	r.pullsRead = true
	return r.pulls, r.linksUnread
}

// open lists those of the issue's pull requests that are open: only they are reviewed and checked.
func (r *factReader) open(ctx context.Context) ([]*github.PullRequest, error) {
	pulls, err := r.pullRequests(ctx)
	return slices.DeleteFunc(slices.Clone(pulls), func(p *github.PullRequest) bool { return p.GetState() != "open" }), err
}

// OpenPullRequests lists the numbers of the issue's open pull requests, as far as GitHub tells.
func (s *Store) OpenPullRequests(ctx context.Context, v View) ([]int, error) {
	client, err := s.client(v.Ref.Repository)
	if err != nil {
		return nil, err
	}
	r := &factReader{store: s, client: client, view: v}
	open, err := r.open(ctx)
	if err != nil && !errors.Is(err, ErrForbidden) {
		return nil, fmt.Errorf("read the pull requests of %s: %w", v.Ref, err)
	}
	var numbers []int
	for _, p := range open {
		numbers = append(numbers, p.GetNumber())
	}
	return numbers, nil
}

// IssuesOf lists the issues of a repository that a pull request says it is for: by a closing keyword, if it leads to the default
// branch, as on GitHub (https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue),
// and by the name of its branch, if that is one of the repository itself. What GitHub links by hand is not among them.
func (s *Store) IssuesOf(repo Repository, p *github.PullRequest) []int {
	var numbers []int
	base := p.GetBase()
	if standard := base.GetRepo().GetDefaultBranch(); standard == "" || base.GetRef() == standard {
		numbers = append(numbers, commands.ClosesIn(repo.Owner, repo.Name, p.GetTitle(), p.GetBody())...)
	}
	if p.GetHead().GetRepo().GetID() == base.GetRepo().GetID() {
		if n, ok := s.Branches.Issue(p.GetHead().GetRef()); ok && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// PullRequestIssues reads a pull request, whose number the reference has, and lists the issues of its repository that it is for, also
// those that GitHub links by hand. There are none if it is not there. Where GitHub does not tell what it links, the others come with
// ErrForbidden.
func (s *Store) PullRequestIssues(ctx context.Context, at Ref) ([]int, error) {
	client, err := s.client(at.Repository)
	if err != nil {
		return nil, err
	}
	p, _, err := client.PullRequests.Get(ctx, at.Owner, at.Name, at.Number)
	if err != nil {
		return nil, fmt.Errorf("read pull request %s: %w", at, asNotFound(err))
	}
	numbers := s.IssuesOf(at.Repository, p)
	linked, err := (&factReader{store: s, client: client, view: View{Ref: at}}).linkedIssues(ctx)
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
func (s *Store) PullRequestsAt(ctx context.Context, repo Repository, commit string) ([]int, error) {
	client, err := s.client(repo)
	if err != nil {
		return nil, err
	}
	r := &factReader{store: s, client: client, view: View{Ref: Ref{Repository: repo}}}
	var numbers []int
	for page, more := 1, true; more && page <= openPages; page++ {
		list, next, err := r.heads(ctx, fmt.Sprintf("%s&per_page=%d&page=%d", openPulls, perPage, page))
		if err != nil {
			return nil, err
		}
		for _, h := range list {
			if h.commit == commit {
				numbers = append(numbers, h.number)
			}
		}
		more = next
	}
	return numbers, nil
}

// mentions calls for every issue and pull request that mentions an issue.
func (r *factReader) mentions(ctx context.Context, ref Ref, found func(*related)) error {
	for page := 1; page != 0; {
		var lines []timelineEntry
		response, err := ask(ctx, r.client, http.MethodGet, timelinePath(ref, page), nil, &lines)
		if err != nil {
			return fmt.Errorf("read the timeline: %w", asNotFound(err))
		}
		for _, line := range lines {
			if line.Event == "cross-referenced" && line.Source != nil && line.Source.Issue != nil {
				found(line.Source.Issue)
			}
		}
		page = response.NextPage
	}
	return nil
}

// sameRepository reports whether an issue is of a repository.
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
