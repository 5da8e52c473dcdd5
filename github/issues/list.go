package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
)

// Entry is an issue in a list.
type Entry struct {
	Number      int
	Title, Body string
	Labels      []string
	Closed      bool
	Created     time.Time
	Updated     time.Time
	ClosedAt    time.Time // zero if it is open
	// Blocked is on how many open issues it depends, where GitHub tells.
	Blocked int
}

// Candidate is the issue as one that waits in a state.
func (e Entry) Candidate(state string) lifecycle.Candidate {
	return lifecycle.Candidate{Number: e.Number, Title: e.Title, State: state, Labels: e.Labels, Created: e.Created, Blocked: e.Blocked}
}

func entryOf(issue *related) Entry {
	return Entry{
		Number: issue.Number, Title: issue.Title, Body: issue.Body, Closed: issue.State == "closed",
		Created: issue.Created, Updated: issue.Updated, ClosedAt: issue.Closed,
		Labels: labelNames(issue),
	}
}

func labelNames(issue *related) (names []string) {
	for _, label := range issue.Labels {
		names = append(names, label.Name)
	}
	return names
}

// Order is the order of a list of issues.
type Order struct{ by, direction string }

// The orders of a list.
var (
	OldestFirst      = Order{"created", "asc"}
	ChangedFirst     = Order{"updated", "asc"}  // the issues that changed first before others
	ChangedLastFirst = Order{"updated", "desc"} // the issues that changed last before others
)

// The states of the issues in a list.
const (
	Open   = "open"
	Closed = "closed"
	All    = "all"
)

// Filter says which issues of a repository to list: see https://docs.github.com/rest/issues/issues#list-repository-issues.
type Filter struct {
	State string
	Label string    // empty: with any labels
	Since time.Time // that changed since; zero: whenever they changed
	By    string    // the login of who opened them; empty: anyone
	Order Order
	// Page is the first page to read, from 1 on, and Pages is how many at most; 0 is 1 of either. Size is how many issues a page has; 0
	// is as many as GitHub gives.
	Page, Pages, Size int
}

// WithLabel are the open issues with a label, the oldest first.
func WithLabel(label string) Filter {
	return Filter{State: Open, Label: label, Order: OldestFirst}
}

// waitingPages bounds how many pages of issues are read to see what waits: the oldest issues are on the first.
const waitingPages = 10

// AllWithLabel are the open issues with a label, the oldest first, as many as usually wait.
func AllWithLabel(label string) Filter {
	f := WithLabel(label)
	f.Pages = waitingPages
	return f
}

// ChangedSince are the issues that changed since a time, the earliest change first.
func ChangedSince(since time.Time) Filter {
	return Filter{State: All, Since: since, Order: ChangedFirst}
}

// ChangedWithLabel are the issues with a label, open or closed, that changed since a time, the latest change first. Of very many, it leaves out the
// issues that changed first.
func ChangedWithLabel(label string, since time.Time) Filter {
	return Filter{State: All, Label: label, Since: since, Order: ChangedLastFirst, Pages: 5}
}

// At returns the filter for one page of a size.
func (f Filter) At(page, size int) Filter {
	f.Page, f.Pages, f.Size = page, 1, size
	return f
}

func (f Filter) query(page int) string {
	size := f.Size
	if size == 0 {
		size = perPage
	}
	query := url.Values{
		"state": {f.State}, "sort": {f.Order.by}, "direction": {f.Order.direction},
		"page": {strconv.Itoa(page)}, "per_page": {strconv.Itoa(size)},
	}
	if f.Label != "" {
		query.Set("labels", f.Label)
	}
	if f.By != "" {
		query.Set("creator", f.By)
	}
	if !f.Since.IsZero() {
		query.Set("since", f.Since.Format(time.RFC3339))
	}
	return query.Encode()
}

type lists struct{ connection }

// page reads one page of what the filter lets through, pull requests and dashboards among it.
func (f Filter) page(ctx context.Context, client *github.Client, repo Repository, page int) (batch []related, more bool, err error) {
	response, err := ask(ctx, client, http.MethodGet, fmt.Sprintf("repos/%s/%s/issues?%s", repo.Owner, repo.Name, f.query(page)), nil, &batch)
	if err != nil {
		return nil, false, asNotFound(err)
	}
	return batch, response.NextPage != 0, nil
}

// List lists issues of a repository; more says that there are more than it read. Pull requests and dashboards are left out.
func (s lists) List(ctx context.Context, repo Repository, f Filter) (list []Entry, more bool, err error) {
	found, more, err := s.page(ctx, repo, f)
	for _, issue := range found {
		e := entryOf(&issue)
		if issue.Dependencies != nil {
			e.Blocked = issue.Dependencies.BlockedBy
		}
		list = append(list, e)
	}
	return list, more, err
}

// page reads what List and Views tell of.
func (s lists) page(ctx context.Context, repo Repository, f Filter) (list []related, more bool, err error) {
	client, what := s.client(repo), fmt.Sprintf("list the issues of %s", repo)
	if f.Label != "" {
		what += " with the label " + f.Label
	}
	first := max(1, f.Page)
	for page := first; page < first+max(1, f.Pages); page++ {
		var batch []related
		if batch, more, err = f.page(ctx, client, repo, page); err != nil {
			return nil, false, fmt.Errorf("%s: %w", what, err)
		}
		for _, issue := range batch {
			if !issue.isPullRequest() && !s.actors.isDashboard(&issue) {
				list = append(list, issue)
			}
		}
		if !more {
			break
		}
	}
	return list, more, nil
}

// WithAny lists issues that have any of some labels, each by a filter of its own, as List does for one.
func (s lists) WithAny(ctx context.Context, repo Repository, labels []string, filter func(label string) Filter) (list []Entry, more bool, err error) {
	for i, label := range labels {
		some, moreOfThese, err := s.List(ctx, repo, filter(label))
		if err != nil {
			return nil, false, err
		}
		more = more || moreOfThese
		for _, e := range some {
			if i == 0 || !slices.ContainsFunc(list, func(other Entry) bool { return other.Number == e.Number }) {
				list = append(list, e)
			}
		}
	}
	return list, more, nil
}
