package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/lifecycle"
)

// Comment is one comment of an issue, or its opening text (ID 0).
type Comment struct {
	ID int64
	// NodeID is what GraphQL calls it; empty if the server does not tell.
	NodeID  string
	By      lifecycle.Actor
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

// comments reads what is said on issues, and who said it, and comments on commits.
type comments struct {
	connection
	edits *lru.Cache[string, Edit]
}

// Comments reads the comments that were written or changed since a time, oldest first. Those of Colony say for programs only what Colony
// wrote there; see disown.
func (s comments) Comments(ctx context.Context, ref Ref, since time.Time) ([]Comment, error) {
	client := s.client(ref.Repository)
	var all []Comment
	err := each(ctx, client, commentsPath(ref.Repository, strconv.Itoa(ref.Number)+"/comments", since), func(c *said) { all = append(all, s.actors.comment(*c)) })
	if err != nil {
		return nil, fmt.Errorf("read the comments of %s: %w", ref, asNotFound(err))
	}
	return all, s.disown(ctx, ref, all)
}

// Written reads all comments of an issue, oldest first. It asks for none where the issue said that it has none: a comment since then is an event of its
// own, so that this is for facts only.
func (s comments) Written(ctx context.Context, v View) ([]Comment, error) {
	if v.Uncommented {
		return nil, nil
	}
	return s.Comments(ctx, v.Ref, v.Created)
}

func (c *Actors) comment(of said) Comment {
	return Comment{
		ID: of.ID, NodeID: of.NodeID, By: c.actorOf(of.User), Body: of.Body,
		Created: of.Created, Updated: of.Updated, Reactions: of.Reactions.Total,
	}
}

// commentsPath is the address of the comments of an issue, or of a repository.
func commentsPath(repo Repository, of string, since time.Time) string {
	return fmt.Sprintf("repos/%s/%s/issues/%s?since=%s", repo.Owner, repo.Name, of, url.QueryEscape(since.Format(time.RFC3339)))
}

// Mentions lists the issues of a repository with a comment since a time that a test picks out, as far as one page of comments
// tells, in order of number, and whether there are more pages.
func (s comments) Mentions(ctx context.Context, repo Repository, since time.Time, page int, worth func(body string) bool) (numbers []int, more bool, err error) {
	client := s.client(repo)
	var batch []said
	response, err := ask(ctx, client, http.MethodGet, fmt.Sprintf("%s&per_page=%d&page=%d", commentsPath(repo, "comments", since), perPage, page), nil, &batch)
	if err != nil {
		return nil, false, fmt.Errorf("list the comments in %s: %w", repo, asNotFound(err))
	}
	for _, c := range batch {
		number, err := strconv.Atoi(path.Base(c.IssueURL))
		if err == nil && !s.actors.IsSelf(c.User.Login) && worth(c.Body) {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), response.NextPage != 0, nil
}
