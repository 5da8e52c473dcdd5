package playground

import (
	"fmt"
	"slices"
	"strings"
)

// defaultLabels are the labels that GitHub puts into a new repository
// (https://docs.github.com/en/issues/using-labels-and-milestones-to-track-work/managing-labels#about-default-labels).
var defaultLabels = []struct{ name, color, description string }{
	{"bug", "d73a4a", "Something isn't working"},
	{"documentation", "0075ca", "Improvements or additions to documentation"},
	{"duplicate", "cfd3d7", "This issue or pull request already exists"},
	{"enhancement", "a2eeef", "New feature or request"},
	{"good first issue", "7057ff", "Good for newcomers"},
	{"help wanted", "008672", "Extra attention is needed"},
	{"invalid", "e4e669", "This doesn't seem right"},
	{"question", "d876e3", "Further information is requested"},
	{"wontfix", "ffffff", "This will not be worked on"},
}

// isDefaultLabel is whether GitHub says "default" of a label of that name, also of one that people made.
func isDefaultLabel(name string) bool {
	for _, l := range defaultLabels {
		if l.name == name {
			return true
		}
	}
	return false
}

// AddRepository makes a public repository with GitHub's default labels and a README on the branch main, and returns
// its id. An owner who does not exist becomes an organization. Installations that cover all of the owner's
// repositories get a webhook.
func (p *Playground) AddRepository(owner, name string) (id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.repositories[lower(owner, name)]; r != nil {
		return r.id
	}
	now := p.now()
	r := &repository{
		id: p.nextID(), owner: p.ensureAccount(owner, kindOrganization), name: name,
		roles: map[*account]role{}, branches: map[string]*commit{}, defaultBranch: "main",
		created: now, updated: now, pushed: now,
	}
	for _, l := range defaultLabels {
		r.labels = append(r.labels, &label{id: p.nextID(), name: l.name, color: l.color, description: &l.description})
	}
	r.branches["main"] = newCommit("Initial commit", r.owner, now, map[string][]byte{"README.md": []byte("# " + name + "\n")})
	p.repositories[lower(owner, name)] = r
	delete(p.formerNames, lower(owner, name))

	by := actor{account: r.owner}
	p.emit("repository", "created", by, r, nil)
	for _, i := range p.installations {
		if i.all && !i.deleted && i.account == r.owner {
			p.emitInstallationRepositories(i, by, []*repository{r}, nil)
		}
	}
	return r.id
}

// SetPermission gives a login (made as a user if it does not exist) a role in a repository: none, read, triage, write, maintain or admin. Everybody
// can read and comment on a public repository, no matter which role they have. It panics for a repository or a role that does not exist.
func (p *Playground) SetPermission(owner, repo, login, roleName string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.setPermission(owner, repo, login, roleName); err != nil {
		panic("playground: " + err.Error())
	}
}

func (p *Playground) setPermission(owner, repo, login, roleName string) error {
	r, err := p.mustRepository(owner, repo)
	if err != nil {
		return err
	}
	given, err := parseRole(roleName)
	if err != nil {
		return err
	}
	r.roles[p.ensureAccount(login, kindUser)] = given
	return nil
}

// Repositories lists the full names of all repositories, sorted.
func (p *Playground) Repositories() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, r := range p.repositories {
		names = append(names, r.fullName())
	}
	slices.Sort(names)
	return names
}

func (p *Playground) mustRepository(owner, name string) (*repository, error) {
	if r := p.repositories[lower(owner, name)]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("there is no repository %s/%s", owner, name)
}

// ownedRepositories lists an account's repositories by id.
func (p *Playground) ownedRepositories(a *account) []*repository {
	var owned []*repository
	for _, r := range p.repositories {
		if r.owner == a {
			owned = append(owned, r)
		}
	}
	slices.SortFunc(owned, func(a, b *repository) int { return int(a.id - b.id) })
	return owned
}

// RenameRepository renames a repository on behalf of its owner. The old name redirects, as on GitHub.
func (p *Playground) RenameRepository(owner, name, newName string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.mustRepository(owner, name)
	if err != nil {
		return err
	}
	return p.renameRepository(actor{account: r.owner}, r, newName)
}

func (p *Playground) renameRepository(by actor, r *repository, newName string) error {
	if other := p.repositories[lower(r.owner.login, newName)]; other != nil && other != r {
		return fmt.Errorf("rename %s: the name %s already exists on this account", r.fullName(), newName)
	}
	from := r.name
	delete(p.repositories, lower(r.owner.login, from))
	p.formerNames[lower(r.owner.login, from)] = r
	r.name, r.updated = newName, p.now()
	p.repositories[lower(r.owner.login, newName)] = r
	delete(p.formerNames, lower(r.owner.login, newName))
	p.emit("repository", "renamed", by, r, object{"changes": object{"repository": object{"name": object{"from": from}}}})
	return nil
}

