package client

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/issues"
)

// Visibility is who is allowed to read a repository, in GitHub's words: https://docs.github.com/rest/repos/repos#get-a-repository.
type Visibility string

// The words for it: everybody, the members of the enterprise, and those who were given access.
const (
	Public   Visibility = "public"
	Internal Visibility = "internal"
	Private  Visibility = "private"
)

func visibilityOf(r *github.Repository) Visibility {
	switch v := Visibility(r.GetVisibility()); {
	case v == Public && !r.GetPrivate(), v == Internal:
		return v
	case v == "" && !r.GetPrivate(): // an old server
		return Public
	}
	return Private
}

// within reports whether what is in a repository of this visibility can be shown to the readers of a repository of the other one.
func (v Visibility) within(other Visibility) bool {
	order := []Visibility{Public, Internal, Private}
	return slices.Index(order, v) <= slices.Index(order, other)
}

// VisibilityOf reads who is allowed to read a repository.
func VisibilityOf(ctx context.Context, clients issues.Clients, repo issues.Repository) (Visibility, error) {
	client, err := clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return Private, err
	}
	r, _, err := client.Repositories.Get(ctx, repo.Owner, repo.Name)
	if err != nil {
		return Private, fmt.Errorf("read who may read %s: %w", repo, err)
	}
	return visibilityOf(r), nil
}

// RepositoriesWithin returns one page of the repositories of an installation that can be named to the readers of a repository of a visibility. It
// also returns how many others there are on the page, and whether there are further pages.
func RepositoriesWithin(ctx context.Context, clients issues.Clients, installation int64, page int, visibility Visibility) (list []issues.Repository, others int, more bool, err error) {
	client, err := clients.NewInstallationClient(installation)
	if err != nil {
		return nil, 0, false, err
	}
	batch, response, err := client.Apps.ListRepos(ctx, &github.ListOptions{PerPage: 100, Page: page})
	if err != nil {
		return nil, 0, false, fmt.Errorf("list the repositories of installation %d: %w", installation, err)
	}
	for _, r := range batch.Repositories {
		if !visibilityOf(r).within(visibility) {
			others++
			continue
		}
		list = append(list, repositoryOf(installation, r))
	}
	return list, others, response.NextPage != 0, nil
}
