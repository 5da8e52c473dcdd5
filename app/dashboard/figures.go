// Package dashboard keeps the issue with the figures of a repository, or of an owner, up to date.
package dashboard

import (
	"context"
	"fmt"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// A dashboard is an issue with figures, which Colony keeps up to date where a repository wants that. The figures come from one list of the open
// issues and the logs of the issues that wait for a person. They are the same after a restart, and for every replica.

// Keeper keeps dashboards. It is safe for concurrent use.
type Keeper struct {
	*reconcile.Reconciler
	// attended remembers why issues wait for a person, as of when they changed last.
	attended *lru.Cache[waiting, []advice.Attention]
}

// waiting is an issue as of a change, under a policy.
type waiting struct {
	ref     string
	updated int64 // in seconds, like GitHub's times
	version string
}

// attendedKept bounds the memory to about a megabyte.
const attendedKept = 5_000

// New returns a Keeper that remembers nothing yet.
func New(r *reconcile.Reconciler) *Keeper {
	return &Keeper{r, bounded.New[waiting, []advice.Attention](attendedKept)}
}

// Bounds of what is read for a dashboard.
const (
	dashboardPages = 20 // of open issues, a hundred each, the oldest first
	dashboardLogs  = 50 // of issues that wait for a person, those first to which nothing happened for the longest time
)

// Figures are what a dashboard shows of a repository.
type Figures struct {
	Of wording.DashboardRepository
	// Waiting are the issues that wait for a person, those first that have waited the longest: as many as a dashboard shows.
	Waiting []wording.DashboardIssue
}

// Read reads the figures of a repository. What it read of an issue that waits it does not read again until the issue changes.
func (k *Keeper) Read(ctx context.Context, repo issues.Repository) (Figures, error) {
	found, since, err := k.PolicyOf(ctx, repo)
	if err != nil {
		return Figures{}, err
	}
	basis := k.Basis(found, since, k.Clock.Now().Add(-k.ServerSettings.Horizon))
	list, more, err := basis.Store.List(ctx, repo, issues.Filter{State: issues.Open, Order: issues.OldestFirst, Pages: dashboardPages})
	if err != nil {
		return Figures{}, err
	}
	life := found.Lifecycle
	f := Figures{Of: wording.DashboardRepository{Name: repo.String(), States: k.statesOf(repo, life)}}
	if more {
		f.Of.Read = len(list)
	}
	var waiting []issues.Entry
	for _, e := range list {
		if f.count(life, e) {
			waiting = append(waiting, e)
		}
	}
	f.Of.Waiting = len(waiting)
	slices.SortStableFunc(waiting, func(a, b issues.Entry) int { return a.Updated.Compare(b.Updated) })
	for _, e := range waiting[:min(dashboardLogs, len(waiting))] {
		attention, err := k.attention(ctx, issues.Ref{Repository: repo, Number: e.Number}, e.Updated, found, basis)
		switch {
		case issues.IsGone(err):
			f.Of.Waiting--
		case err != nil:
			return Figures{}, err
		case len(attention) == 0: // its log says otherwise: a reconciliation of it is under way
			f.Of.Waiting--
		default:
			f.Waiting = append(f.Waiting, waitingIssue(repo, life, e, attention))
		}
	}
	f.Waiting = wording.FirstWaiting(f.Waiting)
	return f, nil
}

// statesOf lists the states of a lifecycle that have a label, each with its capacity.
func (k *Keeper) statesOf(repo issues.Repository, life *statemachine.Table) (states []wording.DashboardState) {
	for _, s := range life.States {
		if s.Label == "" {
			continue
		}
		shown := wording.DashboardState{State: s.Name, Labels: k.Labels.NamesOf(repo, life, s.Name), Ends: s.Type == lifecycle.Terminal}
		for _, row := range life.Dispatch {
			if row.To == s.Name {
				shown.AtMost = row.AtMost
			}
		}
		states = append(states, shown)
	}
	return states
}

// count counts an issue in each state whose label it has, and reports whether the labels say that it waits for a person.
func (f *Figures) count(life *statemachine.Table, e issues.Entry) (waits bool) {
	waits = lifecycle.HasLabel(e.Labels, lifecycle.NeedsHuman)
	for n := range f.Of.States {
		s := &f.Of.States[n]
		if len(life.OnIssue(e.Labels, s.State)) > 0 {
			s.Open++
			waits = waits || len(advice.Needs(life, statemachine.Standing{State: s.State}, advice.Attended{})) > 0
		}
	}
	return waits
}

func waitingIssue(repo issues.Repository, life *statemachine.Table, e issues.Entry, attention []advice.Attention) wording.DashboardIssue {
	first := attention[0]
	i := wording.DashboardIssue{
		Repository: repo.String(), Number: e.Number, Title: e.Title, State: first.State, Need: first.Need, Since: first.Since, Who: first.Who, Typed: wording.Typed(first.Action),
		ToMove: statemachine.AccessOf(life).ToMove,
	}
	for _, a := range attention[1:] {
		if a.Since.Before(i.Since) {
			i.Since = a.Since
		}
	}
	return i
}

// attention says why an issue waits for a person, as of when GitHub last changed it.
func (k *Keeper) attention(ctx context.Context, ref issues.Ref, updated time.Time, found policy.Effective, basis reconcile.Basis) ([]advice.Attention, error) {
	key := waiting{ref.String(), updated.Unix(), found.Version()}
	if known, ok := k.attended.Get(key); ok {
		return known, nil
	}
	inspected, err := k.Inspect(ctx, ref, basis)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	attention, err := inspected.Attention(ctx)
	if err != nil {
		return nil, fmt.Errorf("read why %s waits: %w", ref, err)
	}
	if !inspected.MayBeBlind() {
		k.attended.Add(key, attention)
	}
	return attention, nil
}
