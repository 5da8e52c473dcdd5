package app

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// sweepReflections asks for a look at every issue that came to its end within the horizon and may lack its reflection, as far as one of
// the states tells in which issues end; more tells whether there are others.
func (d *worker) sweepReflections(ctx context.Context, e *item) (more bool, err error) {
	repo := reconcile.RefOf(e.Request).Repository
	found, _, err := d.reconciler.PolicyOf(ctx, repo)
	if err != nil || found.Lifecycle.Reflection == nil {
		return false, err
	}
	states, now := found.Lifecycle.Reflection.In, d.clock.Now()
	if e.Sweep.Page > len(states) {
		return false, nil
	}
	list, _, err := d.reconciler.Store.List(ctx, repo, issues.ChangedWithLabel(found.Lifecycle.Label(states[e.Sweep.Page-1]), now.Add(-d.reconciler.Settings.Horizon)))
	if err != nil {
		return false, err
	}
	for _, c := range list {
		one := e.issue(c.Number)
		if d.reconciler.Reflections.Has(reconcile.RefOf(one), c.Updated, now) {
			continue
		}
		if err := d.Publish(ctx, fmt.Sprintf("%s/%d/%d/reflection", e.Delivery, e.RepositoryID, c.Number), one); err != nil {
			return false, err
		}
	}
	e.Sweep.Page++
	return e.Sweep.Page <= len(states), nil
}
