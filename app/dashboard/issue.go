package dashboard

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// There is one dashboard in a repository at most. Colony finds it on GitHub, as what it opened itself and has the marker. Its number is noted
// next to the tasks, because GitHub's lists can lag behind.
//
// Anyone who closes it silences it. Colony closes it only when it is switched off, and says so in the marker in the same call. So it knows which
// ones it can open again.

// noteText is what is noted of the dashboard of a repository.
type noteText struct {
	Number int `json:"number"` // 0: it was switched off
}

func keyOfNote(repo issues.Repository) string {
	return fmt.Sprintf("dashboard.%d", Key(repo))
}

// Key is a number for the dashboard of a repository, by its name: of the one that speaks for others, nothing else might be known.
func Key(repo issues.Repository) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("dashboard of " + strings.ToLower(repo.String()))) // it never fails
	return int64(h.Sum64() & math.MaxInt64)
}

// Exists reports whether a repository has a dashboard as far as is noted. GitHub is not asked.
func (k *Keeper) Exists(ctx context.Context, repo issues.Repository) (bool, error) {
	known, err := k.noted(ctx, repo)
	return known.Number != 0, err
}

func (k *Keeper) noted(ctx context.Context, repo issues.Repository) (noteText, error) {
	return reconcile.ReadNote[noteText](ctx, k.Notes, keyOfNote(repo))
}

func (k *Keeper) note(ctx context.Context, repo issues.Repository, number int) error {
	return reconcile.WriteNote(ctx, k.Notes, keyOfNote(repo), noteText{number})
}

// Find returns the dashboard of a repository; nil if the repository has no dashboard. Of several, which a call that GitHub answered too late can
// leave, it closes all but the oldest.
func (k *Keeper) Find(ctx context.Context, repo issues.Repository) (*issues.Dashboard, error) {
	known, err := k.noted(ctx, repo)
	if err != nil {
		return nil, err
	}
	if known.Number != 0 {
		d, ok, err := k.Store.Dashboard(ctx, issues.Ref{Repository: repo, Number: known.Number})
		if err != nil {
			return nil, err
		}
		if ok {
			return &d, nil
		}
	}
	all, err := k.Store.Dashboards(ctx, repo)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for _, d := range all[1:] {
		if err := k.close(ctx, d); err != nil {
			return nil, err
		}
	}
	return &all[0], nil
}

// IsSilenced reports whether someone closed a dashboard.
func IsSilenced(d *issues.Dashboard) bool {
	if d == nil || !d.Closed {
		return false
	}
	mark, _ := wording.MarkOfDashboard(d.Body)
	return !mark.Off
}

// Show brings a dashboard in line with its figures: it opens and pins one if it is missing, and writes only if something changed.
func (k *Keeper) Show(ctx context.Context, repo issues.Repository, d *issues.Dashboard, shows wording.Dashboard) error {
	shows.Web, shows.Changed, shows.Board = k.Web, k.Clock.Now(), k.Board
	if shows.Owner == "" && k.Board != "" {
		shows.Board += "/" + repo.String()
	}
	if d == nil {
		opened, err := k.Store.OpenDashboard(ctx, repo, wording.RenderDashboard(shows, true))
		if err != nil {
			return err
		}
		k.Log.Info().Str("repo", repo.String()).Int("issue", opened.Ref.Number).Msg("a dashboard was opened")
		d = &opened
	}
	if err := k.note(ctx, repo, d.Ref.Number); err != nil {
		return err
	}
	mark, _ := wording.MarkOfDashboard(d.Body)
	if mark.Off {
		text := wording.RenderDashboard(shows, true)
		if err := k.Store.WriteDashboard(ctx, *d, text, false); err != nil {
			return err
		}
		d.Body, d.Closed, mark.Unpinned = text, false, true
	}
	if mark.Unpinned {
		refused, err := k.Store.PinDashboard(ctx, *d, true)
		if err != nil {
			return err
		}
		if refused != nil {
			k.Log.Warn().Err(refused).Str("repo", repo.String()).Int("issue", d.Ref.Number).Msg("GitHub does not pin the dashboard; it stays unpinned")
		}
	}
	same := shows
	if same.Changed = mark.Changed; wording.RenderDashboard(same, false) == d.Body {
		return nil
	}
	return k.Store.WriteDashboard(ctx, *d, wording.RenderDashboard(shows, false), false)
}

// End closes the dashboard of a repository that no longer wants one.
func (k *Keeper) End(ctx context.Context, repo issues.Repository) error {
	d, err := k.Find(ctx, repo)
	if err != nil {
		return err
	}
	if d != nil {
		if err := k.close(ctx, *d); err != nil {
			return err
		}
	}
	return k.note(ctx, repo, 0)
}

// close unpins and closes a dashboard, unless someone closed it.
func (k *Keeper) close(ctx context.Context, d issues.Dashboard) error {
	if d.Closed {
		return nil
	}
	refused, err := k.Store.PinDashboard(ctx, d, false)
	if err != nil {
		return err
	}
	if refused != nil {
		k.Log.Debug().Err(refused).Stringer("issue", d.Ref).Msg("the dashboard was not unpinned")
	}
	return k.Store.WriteDashboard(ctx, d, wording.RenderDashboardOff(), true)
}
