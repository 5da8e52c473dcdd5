package issues

import (
	"context"

	"github.com/colony-app/colony/statemachine"
)

// Facts reads what holds for an issue beside its labels. Only the readings that are asked for are made.
func (s *Store) Facts(ctx context.Context, v View, needs []statemachine.Reading) (statemachine.Facts, error) {
	return statemachine.Facts{Read: needs}, nil
}
