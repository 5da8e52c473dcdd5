package statemachine

import "github.com/colony-app/colony/lifecycle"

// Announcement is a move that Colony tells of once: one that it made on its own, or one whose request represents a reason.
type Announcement struct {
	Automatic
	Moment
	By lifecycle.Actor
	// Changed is what someone changed of what was approved, if that is why Colony moved the issue.
	Changed []Difference
}

// MayAnnounce returns the ids of the moves that Colony tells of, unless a command made them.
func (t *Table) MayAnnounce(s Standing) []int64 {
	var ids []int64
	for _, row := range t.announcements(s) {
		ids = append(ids, row.ID)
	}
	return ids
}

// announcements lists the moves within the horizon that have to be announced, if no command made them.
func (t *Table) announcements(s Standing) []Announcement {
	var announced []Announcement
	for i, m := range s.Trail { // what is earlier is before the horizon
		if m.before(s.JudgedSince) || m.Reason == "" && (m.By.Kind != lifecycle.Colony || m.Kind != Moved || m.Ordered.Kind != "") {
			continue
		}
		if a, ok := t.announcement(s, i); ok {
			announced = append(announced, Announcement{Automatic: a, Moment: m.Moment, By: m.By})
		}
	}
	return announced
}