// SetPrivate makes a repository private or public on behalf of its owner.
func (p *Playground) SetPrivate(owner, name string, private bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.mustRepository(owner, name)
	if err != nil {
		return err
	}
	p.setPrivate(actor{account: r.owner}, r, private)
	return nil
}

func (p *Playground) setPrivate(by actor, r *repository, private bool) {
	if r.private == private {
		return
	}
	r.private, r.updated = private, p.now()
	action := "publicized"
	if private {
		action = "privatized"
	}
	p.emit("repository", action, by, r, nil)
}

// DeleteRepository deletes a repository on behalf of its owner.
func (p *Playground) DeleteRepository(owner, name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.mustRepository(owner, name)
	if err != nil {
		return err
	}
	p.deleteRepository(actor{account: r.owner}, r)
	return nil
}

func (p *Playground) deleteRepository(by actor, r *repository) {
	p.emit("repository", "deleted", by, r, nil)
	for _, i := range p.installations {
		if !i.covers(r) {
			continue
		}
		i.selected = slices.DeleteFunc(i.selected, func(s *repository) bool { return s == r })
		p.emitInstallationRepositories(i, by, nil, []*repository{r})
	}
	r.deleted = true
	delete(p.repositories, lower(r.owner.login, r.name))
}

// GET /repos/{owner}/{repo}
func getRepository(c *call) (any, error) {
	return c.p.fullRepositoryPayload(c.repo, c.effectiveRole()), nil
}

// PATCH /repos/{owner}/{repo}
func updateRepository(c *call, in struct {
	Name          *string `json:"name"`
	Description   *string `json:"description"`
	Private       *bool   `json:"private"`
	Visibility    *string `json:"visibility"`
	Archived      *bool   `json:"archived"`
	DefaultBranch *string `json:"default_branch"`
},
) (any, error) {
	if in.Visibility != nil {
		if *in.Visibility != "public" && *in.Visibility != "private" {
			return nil, invalid("Repository", "visibility", "invalid", "")
		}
		private := *in.Visibility != "public"
		in.Private = &private
	}
	if in.DefaultBranch != nil && c.repo.branches[*in.DefaultBranch] == nil {
		return nil, invalid("Repository", "default_branch", "invalid", "Cannot update default branch for an empty repository. Please init the repository and push first.")
	}
	if in.Name != nil && !strings.EqualFold(*in.Name, c.repo.name) && c.p.repositories[lower(c.repo.owner.login, *in.Name)] != nil {
		return nil, invalid("Repository", "name", "custom", "name already exists on this account")
	}
	changes := object{}
	if in.Description != nil && *in.Description != c.repo.description {
		changes["description"] = object{"from": orNull(c.repo.description)}
		c.repo.description = *in.Description
	}
	if in.DefaultBranch != nil && *in.DefaultBranch != c.repo.defaultBranch {
		changes["default_branch"] = object{"from": c.repo.defaultBranch}
		c.repo.defaultBranch = *in.DefaultBranch
	}
	if len(changes) > 0 {
		c.repo.updated = c.p.now()
		c.p.emit("repository", "edited", c.actor, c.repo, object{"changes": changes})
	}
	if in.Name != nil && *in.Name != c.repo.name {
		if err := c.p.renameRepository(c.actor, c.repo, *in.Name); err != nil {
			return nil, err
		}
	}
	if in.Private != nil {
		c.p.setPrivate(c.actor, c.repo, *in.Private)
	}
	if in.Archived != nil && *in.Archived != c.repo.archived {
		c.repo.archived = *in.Archived
		action := "unarchived"
		if c.repo.archived {
			action = "archived"
		}
		c.p.emit("repository", action, c.actor, c.repo, nil)
	}
	return c.p.fullRepositoryPayload(c.repo, c.effectiveRole()), nil
}

// DELETE /repos/{owner}/{repo}
func deleteRepository(c *call) (any, error) {
	c.p.deleteRepository(c.actor, c.repo)
	return nil, nil
}

// GET /repos/{owner}/{repo}/collaborators/{username}/permission
func getCollaboratorPermission(c *call) (any, error) {
	if !c.allowed(roleWrite) {
		return nil, refuse(403, "Must have push access to view collaborator permission.")
	}
	a := c.p.accounts[lower(c.vars["username"])]
	if a == nil || a.kind != kindUser {
		return nil, refuse(404, c.vars["username"]+" is not a user")
	}
	has := c.repo.roleOf(a)
	user := c.p.userPayload(a)
	user["permissions"] = has.permissions()
	user["role_name"] = has.String()
	return object{"permission": has.folded(), "role_name": has.String(), "user": user}, nil
}
