package issues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-github/v62/github"
)

// Superseded lists the pull requests of an issue whose work starts again at a time, as far as GitHub tells: the ones opened before that are open, and
// the ones that Colony closed since, without having been merged.
func (s pulls) Superseded(ctx context.Context, v View, since time.Time) (open, closed []int, err error) {
	client := s.client(v.Ref.Repository)
	all, err := s.pullsOf(client, v, Ask{}).list(ctx)
	if err != nil && !errors.Is(err, ErrForbidden) {
		return nil, nil, fmt.Errorf("read the pull requests of %s: %w", v.Ref, err)
	}
	for _, p := range all {
		switch {
		case p.GetCreatedAt().After(since): // for the work that starts
		case p.GetState() == "open":
			open = append(open, p.GetNumber())
		case p.MergedAt == nil && !p.GetClosedAt().Before(since):
			own, err := s.closedByColony(ctx, client, Ref{Repository: v.Ref.Repository, Number: p.GetNumber()})
			if err != nil {
				return nil, nil, err
			}
			if own {
				closed = append(closed, p.GetNumber())
			}
		}
	}
	return open, closed, nil
}

// closedByColony reports whether Colony closed a pull request; only the pull request as an issue tells who did.
func (s pulls) closedByColony(ctx context.Context, client *github.Client, ref Ref) (bool, error) {
	issue, err := get(ctx, client, ref)
	if err != nil {
		return false, fmt.Errorf("read who closed pull request %s: %w", ref, err)
	}
	return s.actors.actorOf(issue.ClosedBy).Kind == lifecycle.Colony, nil
}
