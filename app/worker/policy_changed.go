package worker

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// policyChanged reads the policy of a repository anew. If the repository speaks for others, their policies are read anew as well.
func (w *Worker) policyChanged(ctx context.Context, item *Item) (*reconcile.Result, error) {
	w.broadcastPolicy(item.Repository)
	result, err := w.Reconciler.RefreshPolicy(ctx, item.Request, item.Waited)
	if err == nil {
		err = w.DispatchIfSet(ctx, fmt.Sprintf("%s/dispatch/%d", item.Delivery, item.Waited), item.Request)
	}
	if err != nil || !item.AllOfOwner || !policy.SpeaksForOthers(item.Name) {
		return result, err
	}
	others := item.Request
	others.Expect, others.AllOfOwner = reconcile.ExpectedEvent{}, false
	others.Delivery = fmt.Sprintf("%s/others/%d", item.Delivery, item.Waited)
	return result, w.publishRepositories(ctx, others, reconcile.KindPolicy)
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
