package statemachine

import "github.com/colony-app/colony/lifecycle"

// markFailure adds the mark NeedsHuman for work that failed, unless Colony moves the issue on from there.
func (d *decider) markFailure() (ends bool) {
	if d.reportedFailure() > d.Standing.NeedsHumanID && !d.Standing.Stands && d.out.Automatic == nil &&
		!lifecycle.HasLabel(d.Labels, lifecycle.NeedsHuman) && !lifecycle.HasLabel(d.out.Add, lifecycle.NeedsHuman) {
		d.out.Add = append(d.out.Add, lifecycle.NeedsHuman)
	}
	return false
}

// reportedFailure returns the event of the move by which a bot said that its work failed, if the issue is where that led. Who left a comment on
// what failed is answered by a person.
func (in *input) reportedFailure() (eventID int64) {
	s := &in.Standing
	m, known := s.Since()
	byBot := m.By.Kind == lifecycle.Executor || m.Ordered.Kind == lifecycle.Executor
	if !known || !byBot || s.State != in.life.BadRequest || m.Kind != Moved || m.before(s.JudgedSince) {
		return 0
	}
	return m.ID
}
