package lifecycle

import "strings"

// ActorKind says in which capacity an account changed a label.
type ActorKind string

// The kinds of actors the table knows.
const (
	// Operator is a person with triage access: the whole table is theirs.
	Operator ActorKind = "operator"
	// Executor is a bot, or a login that the configuration calls one: it can request what its role can, and claim work.
	Executor ActorKind = "executor"
	// Author is the author without any right to edit labels.
	Author ActorKind = "author"
	// Colony is Colony itself, under its present or a former identity.
	Colony ActorKind = "colony"
)

// Actor is who made a change, as far as the table cares.
type Actor struct {
	Login string    `json:"login"`
	Kind  ActorKind `json:"kind"`
	// Roles restricts a bot to these roles of the lifecycle. Empty means that the state decides.
	Roles []string `json:"-"`
	// App says that GitHub calls the account an App's bot although its login does not tell; see IsApp.
	App bool `json:"-"`
}

// IsApp reports whether the account is an App's bot. GitHub says so of each account that it shows; not all end in [bot], as Copilot does not.
func (a Actor) IsApp() bool { return a.App || IsAppLogin(a.Login) }

// IsAppLogin reports whether an account is an App's bot as far as its login tells. It is for where nothing else is known.
func IsAppLogin(login string) bool { return strings.HasSuffix(login, "[bot]") }
