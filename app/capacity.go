package app

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
)

// capacities reads how full the states are of which the repository says how many issues may be there: all of them, or those that
// have to do with a state.
func (v *visit) capacities(ctx context.Context, all, some bool, state string) ([]commands.Capacity, error) {
	repo, life := v.view.Ref.Repository, v.Rules.Lifecycle
	var capacities []commands.Capacity
	for _, row := range life.Dispatch {
		if !all && (!some || row.To != state && !slices.Contains(row.From, state)) {
			continue
		}
		there, _, err := v.Store.Labelled(ctx, repo, life.Label(row.To))
		if err != nil {
			return nil, err
		}
		line, err := v.Store.InLine(ctx, repo, life, row)
		if err != nil {
			return nil, err
		}
		capacities = append(capacities, commands.Capacity{Dispatch: row, There: len(there), Line: line})
	}
	return capacities, nil
}
