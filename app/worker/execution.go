package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// execution carries out requests, or says for how long each waits.
type execution struct {
	reconciler interface {
		IsAnswered(request reconcile.Request) bool
		Has(repo issues.Repository) bool
		Leave(ctx context.Context, repo issues.Repository) error
		Gone(ref issues.Ref)
	}
	policies  policyReader
	doers     doers
	kinds     map[reconcile.Kind]kind // of the doers
	admission *admission
	grants    *grantWatch
	tokens    tokens
	homes     homes
	metrics   *reconcile.Metrics
	log       zerolog.Logger
}

type tokens interface {
	Forget(installation int64)
}

// homes tell on which installation a repository is: see client.App.
type homes interface {
	InstallationOn(ctx context.Context, owner, name string) (client.Installation, error)
}

// The outcomes of a request, for the metrics.
const (
	outcomeDone     = "done"
	outcomeRequeued = "put_off"
	outcomeGone     = "gone"
	outcomeRefused  = "given_up"
	outcomeFailed   = "failed"
)

func (x *execution) take(ctx context.Context, task queue.Task, item Item) (*queue.Requeue, error) {
	requeue, outcome, err := x.process(ctx, task, item)
	x.metrics.Reconciled(item.Cause, outcome)
	return requeue, err
}

// process carries out one request. One that is not possible now because of a limit is requeued, not failed: others go on, and it
// is no attempt.
func (x *execution) process(ctx context.Context, task queue.Task, item Item) (requeue *queue.Requeue, outcome string, err error) {
	if !item.Begun && task.Failures == 0 && x.reconciler.IsAnswered(item.Request) {
		return nil, outcomeDone, nil
	}
	untouched := item
	if item.Onboarding != nil { // no replica knows of it after a restart
		x.doers.onboarder.note(&item)
	}
	grant, why, wait := x.admission.admit(&item)
	if wait > 0 {
		return x.admission.requeue(task, &item, why, wait)
	}
	defer grant.End()
	result, err := x.execute(ratelimit.With(ctx, grant), &item)
	spent := grant.End()
	limited := (*ratelimit.Error)(nil)
	switch {
	case errors.As(err, &limited):
		if x.kinds[item.Kind].resumes {
			untouched, spent = item, 0
		}
		return x.admission.limited(task, untouched, limited, spent)
	case err != nil:
		outcome, err = x.fail(ctx, &item, err)
		return nil, outcome, err
	}
	x.admission.costs.learn(&item, spent)
	if result == nil {
		return nil, outcomeDone, nil
	}
	item.next(result)
	return x.admission.requeue(task, &item, whyWait, result.RequeueAfter)
}

// execute does what a kind of request asks for, if its policy has a use for it. A result says that it has to come back.
func (x *execution) execute(ctx context.Context, item *Item) (*reconcile.Result, error) {
	kind := x.kinds[item.Kind]
	if item.Owner != "" && !x.reconciler.Has(item.Repository) {
		if kind.leaves {
			return nil, x.reconciler.Leave(ctx, item.Repository)
		}
		return nil, nil
	}
	if useful, err := x.isUseful(ctx, item.Request, kind.whileOff); err != nil || !useful {
		return nil, err
	}
	if kind.do == nil {
		return nil, fmt.Errorf("reconcile %q: there is no such kind of request", item.Kind)
	}
	return kind.do(ctx, item)
}

// isUseful reports whether the policy of a request's repository can have a use for it. That is so where the repository is read, or the request
// can change that, and there is a reason. The policy is mostly in memory: a request without use costs no call.
func (x *execution) isUseful(ctx context.Context, request reconcile.Request, whileOff bool) (bool, error) {
	if whileOff && !request.IsConditional() {
		return true, nil
	}
	found, err := policyOf(ctx, x.policies, request.Repository)
	return err == nil && (whileOff || found.Mode.Reads()) && (!request.IsConditional() || request.HasReason(found.Policy)), err
}

// fail says what an error means. A request whose issue or repository is gone is done; one that GitHub refuses for good is given up
// immediately; any other is tried again.
func (x *execution) fail(ctx context.Context, item *Item, err error) (outcome string, failure error) {
	left, unknown := x.left(ctx, item, err)
	switch {
	case unknown != nil:
		x.log.Debug().Err(unknown).Str("repo", item.Repository.String()).Msg("it is not known whether the repository has left")
		return outcomeFailed, err
	case issues.IsGone(err), left:
		x.log.Debug().Err(err).Str("because", item.Cause).Str("delivery", item.Delivery).Msg("out of reach")
		x.metrics.GoneFor(err)
		if item.Kind == reconcile.KindIssue || item.Kind == reconcile.KindSweep && item.ID != 0 {
			x.reconciler.Gone(item.Ref)
		}
		x.grants.forbidden(ctx, item.Installation, err)
		return outcomeGone, nil
	case issues.IsPermanent(err):
		x.log.Error().Err(err).Str("because", item.Cause).Str("delivery", item.Delivery).Msg("GitHub refuses this for good; given up")
		x.tokens.Forget(item.Installation) // the token might be from before something was granted
		x.grants.forbidden(ctx, item.Installation, err)
		return outcomeRefused, queue.Permanent(err)
	}
	return outcomeFailed, err
}

// left reports whether GitHub refused a call because the repository has left the installation. It then answers 403 or 404, as if a permission were
// lacking.
func (x *execution) left(ctx context.Context, item *Item, err error) (left bool, unknown error) {
	if item.Owner == "" || issues.IsGone(err) || !issues.IsForbidden(err) && !issues.IsMissing(err) {
		return false, nil
	}
	on, err := x.homes.InstallationOn(ctx, item.Owner, item.Name)
	if errors.Is(err, client.ErrNotInstalled) {
		return true, nil
	}
	return err == nil && on.ID != item.Installation, err
}
