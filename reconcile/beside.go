package reconcile

import (
	"context"

	"github.com/colony-app/colony/commands"
)

// beside reads what the commands of a comment need to know beside the issue itself.
func (v *reconciliation) beside(ctx context.Context, s *commands.Situation, asker commands.Asker, invocations []commands.Invocation) (err error) {
	s.Home = v.home()
	if s.Targets, err = v.targets(ctx, asker, invocations); err != nil {
		return err
	}
	if s.Capacities, err = v.capacities(ctx, invocations, s.Standing.State); err != nil {
		return err
	}
	if commands.Asks(commands.Status, invocations) {
		if s.Because, err = v.because(ctx, s.Standing); err != nil {
			return err
		}
	}
	if commands.Asks(commands.Next, invocations) {
		s.Waiting, err = v.waiting(ctx)
	}
	return err
}

// waiting lists what waits to be taken in the repository of the issue.
func (v *reconciliation) waiting(ctx context.Context) (commands.Waiting, error) {
	waiting := commands.Waiting{Blocked: map[int]int{}}
	seen := map[int]bool{}
	for _, state := range v.settings.Lifecycle.Waiting {
		list, more, err := v.store.Labelled(ctx, v.view.Ref.Repository, v.settings.Lifecycle.Label(state))
		if err != nil {
			return waiting, err
		}
		waiting.More = waiting.More || more
		for _, issue := range list {
			if seen[issue.Number] {
				continue
			}
			seen[issue.Number] = true
			waiting.Blocked[issue.Number] = issue.Blocked
			waiting.Candidates = append(waiting.Candidates, issue.Candidate(state))
		}
	}
	return waiting, nil
}
