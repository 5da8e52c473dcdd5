package playground

import "fmt"

// role is a person's role in a repository, in rising order
// (https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization).
type role int

const (
	roleNone role = iota
	roleRead
	roleTriage
	roleWrite
	roleMaintain
	roleAdmin
)

var roleNames = []string{"none", "read", "triage", "write", "maintain", "admin"}

func (r role) String() string { return roleNames[r] }

// folded is the coarse word that the permission endpoint keeps for old clients.
func (r role) folded() string {
	switch r {
	case roleNone:
		return "none"
	case roleRead, roleTriage:
		return "read"
	case roleWrite, roleMaintain:
		return "write"
	default:
		return "admin"
	}
}

func (r role) permissions() object {
	return object{
		"pull": r >= roleRead, "triage": r >= roleTriage, "push": r >= roleWrite,
		"maintain": r >= roleMaintain, "admin": r >= roleAdmin,
	}
}

func parseRole(word string) (role, error) {
	for i, name := range roleNames {
		if name == word {
			return role(i), nil
		}
	}
	return roleNone, fmt.Errorf("role %q is none of %v", word, roleNames)
}

// roleOf is the highest role that an account has in a repository; a public repository can be read by everyone.
func (r *repository) roleOf(a *account) role {
	if a == nil {
		if r.private {
			return roleNone
		}
		return roleRead
	}
	if a == r.owner {
		return roleAdmin
	}
	given := r.roles[a]
	if given < roleRead && !r.private {
		return roleRead
	}
	return given
}
