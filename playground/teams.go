package playground

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// team is a team of an organization. Its slug follows its name, so a renamed team has another address.
type team struct {
	id      int64
	owner   *account
	name    string
	parent  *team
	members map[*account]string // to the state of the membership
	created time.Time
	updated time.Time
}

// The states of a membership: pending is for a person invited to the organization who has not accepted.
const (
	activeMember  = "active"
	pendingMember = "pending"
)

var notOfSlug = regexp.MustCompile(`[^a-z0-9_]+`)

// slug is the team's name as addresses have it.
func (t *team) slug() string {
	return strings.Trim(notOfSlug.ReplaceAllString(lower(t.name), "-"), "-")
}

// AddTeam makes a team of an organization, with members, or adds these to the team of that name. An organization or a person who does not
// exist is made.
func (p *Playground) AddTeam(organization, name string, members ...string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	owner := p.ensureAccount(organization, kindOrganization)
	if owner.kind != kindOrganization {
		return fmt.Errorf("add the team %s: %s is no organization", name, organization)
	}
	t := &team{owner: owner, name: name, members: map[*account]string{}, created: p.now(), updated: p.now()}
	if there := p.team(organization, t.slug()); there != nil {
		t = there
	} else if t.slug() == "" {
		return fmt.Errorf("add the team %q: its name has no letter", name)
	} else {
		t.id = p.nextID()
		p.teams = append(p.teams, t)
	}
	for _, login := range members {
		t.members[p.ensureAccount(login, kindUser)] = activeMember
	}
	return nil
}

// AddTeamMember makes an account a member of a team; pending: invited to the organization, and not there yet.
func (p *Playground) AddTeamMember(organization, slug, login string, pending bool) error {
	return p.changeTeam(organization, slug, func(t *team) error {
		a := p.ensureAccount(login, kindUser)
		if a.kind != kindUser {
			return fmt.Errorf("add %s to the team %s: only people can be members", login, slug)
		}
		t.members[a] = activeMember
		if pending {
			t.members[a] = pendingMember
		}
		return nil
	})
}

// RemoveTeamMember is the opposite.
func (p *Playground) RemoveTeamMember(organization, slug, login string) error {
	return p.changeTeam(organization, slug, func(t *team) error {
		a := p.accounts[lower(login)]
		if t.members[a] == "" {
			return fmt.Errorf("remove %s from the team %s: no such member", login, slug)
		}
		delete(t.members, a)
		return nil
	})
}

// RenameTeam gives a team another name, and so another slug. Unlike a repository's, its old address leads nowhere.
func (p *Playground) RenameTeam(organization, slug, name string) error {
	return p.changeTeam(organization, slug, func(t *team) error {
		renamed := &team{name: name}
		if other := p.team(organization, renamed.slug()); renamed.slug() == "" || other != nil && other != t {
			return fmt.Errorf("rename the team %s: it cannot be called %q", slug, name)
		}
		t.name = name
		return nil
	})
}

// NestTeam makes a team the child of another: GitHub counts the members of a child among its parent's.
func (p *Playground) NestTeam(organization, slug, parent string) error {
	return p.changeTeam(organization, slug, func(t *team) error {
		above := p.team(organization, parent)
		for a := above; a != nil; a = a.parent {
			if a == t {
				return fmt.Errorf("nest the team %s: it is above %s", slug, parent)
			}
		}
		if above == nil {
			return fmt.Errorf("nest the team %s: there is no team %s", slug, parent)
		}
		t.parent = above
		return nil
	})
}

// DeleteTeam removes a team; its children are GitHub's to remove as well.
func (p *Playground) DeleteTeam(organization, slug string) error {
	return p.changeTeam(organization, slug, func(gone *team) error {
		p.teams = slices.DeleteFunc(p.teams, func(t *team) bool {
			for a := t; a != nil; a = a.parent {
				if a == gone {
					return true
				}
			}
			return false
		})
		return nil
	})
}

func (p *Playground) changeTeam(organization, slug string, change func(*team) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.team(organization, slug)
	if t == nil {
		return fmt.Errorf("%s has no team %s", organization, slug)
	}
	t.updated = p.now()
	return change(t)
}

func (p *Playground) team(organization, slug string) *team {
	for _, t := range p.teams {
		if lower(t.owner.login) == lower(organization) && t.slug() == lower(slug) {
			return t
		}
	}
	return nil
}

