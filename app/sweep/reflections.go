package sweep

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// sweepReflections asks to reconcile every issue that came to its end within the horizon and might lack its reflection. It does so as far as one
// of the states tells in which issues end. The result more tells whether there are others.
func (s *Sweeper) sweepReflections(ctx context.Context, t *Task, _ *currentStep) (more bool, _ *reconcile.Result, err error) {
	repo := t.Repository
	found, _, err := s.Reconciler.PolicyOf(ctx, repo)
	if err != nil || found.Lifecycle.Reflection == nil {
		return false, nil, err
	}
	states, now := found.Lifecycle.Reflection.In, s.Clock.Now()
	if t.Progress.Page > len(states) {
		return false, nil, nil
	}
	list, _, err := s.Reconciler.Store.WithAny(ctx, repo, s.Reconciler.Labels.NamesOf(repo, found.Lifecycle, states[t.Progress.Page-1]), func(label string) issues.Filter {
		return issues.ChangedWithLabel(label, now.Add(-s.Reconciler.ServerSettings.Horizon))
	})
	if err != nil {
		return false, nil, err
	}
	for _, c := range list {
		one := t.OfIssue(c.Number)
		if s.Reconciler.HasReflection(one.Ref, c.Updated, now) {
			continue
		}
		if err := s.Publisher.Publish(ctx, fmt.Sprintf("%s/%d/%d/reflection", t.Delivery, t.ID, c.Number), one); err != nil {
			return false, nil, err
		}
	}
	t.Progress.Page++
	return t.Progress.Page <= len(states), nil, nil
}
