package demo

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Production is the demo of one lifecycle: who is there, which issues there are at its start, what to try, and the story that is
// played with them.
type Production struct {
	Lifecycle string
	People    []Person
	// Tries is what to try, on the issues as they are at the start. What is to be typed or picked stands between backquotes.
	Tries []string

	// file is the lifecycle's text, which the repository brings; empty: it comes with Colony.
	file string
	// teams are those of the organization, by name, with their members.
	teams map[string][]string

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
	return []Production{colonyProduction, autoralphProduction, colibriProduction, prpProduction, fourEyesProduction}
}

// Life returns the lifecycle of the demo.
func (d Production) Life() (*statemachine.Table, error) {
	if d.file == "" {
		return statemachine.Shipped(d.Lifecycle)
	}
	return statemachine.Parse(policy.LifecycleFile, []byte(d.file))
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
