package client

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/issues"
)

// Content is what a repository has at a path.
type Content struct {
	Name string
	Kind string // "file", "dir", "symlink" or "submodule"
	Blob string // git's name of the content
	Size int    // in bytes
	// Text is the content of a file, which no listing has. Unreadable says why GitHub does not show it; nil if it does.
	Text       []byte
	Unreadable error
}

func contentOf(c *github.RepositoryContent) Content {
	return Content{Name: c.GetName(), Kind: c.GetType(), Blob: c.GetSHA(), Size: c.GetSize()}
}

// Folder lists what a folder has in the default branch of a repository, nothing if there is no such folder, or none that Colony can see.
func Folder(ctx context.Context, clients issues.Clients, repo issues.Repository, at string) ([]Content, error) {
	client, err := clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return nil, err
	}
	_, listed, _, err := client.Repositories.GetContents(ctx, repo.Owner, repo.Name, at, nil)
	if notThere(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s of %s: %w", at, repo, err)
	}
	all := make([]Content, 0, len(listed))
	for _, c := range listed {
		all = append(all, contentOf(c))
	}
	return all, nil
}

// File reads a file as it is in a commit, or in the default branch. There is false if there is no such file, or none that Colony can see.
func File(ctx context.Context, clients issues.Clients, repo issues.Repository, at, ref string) (f Content, there bool, err error) {
	client, err := clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return f, false, err
	}
	found, _, _, err := client.Repositories.GetContents(ctx, repo.Owner, repo.Name, at, &github.RepositoryContentGetOptions{Ref: ref})
	switch {
	case notThere(err):
		return f, false, nil
	case err != nil:
		return f, false, fmt.Errorf("read %s of %s: %w", path.Join(ref, at), repo, err)
	case found == nil:
		return Content{Name: path.Base(at), Kind: "dir"}, true, nil
	}
	f = contentOf(found)
	text, err := found.GetContent()
	f.Text, f.Unreadable = []byte(text), err
	return f, true, nil
}

// Commit is a commit to the default branch.
type Commit struct {
	SHA string
	At  time.Time // when it was committed
}

// CommitsTo lists the commits to the default branch that touched a file, newest first, at most so many. The list is empty where GitHub has none or does not
// show them.
func CommitsTo(ctx context.Context, clients issues.Clients, repo issues.Repository, at string, most int) ([]Commit, error) {
	client, err := clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return nil, err
	}
	list, _, err := client.Repositories.ListCommits(ctx, repo.Owner, repo.Name, &github.CommitsListOptions{
		Path: at, ListOptions: github.ListOptions{PerPage: most},
	})
	if notThere(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the commits to %s of %s: %w", at, repo, err)
	}
	all := make([]Commit, 0, len(list))
	for _, c := range list {
		all = append(all, Commit{c.GetSHA(), c.GetCommit().GetCommitter().GetDate().Time})
	}
	return all, nil
}

// notThere reports whether GitHub answered that there is nothing (404, or 409 where a repository is empty), or nothing that Colony
// can see (403). A rate limit is neither: the clients make it another error.
func notThere(err error) bool {
	if issues.IsGone(err) {
		return false
	}
	code, _ := issues.Answer(err)
	return code == http.StatusNotFound || code == http.StatusForbidden || code == http.StatusConflict
}
