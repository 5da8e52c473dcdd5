package lifecycle

// ActorKind says in which capacity somebody changed a label.
type ActorKind string

// The kinds of actors the table knows.
const (
	// Operator is a person who may edit labels: the whole table is theirs.
	Operator ActorKind = "operator"
	// Executor is a bot, or a login that the configuration calls one: it may request what its role may, and claim work.
	Executor ActorKind = "executor"
	// Author is the author without any right to edit labels.
	Author ActorKind = "author"
	// Colony is Colony itself, under its present or a former identity.
	Colony ActorKind = "colony"
)

// Actor is who made a change, as far as the table cares.
type Actor struct {
	Login string
	Kind  ActorKind
	// Roles restricts an executor to these roles of the lifecycle. Empty means that the state decides.
	Roles []string
}
