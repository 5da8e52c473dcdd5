package policy

import (
	"fmt"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Dispatch is one row of a repository's capacity: the same in a repository and in the configuration of the server.
type Dispatch struct {
	From   []string `yaml:"from" is:"name,once,needed" means:"The states in which issues wait."`
	To     string   `yaml:"to" is:"name,needed" means:"The state that Colony moves the next one to."`
	AtMost int      `yaml:"at-most" is:"needed" from:"1" to:"1000" means:"How many open issues may be in it."`
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
