package playground_test

import (
	"context"
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"golang.org/x/oauth2"

	"github.com/colony-app/colony/playground"
)

// signsIn asks for a code as the button of the page does.
func (w *world) signsIn(login string, r playground.AuthorizationRequest) (code string) {
	w.t.Helper()
	r.ClientID = clientID()
	address, err := w.Authorize(r, login)
	w.check(err)
	back, err := url.Parse(address)
	w.check(err)
	if back.Query().Get("state") != r.State {
		w.t.Errorf("the state is %q", back.Query().Get("state"))
	}
	return back.Query().Get("code")
}

// exchanged is what GitHub says to a form.
func (w *world) exchanged(form url.Values) url.Values {
	w.t.Helper()
	given := url.Values{"client_id": {clientID()}, "client_secret": {clientSecret}}
	maps.Copy(given, form)
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, w.base+"/login/oauth/access_token", strings.NewReader(given.Encode()))
	w.check(err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	w.check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	w.check(err)
	if response.StatusCode != http.StatusOK { // that of mistakes, too
		w.t.Errorf("%s: %s", response.Status, text)
	}
	said, err := url.ParseQuery(string(text))
	w.check(err)
	return said
}

// What a client library does works: with a proof of who began, and once.
func TestSigningIn(t *testing.T) {
	w := newWorld(t)
	config := oauth2.Config{
		ClientID: clientID(), ClientSecret: clientSecret, RedirectURL: callback,
		Endpoint: oauth2.Endpoint{AuthURL: w.base + "/login/oauth/authorize", TokenURL: w.base + "/login/oauth/access_token"},
	}
	verifier := oauth2.GenerateVerifier()
	asked, err := url.Parse(config.AuthCodeURL("s7", oauth2.S256ChallengeOption(verifier)))
	w.check(err)
	code := w.signsIn("alice", playground.ReadAuthorizationRequest(asked.Query()))
	token, err := config.Exchange(t.Context(), code, oauth2.VerifierOption(verifier))
	w.check(err)
	if !strings.HasPrefix(token.AccessToken, "ghu_") || token.Type() != "Bearer" || token.Expiry.Before(time.Now().Add(7*time.Hour)) {
		t.Errorf("the token is %+v", token)
	}
	if response, user := w.raw("GET", "/user", "", "Authorization", "Bearer "+token.AccessToken); response.StatusCode != 200 || user["login"] != "alice" {
		t.Errorf("it is the token of %v: %s", user["login"], response.Status)
	}
	if _, err := config.Exchange(t.Context(), code, oauth2.VerifierOption(verifier)); err == nil || !strings.Contains(err.Error(), "bad_verification_code") {
		t.Errorf("the code is good twice: %v", err)
	}
	exchanges := 0
	for _, call := range w.Calls() {
		if call.Method == http.MethodPost && call.Path == "/login/oauth/access_token" {
			exchanges++
		}
	}
	if exchanges != 3 { // at first the library finds out how to send the secret
		t.Errorf("the journal has %d exchanges, not 3: %+v", exchanges, w.Calls())
	}

	renewed := w.exchanged(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token.RefreshToken}})
	if response, _ := w.raw("GET", "/user", "", "Authorization", "Bearer "+renewed.Get("access_token")); response.StatusCode != 200 {
		t.Errorf("the renewed token: %s", response.Status)
	}
	if response, _ := w.raw("GET", "/user", "", "Authorization", "Bearer "+token.AccessToken); response.StatusCode != 401 {
		t.Errorf("the token that was renewed: %s", response.Status)
	}
	if said := w.exchanged(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token.RefreshToken}}); said.Get("error") != "bad_refresh_token" {
		t.Errorf("a refresh token is good twice: %v", said)
	}

	end := func(name, password string) int {
		basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))
		response, _ := w.raw("DELETE", "/applications/"+clientID()+"/token", `{"access_token":"`+renewed.Get("access_token")+`"}`, "Authorization", basic)
		return response.StatusCode
	}
	if got := []int{end(clientID(), "wrong"), end(clientID(), clientSecret), end(clientID(), clientSecret)}; !cmp.Equal(got, []int{404, 204, 404}) {
		t.Errorf("ending the token: %v", got)
	}
	if response, _ := w.raw("GET", "/user", "", "Authorization", "Bearer "+renewed.Get("access_token")); response.StatusCode != 401 {
		t.Errorf("a token that was ended: %s", response.Status)
	}
}

