package playground_test

import (
	"net/http"
	"testing"

	"github.com/colony-app/colony/playground"
)

// What a narrow token opens of a repository that its user reads: the private one, its issue, and the issue of a public one.
func TestPersonalTokens(t *testing.T) {
	w := newWorld(t)
	w.AddRepository("acme", "vault")
	w.check(w.SetPrivate("acme", "vault", true))
	w.SetPermission("acme", "vault", "alice", "read")
	for _, name := range []string{"shop", "vault"} {
		w.must("alice", http.MethodPost, "/repos/acme/"+name+"/issues", `{"title":"One"}`)
	}
	const shown, hidden, refused = http.StatusOK, http.StatusNotFound, http.StatusForbidden
	for name, test := range map[string]struct {
		of                          playground.PersonalToken
		repository, private, public int
	}{
		"repo":               {playground.PersonalToken{Scopes: []string{"repo"}}, shown, shown, shown},
		"public_repo":        {playground.PersonalToken{Scopes: []string{"public_repo"}}, hidden, hidden, shown},
		"no scope":           {playground.PersonalToken{}, hidden, hidden, shown},
		"issues":             {playground.PersonalToken{Permissions: map[string]string{"issues": "read"}}, shown, shown, shown},
		"contents":           {playground.PersonalToken{Permissions: map[string]string{"contents": "read"}}, shown, refused, shown},
		"of this repository": {playground.PersonalToken{Permissions: map[string]string{"issues": "read"}, Repositories: []string{"acme/vault"}}, shown, shown, shown},
		"of another":         {playground.PersonalToken{Permissions: map[string]string{"issues": "read"}, Repositories: []string{"acme/shop"}}, hidden, hidden, shown},
	} {
		test.of.Login = "alice"
		token, err := w.AddPersonalToken(test.of)
		w.check(err)
		for path, want := range map[string]int{"vault": test.repository, "vault/issues/1": test.private, "shop/issues/1": test.public} {
			if response, _ := w.raw(http.MethodGet, "/repos/acme/"+path, "", "Authorization", "token "+token); response.StatusCode != want {
				t.Errorf("%s: %s answers %d, want %d", name, path, response.StatusCode, want)
			}
		}
	}
}
