package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Permission is what GitHub lets a user do in a repository, the base of a custom role included.
// See https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user.
type Permission string

// The permissions, weakest first.
const (
	PermissionNone     Permission = "none"
	PermissionRead     Permission = "read"
	PermissionTriage   Permission = "triage"
	PermissionWrite    Permission = "write"
	PermissionMaintain Permission = "maintain"
	PermissionAdmin    Permission = "admin"
)

var permissions = []Permission{PermissionNone, PermissionRead, PermissionTriage, PermissionWrite, PermissionMaintain, PermissionAdmin}

// Includes reports whether a permission p includes q. A word that is no permission includes nothing.
func (p Permission) Includes(q Permission) bool {
	return slices.Contains(permissions, p) && slices.Index(permissions, p) >= slices.Index(permissions, q)
}

// ParsePermission reads a permission from a configuration.
func ParsePermission(word string) (Permission, error) {
	if p := Permission(strings.ToLower(word)); slices.Contains(permissions, p) {
		return p, nil
	}
	return "", fmt.Errorf("%q is not one of none, read, triage, write, maintain, admin", word)
}

// people asks GitHub whose a login is, and what they can do.
type people struct{ connection }

// Permission asks GitHub what a user is allowed to do in a repository. A user that GitHub does not know is allowed nothing.
func (p people) Permission(ctx context.Context, repo Repository, login string) (Permission, error) {
	client := p.client(repo)
	var level permissionLevel
	_, err := ask(ctx, client, http.MethodGet, fmt.Sprintf("repos/%s/%s/collaborators/%s/permission", repo.Owner, repo.Name, url.PathEscape(login)), nil, &level)
	if isStatus(err, http.StatusNotFound) {
		return PermissionNone, nil
	}
	if err != nil {
		return "", fmt.Errorf("read the permission of %s on %s: %w", login, repo, err)
	}
	return level.means(), nil
}

// permissionLevel is what GitHub tells; go-github v62 leaves the role's name out.
type permissionLevel struct {
	Permission string `json:"permission"`
	RoleName   string `json:"role_name"`
	User       struct {
		Permissions map[string]bool `json:"permissions"`
	} `json:"user"`
}

// means reads the most exact of the three that a server tells. The flags also tell the base of a custom role, the role's name
// does not; the word alone folds triage into read and maintain into write. Not every server tells the flags.
func (l permissionLevel) means() Permission {
	flags := l.User.Permissions
	for _, f := range permissionFlags {
		if flags[f.flag] {
			return f.means
		}
	}
	if role, err := ParsePermission(l.RoleName); err == nil {
		return role
	}
	return Permission(l.Permission)
}

// permissionFlags are GitHub's flags, strongest first.
var permissionFlags = []struct {
	flag  string
	means Permission
}{
	{"admin", PermissionAdmin},
	{"maintain", PermissionMaintain},
	{"push", PermissionWrite},
	{"triage", PermissionTriage},
	{"pull", PermissionRead},
}
