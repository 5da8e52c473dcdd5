package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

// planned returns how to list the files that the issue is going to change; nil if that does not matter in a state.
func planned(q *inquiry, state string) func(context.Context) ([]string, error) {
	sections := q.settings.Lifecycle.Triggers.PlannedIn(state)
	if len(sections) == 0 {
		return nil
	}
	return func(ctx context.Context) ([]string, error) { return plannedFiles(ctx, q, sections) }
}

// plannedFiles lists the files that the issue is going to change: what its text names in some sections, or else what the newest comment of a
// bot that names any there does. What other people comment does not hold an issue up.
func plannedFiles(ctx context.Context, q *inquiry, sections []string) ([]string, error) {
	if files := commands.FilesIn(q.view.Body, sections...); len(files) > 0 {
		return files, nil
	}
	comments, err := q.store.Written(ctx, q.view)
	if err != nil {
		return nil, err
	}
	for _, comment := range slices.Backward(comments) {
		if comment.By.Kind != lifecycle.Executor {
			continue
		}
		if files := commands.FilesIn(comment.Body, sections...); len(files) > 0 {
			return files, nil
		}
	}
	return nil, nil
}
