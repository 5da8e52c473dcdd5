package issues

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/statemachine"
)

// Comment is one comment of an issue, or its opening text (ID 0).
type Comment struct {
	ID int64
	// NodeID is what GraphQL calls it; empty if the server does not tell.
	NodeID  string
	By      statemachine.Actor
	Body    string
	Created time.Time
	// Updated is when GitHub last changed anything about it. Of an opening text, that is anything about the issue.
	Updated time.Time
	// Reactions is how many reactions the comment has, of anybody; 0 proves that Colony's receipt is not there.
	Reactions int
}

// Opening returns the opening text as a comment.
func (v View) Opening() Comment {
	return Comment{NodeID: v.NodeID, By: v.Author, Body: v.Body, Created: v.Created, Updated: v.Updated, Reactions: v.Reactions}
}

// Comments reads the comments that were written or changed since a time, oldest first.
func (s *Store) Comments(ctx context.Context, ref Ref, since time.Time) ([]Comment, error) {
	client, err := s.client(ref.Repository)
	if err != nil {
		return nil, err
	}
	var comments []Comment
	options := &github.IssueListCommentsOptions{Since: &since, ListOptions: github.ListOptions{PerPage: perPage}}
	for {
		batch, response, err := client.Issues.ListComments(ctx, ref.Owner, ref.Name, ref.Number, options)
		if err != nil {
			return nil, fmt.Errorf("read the comments of %s: %w", ref, asNotFound(err))
		}
		for _, c := range batch {
			comments = append(comments, Comment{
				ID: c.GetID(), NodeID: c.GetNodeID(), By: s.actors.Actor(c.GetUser(), nil), Body: c.GetBody(),
				Created: c.GetCreatedAt().Time, Updated: c.GetUpdatedAt().Time, Reactions: c.GetReactions().GetTotalCount(),
			})
		}
		if response.NextPage == 0 {
			return comments, nil
		}
		options.Page = response.NextPage
	}
}

// Mentions lists the issues of a repository with a comment since a time that a test picks out, as far as one page of comments
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
		if err == nil && !s.actors.IsSelf(c.GetUser().GetLogin()) && worth(c.GetBody()) {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), response.NextPage != 0, nil
}
