package playground_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who may write can pin three issues, and unpin them; nobody else can.
func TestPinIssue(t *testing.T) {
	w := newWorld(t)
	w.SetPermission("acme", "shop", "bob", "write")
	mutate := func(login, field, id string) (data any, failed []string) {
		_, answer := w.query(w.auth(login), "/graphql", `mutation($id: ID!) { `+field+`(input: {issueId: $id, clientMutationId: "7"}) { clientMutationId issue { isPinned } } }`, map[string]any{"id": id})
		return answer["data"], errorsOf(answer)
	}
	var ids []string
	for range 4 {
		ids = append(ids, w.open("alice", "Broken").GetNodeID())
	}
	if _, failed := mutate("mallory", "pinIssue", ids[0]); !cmp.Equal(failed, []string{"FORBIDDEN mallory does not have the correct permissions to execute `PinIssue`"}) {
		t.Errorf("a stranger: %q", failed)
	}
	if _, failed := mutate("bob", "unpinIssue", ids[0]); !cmp.Equal(failed, []string{"UNPROCESSABLE Issue is not pinned"}) {
		t.Errorf("not pinned: %q", failed)
	}
	for _, id := range ids[:3] {
		data, failed := mutate("bob", "pinIssue", id)
		want := map[string]any{"pinIssue": map[string]any{"clientMutationId": "7", "issue": map[string]any{"isPinned": true}}}
		if diff := cmp.Diff(want, data); diff != "" || len(failed) > 0 {
			t.Errorf("%q %s", failed, diff)
		}
	}
	if _, failed := mutate("bob", "pinIssue", ids[0]); !cmp.Equal(failed, []string{"UNPROCESSABLE Issue is already pinned"}) {
		t.Errorf("again: %q", failed)
	}
	if _, failed := mutate("bob", "pinIssue", ids[3]); !cmp.Equal(failed, []string{"UNPROCESSABLE Maximum 3 pinned issues per repository"}) {
		t.Errorf("a fourth: %q", failed)
	}
	if data, failed := mutate("bob", "unpinIssue", ids[1]); len(failed) > 0 || data == nil {
		t.Errorf("%v %q", data, failed)
	}
	if _, failed := mutate("bob", "pinIssue", ids[3]); len(failed) > 0 {
		t.Errorf("there is room again: %q", failed)
	}
}
