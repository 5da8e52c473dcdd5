package commands

import (
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/statemachine"
)

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

// String names who has the right where no settings say otherwise.
func (r Right) String() string { return r.who(statemachine.Access{}) }

func (r Right) who(a statemachine.Access) string {
	switch r {
	case MayMove:
		return wording.Movers(a)
	case MayForce:
		return wording.Forcers(a)
	}
	return "everybody"
}
