package commands

// Right is what somebody may do with commands in a repository. A right includes those below it.
type Right int

// The rights, least first.
const (
	// MayRead is everybody's who can comment.
	MayRead Right = iota
	// MayMove is for those who may edit labels; the configuration says which permission that takes.
	MayMove
	// MayForce is for those who may go around the table.
	MayForce
)

var rightNames = map[Right]string{
	MayRead:  "everybody",
	MayMove:  "people who may edit labels",
	MayForce: "maintainers of the repository",
}

func (r Right) String() string { return rightNames[r] }
