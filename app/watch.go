package app

import (
	"context"
	"slices"

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/statemachine"
)

// What moves an issue need not change it: a check of its pull request, an issue that it depends on, or time. So a sweep also looks
// at the open issues in the states that something of the kind can move, changed or not. That costs reads for each of them, and
// therefore it is bounded: what is beyond the bound waits for the next sweep, which goes on where this one stopped.

// watchProgress is how far a sweep has come with the issues that nobody changed.
type watchProgress struct {
	place
	// Begun is where it began: once it comes there again, it has seen all.
	Begun place `json:"begun"`
	// Seen counts the issues that were looked at.
	Seen int `json:"seen"`
}

// place is a page of the issues in one of the watched states.
type place struct {
	State int `json:"state"`
	Page  int `json:"page"`
}

// watched lists the labels of the states in which an issue can move although nobody changes it.
func watched(life *statemachine.Lifecycle) []string {
	timed := map[string]bool{}
	for _, t := range life.TimeOuts {
		for _, state := range t.In {
			timed[state] = true
		}
	}
	var labels []string
	for _, s := range life.States {
		if s.Label != "" && (timed[s.Name] || len(life.Readings(s.Name)) > 0) {
			labels = append(labels, s.Label)
		}
	}
	return labels
}

// mayEnd reports whether what closed an issue may move it as well: the merge of a pull request does both. Other closed issues are
// left alone.
func (d *desk) mayEnd(ctx context.Context, e *entry, c issues.Changed) (bool, error) {
	found, _, err := d.looker.inForce(ctx, refOf(e.Look).Repository)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(c.Labels, func(label string) bool {
		state, is := found.Lifecycle.StateOf(label)
		return is && found.Lifecycle.EndsClosed(state.Name)
	}), nil
}

// sweepWatched looks at one page of the issues in watched states; it returns nil at the end.
func (d *desk) sweepWatched(ctx context.Context, e *entry, repo issues.Repository) (*Later, error) {
	found, _, err := d.looker.inForce(ctx, repo)
	if err != nil {
		return nil, err
	}
	labels := watched(found.Lifecycle)
	if len(labels) == 0 || d.watch == 0 {
		return nil, nil
	}
	w := e.Sweep.Watching
	if w == nil || w.State >= len(labels) {
		w = &watchProgress{place: d.sweeps.place(repo.ID, len(labels))}
		w.Begun = w.place
		e.Sweep.Watching = w
	}
	list, more, err := d.looker.Store.WithLabel(ctx, repo, labels[w.State], w.Page, sweepPage)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		one := e.issue(c.Number)
		if !c.Updated.Before(e.Sweep.Since) || d.looker.Done.has(refOf(one), c.Updated, d.clock.Now()) {
			continue // it is among those that changed, or it rests
		}
		w.Seen++
		if err := d.sweepIssue(ctx, e, c); err != nil {
			return nil, err
		}
	}
	w.advance(more, len(labels))
	if all := w.place == w.Begun; all || w.Seen >= d.watch {
		d.sweeps.stopped(repo.ID, w.place, all)
		return nil, nil
	}
	return &Later{}, nil
}

func (w *watchProgress) advance(more bool, states int) {
	if more {
		w.Page++
		return
	}
	w.State, w.Page = (w.State+1)%states, 1
	if w.State == w.Begun.State { // the pages before the one where it began come with the next sweep
		w.place = w.Begun
	}
}

// place returns where to go on with the watched issues of a repository.
func (s *sweeps) place(repository int64, states int) place {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.places[repository]; ok && at.State < states {
		return at
	}
	return place{Page: 1}
}

func (s *sweeps) stopped(repository int64, at place, all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all {
		delete(s.places, repository)
		return
	}
	s.places[repository] = at
}
