package statemachine

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Timing returns a copy of the lifecycle whose time-outs have other lengths, by the state that an issue is in. Lengths that do not fit
// are left out. Where a time-out leads stays the lifecycle's. A copy of such a copy begins with the lengths of the file again.
func (l *Lifecycle) Timing(lengths map[string]time.Duration) *Lifecycle {
	timed := *l
	if timed.timeOutsInFile == nil {
		timed.timeOutsInFile = l.TimeOuts
	}
	timed.TimeOuts = nil
	for _, t := range timed.timeOutsInFile {
		rest := t
		rest.In = nil
		for _, state := range t.In {
			length, set := lengths[state]
			if !set || l.TimeOutMisfit(state, length) != "" {
				rest.In = append(rest.In, state)
				continue
			}
			own := t
			own.In, own.After = []string{state}, length
			timed.TimeOuts = append(timed.TimeOuts, own)
		}
		if len(rest.In) > 0 {
			timed.TimeOuts = append(timed.TimeOuts, rest)
		}
	}
	return &timed
}

// TimeOutMisfit says why the time-out of a state cannot have a length; empty if it can.
func (l *Lifecycle) TimeOutMisfit(state string, length time.Duration) string {
	states := map[string]bool{}
	for _, t := range l.TimeOuts {
		for _, s := range t.In {
			states[s] = true
		}
	}
	there := slices.Sorted(maps.Keys(states))
	switch {
	case !states[state]:
		meant := ""
		if nearest, ok := Closest(state, there); ok {
			meant = fmt.Sprintf(": did you mean %q?", nearest)
		}
		return fmt.Sprintf("lifecycle %s has no time-out in %q; there are: %s%s", l.Name, state, quotedList(there), meant)
	case length < minTimeOut || length > maxTimeOut:
		return fmt.Sprintf("%s is not from %s to %s", length, Span(minTimeOut), Span(maxTimeOut))
	}
	return ""
}
