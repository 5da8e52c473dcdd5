package policy

import (
	"fmt"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func problemsOfDispatch(rows []lifecycle.Dispatch, life *statemachine.Table) []Problem {
	if len(rows) > maxRows {
		return []Problem{{[]any{"dispatch"}, fmt.Sprintf("%d rows, more than %d", len(rows), maxRows)}}
	}
	var found []Problem
	_, misfits := life.FitDispatch(rows)
	for _, m := range misfits {
		found = append(found, Problem{append([]any{"dispatch"}, m.Path...), m.Message})
	}
	return found
}
