package labels

import (
	"context"
	"fmt"
	"strings"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// Prune deletes the labels that are left over in a repository and that no open issue carries, and says which ones it keeps, and why. It deletes
// nothing where another lifecycle might be in force than this process believes.
func (k *Keeper) Prune(ctx context.Context, repo issues.Repository, tell func(Step)) error {
	e, err := k.examine(ctx, repo)
	if err != nil {
		return err
	}
	if doubts := e.doubts(); len(doubts) > 0 && len(e.set.LeftOver) > 0 {
		return fmt.Errorf("kept %s that may be left over, because %s", wording.Counted(len(e.set.LeftOver), "label", "labels"), strings.Join(doubts, "; and "))
	}
	if e.mode.Mode == lifecycle.ModeOff && len(e.set.LeftOver) > 0 && !k.options.DryRun {
		return &UnwrittenError{repo.String(), e.mode}
	}
	for _, left := range e.set.LeftOver {
		step := Step{repo.String(), Keep, left.Label, "because its description says since when Colony judges this repository"}
		if !left.Stamped {
			if step, err = k.pruneOne(ctx, repo, left.Label); err != nil {
				return err
			}
		}
		tell(step)
	}
	return nil
}

// pruneOne deletes a label if no open issue carries it. That is the last thing it asks before: someone might have put it on an issue since the
// labels were listed.
func (k *Keeper) pruneOne(ctx context.Context, repo issues.Repository, label string) (Step, error) {
	if strings.Contains(label, ",") {
		return Step{repo.String(), Keep, label, "because GitHub lists no issues by a label with a comma: delete it by hand"}, nil
	}
	open, closed, err := k.carriers(ctx, repo, label)
	if err != nil {
		return Step{}, err
	}
	if open.N > 0 {
		return Step{repo.String(), Keep, label, "because it is on " + counted(open, "open") + ", which may need a label of the lifecycle in force instead: " + k.link(repo, label)}, nil
	}
	return Step{repo.String(), Delete, label, "which was on " + counted(closed, "closed")}, k.write(func() error { return k.labels.Delete(ctx, repo, label) })
}

// carriers counts the issues that carry a label; the open ones are counted last.
func (k *Keeper) carriers(ctx context.Context, repo issues.Repository, label string) (open, closed issues.Count, err error) {
	if closed, err = k.store.Carriers(ctx, repo, label, issues.Closed); err == nil {
		open, err = k.store.Carriers(ctx, repo, label, issues.Open)
	}
	return open, closed, err
}

// counted says how many issues there are of a state. Pull requests are issues to GitHub.
func counted(c issues.Count, state string) string {
	if c.More {
		return fmt.Sprintf("more than %d %s issues", c.N, state)
	}
	return wording.Counted(c.N, state+" issue", state+" issues")
}
