package handlers

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
)

// What is not there any more is told at once, whether or not the event leads to a request.
func TestNewsAreTold(t *testing.T) {
	for _, c := range []struct{ name, event, body, want string }{
		{"deleted", "issues", issuesPayload("deleted", stated, byAda), "gone OctoOrg/Bee-Hive#3"},
		{"deleted without a state", "issues", issuesPayload("deleted", "", byAda), "gone OctoOrg/Bee-Hive#3"},
		{"transferred", "issues", issuesPayload("transferred", stated, byAda), "gone OctoOrg/Bee-Hive#3"},
		{"closed", "issues", issuesPayload("closed", "", byAda), "closed OctoOrg/Bee-Hive#3"},
		{"closed pull request", "issues", issuesPayload("closed", `, "pull_request": {}`, byAda), ""},
		{"reopened", "issues", issuesPayload("reopened", stated, byAda), ""},
		{"repositories removed", "installation_repositories", `{"action": "removed", "installation": {"id": 7}, "repositories_removed": [{"id": 1, "full_name": "a/b"}, {"id": 2, "full_name": "c"}]}`, "gone a/b"},
		{"of no installation", "installation_repositories", `{"action": "removed", "repositories_removed": [{"id": 1, "full_name": "a/b"}]}`, ""},
		{"repository deleted", "repository", fmt.Sprintf(`{"action": "deleted", %s}`, around), "gone OctoOrg/Bee-Hive"},
		{"repository renamed", "repository", fmt.Sprintf(`{"action": "renamed", %s}`, around), ""},
		{"uninstalled", "installation", `{"action": "deleted", "installation": {"id": 7}}`, "gone installation 7"},
		{"suspended", "installation", `{"action": "suspend", "installation": {"id": 7}}`, "gone installation 7"},
		{"uninstalled from nowhere", "installation", `{"action": "deleted"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			word := func(what string) func(issues.Ref) {
				return func(ref issues.Ref) {
					switch {
					case ref.Owner == "":
						got += fmt.Sprintf("%s installation %d", what, ref.Installation)
					case ref.Number == 0:
						got += what + " " + ref.Repository.String()
					default:
						got += what + " " + ref.String()
					}
				}
			}
			d := &fixture{}
			for _, h := range All(&d.publisher, onlyColony{}, &d.policies, News{Gone: word("gone"), Closed: word("closed")}, zerolog.Nop()) {
				for _, event := range h.Handles() {
					if event != c.event {
						continue
					}
					if err := h.Handle(t.Context(), event, "guid", []byte(c.body)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
