package statemachine

import "github.com/colony-app/colony/lifecycle"

// markOf returns the mark that a label is; empty if it is none.
func markOf(label string) string {
	for _, mark := range [...]string{lifecycle.NeedsHuman, lifecycle.Forced, lifecycle.Checked} {
		if lifecycle.SameLabel(label, mark) {
			return mark
		}
	}
	return ""
}

// marks are what the log says of Colony's marks on an issue; see Standing.
type marks struct {
	needsHumanID int64
	// byColony says that this event is Colony's own, and forced that its own mark Forced is there.
	byColony, forced bool
}

func (m *marks) change(e *edit) {
	switch {
	case e.label == lifecycle.Forced:
		m.forced = e.Added && e.own()
	case e.label == lifecycle.NeedsHuman && (e.Added || !e.own()): // who takes the mark off says that no one is needed for what was before
		m.needsHumanID, m.byColony = e.ID, e.own()
	}
}
