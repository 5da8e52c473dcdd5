package app

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/issues"
)

// allInstallations lists the App's installations, also those that are suspended.
func allInstallations(ctx context.Context, app *github.Client) ([]*github.Installation, error) {
	var all []*github.Installation
	page := &github.ListOptions{PerPage: 100}
	for {
		list, response, err := app.Apps.ListInstallations(ctx, page)
		if err != nil {
			return nil, fmt.Errorf("list the installations: %w", err)
		}
		all = append(all, list...)
		if response.NextPage == 0 {
			return all, nil
		}
		page.Page = response.NextPage
	}
}

// eachRepository does something about every repository of an installation, page by page as GitHub lists them, until that fails.
func eachRepository(ctx context.Context, clients issues.Clients, installation int64, do func(issues.Repository) error) error {
	client, err := clients.NewInstallationClient(installation)
	if err != nil {
		return err
	}
	page := &github.ListOptions{PerPage: 100}
	for {
		list, response, err := client.Apps.ListRepos(ctx, page)
		if err != nil {
			return fmt.Errorf("list the repositories of installation %d: %w", installation, err)
		}
		for _, r := range list.Repositories {
			if err := do(repositoryOf(installation, r)); err != nil {
				return err
			}
		}
		if response.NextPage == 0 {
			return nil
		}
		page.Page = response.NextPage
	}
}

func repositoryOf(installation int64, r *github.Repository) issues.Repository {
	return issues.Repository{Installation: installation, ID: r.GetID(), Owner: r.GetOwner().GetLogin(), Name: r.GetName()}
}
