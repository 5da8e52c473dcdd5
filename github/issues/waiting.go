package issues

import (
	"context"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// WaitingFor lists the open issues that wait for capacity, in their order. One that has other state labels in addition to that of the state it waits
// in is left out: it is about to go somewhere. Labels are the labels that mean a state; see NamesOf.
func (s lists) WaitingFor(ctx context.Context, repo Repository, life *statemachine.Table, row lifecycle.Dispatch, labels func(state string) []string) ([]lifecycle.Candidate, error) {
	var waiting []lifecycle.Candidate
	for _, from := range row.From {
		list, _, err := s.WithAny(ctx, repo, labels(from), AllWithLabel)
		if err != nil {
			return nil, err
		}
		for _, issue := range list {
			if state, alone := life.Alone(issue.Labels); alone && state == from {
				waiting = append(waiting, issue.Candidate(from))
			}
		}
	}
	life.Order(waiting)
	return waiting, nil
}
