package handlers

import (
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// Which labels are states is the policy's to say, and differs from one repository to the next. Where the policy is known, a label that is not a state
// costs nothing; where it is not, a worker asks.

// onlyIfStates makes a request one that has a reason only if one of some labels is a state's, unless the name of one alone says that it is Colony's.
// ok is false if no label can be one.
func onlyIfStates(request *reconcile.Request, labels ...string) (ok bool) {
	if slices.ContainsFunc(labels, issues.IsColonys) {
		return true
	}
	for _, name := range labels {
		if name != "" {
			request.OnlyStates = append(request.OnlyStates, name)
		}
	}
	return len(request.OnlyStates) > 0
}

func (i issue) labelNames() []string {
	names := make([]string, len(i.Labels))
	for n, l := range i.Labels {
		names[n] = l.Name
	}
	return names
}

// mayHaveState reports whether an issue has a label at all.
func (i issue) mayHaveState() bool { return len(i.Labels) > 0 }
