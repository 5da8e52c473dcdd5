package reconcile

import (
	"context"
	"slices"
	"strings"

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
func (rc *reconciliation) askForAuthorsRight(ctx context.Context) error {
	if settled := rc.view.Settled; settled.Pages() > 0 && settled.Until().Before(rc.judgedSince) &&
		len(rc.settings.Lifecycle.OpenedWith(rc.view.Recent(rc.judgedSince))) == 0 {
		return nil // what came with the opening, if anything did, is settled
	}
	history := rc.view.History(rc.judgedSince)
	if rc.view.Association == owner || !rc.settings.Lifecycle.AsksForAuthorsRight(history, rc.read) || rc.grantsWhatIsAskedFor(history) {
		return nil
	}
	key := issueKey(rc.view.Ref)
	if onlyAsks, known := rc.openings.onlyAsks.Get(key); known {
		rc.view.AuthorOnlyAsks = onlyAsks
		return nil
	}
	permission, err := rc.store.Permission(ctx, rc.view.Ref.Repository, rc.view.Author.Login)
	if err != nil {
		return err
	}
	// GitHub lets people with triage edit labels; the configuration may let others move issues by commands.
	rc.view.AuthorOnlyAsks = !permission.Includes(issues.PermissionTriage) && rc.settings.rightOf(permission) < commands.MayMove
	rc.openings.onlyAsks.Add(key, rc.view.AuthorOnlyAsks)
	return nil
}

// grantsWhatIsAskedFor reports whether the repository takes the issue in to the very state with which it was opened.
func (rc *reconciliation) grantsWhatIsAskedFor(history statemachine.History) bool {
	life := rc.settings.Lifecycle
	return rc.settings.Intake.Takes(rc.view, rc.judgedSince) && !slices.ContainsFunc(life.OpenedWith(history), func(c statemachine.Change) bool {
		return !strings.EqualFold(c.Label, life.Label(life.Intake))
	})
}
