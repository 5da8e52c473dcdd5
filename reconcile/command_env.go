package reconcile

import (
	"context"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
)

// completeEnv reads what the commands of a comment need to know beside the issue itself.
func (rc *reconciliation) completeEnv(ctx context.Context, env *commands.Env, requester commands.Requester, invocations []commands.Invocation) (err error) {
	env.Home = rc.home()
	if env.Targets, err = rc.targets(ctx, requester, invocations); err != nil {
		return err
	}
	if env.Capacities, err = rc.capacities(ctx, invocations, env.Standing.State); err != nil {
		return err
	}
	if commands.Asks(commands.Status, invocations) {
		if env.Because, err = rc.because(ctx, env.Standing); err != nil {
			return err
		}
	}
	if commands.Asks(commands.Next, invocations) {
		env.Waiting, err = rc.waiting(ctx)
	}
	return err
}

// waiting lists what waits to be taken in the repository of the issue.
func (rc *reconciliation) waiting(ctx context.Context) (commands.Waiting, error) {
	waiting := commands.Waiting{Blocked: map[int]int{}}
	seen := map[int]bool{}
	for _, state := range rc.settings.Lifecycle.Waiting {
		list, more, err := rc.store.WithAny(ctx, rc.view.Ref.Repository, rc.namesOf(state), issues.AllWithLabel)
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
