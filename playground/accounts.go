package playground

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
)

// AddUser makes a person. A login that exists stays as it is.
func (p *Playground) AddUser(login string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ensureAccount(login, kindUser)
}

// AddOrganization makes an organization. A login that exists stays as it is.
func (p *Playground) AddOrganization(login string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ensureAccount(login, kindOrganization)
}

// AddBot makes an App of its own named slug, with a bot whose login is slug + "[bot]", and lets it act in every
// repository with issues, pull requests, contents, checks and statuses: write. What it does carries performed_via_github_app.
func (p *Playground) AddBot(slug string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	slug = strings.TrimSuffix(slug, "[bot]")
	if p.accounts[lower(botLogin(slug))] != nil {
		return
	}
	a := &app{
		App: App{
			ID: p.nextID(), Slug: slug, Name: slug,
			Permissions: map[string]string{"issues": "write", "pull_requests": "write", "checks": "write", "statuses": "write", "contents": "write", "metadata": "read"},
		},
		owner: p.ensureAccount(appMakers, kindOrganization), everywhere: true, created: p.now(), updated: p.now(),
	}
	p.addApp(a)
}

// DeleteUser removes a person: what they wrote belongs to the user "ghost" from then on, their events have no actor,
// their tokens and roles are gone.
func (p *Playground) DeleteUser(login string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.accounts[lower(login)]
	if a == nil || a.kind != kindUser {
		return fmt.Errorf("delete the user %s: no user has that name", login)
	}
	a.deleted = true
	delete(p.accounts, lower(login))
	for value, t := range p.tokens {
		if t.user == a {
			delete(p.tokens, value)
		}
	}
	for _, r := range p.repositories {
		delete(r.roles, a)
	}
	return nil
}

// Token is a personal access token that acts as a user or, for a bot, the token of its App's installation. The same
// login has the same token. "dev" means the user of that name before the bot "dev[bot]". A login that does not exist
// is a mistake of the caller: Token panics.
func (p *Playground) Token(login string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, err := p.tokenFor(login)
	if err != nil {
		panic("playground: " + err.Error())
	}
	return value
}

func (p *Playground) tokenFor(login string) (string, error) {
	a := p.accounts[lower(login)]
	if a == nil {
		a = p.accounts[lower(login+"[bot]")]
	}
	if a == nil || a.kind == kindOrganization {
		return "", fmt.Errorf("no user or bot is called %q", login)
	}
	if a.kind == kindBot && !a.app.everywhere {
		return "", fmt.Errorf("%s is the bot of a registered App, which signs in with its key", login)
	}
	for value, t := range p.tokens {
		if t.user == a && t.installation == nil && t.client == nil && t.personal == nil {
			return value, nil
		}
	}
	t := &token{value: "ghp_" + randomText(), user: a, app: a.app}
	if a.app != nil {
		t.value = "ghs_" + randomText()
		t.permissions = a.app.Permissions
	}
	p.tokens[t.value] = t
	return t.value, nil
}

// User is an account as a caller of the Go API sees it.
type User struct {
	Login string `json:"login"`
	Type  string `json:"type"` // User, Organization or Bot
}

// Users lists all accounts that exist, by login.
func (p *Playground) Users() []User {
	p.mu.Lock()
	defer p.mu.Unlock()
	var users []User
	for _, a := range p.accounts {
		users = append(users, User{Login: a.login, Type: a.kind})
	}
	slices.SortFunc(users, func(a, b User) int { return strings.Compare(a.Login, b.Login) })
	return users
}

func (p *Playground) ensureAccount(login, kind string) *account {
	if a := p.accounts[lower(login)]; a != nil {
		return a
	}
	a := &account{id: p.nextID(), login: login, kind: kind, created: p.now()}
	p.accounts[lower(login)] = a
	return a
}

func randomText() string {
	return strings.ToLower(rand.Text()) + rand.Text()[:10]
}
