package acme

import (
	"context"

	"github.com/google/go-github/v62/github"
)

// PullRequest opens a pull request that adds a file, and returns its number.
func (g *GitHub) PullRequest(by string) int {
	g.t.Helper()
	client, ctx := g.As(by), context.Background()
	g.Commit("widgets", "README.md", "# Widgets")
	main, _, err := client.Git.GetRef(ctx, "acme", "widgets", "heads/main")
	g.Must(err)
	_, _, err = client.Git.CreateRef(ctx, "acme", "widgets", &github.Reference{Ref: new("refs/heads/change"), Object: main.Object})
	g.Must(err)
	_, _, err = client.Repositories.CreateFile(ctx, "acme", "widgets", "new.txt", &github.RepositoryContentFileOptions{
		Message: new("Add a file"), Content: []byte("new"), Branch: new("change"),
	})
	g.Must(err)
	pull, _, err := client.PullRequests.Create(ctx, "acme", "widgets", &github.NewPullRequest{Title: new("A change"), Head: new("change"), Base: new("main")})
	g.Must(err)
	return pull.GetNumber()
}

// Remove deletes a file from the default branch of a repository of acme.
func (g *GitHub) Remove(repo, path string) {
	g.t.Helper()
	client, ctx := g.As("olivia"), context.Background()
	content, _, _, err := client.Repositories.GetContents(ctx, "acme", repo, path, nil)
	g.Must(err)
	_, _, err = client.Repositories.DeleteFile(ctx, "acme", repo, path, &github.RepositoryContentFileOptions{Message: new("Gone"), SHA: content.SHA})
	g.Must(err)
}
