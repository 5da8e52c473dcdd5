package issues

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/go-github/v62/github"
)

// related is an issue with what GitHub counts of its relations. go-github v62 leaves that out. A count is nil if the server does
// not tell it.
type related struct {
	github.Issue
	SubIssues *struct {
		Total     int `json:"total"`
		Completed int `json:"completed"`
	} `json:"sub_issues_summary"`
	Dependencies *struct {
		TotalBlockedBy int `json:"total_blocked_by"`
		TotalBlocking  int `json:"total_blocking"`
	} `json:"issue_dependencies_summary"`
}

// relations reads a list of issues that one is related to: the last part of the path says how. A server that has no such relations
// says that there is nothing (404, 410, or 501 where another server stands in): then the list is empty.
func relations(ctx context.Context, client *github.Client, ref Ref, how string) ([]related, error) {
	var all []related
	for page := 1; page != 0; {
		path := fmt.Sprintf("repos/%s/%s/issues/%d/%s?per_page=%d&page=%d", ref.Owner, ref.Name, ref.Number, how, perPage, page)
		request, err := client.NewRequest(http.MethodGet, path, nil)
		if err != nil {
			return nil, fmt.Errorf("list %s of %s: %w", how, ref, err)
		}
		var batch []related
		response, err := client.Do(ctx, request, &batch)
		if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) || isStatus(err, http.StatusNotImplemented) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list %s of %s: %w", how, ref, err)
		}
		all = append(all, batch...)
		page = response.NextPage
	}
	return all, nil
}

// Repository completes a repository that is known by its name only.
func (s *Store) Repository(ctx context.Context, repo Repository) (Repository, error) {
	client, err := s.client(repo)
	if err != nil {
		return repo, err
	}
	is, _, err := client.Repositories.Get(ctx, repo.Owner, repo.Name)
	if err != nil {
		return repo, fmt.Errorf("read repository %s: %w", repo, asNotFound(err))
	}
	repo.ID, repo.Owner, repo.Name = is.GetID(), is.GetOwner().GetLogin(), is.GetName()
	return repo, nil
}
