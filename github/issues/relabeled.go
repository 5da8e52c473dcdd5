package issues

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Relabeled lists the issues, as they are now, on which a label was added or removed since a time, if a test finds the label worth it: the page with
// that number of the repository's events, newest first, and whether there are more of that time. Pull requests and dashboards are left out. An added
// label counts too: if the repository deletes or renames it, no event says that the issue lost it. See
// https://docs.github.com/rest/issues/events#list-issue-events-for-a-repository: GitHub has no such list since a time.
func (s lists) Relabeled(ctx context.Context, repo Repository, since time.Time, page int, worth func(label string) bool) (list []Entry, more bool, err error) {
	client := s.client(repo)
	path := fmt.Sprintf("repos/%s/%s/issues/events?per_page=%d&page=%d", repo.Owner, repo.Name, perPage, page)
	request, err := client.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return nil, false, fmt.Errorf("read the events of %s: %w", repo, err)
	}
	request.Header.Set("Cache-Control", "no-store") // each event comes with its issue, text and all, and is read once
	var events []event
	response, err := call(ctx, client, request, &events)
	if err != nil {
		return nil, false, fmt.Errorf("read the events of %s: %w", repo, asNotFound(err))
	}
	more = response.NextPage != 0
	for _, e := range events {
		issue := e.Issue
		switch {
		case e.Created.Before(since):
			more = false
		case e.Event != "labeled" && e.Event != "unlabeled", issue == nil, issue.isPullRequest(), s.actors.isDashboard(issue), !worth(e.Label.Name):
		case !slices.ContainsFunc(list, func(e Entry) bool { return e.Number == issue.Number }):
			list = append(list, entryOf(issue))
		}
	}
	return list, more, nil
}
