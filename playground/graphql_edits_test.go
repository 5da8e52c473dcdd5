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

// GitHub lists the revisions of a text from the latest to the one that was written, each with all of its text.
func TestRevisionsOfAnIssueOverGraphQL(t *testing.T) {
	w := newWorld(t)
	issue := must[*github.Issue](t)(w.as("alice").Issues.Create(t.Context(), "acme", "shop", &github.IssueRequest{Title: new("Broken"), Body: new("one")}))
	const query = `query($owner: String!, $name: String!, $number: Int!, $first: Int) {
		repository(owner: $owner, name: $name) { issue(number: $number) {
			userContentEdits(first: $first) { totalCount nodes { editedAt deletedAt diff editor { __typename login } } pageInfo { hasNextPage } }
		} }
	}`
	revisions := func(first any) (map[string]any, any) {
		_, answer := w.query(w.auth("bob"), "/graphql", query, map[string]any{"owner": "acme", "name": "shop", "number": issue.GetNumber(), "first": first})
		of := answer["data"].(map[string]any)["repository"].(map[string]any)["issue"].(map[string]any)["userContentEdits"]
		found, _ := of.(map[string]any)
		return found, answer["errors"]
	}
	if got, failed := revisions(10); failed != nil || got["totalCount"] != 0. || len(got["nodes"].([]any)) != 0 {
		t.Errorf("of a text that nobody edited: %v, errors %v", got, failed)
	}
	for _, body := range []string{"two", "three"} {
		must[*github.Issue](t)(w.as("bob").Issues.Edit(t.Context(), "acme", "shop", issue.GetNumber(), &github.IssueRequest{Body: &body}))
	}
	got, failed := revisions(2)
	if failed != nil || got["totalCount"] != 3. || got["pageInfo"].(map[string]any)["hasNextPage"] != true {
		t.Errorf("two of three: %v, errors %v", got, failed)
	}
	got, _ = revisions(100)
	var texts []string
	for _, n := range got["nodes"].([]any) {
		n := n.(map[string]any)
		texts = append(texts, n["diff"].(string)+" by "+n["editor"].(map[string]any)["login"].(string))
	}
	if diff := cmp.Diff([]string{"three by bob", "two by bob", "one by alice"}, texts); diff != "" {
		t.Errorf("all of them (-want +got):\n%s", diff)
	}
	if _, failed := revisions(nil); failed == nil {
		t.Error("GitHub wants to know how many")
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
