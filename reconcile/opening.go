package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// owner is what GitHub calls an author who owns the repository:
// https://docs.github.com/graphql/reference/enums#commentauthorassociation.
const owner = "OWNER"

// askForAuthorsRight finds out whether the author of an issue is allowed to set states, where the state depends on that. If it cannot be read,
// nothing is decided.
func (q *inquiry) askForAuthorsRight(ctx context.Context) error {
	history := q.view.History(q.judgedSince)
	if !q.settings.AsksForAuthorsRight(q.view, history, q.read) {
		return nil
	}
	asks, moves := note{kind: noteAuthorAsks}, note{kind: noteAuthorMoves}
	if q.view.AuthorOnlyAsks = q.memory.knows(asks); q.view.AuthorOnlyAsks || q.memory.knows(moves) {
		return nil
	}
	permission, err := q.store.Permission(ctx, q.view.Ref.Repository, q.view.Author.Login)
	if err != nil {
		return err
	}
	found := moves
	if q.view.AuthorOnlyAsks = q.settings.OnlyAsks(permission); q.view.AuthorOnlyAsks {
		found = asks
	}
	q.memory.add(found)
	return nil
}

// AsksForAuthorsRight reports whether the state of an issue depends on whether its author is allowed to set states.
func (r Settings) AsksForAuthorsRight(v issues.View, history statemachine.History, now time.Time) bool {
	return v.Association != owner && r.Lifecycle.AsksForAuthorsRight(history, now) && !r.GrantsOpening(v, history)
}

// GrantsOpening reports whether a repository takes an issue in to the very state with which it was opened.
func (r Settings) GrantsOpening(v issues.View, history statemachine.History) bool {
	life := r.Lifecycle
	return r.Intake.Takes(v, history.JudgedSince) && !slices.ContainsFunc(life.OpenedWith(history), func(c statemachine.Change) bool {
		state, _ := life.StateOf(c.Label)
		return state.Name != life.Intake
	})
}

// OnlyAsks reports whether a person with a permission can only ask for states. GitHub lets people with triage edit labels; the configuration can
// let others move issues by commands.
func (r Settings) OnlyAsks(p issues.Permission) bool {
	return !p.Includes(issues.PermissionTriage) && r.RightOf(p) < commands.MayMove
}

// RequesterOf returns an account with what a permission lets it do. A person who can only ask for states is an author.
func (r Settings) RequesterOf(who lifecycle.Actor, p issues.Permission) commands.Requester {
	if who.Kind == lifecycle.Operator && r.OnlyAsks(p) {
		who.Kind = lifecycle.Author
	}
	return commands.Requester{Actor: who, Right: r.RightOf(p)}
}
