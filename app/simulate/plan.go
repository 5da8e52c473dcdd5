package simulate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/github/issues"
)

// Plan is what a simulation is going to read, as far as the lists of issues tell.
type Plan struct {
	Repositories int
	// Issues is how many changed since the replay begins.
	Issues int
	// Calls is about how many calls to GitHub that takes. An issue with more than a hundred events takes more.
	Calls int
}

// callsOfRepository is about what a repository costs besides its issues: its own settings, those of its owner, a list and a page of comments.
const callsOfRepository = 4

// plan lists the repositories to read, from Options.From on, and counts their issues. With an error, it returns what was listed before.
func (s *simulator) plan(ctx context.Context, parts *app.Parts, scope app.Scope) (all []issues.Repository, err error) {
	began, total := s.From == "", 0
	err = parts.Each(ctx, scope, func(ctx context.Context, repo issues.Repository) error {
		if began = began || strings.EqualFold(repo.String(), s.From); !began {
			return nil
		}
		return s.orNote(ctx, repo, func() error {
			err := s.changed(ctx, s.reconciler.Store, repo, func(_ context.Context, list []issues.View) error {
				total += len(list)
				return nil
			})
			if err == nil {
				all = append(all, repo)
			}
			return err
		})
	})
	switch {
	case err != nil && (len(all) == 0 || ctx.Err() != nil):
		return nil, err
	case err == nil && !began:
		return nil, fmt.Errorf("the App sees no repository %s there to go on from", s.From)
	}
	if s.Planned != nil {
		s.Planned(Plan{Repositories: len(all), Issues: total, Calls: total + len(all)*callsOfRepository})
	}
	return all, err
}

// changed does something about each page of the issues of a repository that changed since the replay begins, the oldest first. What changes in
// between moves nothing.
func (s *simulator) changed(ctx context.Context, store *issues.Store, repo issues.Repository, do func(context.Context, []issues.View) error) error {
	for page := 1; ; page++ {
		filter := issues.Filter{State: issues.All, Since: s.since, Order: issues.OldestFirst}.At(page, 0)
		list, more, err := store.Views(ctx, repo, filter)
		if err == nil {
			err = do(ctx, slices.DeleteFunc(list, func(v issues.View) bool { return v.PullRequest || v.Created.After(s.now) }))
		}
		if err != nil || !more {
			return err
		}
	}
}
