// Package teams reads from GitHub who is a member of a team. Nothing is remembered of who is one: each answer is GitHub's of that moment, so that a
// person who leaves a team has lost what its members can do. The client validates the answers that it keeps, which GitHub does not count against the
// rate limit (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
package teams

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// Permission is the App's permission, which organisations grant, that it takes to read teams; read is enough.
const Permission = "members"

// ErrPermission says that the App's installation has no permission to read teams.
var ErrPermission = errors.New(`the App has no permission "Members: read"`)

// ErrGone says that there is no such team: it was deleted or renamed, it never was, or Colony is not allowed to see it.
var ErrGone = errors.New("there is no such team")

// Name is a team: an organisation, and the team's name as its address has it.
type Name struct{ Organization, Slug string }

// names are as GitHub writes them; those of managed users have an underscore.
var names = regexp.MustCompile(`^@?([A-Za-z0-9][A-Za-z0-9_-]*)/([A-Za-z0-9_][A-Za-z0-9_-]*)$`)

const longestOrganization, longestSlug = 100, 255

// Parse reads a team as people mention it: @organisation/team, or without the sign.
func Parse(text string) (Name, error) {
	parts := names.FindStringSubmatch(text)
	if len(parts) == 0 || len(parts[1]) > longestOrganization || len(parts[2]) > longestSlug {
		return Name{}, fmt.Errorf("%q is no team: write organisation/team, with the team's name as in its address", text)
	}
	return Name{parts[1], parts[2]}, nil
}

// String is the team as people mention it.
func (n Name) String() string { return "@" + n.Organization + "/" + n.Slug }

// Granted asks GitHub what an installation grants: permission to level.
type Granted func(ctx context.Context, installation int64) (map[string]string, error)

// Reader reads teams. It is safe for concurrent use.
type Reader struct {
	clients issues.Clients
	granted Granted
	// ids are those of teams that were there, by the installation and the name: they tell a team that was renamed from one that was
	// deleted. Nothing is granted because of them.
	ids *lru.Cache[string, int64]
}

// teamsKept bounds the memory to some hundred kilobytes.
const teamsKept = 2000

// NewReader returns a reader that knows no team. granted can be nil: then a team that cannot be seen might be one without permission.
func NewReader(clients issues.Clients, granted Granted) *Reader {
	return &Reader{clients: clients, granted: granted, ids: bounded.New[string, int64](teamsKept)}
}

// IsMember reports whether an account is a member of a team, or of a team below it. Who was invited and has not accepted is not a member. The error
// says in words for people why that is not known: it is ErrPermission, ErrGone, or what became of the call.
//
// It takes one call for a member and two for anybody else. GitHub answers 404 about an account that is no member. It answers the same about a team
// that is not there or that the App is not allowed to see (https://docs.github.com/rest/teams/members#get-team-membership-for-a-user).
func (r *Reader) IsMember(ctx context.Context, repo issues.Repository, team Name, login string) (bool, error) {
	if err := ofOwner(repo, team); err != nil {
		return false, err
	}
	if login == "" || lifecycle.IsAppLogin(login) { // only people are members, and who was deleted is not a member
		return false, nil
	}
	client, err := r.clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return false, fmt.Errorf("cannot read team %s: %w", team, err)
	}
	membership, _, err := client.Teams.GetTeamMembershipBySlug(ctx, team.Organization, team.Slug, login)
	if err == nil {
		r.remember(repo, team, idIn(membership.GetURL()))
		return membership.GetState() == "active", nil
	}
	if issues.IsMissing(err) {
		var there *github.Team
		if there, _, err = client.Teams.GetTeamBySlug(ctx, team.Organization, team.Slug); err == nil {
			r.remember(repo, team, there.GetID())
			return false, nil
		}
	}
	return false, fmt.Errorf("cannot read team %s: %w", team, r.explain(ctx, client, repo, team, err))
}

// Check asks whether a team can be read. The error is as that of IsMember.
func (r *Reader) Check(ctx context.Context, repo issues.Repository, team Name) error {
	if err := ofOwner(repo, team); err != nil {
		return err
	}
	client, err := r.clients.NewInstallationClient(repo.Installation)
	if err == nil {
		_, _, err = client.Teams.GetTeamBySlug(ctx, team.Organization, team.Slug)
	}
	if err != nil {
		return fmt.Errorf("cannot read team %s: %w", team, r.explain(ctx, client, repo, team, err))
	}
	return nil
}

// ofOwner refuses the teams of others: an installation reads those of its own organisation.
func ofOwner(repo issues.Repository, team Name) error {
	if strings.EqualFold(team.Organization, repo.Owner) {
		return nil
	}
	return fmt.Errorf("cannot read team %s: Colony reads only the teams of %s, which owns the repository", team, repo.Owner)
}

// explain finds out why a team cannot be read.
func (r *Reader) explain(ctx context.Context, client *github.Client, repo issues.Repository, team Name, err error) error {
	if !issues.IsMissing(err) && !issues.IsForbidden(err) {
		return issues.InWords(err)
	}
	if r.granted != nil {
		grants, unread := r.granted(ctx, repo.Installation)
		switch {
		case unread != nil && ctx.Err() != nil:
			return errors.Join(unread, ctx.Err())
		case unread == nil && grants[Permission] == "":
			return ErrPermission
		}
	}
	if issues.IsForbidden(err) {
		return issues.InWords(err)
	}
	return fmt.Errorf("%w: %s", ErrGone, r.fate(ctx, client, repo, team))
}

// listed bounds how many teams are looked through for one that was renamed.
const listed = 3

// fate tells what became of a team that is not there, as far as that is known. Its new name is not mentioned: the team might be secret.
func (r *Reader) fate(ctx context.Context, client *github.Client, repo issues.Repository, team Name) string {
	id, known := r.ids.Get(key(repo, team))
	if !known {
		return "it was deleted or renamed, or Colony cannot see it"
	}
	page := &github.ListOptions{PerPage: 100}
	for range listed {
		list, response, err := client.Teams.ListTeams(ctx, team.Organization, page)
		if err != nil {
			return "it was deleted or renamed"
		}
		for _, t := range list {
			if t.GetID() == id {
				return "it was renamed"
			}
		}
		if page.Page = response.NextPage; page.Page == 0 {
			return "it was deleted"
		}
	}
	return "it was deleted or renamed"
}

func (r *Reader) remember(repo issues.Repository, team Name, id int64) {
	if id != 0 {
		r.ids.Add(key(repo, team), id)
	}
}

func key(repo issues.Repository, team Name) string {
	return fmt.Sprintf("%d%s", repo.Installation, strings.ToLower(team.String()))
}

// ofMembership is the address of a membership, which names the team by its id.
var ofMembership = regexp.MustCompile(`/teams?/(\d+)/memberships/`)

func idIn(address string) int64 {
	if parts := ofMembership.FindStringSubmatch(address); parts != nil {
		id, _ := strconv.ParseInt(parts[1], 10, 64) // 0: no id
		return id
	}
	return 0
}
