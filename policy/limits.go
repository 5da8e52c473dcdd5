package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/colony-app/colony/statemachine"
)

// Limits sets other numbers for the limits of a lifecycle, by what they count: the same in a repository and in the configuration of the
// server.
type Limits map[string]int

func (l Limits) problems(life *statemachine.Table) []Problem {
	if len(l) > maxRows {
		return []Problem{{[]any{"limits"}, fmt.Sprintf("%d limits, more than %d", len(l), maxRows)}}
	}
	var found []Problem
	for _, name := range slices.Sorted(maps.Keys(l)) {
		if message := life.LimitMisfit(name, l[name]); message != "" {
			found = append(found, Problem{[]any{"limits", name}, message})
		}
	}
	return found
}
