package playground_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

// tell lists the messages of the commits to a path, newest first.
func (w *world) tell(path string) (messages []string, newest string) {
	w.t.Helper()
	list, _, err := w.as("bob").Repositories.ListCommits(context.Background(), "acme", "shop", &github.CommitsListOptions{Path: path})
	w.check(err)
	for _, c := range list {
		messages = append(messages, c.GetCommit().GetMessage())
	}
	if len(list) > 0 {
		newest = list[0].GetSHA()
	}
	return messages, newest
}

func TestCommitsToAPath(t *testing.T) {
	w := newWorld(t)
	w.check(w.SetFile("acme", "shop", "doc/a.md", "one\n"))
	w.check(w.SetFile("acme", "shop", "b.md", "one\n"))
	w.check(w.SetFile("acme", "shop", "doc/a.md", "two\n"))
	sha := w.must("alice", "GET", "/repos/acme/shop/contents/doc/a.md", "")["sha"]
	w.must("alice", "DELETE", "/repos/acme/shop/contents/doc/a.md", fmt.Sprintf(`{"message":"Gone","sha":%q}`, sha))
	for path, want := range map[string][]string{
		"":         {"Gone", "Update doc/a.md", "Update b.md", "Update doc/a.md", "Initial commit"},
		"doc":      {"Gone", "Update doc/a.md", "Update doc/a.md"},
		"doc/a.md": {"Gone", "Update doc/a.md", "Update doc/a.md"},
		"doc/a":    nil,
	} {
		got, _ := w.tell(path)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", path, diff)
		}
	}
}

func TestCommentsOnACommit(t *testing.T) {
	w := newWorld(t)
	w.check(w.SetFile("acme", "shop", "a.md", "one\n"))
	_, sha := w.tell("a.md")
	body := "This will not do."
	_, _, err := w.as("bob").Repositories.CreateComment(context.Background(), "acme", "shop", sha, &github.RepositoryComment{Body: &body})
	w.check(err)
	list, _, err := w.as("alice").Repositories.ListCommitComments(context.Background(), "acme", "shop", sha, nil)
	w.check(err)
	if len(list) != 1 || list[0].GetBody() != body || list[0].GetUser().GetLogin() != "bob" || list[0].GetCommitID() != sha {
		t.Errorf("the comments are %v", list)
	}
	_, _, err = w.as("bob").Repositories.CreateComment(context.Background(), "acme", "shop", "0123456789012345678901234567890123456789", &github.RepositoryComment{Body: &body})
	if answer := (*github.ErrorResponse)(nil); !errors.As(err, &answer) || answer.Response.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a comment on no commit: %v", err)
	}
}
