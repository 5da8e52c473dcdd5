package worker

import (
	"context"

	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/reconcile"
)

// kind is a row of the table of the kinds of requests.
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

// reconciler reconciles one issue, and sweeper does one step of a sweep.
type (
	reconciler interface {
		Reconcile(ctx context.Context, request reconcile.Request, carry reconcile.Carry) (*reconcile.Result, error)
	}
	sweeper interface {
		Step(ctx context.Context, t *sweep.Task) (*reconcile.Result, error)
	}
)

// kinds returns the table of the kinds of requests.
func kinds(r reconciler, s sweeper, d *dispatcher, p *policies, o *onboarder, f *fanOut, b *dashboards) map[reconcile.Kind]kind {
	return map[reconcile.Kind]kind{
		reconcile.KindIssue: {do: func(ctx context.Context, item *Item) (*reconcile.Result, error) {
			return d.locks.with(item.Ref, func() (*reconcile.Result, error) { return r.Reconcile(ctx, item.Request, item.Carry) })
		}},
		reconcile.KindRepository:  {do: once(f.repository), whileOff: true},
		reconcile.KindPolicy:      {do: p.changed, whileOff: true, leaves: true},
		reconcile.KindDispatch:    {do: d.dispatch},
		reconcile.KindPullRequest: {do: once(f.pullRequest)},
		reconcile.KindCommit:      {do: once(f.commit)},
		reconcile.KindConflicts:   {do: once(f.conflicts)},
		reconcile.KindFiles:       {do: once(f.files)},
		reconcile.KindDependents: {do: once(func(ctx context.Context, item *Item) error {
			if err := f.dependents(ctx, item); err != nil {
				return err
			}
			return d.DispatchIfSet(ctx, item.Delivery+"/dispatch", item.Request) // an issue that is closed frees capacity
		})},
		reconcile.KindInstallation: {do: o.onboard, resumes: true, whileOff: true},
		reconcile.KindDashboard:    {do: b.update, resumes: true},
		reconcile.KindSweep: {do: func(ctx context.Context, item *Item) (*reconcile.Result, error) {
			if item.Sweep == nil {
				item.Sweep = &sweep.Progress{}
			}
			return s.Step(ctx, &sweep.Task{Request: item.Request, Progress: item.Sweep, Asked: item.asked, Failures: item.failures})
		}, resumes: true, whileOff: true, leaves: true},
	}
}

// once makes a row of what never comes back.
func once(do func(context.Context, *Item) error) func(context.Context, *Item) (*reconcile.Result, error) {
	return func(ctx context.Context, item *Item) (*reconcile.Result, error) { return nil, do(ctx, item) }
}
