package wording

import (
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// NextList is what `next` tells.
type NextList struct {
	// Waiting are the states in which issues wait.
	Waiting []string
	Rows    []NextRow
	// Left is how many more issues wait.
	Left int
	// Held is how many are left out, because they depend on open issues.
	Held int
	// Cut says that not all that wait were looked at.
	Cut bool
	// Scales and Priority are the lifecycle's.
	Scales   []lifecycle.Scale
	Priority []lifecycle.Words
	// Capacities tells how full the states are into which Colony moves what waits.
	Capacities []Capacity
}

// NextRow is one issue that waits. Its number is shown in a code span: a link would put an entry into the history of that issue each time someone
// asks.
type NextRow struct {
	lifecycle.Candidate
	Levels []Level
}

// RenderNext answers `next`.
func RenderNext(l NextList) string { return render("next", l) }

// NothingWaits answers `next` in a lifecycle in which no issue waits to be taken.
func NothingWaits(lifecycle string) string {
	return render("nothing_waits", map[string]string{"Lifecycle": lifecycle})
}

// Order tells in one line how the order comes about.
func (l NextList) Order() string {
	if len(l.Priority) == 0 {
		return "The oldest comes first."
	}
	var rows, high []string
	for _, row := range l.Priority {
		rows = append(rows, "in "+strings.Join(row, " and "))
	}
	for _, s := range l.Scales {
		if slices.ContainsFunc(l.Priority, func(row lifecycle.Words) bool { return slices.Contains(row, s.Name) }) {
			high = append(high, fmt.Sprintf("%s of %d or more", s.Name, s.High))
		}
	}
	return fmt.Sprintf("Order: first what is high %s, then the rest; among equals the oldest. High means %s.",
		strings.Join(rows, ", then "), strings.Join(high, ", "))
}
