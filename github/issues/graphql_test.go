package issues

import (
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

const asksLinks = `> POST graphql {"query":"closedByPullRequestsReferences","variables":{"name":"widgets","number":1,"owner":"acme"}}` + "\n"

// What GitHub answers instead of data, and what becomes of the same question afterwards.
func TestRefusedQuestions(t *testing.T) {
	const linked = `< 200 {"data":{"repository":{"issue":{"closedByPullRequestsReferences":{"nodes":[{"number":7,"repository":{"nameWithOwner":"Acme/Widgets"}},{"number":8,"repository":{"nameWithOwner":"acme/gears"}}]}}}}}`
	const none = ""
	for name, row := range map[string]struct {
		answer  string
		wrong   string
		numbers bool
		again   time.Duration // how long it is not asked again; 0: at once
		others  bool          // for other repositories too
	}{
		"data":                      {linked, none, true, 0, false},
		"no such address":           {"< 404", none, false, missingFor, true},
		"no such method":            {"< 405", none, false, missingFor, true},
		"gone":                      {"< 410", none, false, missingFor, true},
		"not implemented":           {"< 501", none, false, missingFor, true},
		"no such field":             {`< 200 {"errors":[{"extensions":{"code":"undefinedField"}}]}`, none, false, missingFor, true},
		"no such argument":          {`< 200 {"errors":[{"extensions":{"code":"argumentNotAccepted"}}]}`, none, false, missingFor, true},
		"no such field, in words":   {`< 200 {"errors":[{"message":"Field 'x' doesn't exist on type 'Y'"}]}`, none, false, missingFor, true},
		"no such field, in others'": {`< 200 {"errors":[{"message":"Cannot query field x"}]}`, none, false, missingFor, true},
		"forbidden":                 {"< 403 {}", "GitHub does not let this App read that by GraphQL", false, forbiddenFor, false},
		"forbidden by an error":     {`< 200 {"errors":[{"type":"FORBIDDEN","message":"no"}]}`, "read that by GraphQL: FORBIDDEN: no", false, forbiddenFor, false},
		"scopes":                    {`< 200 {"errors":[{"type":"INSUFFICIENT_SCOPES"}]}`, "read that by GraphQL", false, forbiddenFor, false},
		"forbidden in words":        {`< 200 {"errors":[{"message":"Resource not accessible by integration"}]}`, "read that by GraphQL: Resource not", false, forbiddenFor, false},
		"one element forbidden":     {`< 200 {"errors":[{"type":"FORBIDDEN","path":["nodes",0]}]}`, none, false, 0, false},
		"one element not there":     {`< 200 {"errors":[{"type":"NOT_FOUND","path":["nodes",0]}]}`, none, false, 0, false},
		"not there":                 {`< 200 {"errors":[{"type":"NOT_FOUND","path":["nodes"],"message":"gone"},{"message":"x"}]}`, "ask GraphQL: NOT_FOUND: gone; x", false, 0, false},
		"another error of one":      {`< 200 {"errors":[{"type":"OTHER","path":["nodes",0]}]}`, "ask GraphQL: OTHER", false, 0, false},
		"not now":                   {"< 502", "ask GraphQL: POST", false, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			script := asksLinks + row.answer
			if row.again == 0 {
				script += "\n" + asksLinks + row.answer
			}
			if !row.others {
				script += "\n" + `> POST graphql {"query":"closedByPullRequestsReferences","variables":{"name":"gears","number":1,"owner":"acme"}}` + "\n< 200 {}"
			}
			if row.again != 0 {
				script += "\n" + asksLinks + row.answer
			}
			holds(t, script, func(s *Store, clock *clockwork.FakeClock) {
				client := s.client(widgets)
				asks := func() {
					t.Helper()
					got, err := s.about(client, theIssue).linked(t.Context(), linkedQuery)
					var want []int
					if row.numbers {
						want = []int{7}
					}
					says(t, want, got, err, row.wrong)
				}
				asks()
				clock.Advance(row.again - 1)
				asks()
				other := theIssue
				other.Name = "gears"
				_, err := s.about(client, other).linked(t.Context(), linkedQuery)
				says(t, any(nil), nil, err, "")
				if row.again != 0 {
					clock.Advance(1)
					asks()
				}
			})
		})
	}
}
