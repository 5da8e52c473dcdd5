package playground

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// App is a GitHub App to register.
type App struct {
	ID            int64
	Slug          string
	Name          string // the slug if empty
	PublicKey     *rsa.PublicKey
	WebhookURL    string // empty: no webhooks until SetWebhookURL
	WebhookSecret string
	Permissions   map[string]string // such as "issues": "write"; "metadata": "read" is always there
	Events        []string          // such as "issues", "issue_comment"; installation events come without
	// CallbackURLs and ClientSecret let people sign in to the App's own pages.
	CallbackURLs []string
	ClientSecret string
}

// appMakers is the organization that owns every App of a playground.
const appMakers = "app-makers"

const clientIDPrefix = "Iv1."

// ClientID is the App's other id, which a JWT can name as well, and with which people sign in.
func (a App) ClientID() string { return clientIDPrefix + fmt.Sprintf("%016x", a.ID) }

// RegisterApp registers an App and its bot "<slug>[bot]". The id and the slug have to be free.
func (p *Playground) RegisterApp(a App) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.ID <= 0 || a.Slug == "" || a.PublicKey == nil {
		return errors.New("register an App: it needs an id, a slug and a public key")
	}
	for _, other := range p.apps {
		if other.ID == a.ID {
			return fmt.Errorf("register the App %s: the id %d is taken by %s", a.Slug, a.ID, other.Slug)
		}
	}
	if p.accounts[lower(botLogin(a.Slug))] != nil {
		return fmt.Errorf("register the App %s: the slug is taken", a.Slug)
	}
	if a.Name == "" {
		a.Name = a.Slug
	}
	a.Permissions = maps.Clone(a.Permissions)
	if a.Permissions == nil {
		a.Permissions = map[string]string{}
	}
	a.Permissions["metadata"] = "read"
	a.Events = slices.Clone(a.Events)
	p.addApp(&app{App: a, owner: p.ensureAccount(appMakers, kindOrganization), created: p.now(), updated: p.now()})
	return nil
}

// botLogin is the login of an App's bot, as the REST API and webhooks have it. That of GitHub's own coding agent is its name alone.
func botLogin(slug string) string {
	if slug == "copilot-swe-agent" {
		return "Copilot"
	}
	return slug + "[bot]"
}

func (p *Playground) addApp(a *app) {
	a.bot = p.ensureAccount(botLogin(a.Slug), kindBot)
	a.bot.app = a
	a.hook.id = p.nextID()
	p.apps = append(p.apps, a)
}

func (p *Playground) findApp(id int64) (*app, error) {
	for _, a := range p.apps {
		if a.ID == id {
			return a, nil
		}
	}
	return nil, fmt.Errorf("no App has the id %d", id)
}

// SetWebhookURL changes where the webhooks of an App go. It panics if there is no such App.
func (p *Playground) SetWebhookURL(appID int64, url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, err := p.findApp(appID)
	if err != nil {
		panic("playground: " + err.Error())
	}
	a.WebhookURL = url
}

// Install installs an App on an account, on the named repositories ("name" or "owner/name") or, with none, on all
// that the account has or will have. The App gets installation.created. It panics if the App, the account or
// a repository does not exist, or the App is installed there already.
func (p *Playground) Install(appID int64, account string, repos ...string) (installationID int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, err := p.install(appID, account, repos)
	if err != nil {
		panic("playground: " + err.Error())
	}
	return i.id
}

func (p *Playground) install(appID int64, account string, repos []string) (*installation, error) {
	a, err := p.findApp(appID)
	if err != nil {
		return nil, err
	}
	target := p.accounts[lower(account)]
	if target == nil {
		return nil, fmt.Errorf("install the App %s: there is no account %s", a.Slug, account)
	}
	if a.private && target != a.owner {
		return nil, fmt.Errorf("install the App %s: it is private, so that only %s can install it", a.Slug, a.owner.login)
	}
	if p.installationOn(a, target) != nil {
		return nil, fmt.Errorf("install the App %s: it is installed on %s already", a.Slug, account)
	}
	selected, err := p.namedRepositories(target, repos)
	if err != nil {
		return nil, err
	}
	i := &installation{
		id: p.nextID(), app: a, account: target, all: len(repos) == 0, selected: selected, permissions: maps.Clone(a.Permissions),
		events: slices.Clone(a.Events), created: p.now(), updated: p.now(),
	}
	p.installations = append(p.installations, i)
	p.emitInstallation("created", i)
	return i, nil
}

func (p *Playground) installationOn(a *app, target *account) *installation {
	for _, i := range p.installations {
		if i.app == a && i.account == target && !i.deleted {
			return i
		}
	}
	return nil
}

func (p *Playground) namedRepositories(owner *account, names []string) ([]*repository, error) {
	var named []*repository
	for _, name := range names {
		name = name[strings.LastIndexByte(name, '/')+1:]
		r, err := p.mustRepository(owner.login, name)
		if err != nil {
			return nil, err
		}
		named = append(named, r)
	}
	return named, nil
}

