package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/dashboard"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// A dashboard is brought up to date once in an interval, however much happens in between. Each replica asks for it at the end of the interval,
// under a name that all of them know. The queue drops all but the first. It hands out the requests of one dashboard one at a time, so that no
// two processes write to one.

// dashboardInterval is how long a dashboard is left as it is after something changed, at most, and between two updates, at least.
const dashboardInterval = 5 * time.Minute

type dashboards struct {
	*Publisher

	keeper interface { // see dashboard.Keeper
		Has(repo issues.Repository) bool
		NoteMode(repo issues.Repository, found policy.Effective)
		Exists(ctx context.Context, repo issues.Repository) (bool, error)
		Find(ctx context.Context, repo issues.Repository) (*issues.Dashboard, error)
		Show(ctx context.Context, repo issues.Repository, d *issues.Dashboard, shows wording.Dashboard) error
		End(ctx context.Context, repo issues.Repository) error
		Read(ctx context.Context, repo issues.Repository) (dashboard.Figures, error)
	}
	policies policyReader
	clients  issues.Clients
	clock    clockwork.Clock
	// due is the end of the interval for which this process asked last, by the dashboard, so that it asks the queue once; unwritable has the dashboards
	// that GitHub does not let Colony write.
	due, unwritable sync.Map
}

// dueAt is the end of the interval of a dashboard that a time is in. The intervals of dashboards do not all end at the same time.
func dueAt(key int64, interval time.Duration, now time.Time) time.Time {
	shift := time.Duration(key % int64(interval))
	return now.Add(shift).Truncate(interval).Add(interval - shift)
}

// request asks for an update of the dashboard that shows figures of a repository.
func (d *dashboards) request(ctx context.Context, repo issues.Repository, settings reconcile.Settings) error {
	if settings.OfOwner {
		if err := d.requestOne(ctx, policy.OwnerOf(repo)); err != nil {
			return err
		}
	}
	if !settings.Dashboard || !settings.Mode.Writes() {
		return nil
	}
	return d.requestOne(ctx, repo)
}

// requestOne asks for an update of a dashboard at the end of the interval.
func (d *dashboards) requestOne(ctx context.Context, repo issues.Repository) error {
	key := dashboard.Key(repo)
	interval := dashboardInterval
	if policy.SpeaksForOthers(repo.Name) {
		interval = ownerInterval
	}
	due := dueAt(key, interval, d.clock.Now())
	if asked, _ := d.due.Load(key); asked == any(due.Unix()) {
		return nil
	}
	if err := d.publishOne(ctx, repo, fmt.Sprintf("dashboard/%d/%d", key, due.Unix()), due); err != nil {
		return err
	}
	d.due.Store(key, due.Unix())
	return nil
}

func (d *dashboards) publishOne(ctx context.Context, repo issues.Repository, id string, due time.Time) error {
	return d.publish(ctx, id, &Item{Due: due, Request: reconcile.Request{
		Kind: reconcile.KindDashboard, Ref: issues.Ref{Repository: repo}, Cause: reconcile.CauseDashboard, Delivery: id,
	}})
}

// DashboardIfSet asks for an update of the dashboard of a repository if it has one, or had one before its policy changed.
func (d *dashboards) DashboardIfSet(ctx context.Context, request reconcile.Request) error {
	found, err := policyOf(ctx, d.policies, request.Repository)
	if err == nil && found.OfOwner && found.Mode.Reads() {
		err = d.requestOne(ctx, policy.OwnerOf(request.Repository))
	}
	if err != nil {
		return err
	}
	concerned, err := d.concerns(ctx, request)
	if err != nil || !concerned {
		return err
	}
	return d.requestOne(ctx, request.Repository)
}

// afterPolicy asks for an update of the dashboard of a repository whose policy was read again. It asks for it immediately, since the dashboard
// might have been switched on or off.
func (d *dashboards) afterPolicy(ctx context.Context, request reconcile.Request, waited int) error {
	concerned, err := d.concerns(ctx, request)
	if err != nil || !concerned {
		return err
	}
	return d.publishOne(ctx, request.Repository, fmt.Sprintf("%s/dashboard/%d/%d", request.Delivery, request.ID, waited), time.Time{})
}

// concerns reports whether a repository has a dashboard, or is to have one, where Colony can write. GitHub is asked nothing but for
// the policy, which mostly is known.
func (d *dashboards) concerns(ctx context.Context, request reconcile.Request) (bool, error) {
	found, err := policyOf(ctx, d.policies, request.Repository)
	if err != nil || !found.Mode.Writes() || found.Dashboard {
		return err == nil && found.Mode.Writes(), err
	}
	return d.keeper.Exists(ctx, request.Repository)
}

// update brings a dashboard up to date, or closes it if it was switched off. That GitHub does not let Colony write one, because
// issues are switched off or the repository is archived, is said once.
func (d *dashboards) update(ctx context.Context, item *Item) (result *reconcile.Result, err error) {
	repo := item.Repository
	found, err := policyOf(ctx, d.policies, repo)
	if err != nil {
		return nil, err
	}
	d.keeper.NoteMode(repo, found)
	switch {
	case !found.Mode.Writes():
		return nil, nil
	case !found.Dashboard:
		err = d.keeper.End(ctx, repo)
	case policy.SpeaksForOthers(repo.Name):
		result, err = d.showOwner(ctx, item)
	default:
		err = d.show(ctx, repo)
	}
	if err != nil && (issues.IsPermanent(err) || issues.IsGone(err)) {
		if d.refused(dashboard.Key(repo)) {
			d.log.Warn().Err(err).Str("repo", repo.String()).Msg("GitHub does not let Colony keep a dashboard here")
		}
		return nil, nil
	}
	return result, err
}

// refused reports whether it is news that GitHub lets Colony write no dashboard somewhere.
func (d *dashboards) refused(key int64) (news bool) {
	_, known := d.unwritable.Swap(key, true)
	return !known
}

func (d *dashboards) show(ctx context.Context, repo issues.Repository) error {
	there, err := d.keeper.Find(ctx, repo)
	if err != nil || dashboard.IsSilenced(there) {
		return err
	}
	figures, err := d.keeper.Read(ctx, repo)
	if err != nil {
		return err
	}
	return d.keeper.Show(ctx, repo, there, wording.Dashboard{
		Repositories: []wording.DashboardRepository{figures.Of}, Waiting: figures.Waiting, Left: figures.Of.Waiting - len(figures.Waiting),
	})
}
