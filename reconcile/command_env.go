package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// completeEnv reads what the commands of a comment need to know in addition to the issue itself.
func (s *session) completeEnv(ctx context.Context, env *commands.Env, requester commands.Requester, invocations []commands.Invocation) (err error) {
	env.Home = s.home()
	if env.Targets, err = linkTargets(ctx, s.inquiry, requester, invocations); err != nil {
		return err
	}
	if env.Capacities, err = s.capacities(ctx, invocations, env.Standing.State); err != nil {
		return err
	}
	if commands.Asks(commands.Status, invocations) || commands.Asks(commands.History, invocations) {
		if env.Reasons, err = s.reasonsFor(ctx, *env); err != nil {
			return err
		}
	}
	if commands.Asks(commands.Next, invocations) {
		env.Waiting, err = s.waiting(ctx)
	}
	return err
}

// reasonsFor finds out why Colony made the moves that no command ordered.
func (s *session) reasonsFor(ctx context.Context, env commands.Env) (map[int64]commands.Reason, error) {
	found, err := reasonsOf(ctx, s.inquiry, env.Standing.Trail, func(id int64) bool { _, ok := env.Attributions[id]; return ok })
	reasons := map[int64]commands.Reason{}
	for id, cause := range found {
		reasons[id] = commands.Reason{Why: cause.Why, About: cause.What, Link: wording.GitHubAddress(s.Web, cause.Link)}
	}
	return reasons, err
}

// waiting lists what waits to be taken in the repository of the issue.
func (s *session) waiting(ctx context.Context) (commands.Waiting, error) {
	var waiting commands.Waiting
	seen := map[int]bool{}
	for _, state := range s.settings.Lifecycle.Waiting {
		list, more, err := s.store.WithAny(ctx, s.view.Ref.Repository, s.namesOf(state), issues.AllWithLabel)
		if err != nil {
			return waiting, err
		}
		waiting.More = waiting.More || more
		for _, issue := range list {
			if seen[issue.Number] {
				continue
			}
			seen[issue.Number] = true
			waiting.Candidates = append(waiting.Candidates, issue.Candidate(state))
		}
	}
	return waiting, nil
}

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

func (q *inquiry) namesOf(state string) []string {
	return q.Labels.NamesOf(q.view.Ref.Repository, q.settings.Lifecycle, state)
}