// installedRepositories lists what an installation covers.
func (p *Playground) installedRepositories(i *installation) []*repository {
	return slices.DeleteFunc(p.ownedRepositories(i.account), func(r *repository) bool { return !i.covers(r) })
}

func (p *Playground) findInstallation(id int64) (*installation, error) {
	for _, i := range p.installations {
		if i.id == id && !i.deleted {
			return i, nil
		}
	}
	return nil, fmt.Errorf("there is no installation %d", id)
}

// withInstallation runs an alteration of an installation under the lock.
func (p *Playground) withInstallation(id int64, alter func(*installation) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, err := p.findInstallation(id)
	if err != nil {
		return err
	}
	i.updated = p.now()
	return alter(i)
}

// AddToInstallation adds repositories to an installation on selected repositories (installation_repositories.added).
func (p *Playground) AddToInstallation(id int64, repos ...string) error {
	return p.withInstallation(id, func(i *installation) error {
		named, err := p.namedRepositories(i.account, repos)
		if err != nil {
			return err
		}
		named = slices.DeleteFunc(named, i.covers)
		i.selected = append(i.selected, named...)
		p.emitInstallationRepositories(i, actor{account: i.account}, named, nil)
		return nil
	})
}

// RemoveFromInstallation takes repositories away from an installation, which is one on selected repositories from
// then on (installation_repositories.removed).
func (p *Playground) RemoveFromInstallation(id int64, repos ...string) error {
	return p.withInstallation(id, func(i *installation) error {
		named, err := p.namedRepositories(i.account, repos)
		if err != nil {
			return err
		}
		named = slices.DeleteFunc(named, func(r *repository) bool { return !i.covers(r) })
		i.selected = slices.DeleteFunc(p.installedRepositories(i), func(r *repository) bool { return slices.Contains(named, r) })
		i.all = false
		p.emitInstallationRepositories(i, actor{account: i.account}, nil, named)
		return nil
	})
}

// Suspend suspends an installation: its tokens are refused and only installation events are sent to it.
func (p *Playground) Suspend(id int64) error {
	return p.withInstallation(id, func(i *installation) error {
		i.suspended, i.suspendedBy = p.now(), i.account
		p.emitInstallation("suspend", i)
		return nil
	})
}

// Unsuspend undoes Suspend.
func (p *Playground) Unsuspend(id int64) error {
	return p.withInstallation(id, func(i *installation) error {
		i.suspended, i.suspendedBy = time.Time{}, nil
		p.emitInstallation("unsuspend", i)
		return nil
	})
}

// Uninstall removes an installation (installation.deleted).
func (p *Playground) Uninstall(id int64) error {
	return p.withInstallation(id, func(i *installation) error {
		p.emitInstallation("deleted", i)
		i.deleted = true
		return nil
	})
}

// SetInstallationPermissions replaces what an installation was granted, tokens under way included
// (installation.new_permissions_accepted).
func (p *Playground) SetInstallationPermissions(id int64, permissions map[string]string) error {
	return p.withInstallation(id, func(i *installation) error {
		i.permissions = maps.Clone(permissions)
		i.permissions["metadata"] = "read"
		for _, t := range p.tokens {
			if t.installation == i {
				maps.DeleteFunc(t.permissions, func(name, level string) bool { return !grants(i.permissions, name, level) })
			}
		}
		p.emitInstallation("new_permissions_accepted", i)
		return nil
	})
}

// grants is whether permissions include a level (read < write < admin) of a permission.
func grants(permissions map[string]string, name, level string) bool {
	rank := map[string]int{"": 0, "read": 1, "write": 2, "admin": 3}
	return rank[permissions[name]] >= rank[level]
}

// GET /app
func getApp(c *call) (any, error) { return c.p.appWithCount(c.actor.app), nil }

// GET /app/installations: oldest first.
func listInstallations(c *call) (any, error) {
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	var mine []*installation
	for _, i := range c.p.installations {
		if i.app == c.actor.app && !i.deleted && !i.updated.Before(since) {
			mine = append(mine, i)
		}
	}
	return each(page(c, mine), c.p.installationPayload), nil
}

// ownInstallation is the App's installation that the path names.
func (c *call) ownInstallation() (*installation, error) {
	i, err := c.p.findInstallation(c.number("installation_id"))
	if err != nil || i.app != c.actor.app {
		return nil, errNotFound
	}
	return i, nil
}

// GET /app/installations/{installation_id}
func getInstallation(c *call) (any, error) {
	i, err := c.ownInstallation()
	if err != nil {
		return nil, err
	}
	return c.p.installationPayload(i), nil
}

// DELETE /app/installations/{installation_id}
func deleteInstallation(c *call) (any, error) {
	i, err := c.ownInstallation()
	if err != nil {
		return nil, err
	}
	c.p.emitInstallation("deleted", i)
	i.deleted = true
	return nil, nil
}

