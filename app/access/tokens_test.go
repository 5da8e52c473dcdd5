package access_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"golang.org/x/oauth2"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/apptest"
	"github.com/colony-app/colony/playground"
)

// narrow registers an App with some permissions, installs it on acme, and returns rita's token through it and one of its installation.
func (w *world) narrow(id int64, granted map[string]string) (user, installation string) {
	w.t.Helper()
	app := apptest.App(apptest.ShortKey())
	app.ID, app.Slug, app.Permissions = id, fmt.Sprintf("narrow%d", id), granted
	w.must(w.github.RegisterApp(app))
	installed := w.github.Install(id, "acme")
	back, err := w.github.Authorize(playground.AuthorizationRequest{ClientID: app.ClientID()}, "rita")
	w.must(err)
	to, err := url.Parse(back)
	w.must(err)
	conf := oauth2.Config{ClientID: app.ClientID(), ClientSecret: app.ClientSecret, Endpoint: oauth2.Endpoint{TokenURL: w.address + "/login/oauth/access_token", AuthStyle: oauth2.AuthStyleInParams}}
	issued, err := conf.Exchange(context.Background(), to.Query().Get("code"))
	w.must(err)
	value, err := w.github.InstallationToken(installed)
	w.must(err)
	return issued.AccessToken, value
}

// says is what GitHub's REST API answers to a token.
func (w *world) says(token, path string) int {
	w.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, w.address+path, http.NoBody)
	w.must(err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultTransport.RoundTrip(request)
	w.must(err)
	_, err = io.Copy(io.Discard, response.Body)
	w.must(err)
	w.must(response.Body.Close())
	return response.StatusCode
}

// TestEachTokenReadsTheIssuesThatGitHubShowsIt compares each question with what GitHub's REST API answers to the same token.
func TestEachTokenReadsTheIssuesThatGitHubShowsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := []string{"widgets", "secret", "hidden", "nothing"}
	admin := github.NewClient(nil).WithAuthToken(w.github.Token("dev"))
	base, err := url.Parse(w.address + "/")
	w.must(err)
	admin.BaseURL = base
	for _, name := range names[:3] {
		_, _, err := admin.Issues.Create(context.Background(), "acme", name, &github.IssueRequest{Title: new("One")})
		w.must(err)
	}
	personal := func(p playground.PersonalToken) string {
		p.Login = "rita"
		value, err := w.github.AddPersonalToken(p)
		w.must(err)
		return value
	}
	tokens := map[string]string{
		"classic, repo": personal(playground.PersonalToken{Scopes: []string{"repo"}}), "classic, public_repo": personal(playground.PersonalToken{Scopes: []string{"public_repo"}}),
		"classic, no scope": personal(playground.PersonalToken{}), "expired": personal(playground.PersonalToken{Scopes: []string{"repo"}, Expires: time.Now().Add(-time.Hour)}),
		"revoked": personal(playground.PersonalToken{Scopes: []string{"repo"}}),
	}
	w.github.RevokeToken(tokens["revoked"])
	for i, permission := range []string{"metadata", "contents", "pull_requests", "checks", "issues"} {
		granted := map[string]string{permission: "read"}
		tokens["fine-grained, "+permission] = personal(playground.PersonalToken{Permissions: granted})
		tokens["user, "+permission], tokens["installation, "+permission] = w.narrow(int64(7000+i), granted)
	}
	ctx, readers := context.Background(), 0
	for kind, token := range tokens {
		v, err := w.reader.Issued(ctx, token)
		if refused := w.says(token, "/rate_limit") == http.StatusUnauthorized; refused || err != nil {
			if !refused || !errors.Is(err, access.ErrRefused) {
				t.Errorf("%s: %v, refused by GitHub: %t", kind, err, refused)
			}
			continue
		}
		together, err := w.among(v, names...)
		w.must(err)
		for _, name := range names {
			one, err := w.reader.MayReadIssue(ctx, v, "acme", name, 1)
			w.must(err)
			if status := w.says(token, "/repos/acme/"+name+"/issues/1"); one != (status == http.StatusOK) {
				t.Errorf("%s, issue of %s: %t, GitHub answers %d", kind, name, one, status)
			}
			status := w.says(token, "/repos/acme/"+name+"/issues")
			if many := w.may(v, name); many != (status == http.StatusOK) || slices.Contains(together, name) != many {
				t.Errorf("%s, issues of %s: %t, among many %v, GitHub answers %d", kind, name, many, together, status)
			}
			if one && name == "secret" {
				readers++
			}
			if one && name == "secret" && strings.Contains(kind, "metadata") {
				t.Errorf("%s reads an issue of a private repository", kind)
			}
		}
	}
	if readers < 4 {
		t.Errorf("only %d kinds of tokens read the private issue", readers)
	}
}

func TestAnUnchangedIssueCostsAConditionalCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := w.viewer(w.github.Token("rita"))
	for range 2 {
		if !w.may(v, "secret") {
			t.Fatal("rita cannot read")
		}
		w.clock.Advance(access.Kept)
	}
	calls := w.github.Calls()
	if last := calls[len(calls)-1]; last.Status != http.StatusNotModified {
		t.Errorf("the second question is answered with %d", last.Status)
	}
}
