package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// A dashboard is brought up to date once in an interval, however much happens meanwhile: each replica asks for it at the end of the interval,
// under a name that all of them know, and the queue drops all but the first. It hands out the requests of one dashboard one at a time, so
// that no two processes write to one.

// dashboardInterval is how long a dashboard is left as it is after something changed, at most, and between two updates, at least.
const dashboardInterval = 5 * time.Minute

// dashboards remembers what this process has asked for, so that the queue hears of it once. Its zero value is ready.
type dashboards struct {
	mu sync.Mutex
	// due is the end of the interval that was asked for last, by the dashboard; unwritable says where GitHub lets Colony write none.
	due        map[int64]time.Time
	unwritable map[int64]bool
}

// dueAt is the end of the interval of a dashboard that a time is in. The intervals of dashboards do not all end at once.
func dueAt(dashboard int64, interval time.Duration, now time.Time) time.Time {
	shift := time.Duration(dashboard % int64(interval))
	return now.Add(shift).Truncate(interval).Add(interval - shift)
}

// asked reports whether an update was asked for already.
func (d *dashboards) asked(dashboard int64, due time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.due[dashboard].Equal(due)
}

func (d *dashboards) ask(dashboard int64, due time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.due == nil {
		d.due = map[int64]time.Time{}
	}
	d.due[dashboard] = due
}

// refused reports whether it is news that GitHub lets Colony write no dashboard somewhere.
func (d *dashboards) refused(dashboard int64) (news bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unwritable == nil {
		d.unwritable = map[int64]bool{}
	}
	news = !d.unwritable[dashboard]
	d.unwritable[dashboard] = true
	return news
}

// requestDashboards asks for an update of the dashboard that shows figures of a repository.
func (w *Worker) requestDashboards(ctx context.Context, repo issues.Repository, settings reconcile.Settings) error {
	if settings.OfOwner {
		if err := w.requestDashboard(ctx, policy.OwnerOf(repo)); err != nil {
			return err
		}
	}
	if !settings.Dashboard || !settings.Mode.Writes() {
		return nil
	}
	return w.requestDashboard(ctx, repo)
}

// requestDashboard asks for an update of a dashboard at the end of the interval.
func (w *Worker) requestDashboard(ctx context.Context, repo issues.Repository) error {
	key := reconcile.DashboardKey(repo)
	interval := dashboardInterval
	if policy.SpeaksForOthers(repo.Name) {
		interval = ownerInterval
	}
	due := dueAt(key, interval, w.clock.Now())
	if w.dashboards.asked(key, due) {
		return nil
	}
	if err := w.publishDashboard(ctx, repo, fmt.Sprintf("dashboard/%d/%d", key, due.Unix()), due); err != nil {
		return err
	}
	w.dashboards.ask(key, due)
	return nil
}

func (w *Worker) publishDashboard(ctx context.Context, repo issues.Repository, id string, due time.Time) error {
	return w.publish(ctx, id, &Item{Due: due, Request: reconcile.Request{
		Kind: reconcile.KindDashboard, Ref: issues.Ref{Repository: repo}, Cause: reconcile.CauseDashboard, Delivery: id,
	}})
}

// DashboardIfSet asks for an update of the dashboard of a repository if it has one, or had one before its policy changed.
func (w *Worker) DashboardIfSet(ctx context.Context, request reconcile.Request) error {
	found, err := w.policyOf(ctx, request)
	if err == nil && found.OfOwner && found.Mode.Reads() {
		err = w.requestDashboard(ctx, policy.OwnerOf(request.Repository))
	}
	if err != nil {
		return err
	}
	concerned, err := w.concernsDashboard(ctx, request)
	if err != nil || !concerned {
		return err
	}
	return w.requestDashboard(ctx, request.Repository)
}

// dashboardAfterPolicy asks for an update of the dashboard of a repository whose policy was read anew: at once, since it may have been
// switched on or off.
func (w *Worker) dashboardAfterPolicy(ctx context.Context, request reconcile.Request, waited int) error {
	concerned, err := w.concernsDashboard(ctx, request)
	if err != nil || !concerned {
		return err
	}
	return w.publishDashboard(ctx, request.Repository, fmt.Sprintf("%s/dashboard/%d/%d", request.Delivery, request.ID, waited), time.Time{})
}

// concernsDashboard reports whether a repository has a dashboard, or is to have one, where Colony may write. GitHub is asked nothing but for
// the policy, which mostly is known.
func (w *Worker) concernsDashboard(ctx context.Context, request reconcile.Request) (bool, error) {
	found, err := w.policyOf(ctx, request)
	if err != nil || !found.Mode.Writes() || found.Dashboard {
		return err == nil && found.Mode.Writes(), err
	}
	return w.Reconciler.HasDashboard(ctx, request.Repository)
}

// updateDashboard brings a dashboard up to date, or closes it if it was switched off. That GitHub does not let Colony write one, because
// issues are switched off or the repository is archived, is said once.
func (w *Worker) updateDashboard(ctx context.Context, item *Item) (result *reconcile.Result, err error) {
	repo := item.Repository
	found, err := w.policyOf(ctx, item.Request)
	if err != nil {
		return nil, err
	}
	w.Reconciler.NoteMode(repo, found)
	switch {
	case !found.Mode.Writes():
		return nil, nil
	case !found.Dashboard:
		err = w.Reconciler.EndDashboard(ctx, repo)
	case policy.SpeaksForOthers(repo.Name):
		result, err = w.showOwner(ctx, item)
	default:
		err = w.showDashboard(ctx, repo)
	}
	if err != nil && (issues.IsPermanent(err) || issues.IsGone(err)) {
		if w.dashboards.refused(reconcile.DashboardKey(repo)) {
			w.log.Warn().Err(err).Str("repo", repo.String()).Msg("GitHub does not let Colony keep a dashboard here")
		}
		return nil, nil
	}
	return result, err
}

func (w *Worker) showDashboard(ctx context.Context, repo issues.Repository) error {
	d, err := w.Reconciler.FindDashboard(ctx, repo)
	if err != nil || reconcile.IsSilenced(d) {
		return err
	}
	figures, err := w.Reconciler.ReadFigures(ctx, repo)
	if err != nil {
		return err
	}
	return w.Reconciler.ShowDashboard(ctx, repo, d, wording.Dashboard{
		Repositories: []wording.DashboardRepository{figures.Of}, Waiting: figures.Waiting, Left: figures.Of.Waiting - len(figures.Waiting),
	})
}
