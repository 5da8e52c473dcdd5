package playground_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who may write can make labels, several with one mutation: one that fails stops none behind it.
func TestCreateLabel(t *testing.T) {
	w := newWorld(t)
	w.SetPermission("acme", "shop", "bob", "write")
	_, answer := w.query(w.auth("bob"), "/graphql", `{ repository(owner: "acme", name: "shop") { id } }`, nil)
	id := answer["data"].(map[string]any)["repository"].(map[string]any)["id"]
	mutate := func(login string, id any, fields string) (data any, failed []string) {
		_, answer := w.query(w.auth(login), "/graphql", `mutation($r: ID!) { `+fields+` }`, map[string]any{"r": id})
		return answer["data"], errorsOf(answer)
	}
	const a, b, wrong = `a: createLabel(input: {repositoryId: $r, name: "a", color: "00ff00", description: "An a", clientMutationId: "7"}) { clientMutationId label { name color description } }`,
		`b: createLabel(input: {repositoryId: $r, name: "b", color: "ffffff"}) { label { name description } }`,
		`wrong: createLabel(input: {repositoryId: $r, name: "c", color: "white"}) { clientMutationId }`
	for login, want := range map[string]string{"mallory": "FORBIDDEN mallory does not have the correct permissions to execute `CreateLabel`", "bob": ""} {
		_, failed := mutate(login, id, `x: createLabel(input: {repositoryId: $r, name: "x", color: "ffffff"}) { label { id } }`)
		if want == "" && len(failed) > 0 || want != "" && !cmp.Equal(failed, []string{want}) {
			t.Errorf("%s: %q", login, failed)
		}
	}
	data, failed := mutate("bob", id, a+wrong+b)
	want := map[string]any{
		"a":     map[string]any{"clientMutationId": "7", "label": map[string]any{"name": "a", "color": "00ff00", "description": "An a"}},
		"wrong": nil,
		"b":     map[string]any{"label": map[string]any{"name": "b", "description": nil}},
	}
	if diff := cmp.Diff(want, data); diff != "" || !cmp.Equal(failed, []string{"UNPROCESSABLE Color or description is invalid"}) {
		t.Errorf("%q %s", failed, diff)
	}
	for _, row := range []struct {
		id         any
		name, want string
	}{
		{id, "A", "UNPROCESSABLE Name has already been taken"},
		{id, " ", "UNPROCESSABLE Name is invalid"},
		{"R_none", "d", "NOT_FOUND Could not resolve to a node with the global id of 'R_none'"},
	} {
		if _, failed := mutate("bob", row.id, `createLabel(input: {repositoryId: $r, name: "`+row.name+`", color: "ffffff"}) { clientMutationId }`); !cmp.Equal(failed, []string{row.want}) {
			t.Errorf("%v %q: %q", row.id, row.name, failed)
		}
	}
	labels, _, err := w.as("bob").Issues.ListLabels(t.Context(), "acme", "shop", nil)
	w.check(err)
	made := map[string]bool{}
	for _, l := range labels {
		made[l.GetName()] = true
	}
	if !made["a"] || !made["b"] || !made["x"] || made["c"] {
		t.Errorf("the repository has %v", made)
	}
}
