package client

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
)

// Once makes a call and returns its error: for EachRepository.
func Once(_ context.Context, call func() error) error { return call() }

// EachRepository does something about every repository of an installation, page by page as GitHub lists them, until that fails. ask makes
// the call for a page: once, or again after a rate limit.
func EachRepository(ctx context.Context, clients issues.Clients, installation int64, ask func(context.Context, func() error) error, do func(issues.Repository) error) error {
	return EachPage(ctx, clients, installation, ask, func(list []issues.Repository) error {
		for _, repo := range list {
			if err := do(repo); err != nil {
				return err
			}
		}
		return nil
	})
}

// EachPage does something about the repositories of an installation, a page of them at a time, as EachRepository does.
func EachPage(ctx context.Context, clients issues.Clients, installation int64, ask func(context.Context, func() error) error, do func([]issues.Repository) error) error {
	for page, more := 1, true; more; page++ {
		var list []issues.Repository
		err := ask(ctx, func() (err error) {
			list, _, more, err = RepositoriesOn(ctx, clients, installation, page)
			return err
		})
		if err != nil {
			return err
		}
		if err := do(list); err != nil {
			return err
		}
	}
	return nil
}

// RepositoriesOn returns one page of the repositories of an installation, how many it has at all, and whether there are further pages.
func RepositoriesOn(ctx context.Context, clients issues.Clients, installation int64, page int) (list []issues.Repository, total int, more bool, err error) {
	client, err := clients.NewInstallationClient(installation)
	if err != nil {
		return nil, 0, false, err
	}
	batch, response, err := client.Apps.ListRepos(ctx, &github.ListOptions{PerPage: 100, Page: page})
	if err != nil {
		return nil, 0, false, fmt.Errorf("list the repositories of installation %d: %w", installation, err)
	}
	for _, r := range batch.Repositories {
		list = append(list, repositoryOf(installation, r))
	}
	return list, batch.GetTotalCount(), response.NextPage != 0, nil
}

func repositoryOf(installation int64, r *github.Repository) issues.Repository {
	return issues.Repository{Installation: installation, ID: r.GetID(), Owner: r.GetOwner().GetLogin(), Name: r.GetName()}
}

// IgnoreUnlisted lets pass that a server does not list the repositories of an installation, and returns any other error.
func IgnoreUnlisted(log zerolog.Logger, installation int64, err error) error {
	if issues.IsMissing(err) {
		log.Debug().Int64("installation", installation).Msg("this GitHub does not list an installation's repositories")
		return nil
	}
	return err
}
