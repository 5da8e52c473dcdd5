package issues

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"
)

// CommentOnCommit writes a comment on a commit, unless Colony has written one that said the same already. GitHub asks for no more
// than reading contents for it: https://docs.github.com/rest/commits/comments#create-a-commit-comment.
func (s comments) CommentOnCommit(ctx context.Context, repo Repository, sha, body string, same func(body string) bool) error {
	client := s.client(repo)
	written := false
	err := each(ctx, client, fmt.Sprintf("repos/%s/%s/commits/%s/comments", repo.Owner, repo.Name, sha), func(c *said) {
		written = written || s.actors.IsSelf(c.User.Login) && same(c.Body)
	})
	if err != nil {
		return fmt.Errorf("list the comments on commit %s of %s: %w", sha, repo, err)
	}
	if written {
		return nil
	}
	if _, _, err := client.Repositories.CreateComment(ctx, repo.Owner, repo.Name, sha, &github.RepositoryComment{Body: &body}); err != nil {
		return fmt.Errorf("comment on commit %s of %s: %w", sha, repo, err)
	}
	return nil
}
