package labels

import (
	"context"
	"errors"
	"fmt"

	"github.com/colony-app/colony/github/issues"
)

// Apply creates the labels that the lifecycle of a repository needs, repairs those that differ, and takes over those that the lifecycle
// adopts. It touches no other label, and leaves it to those who judge to say since when they do.
func (k *Keeper) Apply(ctx context.Context, repo issues.Repository, tell func(Step)) error {
	e, err := k.examine(ctx, repo)
	if err != nil {
		return err
	}
	if other := e.otherRules(); other != "" && k.options.Lifecycle == nil {
		return errors.New(other)
	}
	if mode := e.policy.Mode; !mode.Writes() && !k.options.DryRun {
		return fmt.Errorf("Colony writes nothing in %s: its mode is %s (%s) -> to opt in, commit .github/colony.yml with \"mode: warn\" or \"mode: enforce\"; --dry-run shows what would be made", repo, mode, e.policy.ModeBy) //nolint:staticcheck // it begins with a name
	}
	for _, want := range e.set.Missing {
		if err := k.write(ctx, func() error { return k.labels.Create(ctx, repo, want) }); err != nil {
			return err
		}
		tell(Step{repo.String(), Create, want.Label, ""})
	}
	for _, d := range e.set.Differing {
		if err := k.write(ctx, func() error { return k.labels.Repair(ctx, repo, d) }); err != nil {
			return err
		}
		tell(Step{repo.String(), Repair, d.Is.Label, "it had " + difference(d)})
	}
	return k.adopt(ctx, e, tell)
}

// write makes a call that writes, unless nothing is to be written.
func (k *Keeper) write(ctx context.Context, call func() error) error {
	if k.options.DryRun {
		return nil
	}
	return explained(k.patiently(ctx, call))
}
