package advice

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Party is someone who is expected to act on an issue.
type Party struct {
	Kind lifecycle.ActorKind `json:"kind"`
	// Role is the role of a bot, and Login the name of an account; each is empty if it does not matter.
	Role  string `json:"role,omitempty"`
	Login string `json:"login,omitempty"`
}

// Expected returns who must act for an issue to leave a state; author is who opened it. It is nil where the work has ended, and Colony
// where the issue waits for a fact.
func Expected(l *statemachine.Table, name, author string) []Party {
	state, known := l.State(name)
	var parties []Party
	switch {
	case !known || state.Type == lifecycle.Terminal:
		return nil
	case state.Recovery == lifecycle.RecoveryAuto:
		return []Party{{Kind: lifecycle.Colony}}
	case state.Type == lifecycle.AwaitingHuman && answeredByAuthor(l, name):
		parties = []Party{{Kind: lifecycle.Author, Login: author}}
	case state.Type == lifecycle.Active:
		for _, r := range l.Roles.In(name) {
			parties = append(parties, Party{Kind: lifecycle.Executor, Role: r})
		}
		if len(parties) > 0 {
			return parties
		}
	}
	return append(parties, Party{Kind: lifecycle.Operator})
}

// answeredByAuthor reports whether the author of an issue can move it out of a state in writing: by a comment, or by an edit before the
// text is approved.
func answeredByAuthor(l *statemachine.Table, state string) bool {
	return slices.ContainsFunc(l.Triggers, func(t lifecycle.Trigger) bool {
		spec, _ := lifecycle.SpecOf(t.On)
		edited := spec.Needs == lifecycle.ReadEdits && !spec.Sealed
		return slices.Contains(t.In, state) && (edited || spec.By == lifecycle.ByAuthor || spec.By == lifecycle.ByMover)
	})
}
