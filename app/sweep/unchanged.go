package sweep

import (
	"context"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// What moves an issue need not change it: a check of its pull request, an issue that it depends on, what a guard could not read, or time. So a sweep also checks
// the open issues in the states that something of the kind can move, changed or not. That costs reads for each of them, and
// therefore it is bounded: what is beyond the bound waits for the next sweep, which goes on where this one stopped.

// watchProgress is how far a sweep has come with the issues that no one changed.
type watchProgress struct {
	cursor
	// Begun is where it began: once it comes there again, it has seen all.
	Begun cursor `json:"begun"`
	// Seen counts the issues that were checked.
	Seen int `json:"seen"`
	// All says that it has come there again.
	All bool `json:"all,omitempty"`
	// Empty are the states in which no issue has to be read: their lists are not read.
	Empty []int `json:"empty,omitempty"`
}

// cursor is a page of the issues in one of the watched states.
type cursor struct {
	State int `json:"state"`
	Page  int `json:"page"`
}

// sweepUnchanged checks one page of the issues in watched states; more tells whether there are others for this sweep.
func (s *Sweeper) sweepUnchanged(ctx context.Context, t *Task, step *currentStep) (more bool, result *reconcile.Result, err error) {
	repo, p := t.Repository, t.Progress
	found, _, err := s.Reconciler.PolicyOf(ctx, repo)
	if err != nil {
		return false, nil, err
	}
	labels := s.watched(repo, found.Lifecycle)
	if len(labels) == 0 || s.Watch == 0 {
		return false, nil, nil
	}
	if p.Watching == nil || p.Watching.State >= len(labels) {
		if p.Watching, err = s.beginWatching(ctx, repo, len(labels)); err != nil {
			return false, nil, err
		}
	}
	w := p.Watching
	var list []issues.Entry
	if !slices.Contains(w.Empty, w.State) {
		if list, more, err = s.Reconciler.Store.List(ctx, repo, issues.WithLabel(labels[w.State].label).At(w.Page, min(PageSize, s.Watch))); err != nil {
			return false, nil, err
		}
	}
	now := s.Clock.Now()
	rest := slices.DeleteFunc(list, func(c issues.Entry) bool {
		ref := t.OfIssue(c.Number).Ref
		changed, clean := !c.Updated.Before(p.Since), s.Reconciler.IsClean(ref, c.Updated, now)
		if clean {
			p.rests(s.Reconciler.NextDue(ref))
		}
		return changed || clean // a changed one was among the changes
	})
	before := len(p.Seen)
	result, err = s.sweepIssues(ctx, t, step, rest)
	w.Seen += len(p.Seen) - before
	if err != nil || result != nil {
		return false, result, err
	}
	p.Seen = nil
	w.advance(more, len(labels))
	if w.All = w.cursor == w.Begun; w.All || w.Seen >= s.Watch {
		return false, nil, nil
	}
	return true, nil, nil
}

func (s *Sweeper) beginWatching(ctx context.Context, repo issues.Repository, states int) (*watchProgress, error) {
	known, err := s.history.read(ctx, keyOfRepository(repo.ID))
	if err != nil {
		return nil, err
	}
	w := &watchProgress{cursor: cursor{Page: 1}}
	if at := known.Place; at != nil && at.State < states {
		w.cursor = *at
	}
	w.Begun = w.cursor
	return w, nil
}

// leaveOut notes in which of the watched states no issue has to be read.
func (w *watchProgress) leaveOut(read []bool) {
	for state, any := range read {
		if !any {
			w.Empty = append(w.Empty, state)
		}
	}
}

func (w *watchProgress) advance(more bool, states int) {
	if more {
		w.Page++
		return
	}
	w.State, w.Page = (w.State+1)%states, 1
	if w.State == w.Begun.State { // the pages before the one where it began come with the next sweep
		w.cursor = w.Begun
	}
}

// stopsAt is where the next sweep goes on; nil if this one has seen all.
func (w *watchProgress) stopsAt() *cursor {
	if w.All {
		return nil
	}
	return &w.cursor
}
