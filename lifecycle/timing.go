package lifecycle

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// TimeOutMisfit says why the timeout of a state cannot have a length; empty if it can.
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
