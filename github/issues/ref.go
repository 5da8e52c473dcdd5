// Package issues is the one home of reading and writing an issue on GitHub: Store loads a View, and Apply carries
// out a list of writes in their order.
package issues

import (
	"fmt"
	"strings"
)

// Repository names a repository and the installation through which it is reached.
type Repository struct {
	Installation int64  `json:"installation"`
	ID           int64  `json:"repository_id,omitempty"`
	Owner        string `json:"owner,omitempty"`
	Name         string `json:"repo,omitempty"`
}

func (r Repository) String() string { return r.Owner + "/" + r.Name }

// NameKey returns what all spellings of a repository's name have in common: GitHub takes capital and small letters for the same.
func NameKey(owner, name string) string { return strings.ToLower(owner + "/" + name) }

// Same reports whether two names are of the same repository.
func (r Repository) Same(other Repository) bool {
	return strings.EqualFold(r.Owner, other.Owner) && strings.EqualFold(r.Name, other.Name)
}

// Ref names one issue.
type Ref struct {
	Repository
	Number int `json:"issue,omitempty"`
}

func (r Ref) String() string { return fmt.Sprintf("%s#%d", r.Repository, r.Number) }
