package issues

import (
	"context"
	"fmt"
)

// Repository completes a repository that is known by its name only.
func (c connection) Repository(ctx context.Context, repo Repository) (Repository, error) {
	is, _, err := c.client(repo).Repositories.Get(ctx, repo.Owner, repo.Name)
	if err != nil {
		return repo, fmt.Errorf("read repository %s: %w", repo, asNotFound(err))
	}
	repo.ID, repo.Owner, repo.Name = is.GetID(), is.GetOwner().GetLogin(), is.GetName()
	return repo, nil
}
