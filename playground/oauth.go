package playground

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// How long what an App gets for a user is good:
// https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app.
const (
	authorizationLifetime = 10 * time.Minute
	userTokenLifetime     = 8 * time.Hour
	refreshTokenLifetime  = 184 * 24 * time.Hour
)

// AuthorizationRequest is what an App asks a person for, in the query of /login/oauth/authorize.
type AuthorizationRequest struct {
	ClientID, RedirectURI, State, Login string
	CodeChallenge, CodeChallengeMethod  string
}

// ReadAuthorizationRequest reads the query, or the form that repeats it.
func ReadAuthorizationRequest(values url.Values) AuthorizationRequest {
	return AuthorizationRequest{
		ClientID: values.Get("client_id"), RedirectURI: values.Get("redirect_uri"), State: values.Get("state"), Login: values.Get("login"),
		CodeChallenge: values.Get("code_challenge"), CodeChallengeMethod: values.Get("code_challenge_method"),
	}
}

// authorization is a code that waits to be exchanged.
type authorization struct {
	app       *app
	user      *account
	redirect  string
	challenge string
	until     time.Time
}

// refreshing is what a refresh token is good for.
type refreshing struct {
	app   *app
	user  *account
	token string // the access token that it came with
	until time.Time
}

var (
	// ErrNoClient is a client id that no App has.
	ErrNoClient = errors.New("no App has this client_id")
	// ErrNoCallback is an App that people cannot come back to.
	ErrNoCallback = errors.New("the App has no callback URL")
)

// Authorizing returns the App that a request comes from, by its name, and where the browser goes if the person cancels. If the request is one that
// GitHub sends back immediately, refused is where to.
func (p *Playground) Authorizing(r AuthorizationRequest) (name, cancelled, refused string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, redirect, err := p.clientOf(r)
	if err != nil {
		return "", "", "", err
	}
	if redirect == "" {
		return a.Name, "", sentBack(a.CallbackURLs[0], r.State, "redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application."), nil
	}
	return a.Name, sentBack(redirect, r.State, "access_denied", "The user has denied your application access."), "", nil
}

// clientOf finds the App, and the callback URL that is asked for; none if the App does not have that one.
func (p *Playground) clientOf(r AuthorizationRequest) (a *app, redirect string, err error) {
	for _, a := range p.apps {
		if a.ClientID() != r.ClientID {
			continue
		}
		switch {
		case len(a.CallbackURLs) == 0:
			return nil, "", ErrNoCallback
		case r.RedirectURI == "":
			return a, a.CallbackURLs[0], nil
		case slices.Contains(a.CallbackURLs, r.RedirectURI):
			return a, r.RedirectURI, nil
		}
		return a, "", nil
	}
	return nil, "", ErrNoClient
}

func sentBack(redirect, state, code, description string) string {
	return withQuery(redirect, url.Values{"error": {code}, "error_description": {description}, "state": {state}})
}

