package playground_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

// Who triages can hide a comment; the author of an issue cannot, and nothing but a comment is hidden.
func TestMinimizeComment(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	comment := must[*github.IssueComment](t)(w.as("alice").Issues.CreateComment(t.Context(), "acme", "shop", n, &github.IssueComment{Body: new("Never mind.")}))
	const mutation = `mutation($id: ID!, $why: ReportedContentClassifiers!) {
		minimizeComment(input: {subjectId: $id, classifier: $why, clientMutationId: "7"}) { clientMutationId minimizedComment { isMinimized minimizedReason viewerCanMinimize } }
	}`
	minimize := func(login, id, why string) (answer map[string]any, failed []string) {
		_, answer = w.query(w.auth(login), "/graphql", mutation, map[string]any{"id": id, "why": why})
		return answer, errorsOf(answer)
	}
	if _, failed := minimize("mallory", comment.GetNodeID(), "RESOLVED"); !cmp.Equal(failed, []string{"FORBIDDEN mallory does not have the correct permissions to execute `MinimizeComment`"}) {
		t.Errorf("a stranger: %q", failed)
	}
	if _, failed := minimize("bob", "IC_none", "RESOLVED"); len(failed) != 1 {
		t.Errorf("no such comment: %q", failed)
	}
	if _, failed := minimize("bob", comment.GetNodeID(), "BORING"); len(failed) != 1 {
		t.Errorf("no such reason: %q", failed)
	}
	answer, failed := minimize("bob", comment.GetNodeID(), "RESOLVED")
	want := map[string]any{"minimizeComment": map[string]any{
		"clientMutationId": "7",
		"minimizedComment": map[string]any{"isMinimized": true, "minimizedReason": "resolved", "viewerCanMinimize": true},
	}}
	if diff := cmp.Diff(want, answer["data"]); diff != "" || len(failed) > 0 {
		t.Errorf("%q %s", failed, diff)
	}
	_, seen := w.query(w.auth("bob"), "/graphql", `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { isMinimized minimizedReason } } }`, map[string]any{"ids": []string{comment.GetNodeID()}})
	if diff := cmp.Diff(map[string]any{"nodes": []any{map[string]any{"isMinimized": true, "minimizedReason": "resolved"}}}, seen["data"]); diff != "" {
		t.Error(diff)
	}
}
