package app

import (
	"context"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// policyChanged carries out a look at the rules of a repository. If that one speaks for others, they are looked at as well.
func (d *worker) policyChanged(ctx context.Context, e *item) (*reconcile.Result, error) {
	d.tellOfRules(reconcile.RefOf(e.Request).Repository)
	result, err := d.reconciler.RefreshPolicy(ctx, e.Request, e.Waited)
	if err == nil {
		err = d.dispatchIfSet(ctx, fmt.Sprintf("%s/dispatch/%d", e.Delivery, e.Waited), e.Request)
	}
	if err != nil || !e.AllOfOwner || !policy.SpeaksForOthers(e.Repo) {
		return result, err
	}
	others := e.Request
	others.Expect, others.AllOfOwner = reconcile.ExpectedEvent{}, false
	others.Delivery = fmt.Sprintf("%s/others/%d", e.Delivery, e.Waited)
	return result, d.repositories(ctx, others, reconcile.KindPolicy)
}

// sweptRules is how old what is known of rules may be in a sweep. It is more than nothing, so that the repository that speaks for
// others is not read with each of them.
const sweptRules = time.Minute

// sweepRules looks whether a repository has other rules than this process knows, and reports what is broken.
func (d *worker) sweepRules(ctx context.Context, repo issues.Repository) (issues.Epoch, error) {
	d.reconciler.Policies.InvalidateOlder(repo, sweptRules)
	found, since, err := d.reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return since, err
	}
	return since, d.reconciler.ReportInvalidFile(ctx, repo, found.Broken)
}