func withQuery(address string, values url.Values) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := u.Query()
	for name, value := range values {
		if value[0] != "" {
			query[name] = value
		}
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// Authorize lets the App of a request act for a user, as the button of GitHub's page does, and returns where the browser goes with the code.
func (p *Playground) Authorize(r AuthorizationRequest, login string) (address string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, redirect, err := p.clientOf(r)
	if err != nil {
		return "", err
	}
	user := p.accounts[lower(login)]
	if redirect == "" || user == nil || user.kind != kindUser || r.CodeChallenge != "" && r.CodeChallengeMethod != "S256" {
		return "", errors.New("this cannot be authorized: it needs a user, a callback URL of the App, and of the methods for a code_challenge S256")
	}
	code := randomHex()[:20]
	p.authorizations[code] = authorization{a, user, r.RedirectURI, r.CodeChallenge, p.authClock.Now().Add(authorizationLifetime)}
	return withQuery(redirect, url.Values{"code": {code}, "state": {r.State}}), nil
}

// oauthError is why no token is given. GitHub says it with status 200:
// https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors.
type oauthError struct{ code, description string }

func (e oauthError) Error() string { return e.code }

var (
	errClient       = oauthError{"incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."}
	errCode         = oauthError{"bad_verification_code", "The code passed is incorrect or expired."}
	errRedirect     = oauthError{"redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application."}
	errRefreshToken = oauthError{"bad_refresh_token", "The refresh token passed is incorrect or expired."}
	errGrantType    = oauthError{"unsupported_grant_type", "The playground does not implement this grant_type."}
)

// exchange gives tokens for a code or for a refresh token, once.
func (p *Playground) exchange(form url.Values) (object, error) {
	var of *app
	for _, a := range p.apps {
		if a.ClientID() == form.Get("client_id") && a.ClientSecret != "" && subtle.ConstantTimeCompare([]byte(a.ClientSecret), []byte(form.Get("client_secret"))) == 1 {
			of = a
		}
	}
	if of == nil {
		return nil, errClient
	}
	now := p.authClock.Now()
	switch form.Get("grant_type") {
	case "refresh_token":
		old, ok := p.refreshings[form.Get("refresh_token")]
		if !ok || old.app != of || !now.Before(old.until) {
			return nil, errRefreshToken
		}
		delete(p.refreshings, form.Get("refresh_token"))
		delete(p.tokens, old.token)
		return p.userToken(of, old.user), nil
	case "", "authorization_code":
	default:
		p.unimplemented["the grant_type "+form.Get("grant_type")]++
		return nil, errGrantType
	}
	made, ok := p.authorizations[form.Get("code")]
	if !ok || made.app != of || !now.Before(made.until) {
		return nil, errCode
	}
	if redirect := form.Get("redirect_uri"); redirect != "" && redirect != made.redirect {
		return nil, errRedirect
	}
	if proof := sha256.Sum256([]byte(form.Get("code_verifier"))); made.challenge != "" && base64.RawURLEncoding.EncodeToString(proof[:]) != made.challenge {
		return nil, errCode
	}
	delete(p.authorizations, form.Get("code"))
	return p.userToken(of, made.user), nil
}

// userToken makes a token with which an App acts for a user, and one that renews it.
func (p *Playground) userToken(of *app, user *account) object {
	now := p.authClock.Now()
	t := &token{value: "ghu_" + randomText(), user: user, client: of, expires: now.Add(userTokenLifetime)}
	p.tokens[t.value] = t
	refresh := "ghr_" + randomText()
	p.refreshings[refresh] = refreshing{of, user, t.value, now.Add(refreshTokenLifetime)}
	return object{
		"access_token": t.value, "expires_in": int(userTokenLifetime.Seconds()), "refresh_token": refresh,
		"refresh_token_expires_in": int(refreshTokenLifetime.Seconds()), "scope": "", "token_type": "bearer",
	}
}

// serveAccessToken answers POST /login/oauth/access_token. The answer is a form, or JSON for those who ask for it.
func (p *Playground) serveAccessToken(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxRequestBody)
	form := url.Values{}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
		var fields map[string]string
		if json.NewDecoder(r.Body).Decode(&fields) != nil {
			http.Error(w, "Problems parsing JSON", http.StatusBadRequest)
			return
		}
		for name, value := range fields {
			form.Set(name, value)
		}
	} else if r.ParseForm() == nil {
		form = r.Form
	}
	p.mu.Lock()
	said, err := p.exchange(form)
	p.enter(Call{At: p.clock.Now(), Method: r.Method, Path: r.URL.Path, Status: http.StatusOK})
	p.mu.Unlock()
	if wrong, ok := errors.AsType[oauthError](err); ok {
		said = object{"error": wrong.code, "error_description": wrong.description, "error_uri": "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/"}
	}
	w.Header().Set("Cache-Control", "no-store")
	if strings.Contains(r.Header.Get("Accept"), "json") {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(said) // the client might be gone
		return
	}
	answer := url.Values{}
	for name, value := range said {
		answer.Set(name, textOf(value))
	}
	w.Header().Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	_, _ = w.Write([]byte(answer.Encode())) // the client might be gone
}

func textOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, _ := json.Marshal(value) // a number
	return string(text)
}

// through is the installation that covers a repository, of the App that acts for the user; nil if none does.
func (a actor) through(r *repository) *installation {
	for _, i := range a.installations {
		if i.account == r.owner && i.suspended.IsZero() && i.covers(r) {
			return i
		}
	}
	return nil
}

// installationsOf lists where an App is installed.
func (p *Playground) installationsOf(a *app) []*installation {
	return slices.DeleteFunc(slices.Clone(p.installations), func(i *installation) bool { return i.app != a || i.deleted })
}

// DELETE /applications/{client_id}/token, with the App's client id and secret as name and password:
// https://docs.github.com/rest/apps/oauth-applications#delete-an-app-token.
func deleteAppToken(c *call) (any, error) {
	id, secret, _ := c.request.BasicAuth()
	var body struct {
		AccessToken string `json:"access_token"`
	}
	if err := c.decode(&body); err != nil {
		return nil, err
	}
	if body.AccessToken == "" {
		return nil, missing("access_token")
	}
	for _, a := range c.p.apps {
		if a.ClientID() != id || c.vars["client_id"] != id || a.ClientSecret == "" || subtle.ConstantTimeCompare([]byte(a.ClientSecret), []byte(secret)) != 1 {
			continue
		}
		t := c.p.tokens[body.AccessToken]
		if t == nil || t.client != a {
			return nil, errNotFound
		}
		delete(c.p.tokens, body.AccessToken)
		return nil, nil
	}
	return nil, errNotFound
}
