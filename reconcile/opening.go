package reconcile

import (
	"context"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// openingCache remembers whether the author of an issue may only ask for the state with which it was opened. It is bounded, and
// forgetting costs a read. It is safe for concurrent use.
type openingCache struct {
	onlyAsks *lru.Cache[string, bool]
}

// openingsKept bounds the memory to some megabytes.
const openingsKept = 20_000

// newOpeningCache returns an empty memory.
func newOpeningCache() *openingCache { return &openingCache{bounded.New[string, bool](openingsKept)} }

// owner is what GitHub calls an author who owns the repository:
// https://docs.github.com/graphql/reference/enums#commentauthorassociation.
const owner = "OWNER"

// askForAuthorsRight finds out whether the author of an issue may set states, where the state depends on that. If it cannot be read,
// nothing is decided.
func (q *inquiry) askForAuthorsRight(ctx context.Context) error {
	history := q.view.History(q.judgedSince)
	if !q.settings.AsksForAuthorsRight(q.view, history, q.read) {
		return nil
	}
	key := issueKey(q.view.Ref)
	if onlyAsks, known := q.openings.onlyAsks.Get(key); known {
		q.view.AuthorOnlyAsks = onlyAsks
		return nil
	}
	permission, err := q.store.Permission(ctx, q.view.Ref.Repository, q.view.Author.Login)
	if err != nil {
		return err
	}
	q.view.AuthorOnlyAsks = q.settings.OnlyAsks(permission)
	q.openings.onlyAsks.Add(key, q.view.AuthorOnlyAsks)
	return nil
}

// AsksForAuthorsRight reports whether the state of an issue depends on whether its author may set states.
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

// OnlyAsks reports whether an author with a permission may only ask for states. GitHub lets people with triage edit labels; the
// configuration may let others move issues by commands.
func (r Settings) OnlyAsks(p issues.Permission) bool {
	return !p.Includes(issues.PermissionTriage) && r.RightOf(p) < commands.MayMove
}
