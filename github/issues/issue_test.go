package issues

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-github/v62/github"
)

// GitHub's answers for acme/widgets#5, repository 7, once the one or the other is somewhere else.
func TestMoved(t *testing.T) {
	for _, row := range []struct {
		name     string
		id       int64  // of the repository that is asked for, as far as it is known
		redirect string // where GitHub sends us
		number   int
		repo     string // of the issue that is found there
		gone     bool
	}{
		{"where it was", 7, "", 5, "acme/widgets", false},
		{"by a name in other letters", 7, "", 5, "Acme/Widgets", false},
		{"the repository was renamed", 7, "/api/v3/repositories/7/issues/5", 5, "acme/gizmos", false},
		{"the repository was renamed, and nobody told its id", 0, "/api/v3/repositories/7/issues/5", 5, "acme/gizmos", true},
		{"transferred", 7, "/api/v3/repositories/8/issues/3", 3, "acme/gadgets", true},
		{"transferred to the same number", 7, "/api/v3/repositories/8/issues/5", 5, "acme/gadgets", true},
		{"transferred to the same number in what took the name", 7, "/api/v3/repositories/8/issues/5", 5, "acme/widgets", true},
		{"another name without a redirect", 7, "", 5, "acme/gadgets", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			const asked = "/api/v3/repos/acme/widgets/issues/5"
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/events"):
					fmt.Fprint(w, "[]")
				case r.URL.Path == asked && row.redirect != "":
					http.Redirect(w, r, row.redirect, http.StatusMovedPermanently)
				default:
					fmt.Fprintf(w, `{"number": %d, "repository_url": "http://%s/api/v3/repos/%s"}`, row.number, r.Host, row.repo)
				}
			}))
			defer server.Close()
			client := github.NewClient(server.Client())
			client.BaseURL, _ = url.Parse(server.URL + "/api/v3/")
			ref := Ref{Repository: Repository{ID: row.id, Owner: "acme", Name: "widgets"}, Number: 5}
			_, err := NewStore(oneClient{client}, &Actors{}).Load(t.Context(), ref)
			if errors.Is(err, ErrGone) != row.gone || err != nil && !row.gone {
				t.Errorf("gone should be %v: %v", row.gone, err)
			}
		})
	}
}
