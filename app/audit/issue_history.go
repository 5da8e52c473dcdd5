package audit

import (
	"context"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/github/issues"
)

// Issue reads the standing of one issue, every move of it, and what was refused. It changes nothing. The error is client.ErrNotInstalled,
// inspect.ErrNoIssue or inspect.ErrNotAnIssue if there is nothing to tell.
func Issue(ctx context.Context, c config.Config, options app.Options, owner, name string, number int) (*inspect.Issue, error) {
	parts, err := app.OpenReader(ctx, c, options)
	if err != nil {
		return nil, err
	}
	repo, err := parts.Repository(ctx, owner, name)
	if err != nil {
		return nil, err
	}
	return parts.Inspector().Issue(parts.As(ctx, repo.Installation), issues.Ref{Repository: repo, Number: number})
}
