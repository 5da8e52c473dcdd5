package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// capacities reads how full the states are for which the repository says how many issues are allowed there, as far as commands ask. Next asks
// about all of them, Status about the states that have to do with the state that the issue is in.
func (s *session) capacities(ctx context.Context, invocations []commands.Invocation, state string) ([]commands.Capacity, error) {
	repo, life := s.view.Ref.Repository, s.settings.Lifecycle
	var rows []lifecycle.Dispatch
	switch {
	case commands.Asks(commands.Next, invocations):
		rows = life.Dispatch
	case commands.Asks(commands.Status, invocations):
		rows = slices.DeleteFunc(slices.Clone(life.Dispatch), func(row lifecycle.Dispatch) bool {
			return row.To != state && !slices.Contains(row.From, state)
		})
	}
	var capacities []commands.Capacity
	for _, row := range rows {
		there, _, err := s.store.WithAny(ctx, repo, s.namesOf(row.To), issues.AllWithLabel)
		if err != nil {
			return nil, err
		}
		waiting, err := s.store.WaitingFor(ctx, repo, life, row, s.namesOf)
		if err != nil {
			return nil, err
		}
		capacities = append(capacities, commands.Capacity{Dispatch: row, There: len(there), Waiting: waiting})
	}
	return capacities, nil
}

// namesOf lists the labels of the repository that mean a state.
func (q *inquiry) namesOf(state string) []string {
	return q.Labels.NamesOf(q.view.Ref.Repository, q.settings.Lifecycle, state)
}
