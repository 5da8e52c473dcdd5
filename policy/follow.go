package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// Follow lists what can move issues in addition to their labels and commands, of what the lifecycle has triggers for: the same in a repository and in
// the configuration of the server.
type Follow []lifecycle.Reading

// DefaultFollow follows everything but approvals: whether a review sends the work on is for the repository to say.
func DefaultFollow() Follow {
	return slices.DeleteFunc(lifecycle.EveryReading(), func(r lifecycle.Reading) bool { return r == lifecycle.ReadApprovals })
}

func (f Follow) ignored() []lifecycle.Reading {
	return slices.DeleteFunc(lifecycle.EveryReading(), func(r lifecycle.Reading) bool { return slices.Contains(f, r) })
}

func (f Follow) problems() []Problem {
	var found []Problem
	for i, reading := range f {
		switch {
		case !slices.Contains(lifecycle.EveryReading(), reading):
			found = append(found, Problem{[]any{"follow", i}, fmt.Sprintf("%q cannot be followed; there are: %s", reading, strings.Join(readings(), ", "))})
		case slices.Index(f, reading) < i:
			found = append(found, Problem{[]any{"follow", i}, fmt.Sprintf("%q is listed twice", reading)})
		}
	}
	return found
}

func readings() []string {
	var words []string
	for _, r := range lifecycle.EveryReading() {
		words = append(words, string(r))
	}
	return words
}
