package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/statemachine"
)

// waitingPages bounds how many pages of issues are read to see what waits: the oldest issues are on the first.
const waitingPages = 10

// Labelled is an open issue in a list of those with a label.
type Labelled struct {
	Number  int
	Title   string
	Labels  []string
	Created time.Time
	// Blocked is on how many open issues it depends, where GitHub tells.
	Blocked int
}

// Candidate is the issue as one that waits in a state.
func (l Labelled) Candidate(state string) statemachine.Candidate {
	return statemachine.Candidate{Number: l.Number, Title: l.Title, State: state, Labels: l.Labels, Created: l.Created, Blocked: l.Blocked}
}

// labelled is read with a type of our own: go-github v62 leaves the summary of the dependencies out. It counts the open ones apart.
type labelled struct {
	github.Issue
	Dependencies struct {
		BlockedBy int `json:"blocked_by"`
	} `json:"issue_dependencies_summary"`
}

// Labelled lists the open issues with a label, the oldest first; more says that there are more than it read. Pull requests are
// left out.
func (s *Store) Labelled(ctx context.Context, repo Repository, label string) (list []Labelled, more bool, err error) {
	client, err := s.client(repo)
	if err != nil {
		return nil, false, err
	}
	for page := 1; page <= waitingPages; page++ {
		path := fmt.Sprintf("repos/%s/%s/issues?state=open&sort=created&direction=asc&labels=%s&per_page=%d&page=%d",
			repo.Owner, repo.Name, url.QueryEscape(label), perPage, page)
		request, err := client.NewRequest(http.MethodGet, path, nil)
		if err != nil {
			return nil, false, fmt.Errorf("list the issues of %s with the label %s: %w", repo, label, err)
		}
		var batch []labelled
		response, err := client.Do(ctx, request, &batch)
		if err != nil {
			return nil, false, fmt.Errorf("list the issues of %s with the label %s: %w", repo, label, asNotFound(err))
		}
		for _, issue := range batch {
			if issue.IsPullRequest() {
				continue
			}
			one := Labelled{Number: issue.GetNumber(), Title: issue.GetTitle(), Created: issue.GetCreatedAt().Time, Blocked: issue.Dependencies.BlockedBy}
			for _, l := range issue.Labels {
				one.Labels = append(one.Labels, l.GetName())
			}
			list = append(list, one)
		}
		if more = response.NextPage != 0; !more {
			break
		}
	}
	return list, more, nil
}
