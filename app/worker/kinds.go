package worker

import (
	"context"

	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/reconcile"
)

type kind struct {
	// do does what the kind asks for. A result says that the request has to come back.
	do func(context.Context, *Item) (*reconcile.Result, error)
	// resumes: after a rate limit, the request goes on where it was; the others begin again.
	resumes bool
	// whileOff: it is carried out also where no issue is read, because it can change that.
	whileOff bool
	// leaves: where Colony does not work, it removes what Colony left.
	leaves bool
}

type doers struct {
	issues interface {
		Reconcile(ctx context.Context, request reconcile.Request, carry reconcile.Carry) (*reconcile.Result, error)
	}
	sweeps interface {
		Step(ctx context.Context, t *sweep.Task) (*reconcile.Result, error)
	}
	dispatcher *dispatcher
	policies   *policies
	onboarder  *onboarder
	fanOut     *fanOut
	dashboards *dashboards
}

func (d doers) kinds() map[reconcile.Kind]kind {
	return map[reconcile.Kind]kind{
		reconcile.KindIssue: {do: func(ctx context.Context, item *Item) (*reconcile.Result, error) {
			return d.dispatcher.locks.with(item.Ref, func() (*reconcile.Result, error) { return d.issues.Reconcile(ctx, item.Request, item.Carry) })
		}},
		reconcile.KindRepository:  {do: once(d.fanOut.repository), whileOff: true},
		reconcile.KindPolicy:      {do: d.policies.changed, whileOff: true, leaves: true},
		reconcile.KindDispatch:    {do: d.dispatcher.dispatch},
		reconcile.KindPullRequest: {do: once(d.fanOut.pullRequest)},
		reconcile.KindCommit:      {do: once(d.fanOut.commit)},
		reconcile.KindConflicts:   {do: d.fanOut.conflicts},
		reconcile.KindFiles:       {do: once(d.fanOut.files)},
		reconcile.KindDependents: {do: once(func(ctx context.Context, item *Item) error {
			if err := d.fanOut.dependents(ctx, item); err != nil {
				return err
			}
			return d.dispatcher.DispatchIfSet(ctx, item.Delivery+"/dispatch", item.Request) // an issue that is closed frees capacity
		})},
		reconcile.KindInstallation: {do: d.onboarder.onboard, resumes: true, whileOff: true},
		reconcile.KindDashboard:    {do: d.dashboards.update, resumes: true},
		reconcile.KindSweep: {do: func(ctx context.Context, item *Item) (*reconcile.Result, error) {
			if item.Sweep == nil {
				item.Sweep = &sweep.Progress{}
			}
			return d.sweeps.Step(ctx, &sweep.Task{Request: item.Request, Progress: item.Sweep, Asked: item.asked, Failures: item.failures})
		}, resumes: true, whileOff: true, leaves: true},
	}
}

// once makes a row of what never comes back.
func once(do func(context.Context, *Item) error) func(context.Context, *Item) (*reconcile.Result, error) {
	return func(ctx context.Context, item *Item) (*reconcile.Result, error) { return nil, do(ctx, item) }
}
