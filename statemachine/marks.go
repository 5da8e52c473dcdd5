package statemachine

import "github.com/colony-app/colony/lifecycle"

// markOf returns the mark that a label is; empty for any other label.
func markOf(label string) string {
	for _, mark := range [...]string{lifecycle.NeedsHuman, lifecycle.Forced, lifecycle.Checked} {
		if lifecycle.SameLabel(label, mark) {
			return mark
		}
	}
	return ""
}

// Marks are Colony's marks on an issue by its log.
type Marks struct {
	// NeedsHumanID is the id of the latest event that put the mark NeedsHuman there, or by which someone other than Colony took it off. It is 0
	// without such an event.
	NeedsHumanID int64
	// MarkedByColony says that this event is Colony's own.
	MarkedByColony bool
	// ForcedByColony says that Colony's own mark Forced is on the issue now.
	ForcedByColony bool
}

func (m *Marks) change(e *edit) {
	switch {
	case e.label == lifecycle.Forced:
		m.ForcedByColony = e.Added && e.own
	case e.label == lifecycle.NeedsHuman && (e.Added || !e.own): // who takes the mark off says that no one is needed for what was before
		m.NeedsHumanID, m.MarkedByColony = e.ID, e.own
	}
}
