package labels

import (
	"context"
	"errors"
	"fmt"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
)

// UnwrittenError says that nothing is written in a repository, because of its mode.
type UnwrittenError struct {
	Repository string
	policy.Decision
}

func (e *UnwrittenError) Error() string {
	return fmt.Sprintf("Colony writes nothing in %s: its mode is %s (%s) -> for another mode, %s; --dry-run shows what would be done", e.Repository, e.Mode, e.By, e.Change)
}

// Apply creates the labels that the lifecycle of a repository needs, repairs the ones that differ, and takes over the ones that the lifecycle
// adopts. It touches no other label. It does not record the time from which the issues are checked: the Colony that checks them does.
func (k *Keeper) Apply(ctx context.Context, repo issues.Repository, tell func(Step)) error {
	e, err := k.examine(ctx, repo)
	if err != nil {
		return err
	}
	if other := e.otherRules(); other != "" && k.options.Lifecycle == nil {
		return errors.New(other)
	}
	if d := e.mode; !d.Mode.Writes() {
		if !k.options.DryRun {
			return &UnwrittenError{repo.String(), d}
		}
		if len(e.set.Missing)+len(e.set.Differing)+len(e.set.Adopted) > 0 {
			tell(Step{repo.String(), Note, "", fmt.Sprintf("its mode is %s (%s), so Colony writes none of what follows -> for another mode, %s", d.Mode, d.By, d.Change)})
		}
	}
	for _, want := range e.set.Missing {
		if err := k.write(func() error { return k.labels.Create(ctx, repo, want) }); err != nil {
			return err
		}
		tell(Step{repo.String(), Create, want.Label, ""})
	}
	for _, d := range e.set.Differing {
		if err := k.write(func() error { return k.labels.Repair(ctx, repo, d) }); err != nil {
			return err
		}
		tell(Step{repo.String(), Repair, d.Is.Label, "it had " + difference(d)})
	}
	return k.adopt(ctx, e, tell)
}

// write makes a call that writes, unless nothing is to be written.
func (k *Keeper) write(call func() error) error {
	if k.options.DryRun {
		return nil
	}
	return explained(call())
}
