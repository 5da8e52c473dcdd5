package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxLimit bounds how often a limit can let an issue make a move.
const maxLimit = 1000

// LimitMisfit says why a limit cannot have a number; empty if it can.
func (l *Lifecycle) LimitMisfit(name string, number int) string {
	var bounded []string
	counted := false
	for _, limit := range l.Limits {
		counted = counted || limit.Name == name
		if limit.AtMost > 0 {
			bounded = append(bounded, limit.Name)
		}
	}
	switch {
	case slices.Contains(bounded, name) && (number < 1 || number > maxLimit):
		return fmt.Sprintf("%d is not from 1 to %d", number, maxLimit)
	case slices.Contains(bounded, name):
		return ""
	case counted:
		return fmt.Sprintf("lifecycle %s only counts %q, and does not limit it", l.Name, name)
	}
	return fmt.Sprintf("lifecycle %s has no limit %q; there are: %s", l.Name, name, quotedList(bounded))
}

func quotedList(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, ", ")
}
