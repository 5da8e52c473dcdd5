package issues

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/go-github/v62/github"
)

// oneClient gives every installation the same client.
type oneClient struct{ client *github.Client }

func (c oneClient) NewInstallationClient(int64) (*github.Client, error) { return c.client, nil }

func TestPermission(t *testing.T) {
	for _, row := range []struct {
		name   string
		status int
		answer string
		want   Permission
	}{
		{"flags", 200, `{"permission": "read", "role_name": "triage", "user": {"permissions": {"pull": true, "triage": true, "push": false}}}`, PermissionTriage},
		{"flags of a custom role", 200, `{"permission": "write", "role_name": "night shift", "user": {"permissions": {"pull": true, "triage": true, "push": true}}}`, PermissionWrite},
		{"no flags", 200, `{"permission": "read", "role_name": "triage", "user": {"login": "tara"}}`, PermissionTriage},
		{"no flags, folded word", 200, `{"permission": "write", "role_name": "maintain", "user": null}`, PermissionMaintain},
		{"no flags, the words of teams", 200, `{"permission": "push", "role_name": "write"}`, PermissionWrite},
		{"no flags, custom role", 200, `{"permission": "write", "role_name": "night shift", "user": {}}`, PermissionWrite},
		{"the word alone", 200, `{"permission": "admin"}`, PermissionAdmin},
		{"nothing", 200, `{"permission": "none", "role_name": "", "user": {"permissions": {"pull": false}}}`, PermissionNone},
		{"unknown user", 404, `{"message": "Not Found"}`, PermissionNone},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if want := "/repos/acme/widgets/collaborators/tara/permission"; r.URL.Path != want {
					t.Errorf("asked for %s, not for %s", r.URL.Path, want)
				}
				w.WriteHeader(row.status)
				_, _ = w.Write([]byte(row.answer))
			}))
			defer server.Close()
			client := github.NewClient(server.Client())
			client.BaseURL, _ = url.Parse(server.URL + "/")
			got, err := NewStore(oneClient{client}, &Actors{}).Permission(context.Background(), Repository{Owner: "acme", Name: "widgets"}, "tara")
			if err != nil {
				t.Fatal(err)
			}
			if got != row.want {
				t.Errorf("%s means %q, want %q", row.answer, got, row.want)
			}
		})
	}
}

func TestPermissionThatCannotBeRead(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	defer server.Close()
	client := github.NewClient(server.Client())
	client.BaseURL, _ = url.Parse(server.URL + "/")
	got, err := NewStore(oneClient{client}, &Actors{}).Permission(context.Background(), Repository{Owner: "acme", Name: "widgets"}, "tara")
	if err == nil {
		t.Errorf("not an error but %q", got)
	}
}
