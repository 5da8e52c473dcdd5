package issues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Overview is what the first page of a repository's open issues says.
type Overview struct {
	// Open are the open issues, at most a hundred, the last change first. Body, Blocked and ClosedAt are not among it.
	Open []Entry
	// All says that there are no others.
	All bool
}

// Overviews returns the open issues of repositories of one installation, in the order of these, by one question. It costs about a point a
// repository. All is false as well where only the list by the REST API tells which issues count: one of them is Colony's, which can be a dashboard.
func (s lists) Overviews(ctx context.Context, of []Repository) ([]Overview, error) {
	const fields = `issues(first: 100, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC}) {
    pageInfo { hasNextPage }
    nodes { number title createdAt updatedAt author { __typename login } labels(first: 100) { pageInfo { hasNextPage } nodes { name } } }
  }`
	found := make([]Overview, len(of))
	_, err := s.ofEach(ctx, of, "list the open issues", func(int) string { return fields }, func(n int, told json.RawMessage) (err error) {
		found[n], err = s.overviewOf(told)
		return err
	})
	return found, err
}

func (s lists) overviewOf(told json.RawMessage) (is Overview, err error) {
	type page struct{ HasNextPage bool }
	var of struct {
		Issues *struct {
			PageInfo page
			Nodes    []struct {
				Number    int
				Title     string
				CreatedAt time.Time
				UpdatedAt time.Time
				Author    struct {
					Typename string `json:"__typename"`
					Login    string
				}
				Labels struct {
					PageInfo page
					Nodes    []struct{ Name string }
				}
			}
		}
	}
	if err := json.Unmarshal(told, &of); err != nil {
		return is, fmt.Errorf("read the answer: %w", err)
	}
	if of.Issues == nil {
		return is, errors.New("the answer has no list")
	}
	is.All = !of.Issues.PageInfo.HasNextPage
	for _, i := range of.Issues.Nodes {
		e := Entry{Number: i.Number, Title: i.Title, Created: i.CreatedAt, Updated: i.UpdatedAt}
		for _, l := range i.Labels.Nodes {
			e.Labels = append(e.Labels, l.Name)
		}
		if i.Labels.PageInfo.HasNextPage || i.Author.Typename == "Bot" && s.actors.IsSelf(i.Author.Login+"[bot]") {
			is.All = false
		}
		is.Open = append(is.Open, e)
	}
	return is, nil
}
