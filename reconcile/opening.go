package reconcile

import (
	"context"
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

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
func newOpeningCache() *openingCache { return &openingCache{memory[string, bool](openingsKept)} }

// owner is what GitHub calls an author who owns the repository:
// https://docs.github.com/graphql/reference/enums#commentauthorassociation.
const owner = "OWNER"

// askForAuthorsRight finds out whether the author of an issue may set states, where the state depends on that. If it cannot be read,
// nothing is decided.
func (v *reconciliation) askForAuthorsRight(ctx context.Context) error {
	if settled := v.view.Settled; settled.Pages() > 0 && settled.Until().Before(v.judgedSince) &&
		len(v.settings.Lifecycle.OpenedWith(v.view.Recent(v.judgedSince))) == 0 {
		return nil // what came with the opening, if anything did, is settled
	}
	history := v.view.History(v.judgedSince)
	if v.view.Association == owner || !v.settings.Lifecycle.AsksForAuthorsRight(history, v.read) || v.grantsWhatIsAskedFor(history) {
		return nil
	}
	key := doneKey(v.view.Ref)
	if onlyAsks, known := v.openings.onlyAsks.Get(key); known {
		v.view.AuthorOnlyAsks = onlyAsks
		return nil
	}
	permission, err := v.store.Permission(ctx, v.view.Ref.Repository, v.view.Author.Login)
	if err != nil {
		return err
	}
	// GitHub lets people with triage edit labels; the configuration may let others move issues by commands.
	v.view.AuthorOnlyAsks = !permission.Includes(issues.PermissionTriage) && v.settings.rightOf(permission) < commands.MayMove
	v.openings.onlyAsks.Add(key, v.view.AuthorOnlyAsks)
	return nil
}

// grantsWhatIsAskedFor reports whether the repository takes the issue in to the very state with which it was opened.
func (v *reconciliation) grantsWhatIsAskedFor(history statemachine.History) bool {
	life := v.settings.Lifecycle
	return v.settings.Intake.Takes(v.view, v.judgedSince) && !slices.ContainsFunc(life.OpenedWith(history), func(c statemachine.Change) bool {
		return !strings.EqualFold(c.Label, life.Label(life.Intake))
	})
}
