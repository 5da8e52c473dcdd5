package app_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

// credential is a token of the access matrix. Its value is empty for a request without one.
type credential struct{ kind, token string }

// credentials are tokens of each kind. Most are rita's.
func (w *accessWorld) credentials() []credential {
	w.t.Helper()
	all := []credential{
		{"none", ""},
		{"malformed", "no token"},
		{"never issued", "ghp_" + strings.Repeat("0", 36)},
		{"the admin token", adminToken},
		{"nearly the admin token", adminToken[1:]},
		{"classic, every right", w.github.Token("mona")},
	}
	personal := func(kind string, p playground.PersonalToken) (value string) {
		if p.Login == "" {
			p.Login = "rita"
		}
		value, err := w.github.AddPersonalToken(p)
		w.Must(err)
		all = append(all, credential{kind, value})
		return value
	}
	repo := []string{"repo"}
	personal("classic, repo", playground.PersonalToken{Scopes: repo})
	personal("classic, public_repo", playground.PersonalToken{Scopes: []string{"public_repo"}})
	personal("classic, no scope", playground.PersonalToken{})
	personal("classic, repo, of somebody who reads no private repository", playground.PersonalToken{Login: "pat", Scopes: repo})
	personal("expired", playground.PersonalToken{Scopes: repo, Expires: time.Now().Add(-time.Hour)})
	w.github.RevokeToken(personal("revoked", playground.PersonalToken{Scopes: repo}))
	personal("of a deleted account", playground.PersonalToken{Login: "zoe", Scopes: repo})
	w.Must(w.github.DeleteUser("zoe"))
	personal("fine-grained, of another repository", playground.PersonalToken{Permissions: map[string]string{"issues": "write"}, Repositories: []string{"acme/vault"}})
	personal("fine-grained, nothing", playground.PersonalToken{Permissions: map[string]string{}})
	personal("fine-grained, issues: write", playground.PersonalToken{Permissions: map[string]string{"issues": "write"}})
	for i, permission := range []string{"issues", "metadata", "contents", "pull_requests", "checks", "administration"} {
		granted := map[string]string{permission: "read"}
		personal("fine-grained, "+permission, playground.PersonalToken{Permissions: granted})
		id, installed := w.narrowApp(int64(7000+i), granted)
		all = append(all, credential{"another App for rita, " + permission, w.authorized(id, "rita")}, credential{"another App's installation, " + permission, w.installationToken(installed)})
	}
	var id int64
	id, w.alien = w.narrowApp(7200, map[string]string{"issues": "read"})
	all = append(all, credential{"an App for rita, suspended later", w.authorized(id, "rita")}, credential{"an App's installation, suspended later", w.installationToken(w.alien)})
	id, installed := w.narrowApp(7100, map[string]string{"issues": "write"}, "vault")
	all = append(all, credential{"another App for rita, of another repository", w.authorized(id, "rita")}, credential{"another App's installation, of another repository", w.installationToken(installed)})
	for _, login := range []string{"rita", "pat", "mona"} {
		all = append(all, credential{"Colony's App for " + login, w.authorized(appID, login)})
	}
	all = append(all, credential{"Colony's installation", w.installationToken(w.Installation)})
	for owner, installed := range w.installations {
		all = append(all, credential{"Colony's installation on " + owner, w.installationToken(installed)})
	}
	return all
}

// narrowApp registers an App with some permissions, and installs it on acme.
func (w *accessWorld) narrowApp(id int64, granted map[string]string, repositories ...string) (app, installation int64) {
	w.t.Helper()
	a := apptest.App(apptest.ShortKey())
	a.ID, a.Slug, a.Permissions, a.Events = id, fmt.Sprintf("narrow%d", id), granted, nil
	w.Must(w.github.RegisterApp(a))
	return id, w.github.Install(id, "acme", repositories...)
}

// authorized is a token with which an App acts for a person.
func (w *accessWorld) authorized(app int64, login string) string {
	w.t.Helper()
	client := playground.App{ID: app}.ClientID()
	back, err := w.github.Authorize(playground.AuthorizationRequest{ClientID: client}, login)
	w.Must(err)
	to, err := url.Parse(back)
	w.Must(err)
	conf := oauth2.Config{ClientID: client, ClientSecret: apptest.ClientSecret, Endpoint: oauth2.Endpoint{TokenURL: w.url + "/login/oauth/access_token", AuthStyle: oauth2.AuthStyleInParams}}
	issued, err := conf.Exchange(ctx, to.Query().Get("code"))
	w.Must(err)
	return issued.AccessToken
}

func (w *accessWorld) installationToken(id int64) string {
	w.t.Helper()
	value, err := w.github.InstallationToken(id)
	w.Must(err)
	return value
}

// verdict is what GitHub's REST API answers to a token.
type verdict struct {
	// accepted says that GitHub takes the token. Colony answers no request without one, though GitHub shows what is public.
	accepted bool
	// issue and list are the statuses for the issue of each place, and for the issues of its repository; one for all if the token is not taken.
	issue, list []int
}

// judged asks GitHub's REST API about the issue of each place with a token, and about its list of issues if lists says so.
func (w *accessWorld) judged(token string, lists bool) (v verdict) {
	w.t.Helper()
	status := w.says(token, "/rate_limit")
	v.accepted = token != "" && status != http.StatusUnauthorized && status != http.StatusForbidden
	for _, p := range w.places {
		issue, list := status, status
		if v.accepted {
			issue = w.says(token, fmt.Sprintf("/repos/%s/issues/%d", p.full(), p.number))
		}
		if v.accepted && lists {
			list = w.says(token, "/repos/"+p.full()+"/issues?state=all&per_page=1")
		}
		v.issue, v.list = append(v.issue, issue), append(v.list, list)
	}
	return v
}

// says is the status of GitHub's REST API for a GET. No redirect is followed.
func (w *accessWorld) says(token, path string) int {
	w.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, w.url+path, http.NoBody)
	w.Must(err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := w.people.Wire.RoundTrip(request)
	w.Must(err)
	_, err = io.Copy(io.Discard, response.Body)
	w.Must(err)
	w.Must(response.Body.Close())
	return response.StatusCode
}

// askedTokens carries Colony's calls, and remembers the token that Colony asked GitHub about last.
type askedTokens struct {
	wire http.RoundTripper

	mu   sync.Mutex
	last string
}

func (s *askedTokens) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/user") {
		s.mu.Lock()
		s.last = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Unlock()
	}
	return s.wire.RoundTrip(r)
}

func (s *askedTokens) token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}
