package advice

import (
	"slices"

	"github.com/colony-app/colony/statemachine"
)

// Party is someone who is expected to act on an issue.
type Party struct {
	Kind statemachine.ActorKind
	// Role is the role of a bot, and Login the name of an account; each is empty if it does not matter.
	Role, Login string
}

// Expected returns who must act for an issue to leave a state; author is who opened it. It is nil where the work has ended, and Colony
// where the issue waits for a fact.
func Expected(l *statemachine.Lifecycle, name, author string) []Party {
	state, known := l.State(name)
	operators := []Party{{Kind: statemachine.Operator}}
	switch {
	case !known || state.Type == statemachine.Terminal:
		return nil
	case state.Type == statemachine.AwaitingHuman:
		if answeredByAuthor(l, name) {
			return append([]Party{{Kind: statemachine.Author, Login: author}}, operators...)
		}
		return operators
	case state.Type == statemachine.Blocked && state.Recovery == statemachine.RecoveryManual:
		return operators
	case state.Type == statemachine.Blocked:
		return []Party{{Kind: statemachine.Colony}}
	}
	var roles []Party
	for _, r := range l.Roles.In(name) {
		roles = append(roles, Party{Kind: statemachine.Executor, Role: r})
	}
	if len(roles) == 0 {
		return operators
	}
	return roles
}

// answeredByAuthor reports whether the author of an issue can move it out of a state in writing: by a comment, or by an edit before the
// text is approved.
func answeredByAuthor(l *statemachine.Lifecycle, state string) bool {
	return slices.ContainsFunc(l.Triggers, func(t statemachine.Trigger) bool {
		spec, _ := statemachine.SpecOf(t.On)
		edited := spec.Needs == statemachine.ReadEdits && !spec.Sealed
		return slices.Contains(t.In, state) && (edited || spec.By == statemachine.ByAuthor || spec.By == statemachine.ByMover)
	})
}
