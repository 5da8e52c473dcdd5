package worker

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// policyChanged reads the policy of a repository anew. If the repository speaks for others, their policies are read anew as well.
func (w *Worker) policyChanged(ctx context.Context, item *Item) (*reconcile.Result, error) {
	w.broadcastPolicy(item.Repository)
	result, err := w.Reconciler.RefreshPolicy(ctx, item.Request, item.Waited)
	if err != nil {
		return result, err
	}
	return result, w.afterPolicy(ctx, item.Request, item.Waited)
}

// afterPolicy asks for what follows from the policy of a repository that was read anew.
func (w *Worker) afterPolicy(ctx context.Context, request reconcile.Request, waited int) error {
	if err := w.DispatchIfSet(ctx, fmt.Sprintf("%s/dispatch/%d/%d", request.Delivery, request.ID, waited), request); err != nil {
		return err
	}
	if err := w.dashboardAfterPolicy(ctx, request, waited); err != nil {
		return err
	}
	if !request.AllOfOwner || !policy.SpeaksForOthers(request.Name) {
		return nil
	}
	others := request
	others.Expect, others.AllOfOwner = reconcile.ExpectedEvent{}, false
	others.Delivery = fmt.Sprintf("%s/others/%d", request.Delivery, waited)
	return w.publishRepositories(ctx, others, reconcile.KindPolicy)
}

// KnownPolicy returns the policy of a repository if nothing has to be read for it. It implements handlers.Policies.
func (w *Worker) KnownPolicy(repo issues.Repository) (found policy.Policy, known bool) {
	return w.Reconciler.Policies.Known(repo)
}

// Has reports whether Colony works in a repository. It implements handlers.Policies.
func (w *Worker) Has(repo issues.Repository) bool { return w.Reconciler.Has(repo) }

// ForgetPolicy lets this replica and the others read the policy of a repository again when they need it next. It implements
// handlers.Policies.
func (w *Worker) ForgetPolicy(repo issues.Repository) {
	w.Reconciler.Policies.Invalidate(repo)
	w.broadcastPolicy(repo)
}

// policyOf returns the policy of the repository of a request, mostly from memory.
func (w *Worker) policyOf(ctx context.Context, request reconcile.Request) (policy.Effective, error) {
	repo := request.Repository
	found, err := w.Reconciler.Policies.Get(ctx, repo)
	if err != nil {
		return found, fmt.Errorf("read the policy of %s: %w", repo, err)
	}
	return found, nil
}
