package policy

import (
	"fmt"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Dispatch is one row of a repository's capacity: the same in a repository and in the configuration of the server.
type Dispatch struct {
	// From lists the states in which issues wait, To is the state into which the next of them is moved.
	From []string `yaml:"from"`
	To   string   `yaml:"to"`
	// AtMost is how many open issues Colony lets be in that state.
	AtMost int `yaml:"at-most"`
}

func rowsOf(dispatch []Dispatch) []lifecycle.Dispatch {
	var rows []lifecycle.Dispatch
	for _, d := range dispatch {
		rows = append(rows, lifecycle.Dispatch(d))
	}
	return rows
}

// problemsOfDispatch lists what is wrong with rows, under a lifecycle.
func problemsOfDispatch(rows []Dispatch, life *statemachine.Table) []Problem {
	if len(rows) > maxRows {
		return []Problem{{[]any{"dispatch"}, fmt.Sprintf("%d rows, more than %d", len(rows), maxRows)}}
	}
	var found []Problem
	_, misfits := life.FitDispatch(rowsOf(rows))
	for _, m := range misfits {
		path := []any{"dispatch", m.Row}
		if m.Setting != "" {
			path = append(path, m.Setting)
		}
		if m.Setting == "from" {
			path = append(path, m.Index)
		}
		found = append(found, Problem{path, m.Message})
	}
	return found
}
