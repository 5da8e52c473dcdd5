package demo

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/policy"
)

// Production is the demo of one lifecycle: who is there, which issues there are at its start, what to try, and the story that is
// played with them.
type Production struct {
	Lifecycle string
	People    []Person
	// Tries is what to try, on the issues as they are at the start. What is to be typed or picked stands between backquotes.
	Tries []string

	follow policy.Follow // what moves issues beside labels and commands
	board  []opened
	story  []scene
	// warns are the warnings that the story makes Colony log, each by a phrase.
	warns []string
	// untouched are the issues that end without a state, because nobody ever gave them one.
	untouched []int
}

// Productions lists the demos, that of the lifecycle that Colony has by default first.
func Productions() []Production {
	return []Production{colonyProduction, autoralphProduction, colibriProduction, prpProduction}
}

// Of returns the demo of a lifecycle. The error lists those that there are.
func Of(lifecycle string) (Production, error) {
	var names []string
	for _, p := range Productions() {
		if p.Lifecycle == lifecycle {
			return p, nil
		}
		names = append(names, p.Lifecycle)
	}
	return Production{}, fmt.Errorf("there is no demo of a lifecycle %q; there are: %s", lifecycle, strings.Join(names, ", "))
}
