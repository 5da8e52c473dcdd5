package reconcile

import (
	"context"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
)

// beside reads what the commands of a comment need to know beside the issue itself.
func (rc *reconciliation) beside(ctx context.Context, s *commands.Env, asker commands.Requester, invocations []commands.Invocation) (err error) {
	s.Home = rc.home()
	if s.Targets, err = rc.targets(ctx, asker, invocations); err != nil {
		return err
	}
	if s.Capacities, err = rc.capacities(ctx, invocations, s.Standing.State); err != nil {
		return err
	}
	if commands.Asks(commands.Status, invocations) {
		if s.Because, err = rc.because(ctx, s.Standing); err != nil {
			return err
		}
	}
	if commands.Asks(commands.Next, invocations) {
		s.Waiting, err = rc.waiting(ctx)
	}
	return err
}

// waiting lists what waits to be taken in the repository of the issue.
func (rc *reconciliation) waiting(ctx context.Context) (commands.Waiting, error) {
	waiting := commands.Waiting{Blocked: map[int]int{}}
	seen := map[int]bool{}
	for _, state := range rc.settings.Lifecycle.Waiting {
		list, more, err := rc.store.List(ctx, rc.view.Ref.Repository, issues.AllWithLabel(rc.settings.Lifecycle.Label(state)))
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
