package issues

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/statemachine"
)

// View is what Colony knows about one issue at one moment.
type View struct {
	Ref    Ref
	Title  string
	Body   string
	Author statemachine.Actor
	// Association is what GitHub calls the author's association with the repository, in its capitals.
	Association string
	Created     time.Time
	// Updated is when GitHub last changed anything about the issue.
	Updated     time.Time
	PullRequest bool
	Closed      bool
	// Reopened is when the issue was last opened again; zero if it never was.
	Reopened time.Time
	Labels   []string
	// Renamed lists who gave the issue another title, and when.
	Renamed []Renaming
	// SubIssues and BlockedBy are how far its sub-issues are, and how many issues are on GitHub's list of those that it depends on.
	// They are nil if the server does not tell.
	SubIssues *Progress
	BlockedBy *int
	// Reactions is how many reactions the opening text has, of anybody.
	Reactions int
	// Begun is since when the issue's repository is judged by the present table; it is not read with the issue.
	Begun time.Time
	// Changes is the log: every label event of the issue.
	Changes []statemachine.Change
}

// Renaming is a change of an issue's title.
type Renaming struct {
	By string
	At time.Time
}

// History returns what the fold needs.
func (v View) History(judgedSince time.Time) statemachine.History {
	return statemachine.History{Changes: v.Changes, Labels: v.Labels, JudgedSince: judgedSince, Begun: v.Begun}
}

// Comment is one comment of an issue, or its opening text (ID 0).
type Comment struct {
	ID      int64
	By      statemachine.Actor
	Body    string
	Created time.Time
	// Reactions is how many reactions the comment has, of anybody; 0 proves that Colony's receipt is not there.
	Reactions int
	// Edited says that the text is not as it was written. Whoever may write to the repository can edit what others
	// wrote, so its commands are not its author's any more.
	Edited bool
}

// Receipt is Colony's own reaction on a comment: the proof that its commands were run.
type Receipt struct {
	Content string
	At      time.Time
}

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

// Includes reports whether whoever has p has q as well. A word that is no permission includes nothing.
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
