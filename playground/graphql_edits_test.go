package playground_test

import (
	"testing"
	"time"

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

func TestEditsOfCommentsOverGraphQL(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	issue := must[*github.Issue](t)(w.as("alice").Issues.Get(t.Context(), "acme", "shop", n))
	var ids []string
	for _, body := range []string{"one", "two"} {
		c := must[*github.IssueComment](t)(w.as("bob").Issues.CreateComment(t.Context(), "acme", "shop", n, &github.IssueComment{Body: &body}))
		ids = append(ids, c.GetNodeID())
	}
	list, _, err := w.as("bob").Issues.ListComments(t.Context(), "acme", "shop", n, nil)
	w.check(err)
	must[*github.IssueComment](t)(w.as("alice").Issues.EditComment(t.Context(), "acme", "shop", list[1].GetID(), &github.IssueComment{Body: new("2")}))
	const query = `query($ids: [ID!]!) {
		nodes(ids: $ids) { __typename id ... on Issue { lastEditedAt } ... on IssueComment { lastEditedAt editor { login } } }
	}`
	ask := func(ids ...string) (nodes []any, failed any) {
		_, answer := w.query(w.auth("bob"), "/graphql", query, map[string]any{"ids": ids})
		nodes, _ = answer["data"].(map[string]any)["nodes"].([]any)
		return nodes, answer["errors"]
	}
	nodes, failed := ask(ids[1], issue.GetNodeID(), ids[0])
	if failed != nil || len(nodes) != 3 {
		t.Fatalf("%v, errors %v", nodes, failed)
	}
	edited := nodes[0].(map[string]any)
	if at, is := edited["lastEditedAt"].(string); !is || at == "" {
		t.Errorf("no time of the edit: %v", edited)
	}
	if diff := cmp.Diff(map[string]any{"login": "alice"}, edited["editor"]); diff != "" {
		t.Errorf("the editor (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{
		map[string]any{"__typename": "Issue", "id": issue.GetNodeID(), "lastEditedAt": nil},
		map[string]any{"__typename": "IssueComment", "id": ids[0], "lastEditedAt": nil, "editor": nil},
	}, nodes[1:]); diff != "" {
		t.Errorf("nobody edited these (-want +got):\n%s", diff)
	}
	nodes, failed = ask(ids[0], "IC_none")
	if len(nodes) != 2 || nodes[0] == nil || nodes[1] != nil || failed == nil {
		t.Errorf("with an id of nothing: %v, errors %v", nodes, failed)
	}
}

func TestCommentsStampedLate(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	w.must("alice", "PUT", "/playground/late-stamps", `{"by":"1s"}`)
	c := must[*github.IssueComment](t)(w.as("bob").Issues.CreateComment(t.Context(), "acme", "shop", n, &github.IssueComment{Body: new("one")}))
	if late := c.GetUpdatedAt().Sub(c.GetCreatedAt().Time); late != time.Second {
		t.Errorf("updated %v after it was created", late)
	}
}
