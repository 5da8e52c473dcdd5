package wording

import (
	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Party names who has to act, for people.
func Party(a statemachine.Access, p advice.Party) string {
	switch {
	case p.Login != "":
		return p.Login
	case p.Role != "":
		return "the " + p.Role
	case p.Kind == lifecycle.Operator:
		return Movers(a)
	case p.Kind == lifecycle.Author:
		return "its author"
	case p.Kind == lifecycle.Executor:
		return "a bot"
	}
	return "Colony"
}

// Typed is the command that takes an action; empty for none. What has to be filled in is in angle brackets.
func Typed(a *advice.Action) string {
	if a == nil {
		return ""
	}
	if a.Reason {
		return a.Command() + " <reason>"
	}
	return a.Command()
}