// tokenLifetime is how long an installation token is good for.
const tokenLifetime = time.Hour

// POST /app/installations/{installation_id}/access_tokens
func createInstallationToken(c *call) (any, error) {
	i, err := c.ownInstallation()
	if err != nil {
		return nil, err
	}
	if !i.suspended.IsZero() {
		return nil, refuse(http.StatusForbidden, "This installation has been suspended")
	}
	var in struct {
		Repositories  []string          `json:"repositories"`
		RepositoryIDs []int64           `json:"repository_ids"`
		Permissions   map[string]string `json:"permissions"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	t := &token{
		value: "ghs_" + randomText(), user: i.app.bot, app: i.app, installation: i, permissions: maps.Clone(i.permissions),
		expires: c.p.authClock.Now().UTC().Truncate(time.Second).Add(tokenLifetime),
	}
	covered := c.p.installedRepositories(i)
	for _, name := range in.Repositories {
		at := slices.IndexFunc(covered, func(r *repository) bool { return strings.EqualFold(r.name, name) })
		if at < 0 {
			return nil, refuse(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation.")
		}
		t.repositories = append(t.repositories, covered[at])
	}
	for _, id := range in.RepositoryIDs {
		at := slices.IndexFunc(covered, func(r *repository) bool { return r.id == id })
		if at < 0 {
			return nil, refuse(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation.")
		}
		t.repositories = append(t.repositories, covered[at])
	}
	if in.Permissions != nil {
		for name, level := range in.Permissions {
			if !grants(i.permissions, name, level) {
				return nil, refuse(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
			}
		}
		t.permissions = maps.Clone(in.Permissions)
		t.permissions["metadata"] = "read"
	}
	c.p.tokens[t.value] = t
	payload := object{
		"token": t.value, "expires_at": stamp(t.expires), "permissions": maps.Clone(t.permissions), "repository_selection": i.selection(),
	}
	if len(t.repositories) > 0 {
		repositories := []object{}
		for _, r := range t.repositories {
			repositories = append(repositories, c.p.repositoryPayload(r))
		}
		payload["repository_selection"], payload["repositories"] = "selected", repositories
	}
	return payload, nil
}

// GET /installation/repositories
func listInstallationRepositories(c *call) (any, error) {
	var covered []*repository
	selection := "all"
	if i := c.actor.installation; i != nil {
		selection = i.selection()
		covered = c.p.installedRepositories(i)
		if len(c.actor.token.repositories) > 0 {
			selection, covered = "selected", c.actor.token.repositories
		}
	} else {
		for _, r := range c.p.repositories {
			covered = append(covered, r)
		}
		slices.SortFunc(covered, func(a, b *repository) int { return int(a.id - b.id) })
	}
	payloads := []object{}
	for _, r := range page(c, covered) {
		c.repo = r
		payload := c.p.repositoryPayload(r)
		payload["permissions"] = c.effectiveRole().permissions()
		payloads = append(payloads, payload)
	}
	return object{"total_count": len(covered), "repository_selection": selection, "repositories": payloads}, nil
}

// DELETE /installation/token
func revokeInstallationToken(c *call) (any, error) {
	if c.actor.installation == nil {
		return nil, errNotIntegration
	}
	delete(c.p.tokens, c.actor.token.value)
	return nil, nil
}

// GET /repos/{owner}/{repo}/installation
func getRepositoryInstallation(c *call) (any, error) {
	if i := c.p.installationCovering(c.actor.app, c.repo); i != nil {
		return c.p.installationPayload(i), nil
	}
	return nil, errNotFound
}

// installationCovering is the App's installation that has a repository; nil without one.
func (p *Playground) installationCovering(a *app, r *repository) *installation {
	for _, i := range p.installations {
		if i.app == a && i.covers(r) {
			return i
		}
	}
	return nil
}

// GET /orgs/{account}/installation and /users/{account}/installation
func getAccountInstallation(c *call) (any, error) {
	target := c.p.accounts[lower(c.vars["account"])]
	if target == nil {
		return nil, errNotFound
	}
	if i := c.p.installationOn(c.actor.app, target); i != nil {
		return c.p.installationPayload(i), nil
	}
	return nil, errNotFound
}

// GET /user
func getAuthenticatedUser(c *call) (any, error) { return c.p.privateUserPayload(c.actor.account), nil }

// GET /users/{username}
func getUser(c *call) (any, error) {
	a := c.p.accounts[lower(c.vars["username"])]
	if a == nil {
		return nil, errNotFound
	}
	return c.p.publicUserPayload(a), nil
}

// GET /apps/{app_slug}
func getAppBySlug(c *call) (any, error) {
	for _, a := range c.p.apps {
		if strings.EqualFold(a.Slug, c.vars["app_slug"]) {
			return c.p.appPayload(a), nil
		}
	}
	return nil, errNotFound
}
