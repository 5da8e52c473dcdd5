package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/statemachine"
)

// Follow lists what may move issues beside their labels and commands, of what the lifecycle has triggers for: the same in a
// repository and in the configuration of the server.
type Follow []statemachine.Reading

// DefaultFollow follows everything.
func DefaultFollow() Follow { return statemachine.EveryReading() }

// ignored lists the readings that are not followed.
func (f Follow) ignored() []statemachine.Reading {
	return slices.DeleteFunc(statemachine.EveryReading(), func(r statemachine.Reading) bool { return slices.Contains(f, r) })
}

func (f Follow) problems() []Problem {
	var found []Problem
	for i, reading := range f {
		switch {
		case !slices.Contains(statemachine.EveryReading(), reading):
			found = append(found, Problem{[]any{"follow", i}, fmt.Sprintf("%q cannot be followed; there are: %s", reading, strings.Join(readings(), ", "))})
		case slices.Index(f, reading) < i:
			found = append(found, Problem{[]any{"follow", i}, fmt.Sprintf("%q is listed twice", reading)})
		}
	}
	return found
}

func readings() []string {
	var words []string
	for _, r := range statemachine.EveryReading() {
		words = append(words, string(r))
	}
	return words
}
