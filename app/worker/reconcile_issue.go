package worker

import (
	"context"
	"slices"

	"github.com/colony-app/colony/reconcile"
)

// mayTakeIn reports whether a repository may take in the issue of a request that has no other reason, or whether its label is a
// state there after all. Mostly it is known from memory, so that a repository that takes nothing in costs nothing.
func (w *Worker) mayTakeIn(ctx context.Context, request reconcile.Request) (bool, error) {
	found, err := w.policyOf(ctx, request)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(request.Expected(), func(e reconcile.ExpectedEvent) bool { return found.MayTakeIn(e.Label, e.Assignee) }), nil
}

// mayBeAwaited reports whether a row of a repository's lifecycle waits for replies of others than the author. Mostly it is known from
// memory, so that where none does, a comment without a command costs nothing.
func (w *Worker) mayBeAwaited(ctx context.Context, request reconcile.Request) (bool, error) {
	found, err := w.policyOf(ctx, request)
	return err == nil && found.AwaitsReplies(), err
}

// reconcileIssue reconciles an issue, unless the only reason for it was that it might be taken in, and it is not, or a reply that
// nothing waits for.
func (w *Worker) reconcileIssue(ctx context.Context, item *Item) (*reconcile.Result, error) {
	if item.OnlyIntake {
		if may, err := w.mayTakeIn(ctx, item.Request); err != nil || !may {
			return nil, err
		}
	}
	if item.OnlyReply {
		if may, err := w.mayBeAwaited(ctx, item.Request); err != nil || !may {
			return nil, err
		}
	}
	return w.issueLocks.with(item.Ref, func() (*reconcile.Result, error) { return w.Reconciler.Reconcile(ctx, item.Request, item.Carry) })
}
