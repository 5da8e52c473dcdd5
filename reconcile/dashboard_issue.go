package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
)

// There is one dashboard in a repository at most. Colony finds it on GitHub, as what it opened itself and has the marker; its number is noted
// beside the tasks, because GitHub's lists can lag behind.
//
// Whoever closes it silences it. Colony closes it only when it is switched off, and says so in the marker in the same call: so it knows
// which ones it may open again.

// dashboardNote is what is noted of the dashboard of a repository.
type dashboardNote struct {
	Number int `json:"number"` // 0: it was switched off
}

func noteOfDashboard(repo issues.Repository) string {
	return fmt.Sprintf("dashboard.%d", DashboardKey(repo))
}

// DashboardKey is a number for the dashboard of a repository, by its name: of the one that speaks for others, nothing else may be known.
func DashboardKey(repo issues.Repository) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("dashboard of " + strings.ToLower(repo.String()))) // it never fails
	return int64(h.Sum64() & math.MaxInt64)
}

// HasDashboard reports whether a repository has a dashboard as far as is noted. GitHub is not asked.
func (r *Reconciler) HasDashboard(ctx context.Context, repo issues.Repository) (bool, error) {
	known, err := r.notedDashboard(ctx, repo)
	return known.Number != 0, err
}

func (r *Reconciler) notedDashboard(ctx context.Context, repo issues.Repository) (known dashboardNote, err error) {
	if r.Notes == nil {
		return known, nil
	}
	text, ok, err := r.Notes.Noted(ctx, noteOfDashboard(repo))
	if err != nil || !ok {
		return known, err
	}
	if err := json.Unmarshal(text, &known); err != nil {
		return dashboardNote{}, nil //nolint:nilerr // of another version: as if nothing were known
	}
	return known, nil
}

func (r *Reconciler) noteDashboard(ctx context.Context, repo issues.Repository, number int) error {
	if r.Notes == nil {
		return nil
	}
	text, err := json.Marshal(dashboardNote{number})
	if err != nil {
		return fmt.Errorf("write down the dashboard of %s: %w", repo, err)
	}
	return r.Notes.Note(ctx, noteOfDashboard(repo), text)
}

// FindDashboard returns the dashboard of a repository; nil if there is none. Of several, which a call that GitHub answered too late can leave,
// it closes all but the oldest.
func (r *Reconciler) FindDashboard(ctx context.Context, repo issues.Repository) (*issues.Dashboard, error) {
	known, err := r.notedDashboard(ctx, repo)
	if err != nil {
		return nil, err
	}
	if known.Number != 0 {
		d, ok, err := r.Store.Dashboard(ctx, issues.Ref{Repository: repo, Number: known.Number})
		if err != nil {
			return nil, err
		}
		if ok {
			return &d, nil
		}
	}
	all, err := r.Store.Dashboards(ctx, repo)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for _, d := range all[1:] {
		if err := r.closeDashboard(ctx, d); err != nil {
			return nil, err
		}
	}
	return &all[0], nil
}

// IsSilenced reports whether somebody closed a dashboard.
func IsSilenced(d *issues.Dashboard) bool {
	if d == nil || !d.Closed {
		return false
	}
	mark, _ := wording.MarkOfDashboard(d.Body)
	return !mark.Off
}

// ShowDashboard brings a dashboard in line with its figures: it opens and pins one if there is none, and writes only if something changed.
func (r *Reconciler) ShowDashboard(ctx context.Context, repo issues.Repository, d *issues.Dashboard, shows wording.Dashboard) error {
	shows.Web, shows.Changed, shows.Board = r.Web, r.Clock.Now(), r.Board
	if shows.Owner == "" && r.Board != "" {
		shows.Board += "/" + repo.String()
	}
	if d == nil {
		opened, err := r.Store.OpenDashboard(ctx, repo, wording.RenderDashboard(shows, true))
		if err != nil {
			return err
		}
		r.Log.Info().Str("repo", repo.String()).Int("issue", opened.Ref.Number).Msg("a dashboard was opened")
		d = &opened
	}
	if err := r.noteDashboard(ctx, repo, d.Ref.Number); err != nil {
		return err
	}
	mark, _ := wording.MarkOfDashboard(d.Body)
	if mark.Off {
		text := wording.RenderDashboard(shows, true)
		if err := r.Store.WriteDashboard(ctx, *d, text, false); err != nil {
			return err
		}
		d.Body, d.Closed, mark.Unpinned = text, false, true
	}
	if mark.Unpinned {
		refused, err := r.Store.PinDashboard(ctx, *d, true)
		if err != nil {
			return err
		}
		if refused != nil {
			r.Log.Warn().Err(refused).Str("repo", repo.String()).Int("issue", d.Ref.Number).Msg("GitHub does not pin the dashboard; it stays unpinned")
		}
	}
	same := shows
	if same.Changed = mark.Changed; wording.RenderDashboard(same, false) == d.Body {
		return nil
	}
	return r.Store.WriteDashboard(ctx, *d, wording.RenderDashboard(shows, false), false)
}

// EndDashboard closes the dashboard of a repository that wants none any more.
func (r *Reconciler) EndDashboard(ctx context.Context, repo issues.Repository) error {
	d, err := r.FindDashboard(ctx, repo)
	if err != nil {
		return err
	}
	if d != nil {
		if err := r.closeDashboard(ctx, *d); err != nil {
			return err
		}
	}
	return r.noteDashboard(ctx, repo, 0)
}

// closeDashboard unpins and closes a dashboard, unless somebody closed it.
func (r *Reconciler) closeDashboard(ctx context.Context, d issues.Dashboard) error {
	if d.Closed {
		return nil
	}
	refused, err := r.Store.PinDashboard(ctx, d, false)
	if err != nil {
		return err
	}
	if refused != nil {
		r.Log.Debug().Err(refused).Stringer("issue", d.Ref).Msg("the dashboard was not unpinned")
	}
	return r.Store.WriteDashboard(ctx, d, wording.RenderDashboardOff(), true)
}

// FiguresChanged says that figures of a repository may have changed. Where no dashboard shows them, nobody hears of it.
func (r *Reconciler) FiguresChanged(ctx context.Context, repo issues.Repository, settings Settings) error {
	if r.OnFigures == nil || !settings.Dashboard && !settings.OfOwner {
		return nil
	}
	return r.OnFigures(ctx, repo, settings)
}
