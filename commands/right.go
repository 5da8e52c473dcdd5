package commands

// Right is what an account is allowed to do with commands in a repository. A right includes those below it.
type Right int

// The rights, least first.
const (
	// MayRead is everybody's who can comment.
	MayRead Right = iota
	// MayMove is for people who can edit labels; the configuration says which permission that takes.
	MayMove
	// MayForce is for people who are allowed to override the workflow.
	MayForce
)

var rightNames = map[Right]string{
	MayRead:  "everybody",
	MayMove:  "people who may edit labels",
	MayForce: "maintainers of the repository",
}

func (r Right) String() string { return rightNames[r] }
