package worker

import (
	"context"

	"github.com/colony-app/colony/reconcile"
)

// hasReason reports whether there may be something to do for a request under the policy of its repository. Mostly that is known from
// memory, so that what the policy has no use for costs nothing.
func (w *Worker) hasReason(ctx context.Context, request reconcile.Request) (bool, error) {
	if !request.IsConditional() {
		return true, nil
	}
	found, err := w.policyOf(ctx, request)
	return err == nil && request.HasReason(found.Policy), err
}

// reconcileIssue reconciles an issue.
func (w *Worker) reconcileIssue(ctx context.Context, item *Item) (*reconcile.Result, error) {
	return w.issueLocks.with(item.Ref, func() (*reconcile.Result, error) { return w.Reconciler.Reconcile(ctx, item.Request, item.Carry) })
}
