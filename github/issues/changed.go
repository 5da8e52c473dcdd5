package issues

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/google/go-github/v62/github"
)

// Changed is an issue in a list of those that changed.
type Changed struct {
	Number  int
	Closed  bool
	Updated time.Time
	Created time.Time
	Labels  []string
	Body    string
}

// ChangedSince lists issues that changed since a time, those that changed first before others: the page with that number,
// and whether there are more. Pull requests are left out.
func (s *Store) ChangedSince(ctx context.Context, repo Repository, since time.Time, page, size int) (list []Changed, more bool, err error) {
	client, err := s.client(repo)
	if err != nil {
		return nil, false, err
	}
	list, more, err = listed(ctx, client, repo, &github.IssueListByRepoOptions{
		State: "all", Sort: "updated", Direction: "asc", Since: since,
		ListOptions: github.ListOptions{Page: page, PerPage: size},
	})
	if err != nil {
		return nil, false, fmt.Errorf("list the issues of %s that changed: %w", repo, asNotFound(err))
	}
	return list, more, nil
}

// WithLabel lists open issues with a label, the oldest first: the page with that number, and whether there are more. Pull requests
// are left out.
func (s *Store) WithLabel(ctx context.Context, repo Repository, label string, page, size int) (list []Changed, more bool, err error) {
	client, err := s.client(repo)
	if err != nil {
		return nil, false, err
	}
	list, more, err = listed(ctx, client, repo, &github.IssueListByRepoOptions{
		State: "open", Sort: "created", Direction: "asc", Labels: []string{label},
		ListOptions: github.ListOptions{Page: page, PerPage: size},
	})
	if err != nil {
		return nil, false, fmt.Errorf("list the issues of %s with the label %s: %w", repo, label, asNotFound(err))
	}
	return list, more, nil
}

// endedPages bounds how many pages of issues with a label are read: those that changed last are on the first.
const endedPages = 5

// ChangedWith lists issues with a label, open or closed, that changed since a time, those that changed last first. Pull requests are
// left out.
func (s *Store) ChangedWith(ctx context.Context, repo Repository, label string, since time.Time) ([]Changed, error) {
	client, err := s.client(repo)
	if err != nil {
		return nil, err
	}
	var list []Changed
	options := &github.IssueListByRepoOptions{
		State: "all", Labels: []string{label}, Sort: "updated", Direction: "desc", Since: since,
		ListOptions: github.ListOptions{PerPage: perPage},
	}
	for options.Page = 1; options.Page <= endedPages; options.Page++ {
		batch, more, err := listed(ctx, client, repo, options)
		if err != nil {
			return nil, fmt.Errorf("list the issues of %s with the label %s: %w", repo, label, asNotFound(err))
		}
		list = append(list, batch...)
		if !more {
			break
		}
	}
	return list, nil
}

// listed reads one page of issues, without pull requests.
func listed(ctx context.Context, client *github.Client, repo Repository, options *github.IssueListByRepoOptions) (list []Changed, more bool, err error) {
	batch, response, err := client.Issues.ListByRepo(ctx, repo.Owner, repo.Name, options)
	if err != nil {
		return nil, false, err //nolint:wrapcheck // the caller names the attempt
	}
	for _, issue := range batch {
		if issue.IsPullRequest() {
			continue
		}
		list = append(list, changedOf(issue))
	}
	return list, response.NextPage != 0, nil
}

func changedOf(issue *github.Issue) Changed {
	c := Changed{Number: issue.GetNumber(), Closed: issue.GetState() == "closed", Updated: issue.GetUpdatedAt().Time, Created: issue.GetCreatedAt().Time, Body: issue.GetBody()}
	for _, label := range issue.Labels {
		c.Labels = append(c.Labels, label.GetName())
	}
	return c
}

// Mentions lists the issues of a repository with a comment since a time that a test finds worth a look, as far as one page of comments
// tells, in order of number, and whether there are more pages.
func (s *Store) Mentions(ctx context.Context, repo Repository, since time.Time, page int, worth func(body string) bool) (numbers []int, more bool, err error) {
	client, err := s.client(repo)
	if err != nil {
		return nil, false, err
	}
	options := &github.IssueListCommentsOptions{Since: &since, ListOptions: github.ListOptions{Page: page, PerPage: perPage}}
	comments, response, err := client.Issues.ListComments(ctx, repo.Owner, repo.Name, 0, options) // 0: of every issue
	if err != nil {
		return nil, false, fmt.Errorf("list the comments in %s: %w", repo, asNotFound(err))
	}
	for _, c := range comments {
		number, err := strconv.Atoi(path.Base(c.GetIssueURL()))
		if err == nil && !s.cast.IsSelf(c.GetUser().GetLogin()) && worth(c.GetBody()) {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), response.NextPage != 0, nil
}
