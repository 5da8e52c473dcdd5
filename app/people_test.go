package app_test

import (
	"context"
	"time"

	"github.com/google/go-github/v62/github"
)

const hour = time.Hour

var ctx = context.Background()

// edit opens or closes an issue.
func (i *issue) edit(by, state string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.Edit(ctx, "acme", "widgets", i.number, &github.IssueRequest{State: &state})
	i.must(err)
}

// editLabel renames a label of the repository.
func (w *world) editLabel(from, to string) {
	w.t.Helper()
	_, _, err := w.as("olivia").Issues.EditLabel(ctx, "acme", "widgets", from, &github.Label{Name: &to})
	w.must(err)
}

// pullRequest opens a pull request and returns its number.
func (w *world) pullRequest(by string) int {
	w.t.Helper()
	client := w.as(by)
	w.must(w.github.SetFile("acme", "widgets", "README.md", "# Widgets"))
	main, _, err := client.Git.GetRef(ctx, "acme", "widgets", "heads/main")
	w.must(err)
	branch := "refs/heads/change"
	_, _, err = client.Git.CreateRef(ctx, "acme", "widgets", &github.Reference{Ref: &branch, Object: main.Object})
	w.must(err)
	_, _, err = client.Repositories.CreateFile(ctx, "acme", "widgets", "new.txt", &github.RepositoryContentFileOptions{
		Message: new("Add a file"), Content: []byte("new"), Branch: new("change"),
	})
	w.must(err)
	pull, _, err := client.PullRequests.Create(ctx, "acme", "widgets", &github.NewPullRequest{
		Title: new("A change"), Head: new("change"), Base: new("main"),
	})
	w.must(err)
	return pull.GetNumber()
}
