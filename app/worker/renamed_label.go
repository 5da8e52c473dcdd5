package worker

import (
	"context"
	"fmt"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// repository brings the labels of a repository in order. If one was renamed, it also asks to reconcile the issues that carry it.
func (f *fanOut) repository(ctx context.Context, item *Item) error {
	if err := f.reconciler.Repository(ctx, item.Request); err != nil || item.Renamed == nil {
		return err
	}
	found, err := policyOf(ctx, f.policies, item.Repository)
	if err != nil || !found.Mode.Writes() {
		return err
	}
	for _, label := range []string{item.Renamed.From, item.Renamed.To} {
		if err := f.renamed(ctx, item, found.Policy, label); err != nil {
			return err
		}
	}
	return nil
}

// renamed asks to reconcile issues with a label that was renamed: that of a state or a mark, to which Colony gave its name back, or
// another label that a person gave such a name. GitHub's log has no event for that, and the issues might have moved on in between. What did
// not change within the horizon stays as it is.
func (f *fanOut) renamed(ctx context.Context, item *Item, found policy.Policy, label string) error {
	if !found.Lifecycle.Uses(label) {
		return nil
	}
	since := f.clock.Now().Add(-f.horizon)
	list, _, err := f.store.List(ctx, item.Repository, issues.ChangedWithLabel(label, since))
	if err != nil {
		return err
	}
	state, isState := found.Lifecycle.StateOf(label)
	wanted := isState && lifecycle.SameLabel(state.Label, label) // on an issue that has no other
	var numbers []int
	for _, e := range list {
		another := slices.ContainsFunc(e.Labels, func(l string) bool {
			_, isState := found.Lifecycle.StateOf(l)
			return isState && !lifecycle.SameLabel(l, label)
		})
		if another || !wanted {
			numbers = append(numbers, e.Number)
		}
	}
	one := item.Request
	one.Renamed = nil
	return f.publishIssues(ctx, one, fmt.Sprintf("renamed/%d", item.ID), numbers)
}
