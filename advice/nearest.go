package advice

import (
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// NearestLabel returns the label of the state that a mistyped label most likely names; empty if no state is near.
func NearestLabel(l *statemachine.Table, label string) string {
	name, begins := strings.CutPrefix(strings.ToLower(label), lifecycle.DefaultLabelPrefix)
	if !begins {
		return ""
	}
	var names []string
	for _, s := range l.States {
		if s.Label != "" {
			names = append(names, s.Name)
		}
	}
	near, ok := lifecycle.Closest(name, names)
	if !ok {
		return ""
	}
	return l.Label(near)
}