func TestSigningInIsRefused(t *testing.T) {
	w := newWorld(t)
	for name, test := range map[string]struct {
		request playground.AuthorizationRequest
		form    url.Values
		want    string
	}{
		"another secret":          {form: url.Values{"client_secret": {"x"}}, want: "incorrect_client_credentials"},
		"another App":             {form: url.Values{"client_id": {"Iv1.0"}}, want: "incorrect_client_credentials"},
		"another code":            {form: url.Values{"code": {"x"}}, want: "bad_verification_code"},
		"another way back":        {playground.AuthorizationRequest{RedirectURI: callback}, url.Values{"redirect_uri": {"https://colony.example.com/other"}}, "redirect_uri_mismatch"},
		"no proof":                {playground.AuthorizationRequest{CodeChallenge: oauth2.S256ChallengeFromVerifier("abc"), CodeChallengeMethod: "S256"}, nil, "bad_verification_code"},
		"the proof of another":    {playground.AuthorizationRequest{CodeChallenge: oauth2.S256ChallengeFromVerifier("abc"), CodeChallengeMethod: "S256"}, url.Values{"code_verifier": {"abd"}}, "bad_verification_code"},
		"what is not implemented": {form: url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}}, want: "unsupported_grant_type"},
	} {
		form := url.Values{"code": {w.signsIn("alice", test.request)}}
		maps.Copy(form, test.form)
		if said := w.exchanged(form); said.Get("error") != test.want || said.Get("access_token") != "" {
			t.Errorf("%s: %v", name, said)
		}
	}
	for name, r := range map[string]playground.AuthorizationRequest{
		"a way back that the App does not have": {ClientID: clientID(), RedirectURI: callback + "/x", State: "s"},
		"a method that GitHub does not take":    {ClientID: clientID(), CodeChallenge: "abc", CodeChallengeMethod: "plain"},
		"no App":                                {ClientID: "Iv1.0"},
	} {
		if address, err := w.Authorize(r, "alice"); err == nil {
			t.Errorf("%s: %s", name, address)
		}
	}
	if _, _, refused, err := w.Authorizing(playground.AuthorizationRequest{ClientID: clientID(), RedirectURI: "https://evil.example/", State: "s"}); err != nil || !strings.HasPrefix(refused, callback+"?error=redirect_uri_mismatch") {
		t.Errorf("another way back leads to %q: %v", refused, err)
	}
}

func TestACodeAndATokenEnd(t *testing.T) {
	clock := clockwork.NewFakeClockAt(time.Now())
	p := playground.New(playground.Options{Clock: clock, AuthClock: clock})
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	w := &world{t: t, Playground: p, clock: clock, base: base}
	w.AddUser("alice")
	w.check(p.RegisterApp(playground.App{ID: appID, Slug: "colony", PublicKey: &key().PublicKey, CallbackURLs: []string{callback}, ClientSecret: clientSecret}))
	code := w.signsIn("alice", playground.AuthorizationRequest{})
	clock.Advance(10 * time.Minute)
	if said := w.exchanged(url.Values{"code": {code}}); said.Get("error") != "bad_verification_code" {
		t.Errorf("after ten minutes: %v", said)
	}
	said := w.exchanged(url.Values{"code": {w.signsIn("alice", playground.AuthorizationRequest{})}})
	for _, test := range []struct {
		after time.Duration
		want  int
	}{{8*time.Hour - time.Second, 200}, {time.Second, 401}} {
		clock.Advance(test.after)
		if response, _ := w.raw("GET", "/user", "", "Authorization", "token "+said.Get("access_token")); response.StatusCode != test.want {
			t.Errorf("%s later: %s", test.after, response.Status)
		}
	}
}

// With a token that an App has for a user, nobody sees or does more than both may.
func TestATokenForAUserIsBoundByBoth(t *testing.T) {
	w := newWorld(t)
	w.AddOrganization("labs")
	for _, name := range []string{"vault", "cellar", "attic"} {
		w.AddRepository("labs", name)
		w.check(w.SetPrivate("labs", name, true))
		w.SetPermission("labs", name, "alice", "write")
	}
	w.SetPermission("labs", "attic", "bob", "read")
	w.AddRepository("labs", "open") // public, and the App is not installed there
	w.Install(appID, "labs", "vault", "attic")
	w.quiet()
	tokens := map[string]string{}
	for _, login := range []string{"alice", "bob"} {
		tokens[login] = w.exchanged(url.Values{"code": {w.signsIn(login, playground.AuthorizationRequest{})}}).Get("access_token")
	}
	for _, test := range []struct {
		login, method, path, body string
		want                      int
	}{
		{"alice", "GET", "/repos/labs/vault", "", 200},
		{"alice", "GET", "/repos/labs/cellar", "", 404}, // the App is not there
		{"bob", "GET", "/repos/labs/vault", "", 404},    // bob is not
		{"bob", "GET", "/repos/labs/attic", "", 200},
		{"alice", "GET", "/repos/labs/open", "", 200},
		{"alice", "GET", "/repos/labs/open/issues", "", 200},
		{"alice", "POST", "/repos/labs/vault/issues", `{"title":"x"}`, 201},
		{"alice", "POST", "/repos/labs/vault/git/refs", `{"ref":"refs/heads/x","sha":"0"}`, 403}, // the App may not write contents
		{"alice", "POST", "/repos/labs/open/issues", `{"title":"x"}`, 403},
		{"alice", "GET", "/installation/repositories", "", 403},
	} {
		response, answer := w.raw(test.method, test.path, test.body, "Authorization", "Bearer "+tokens[test.login])
		if response.StatusCode != test.want {
			t.Errorf("%s: %s %s: %s %v", test.login, test.method, test.path, response.Status, answer["message"])
		}
		if response.Header.Get("X-OAuth-Scopes") != "" {
			t.Error("a token of an App has no scopes")
		}
	}
	_, answer := w.query("Bearer "+tokens["alice"], "/graphql", `{a:repository(owner:"labs",name:"vault"){id} b:repository(owner:"labs",name:"cellar"){id}}`, nil)
	data, _ := answer["data"].(map[string]any)
	if data["a"] == nil || data["b"] != nil {
		t.Errorf("GraphQL says %v", answer)
	}
	w.quiet()
}
