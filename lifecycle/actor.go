package lifecycle

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
}
