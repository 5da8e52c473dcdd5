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
func (w *world) pullRequest(by string) int { return w.people.PullRequest(by) }
