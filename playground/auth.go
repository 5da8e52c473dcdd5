package playground

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// actor is who makes a call: no one, a user, an App by its JWT, or an App's installation (as the App's bot).
type actor struct {
	account      *account
	app          *app // performed_via_github_app
	installation *installation
	token        *token
	jwt          bool
	// installations are those of the App that acts for a user: it sees no more than both are allowed to, and what is public
	// (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-with-a-github-app-on-behalf-of-a-user).
	installations []*installation
}

// key tells identities apart, for ETags and rate windows.
func (a actor) key() string {
	switch {
	case a.jwt:
		return fmt.Sprintf("app %d", a.app.ID)
	case a.installation != nil:
		return fmt.Sprintf("installation %d", a.installation.id)
	case a.forUser():
		return fmt.Sprintf("user %s through %d", a.account.login, a.app.ID)
	case a.account != nil:
		return "user " + a.account.login
	default:
		return "anonymous"
	}
}

func (a actor) login() string {
	if a.account == nil {
		return ""
	}
	return a.account.login
}

func (a actor) installationID() int64 {
	if a.installation == nil {
		return 0
	}
	return a.installation.id
}

// asApp is true for installation tokens, whose rights come from the App's permissions.
func (a actor) asApp() bool { return a.token != nil && a.token.app != nil }

// forUser is true for tokens with which an App acts for a user, whose rights are the rights that both have.
func (a actor) forUser() bool { return a.token != nil && a.token.client != nil }

// sees is whether the actor is allowed to know of the repository.
func (a actor) sees(r *repository) bool {
	switch {
	case r.deleted:
		return false
	case a.jwt:
		return !r.private
	case a.asApp():
		return a.reaches(r) || !r.private
	case a.forUser():
		return r.roleOf(a.account) >= roleRead && (!r.private || a.through(r) != nil)
	case a.personal() != nil && r.private && !a.personal().opens(r):
		return false
	default:
		return r.roleOf(a.account) >= roleRead
	}
}

// reaches is whether an installation token covers the repository.
func (a actor) reaches(r *repository) bool {
	if a.installation == nil {
		return a.app != nil && a.app.everywhere
	}
	return a.installation.covers(r) && (len(a.token.repositories) == 0 || slices.Contains(a.token.repositories, r))
}

var errBadCredentials = refuse(http.StatusUnauthorized, "Bad credentials")

// authenticate reads the Authorization header: "token X", "Bearer X" or Basic with the token as password.
func (p *Playground) authenticate(r *http.Request) (actor, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return actor{}, nil
	}
	scheme, value, _ := strings.Cut(header, " ")
	value = strings.TrimSpace(value)
	switch strings.ToLower(scheme) {
	case "token", "bearer":
	case "basic":
		name, password, ok := r.BasicAuth()
		if !ok {
			return actor{}, errBadCredentials
		}
		if strings.HasPrefix(name, clientIDPrefix) {
			return actor{}, nil // an App's client, which the routes check that are for it
		}
		value = password
	default:
		return actor{}, errBadCredentials
	}
	if strings.Count(value, ".") == 2 {
		return p.authenticateApp(value)
	}
	t := p.tokens[value]
	if t == nil || !t.expires.IsZero() && !p.authClock.Now().Before(t.expires) {
		return actor{}, errBadCredentials
	}
	if t.installation != nil && t.installation.deleted {
		return actor{}, errBadCredentials
	}
	if t.installation != nil && !t.installation.suspended.IsZero() {
		return actor{}, refuse(http.StatusForbidden, "This installation has been suspended")
	}
	if t.client != nil {
		return actor{account: t.user, app: t.client, token: t, installations: p.installationsOf(t.client)}, nil
	}
	return actor{account: t.user, app: t.app, installation: t.installation, token: t}, nil
}

// authenticateApp checks an App's JWT as GitHub does
// (https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app):
// RS256, iss the App's id or its client id, iat not in the future, exp in the future by ten minutes at most. A minute of drift is let pass.
func (p *Playground) authenticateApp(text string) (actor, error) {
	const drift = time.Minute
	undecodable := refuse(http.StatusUnauthorized, "A JSON web token could not be decoded")
	var found *app
	unknown := false
	claims := jwt.MapClaims{}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithoutClaimsValidation())
	_, err := parser.ParseWithClaims(text, claims, func(*jwt.Token) (any, error) {
		isIssuer, err := issuer(claims["iss"])
		if err != nil {
			return nil, err
		}
		for _, a := range p.apps {
			if isIssuer(a) && a.PublicKey != nil {
				found = a
				return a.PublicKey, nil
			}
		}
		unknown = true
		return nil, errors.New("no such App")
	})
	if _, wrong := issuer(claims["iss"]); wrong != nil && len(claims) > 0 {
		return actor{}, refuse(http.StatusUnauthorized, "'Issuer' claim ('iss') must be an Integer")
	}
	if err != nil {
		if unknown {
			return actor{}, refuse(http.StatusNotFound, "Integration not found")
		}
		return actor{}, undecodable
	}
	now := p.authClock.Now()
	expires, ok := claims["exp"].(float64)
	if !ok || now.Unix() >= int64(expires) {
		return actor{}, refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	}
	if int64(expires) > now.Add(10*time.Minute+drift).Unix() {
		return actor{}, refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') is too far in the future")
	}
	issued, ok := claims["iat"].(float64)
	if !ok || int64(issued) > now.Add(drift).Unix() {
		return actor{}, refuse(http.StatusUnauthorized, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	return actor{app: found, jwt: true}, nil
}

// issuer tells the App that a claim names, by its id or by its client id, from others.
func issuer(claim any) (func(*app) bool, error) {
	switch iss := claim.(type) {
	case float64:
		return func(a *app) bool { return a.ID == int64(iss) }, nil
	case string:
		if strings.HasPrefix(iss, clientIDPrefix) {
			return func(a *app) bool { return a.ClientID() == iss }, nil
		}
		id, err := strconv.ParseInt(iss, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("issuer %q: %w", iss, err)
		}
		return func(a *app) bool { return a.ID == id }, nil
	default:
		return nil, errors.New("no issuer")
	}
}
