package playground

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// PersonalToken is a personal access token of a user, with less than all of the user's rights:
// https://docs.github.com/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens.
type PersonalToken struct {
	Login string
	// Scopes are those of a classic token: "repo" opens private repositories. They count where Permissions is nil.
	Scopes []string
	// Permissions make the token a fine-grained one.
	Permissions map[string]string
	// Repositories are the private repositories ("owner/name") that a fine-grained token covers; empty: all that the user can read.
	Repositories []string
	// Expires is when the token ends; zero: never.
	Expires time.Time
}

// AddPersonalToken makes a token. The user has to exist.
func (p *Playground) AddPersonalToken(of PersonalToken) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	user := p.accounts[lower(of.Login)]
	if user == nil || user.kind != kindUser {
		return "", fmt.Errorf("no user is called %q", of.Login)
	}
	t := &token{value: "ghp_" + randomText(), user: user, personal: &of, expires: of.Expires}
	if of.Permissions != nil {
		t.value = "github_pat_" + randomText()
	}
	p.tokens[t.value] = t
	return t.value, nil
}

// RevokeToken ends a token.
func (p *Playground) RevokeToken(value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.tokens, value)
}

var errNotPersonal = refuse(http.StatusForbidden, "Resource not accessible by personal access token")

// personal is the narrow token of the actor; nil for any other.
func (a actor) personal() *PersonalToken {
	if a.token == nil {
		return nil
	}
	return a.token.personal
}

// opens is whether the token is allowed to know of a private repository that its user reads.
func (t *PersonalToken) opens(r *repository) bool {
	if t.Permissions == nil {
		return slices.Contains(t.Scopes, "repo")
	}
	return len(t.Repositories) == 0 || slices.Contains(t.Repositories, r.fullName())
}

// grantsAny is whether a fine-grained token has one of the permissions; a classic one has what its scopes open.
func (t *PersonalToken) grantsAny(permissions []string, level string) bool {
	return t.Permissions == nil || slices.ContainsFunc(permissions, func(name string) bool {
		return name == "metadata" && level == "read" || grants(t.Permissions, name, level)
	})
}

// InstallationToken makes a token of an installation, with all that it was granted.
func (p *Playground) InstallationToken(id int64) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range p.installations {
		if i.id == id && !i.deleted {
			t := &token{value: "ghs_" + randomText(), user: i.app.bot, app: i.app, installation: i, permissions: maps.Clone(i.permissions), expires: p.authClock.Now().Add(tokenLifetime)}
			p.tokens[t.value] = t
			return t.value, nil
		}
	}
	return "", fmt.Errorf("there is no installation %d", id)
}
