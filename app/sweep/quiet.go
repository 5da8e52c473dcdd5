package sweep

import (
	"context"
	"errors"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// activities asks by one question what happened in repositories of one installation. The answer is nil if GitHub does not tell that by
// GraphQL, or not now: a sweep can do without.
func (s *Sweeper) activities(ctx context.Context, of []issues.Asked) ([]issues.Activity, error) {
	told, err := s.reconciler.Store.Activities(ctx, of)
	limited := (*ratelimit.Error)(nil)
	switch {
	case ctx.Err() != nil, errors.As(err, &limited) && limited.Budget != ratelimit.BudgetGraphQL:
		return nil, err
	case err != nil:
		s.log.Debug().Err(err).Msg("GitHub does not tell by GraphQL what happened; the sweep lists it")
		return nil, nil
	}
	return told, nil
}
