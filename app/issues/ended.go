package issues

import (
	"context"
	"fmt"
	"time"

	"github.com/google/go-github/v62/github"
)

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
	for range endedPages {
		batch, response, err := client.Issues.ListByRepo(ctx, repo.Owner, repo.Name, options)
		if err != nil {
			return nil, fmt.Errorf("list the issues of %s in %s: %w", label, repo, gone(err))
		}
		for _, issue := range batch {
			if !issue.IsPullRequest() {
				list = append(list, changedOf(issue))
			}
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	return list, nil
}