// membership is the state of an account's membership, that in a child team included; empty for one that is not a member.
func (p *Playground) membership(t *team, a *account) string {
	if a == nil {
		return ""
	}
	state := t.members[a]
	for _, child := range p.teams {
		if child.parent == t && state != activeMember {
			if s := p.membership(child, a); s != "" {
				state = s
			}
		}
	}
	return state
}

// mayReadTeams is whether a caller sees an organization's teams: an App with the permission that is installed there, and its people.
func (c *call) mayReadTeams() bool {
	if c.actor.asApp() {
		i := c.actor.token.installation
		return i != nil && lower(i.account.login) == lower(c.vars["org"]) && grants(c.actor.token.permissions, "members", "read")
	}
	return slices.ContainsFunc(c.p.teams, func(t *team) bool {
		return lower(t.owner.login) == lower(c.vars["org"]) && t.members[c.actor.account] == activeMember
	})
}

// GET /orgs/{org}/teams
func listTeams(c *call) (any, error) {
	if c.p.accounts[lower(c.vars["org"])] == nil {
		return nil, errNotFound
	}
	if !c.mayReadTeams() {
		return nil, errNotIntegration
	}
	kind, err := c.choice("team_type", "all", "organization", "enterprise")
	if err != nil {
		return nil, err
	}
	payloads := []object{}
	for _, t := range page(c, slices.DeleteFunc(slices.Clone(c.p.teams), func(t *team) bool { return kind == "enterprise" || lower(t.owner.login) != lower(c.vars["org"]) })) {
		payload := c.p.teamPayload(t)
		payload["parent"] = nil
		if t.parent != nil {
			payload["parent"] = c.p.teamPayload(t.parent)
		}
		payloads = append(payloads, payload)
	}
	return payloads, nil
}

// seenTeam is the team of the path. One that the caller is not allowed to see is not there, for a lack of permission too: GitHub answers 404
// (https://github.com/srvaroa/labeler/issues/160).
func (c *call) seenTeam() (*team, error) {
	t := c.p.team(c.vars["org"], c.vars["team_slug"])
	if t == nil || !c.mayReadTeams() {
		return nil, errNotFound
	}
	return t, nil
}

// GET /orgs/{org}/teams/{team_slug}
func getTeam(c *call) (any, error) {
	t, err := c.seenTeam()
	if err != nil {
		return nil, err
	}
	payload := c.p.teamPayload(t)
	payload["parent"] = nil
	if t.parent != nil {
		payload["parent"] = c.p.teamPayload(t.parent)
	}
	payload["created_at"], payload["updated_at"] = stamp(t.created), stamp(t.updated)
	payload["members_count"], payload["repos_count"] = len(t.members), 0
	organization := c.p.organizationPayload(t.owner)
	organization["html_url"], organization["type"] = c.p.html("/%s", t.owner.login), t.owner.kind
	organization["has_organization_projects"], organization["has_repository_projects"] = true, true
	organization["public_repos"], organization["public_gists"], organization["followers"], organization["following"] = 0, 0, 0, 0
	organization["created_at"], organization["updated_at"], organization["archived_at"] = stamp(t.owner.created), stamp(t.owner.created), nil
	payload["organization"] = organization
	return payload, nil
}

// GET /orgs/{org}/teams/{team_slug}/memberships/{username}
func getTeamMembership(c *call) (any, error) {
	t, err := c.seenTeam()
	if err != nil {
		return nil, err
	}
	a := c.p.accounts[lower(c.vars["username"])]
	state := c.p.membership(t, a)
	if state == "" {
		return nil, errNotFound
	}
	return object{
		"url":  c.p.api("/organizations/%d/team/%d/memberships/%s", t.owner.id, t.id, a.login),
		"role": "member", "state": state,
	}, nil
}

func (p *Playground) teamPayload(t *team) object {
	u := p.api("/organizations/%d/team/%d", t.owner.id, t.id)
	return object{
		"id": t.id, "node_id": nodeID("T", t.id), "url": u, "html_url": p.html("/orgs/%s/teams/%s", t.owner.login, t.slug()),
		"name": t.name, "slug": t.slug(), "description": "", "privacy": "closed", "notification_setting": "notifications_enabled",
		"permission": "pull", "members_url": u + "/members{/member}", "repositories_url": u + "/repos", "type": "organization",
	}
}
