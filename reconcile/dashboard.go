package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// A dashboard is an issue with figures, which Colony keeps up to date where a repository wants that. The figures come from one list of the open
// issues and the logs of those that wait for a person: they are the same after a restart, and for every replica.

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

// ReadFigures reads the figures of a repository. What it read of an issue that waits it does not read again until the issue changes.
func (r *Reconciler) ReadFigures(ctx context.Context, repo issues.Repository) (Figures, error) {
	found, since, err := r.PolicyOf(ctx, repo)
	if err != nil {
		return Figures{}, err
	}
	basis := r.Basis(found, since, r.Clock.Now().Add(-r.ServerSettings.Horizon))
	list, more, err := basis.Store.List(ctx, repo, issues.Filter{State: issues.Open, Order: issues.OldestFirst, Pages: dashboardPages})
	if err != nil {
		return Figures{}, err
	}
	life := found.Lifecycle
	f := Figures{Of: wording.DashboardRepository{Name: repo.String(), States: r.statesOf(repo, life)}}
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
		attention, err := r.attention(ctx, issues.Ref{Repository: repo, Number: e.Number}, e.Updated, found, basis)
		switch {
		case issues.IsGone(err):
			f.Of.Waiting--
		case err != nil:
			return Figures{}, err
		case len(attention) == 0: // its log says otherwise: a reconciliation of it is under way
			f.Of.Waiting--
		default:
			f.Waiting = append(f.Waiting, waitingIssue(repo, e, attention))
		}
	}
	f.Waiting = wording.FirstWaiting(f.Waiting)
	return f, nil
}

// statesOf lists the states of a lifecycle that have a label, each with its capacity.
func (r *Reconciler) statesOf(repo issues.Repository, life *statemachine.Table) (states []wording.DashboardState) {
	for _, s := range life.States {
		if s.Label == "" {
			continue
		}
		shown := wording.DashboardState{State: s.Name, Labels: r.Labels.NamesOf(repo, life, s.Name)}
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

func waitingIssue(repo issues.Repository, e issues.Entry, attention []advice.Attention) wording.DashboardIssue {
	first := attention[0]
	i := wording.DashboardIssue{
		Repository: repo.String(), Number: e.Number, Title: e.Title, State: first.State, Need: first.Need, Since: first.Since, Who: first.Who, Typed: wording.Typed(first.Action),
	}
	for _, a := range attention[1:] {
		if a.Since.Before(i.Since) {
			i.Since = a.Since
		}
	}
	return i
}

// attention says why an issue waits for a person, as of when GitHub last changed it.
func (r *Reconciler) attention(ctx context.Context, ref issues.Ref, updated time.Time, found policy.Effective, basis Basis) ([]advice.Attention, error) {
	memory := r.memories.about(ref)
	if known := memory.lastAttended(); known.version == found.Version() && known.updated.Equal(updated) {
		return known.reasons, nil
	}
	inspected, err := r.Inspect(ctx, ref, basis)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	attention, err := inspected.Attention(ctx)
	if err != nil {
		return nil, fmt.Errorf("read why %s waits: %w", ref, err)
	}
	if !inspected.mayBeBlind() {
		memory.attend(attended{updated, found.Version(), attention})
	}
	return attention, nil
}

// Attention says why the issue waits for a person, the most pressing reason first; nothing if it does not. Whether a reflection is overdue
// LacksReflection tells.
func (i *Inspection) Attention(ctx context.Context) ([]advice.Attention, error) {
	halted, err := i.Halted(ctx)
	if err != nil {
		return nil, err
	}
	view := i.View()
	on := advice.Attended{Labels: view.Labels, Closed: view.Closed, Author: view.Author.Login, Now: i.Read(), Halted: halted}
	if lifecycle.HasLabel(view.Labels, lifecycle.NeedsHuman) {
		for _, c := range view.Changes {
			if c.Added && lifecycle.SameLabel(c.Label, lifecycle.NeedsHuman) && c.At.After(on.Marked) {
				on.Marked = c.At
			}
		}
	}
	return advice.Needs(i.settings.Lifecycle, i.Standing(), on), nil
}
