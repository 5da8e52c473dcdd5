package playground_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

// GitHub tells who pushed what to a branch, and when, whatever the commits say; the latest first.
func TestActivityOfABranch(t *testing.T) {
	w := newWorld(t)
	n := w.pull("alice", "fix", "")
	for _, by := range []string{"bob", "alice"} {
		_, err := w.Push("acme", "shop", "fix", "a.txt", by, by)
		w.check(err)
	}
	_, err := w.Push("acme", "shop", "other", "b.txt", "b", "bob")
	w.check(err)
	list := func(query string) (got []string, last string) {
		request, err := w.as("bob").NewRequest("GET", "repos/acme/shop/activity"+query, nil)
		w.check(err)
		var found []struct {
			Before, After, Ref string
			Kind               string `json:"activity_type"`
			Actor              struct{ Login string }
		}
		_, err = w.as("bob").Do(t.Context(), request, &found)
		w.check(err)
		for i, a := range found {
			got = append(got, fmt.Sprintf("%s by %s to %s", a.Kind, a.Actor.Login, a.Ref))
			if i > 0 && query == "?ref=fix" && found[i-1].Before != a.After {
				t.Errorf("%s does not go on where %s ends", found[i-1].Before, a.After)
			}
		}
		return got, found[0].After
	}
	got, last := list("?ref=fix")
	if diff := cmp.Diff([]string{"push by alice to refs/heads/fix", "push by bob to refs/heads/fix", "push by alice to refs/heads/fix", "branch_creation by alice to refs/heads/fix"}, got); diff != "" {
		t.Errorf("of the branch (-want +got):\n%s", diff)
	}
	pull := must[*github.PullRequest](t)(w.as("bob").PullRequests.Get(t.Context(), "acme", "shop", n))
	if last != pull.GetHead().GetSHA() {
		t.Errorf("the latest is not the head of the pull request")
	}
	if got, _ := list("?ref=refs/heads/other&direction=asc&per_page=1"); len(got) != 1 || got[0] != "branch_creation by bob to refs/heads/other" {
		t.Errorf("the first of another: %v", got)
	}
}
