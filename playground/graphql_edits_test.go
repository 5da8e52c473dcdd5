package playground_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func TestEditsOfAnIssueOverGraphQL(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	const query = `query($owner: String!, $name: String!, $number: Int!) {
		repository(owner: $owner, name: $name) { issue(number: $number) { lastEditedAt editor { __typename login } } }
	}`
	edited := func() any {
		_, answer := w.query(w.auth("bob"), "/graphql", query, map[string]any{"owner": "acme", "name": "shop", "number": n})
		return answer["data"].(map[string]any)["repository"].(map[string]any)["issue"]
	}
	if diff := cmp.Diff(map[string]any{"lastEditedAt": nil, "editor": nil}, edited()); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	_, _, err := w.as("alice").Issues.Edit(t.Context(), "acme", "shop", n, &github.IssueRequest{Title: new("Other")})
	w.check(err)
	if diff := cmp.Diff(map[string]any{"lastEditedAt": nil, "editor": nil}, edited()); diff != "" {
		t.Errorf("after another title (-want +got):\n%s", diff)
	}
	_, _, err = w.as("alice").Issues.Edit(t.Context(), "acme", "shop", n, &github.IssueRequest{Body: new("More")})
	w.check(err)
	got := edited().(map[string]any)
	if got["lastEditedAt"] == nil {
		t.Error("no time of the edit")
	}
	if diff := cmp.Diff(map[string]any{"__typename": "User", "login": "alice"}, got["editor"]); diff != "" {
		t.Errorf("the editor (-want +got):\n%s", diff)
	}
}
