package policy

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/colony-app/colony/statemachine"
)

// TimeOuts sets other lengths for the timeouts of a lifecycle, by the state that an issue is in, written like 30m or 72h.
type TimeOuts map[string]string

// lengths leaves out what cannot be read; problems says so.
func (t TimeOuts) lengths() map[string]time.Duration {
	lengths := map[string]time.Duration{}
	for state, text := range t {
		if length, err := time.ParseDuration(text); err == nil {
			lengths[state] = length
		}
	}
	return lengths
}

func (t TimeOuts) problems(life *statemachine.Table) []Problem {
	if len(t) > maxRows {
		return []Problem{{[]any{"time-outs"}, fmt.Sprintf("%d time-outs, more than %d", len(t), maxRows)}}
	}
	var found []Problem
	lengths := t.lengths()
	for _, state := range slices.Sorted(maps.Keys(t)) {
		length, read := lengths[state]
		message := life.TimeOutMisfit(state, length)
		if !read && life.TimeOutMisfit(state, time.Hour) == "" {
			message = fmt.Sprintf("%q is not a duration, written like 30m or 72h", t[state])
		}
		if message != "" {
			found = append(found, Problem{[]any{"time-outs", state}, message})
		}
	}
	return found
}
