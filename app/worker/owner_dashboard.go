package worker

import (
	"context"
	"errors"
	"time"

	"github.com/colony-app/colony/app/dashboard"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// The dashboard of an owner is in the repository that speaks for its others. Its figures are read one repository after the other, a few in a
// step. The task that reads them comes back and has with it what it read. So no limit and no restart makes it begin again.
//
// It shows nothing to anybody who cannot read it elsewhere: in a public repository it is about public ones only.

// OwnerFigures is how far the figures of an owner were read. Its JSON is on disks: keys can be added, but never removed or changed.
type OwnerFigures struct {
	// Visibility is who can read the dashboard.
	Visibility client.Visibility `json:"visibility"`
	// Page is the page of the list of repositories, Next the one on it to go on with.
	Page int `json:"page"`
	Next int `json:"next"`
	// Shown is what was read.
	Shown wording.OwnerFigures `json:"shown"`
}

// ownerInterval is how long the dashboard of an owner is left as it is.
const ownerInterval = 30 * time.Minute

// ownerStep is how many repositories a step reads, and ownerPause how long the next one waits.
const (
	ownerStep  = 10
	ownerPause = 10 * time.Second
)

// showOwner carries out one step of an update of the dashboard of an owner; the item keeps how far it came.
func (d *dashboards) showOwner(ctx context.Context, item *Item) (*reconcile.Result, error) {
	if item.Figures == nil {
		there, err := d.keeper.Find(ctx, item.Repository)
		if err != nil || dashboard.IsSilenced(there) {
			return nil, err
		}
		visibility, err := client.VisibilityOf(ctx, d.clients, item.Repository)
		if err != nil {
			return nil, err
		}
		item.Figures = &OwnerFigures{Visibility: visibility, Page: 1}
	}
	more, err := d.readOwner(ctx, item)
	if err != nil {
		return nil, err
	}
	if more {
		return &reconcile.Result{RequeueAfter: ownerPause}, nil
	}
	there, err := d.keeper.Find(ctx, item.Repository)
	if err != nil || dashboard.IsSilenced(there) {
		return nil, err
	}
	return nil, d.keeper.Show(ctx, item.Repository, there, item.Figures.Shown.Dashboard(item.Owner))
}

// readOwner reads the figures of the next repositories; more says that there are others.
func (d *dashboards) readOwner(ctx context.Context, item *Item) (more bool, err error) {
	p := item.Figures
	list, others, pages, err := client.RepositoriesWithin(ctx, d.clients, item.Installation, p.Page, p.Visibility)
	if err != nil {
		return false, client.IgnoreUnlisted(d.log, item.Installation, err)
	}
	for read := 0; p.Next < len(list); p.Next++ {
		if read == ownerStep {
			return true, nil
		}
		repo := list[p.Next]
		if !d.keeper.Has(repo) {
			continue
		}
		read++
		if err := d.readOne(ctx, p, repo); err != nil {
			return false, err
		}
	}
	p.Shown.Hidden += others
	if pages {
		p.Page, p.Next = p.Page+1, 0
	}
	return pages, nil
}

// readOne reads the figures of a repository. One that cannot be read for good holds up no other.
func (d *dashboards) readOne(ctx context.Context, p *OwnerFigures, repo issues.Repository) error {
	found, err := d.policies.Get(ctx, repo)
	if err == nil && !found.Mode.Reads() {
		return nil
	}
	var figures dashboard.Figures
	if err == nil {
		figures, err = d.keeper.Read(ctx, repo)
	}
	limited := (*ratelimit.Error)(nil)
	switch {
	case err == nil:
		p.Shown.Add(figures.Of, figures.Waiting)
		return nil
	case errors.As(err, &limited), !issues.IsPermanent(err) && !issues.IsGone(err):
		return err
	}
	p.Shown.Apart = append(p.Shown.Apart, repo.String())
	return nil
}
