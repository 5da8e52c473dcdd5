package statemachine

// markFailure adds the mark NeedsHuman for work that failed, unless Colony moves the issue on from there.
func (d *decider) markFailure() (ends bool) {
	failed := d.life.reportedFailure(d.in.Standing)
	if failed > d.in.Standing.NeedsHumanID && !d.in.Standing.Stands && d.out.Automatic == nil &&
		!HasLabel(d.in.Labels, NeedsHuman) && !HasLabel(d.out.Add, NeedsHuman) {
		d.out.Add = append(d.out.Add, NeedsHuman)
	}
	return false
}

// reportedFailure returns the event of the move by which an executor said that its work failed, if that is where the issue stands: who
// left a comment on what failed is answered by a person.
func (l *Lifecycle) reportedFailure(s Standing) (eventID int64) {
	m, known := s.Since()
	switch {
	case !known || l.BadRequest == "" || s.State != l.BadRequest || m.Kind != Moved || m.At.Before(s.JudgedSince):
	case m.By.Kind == Executor || m.Ordered.Kind == Executor:
		return m.EventID
	}
	return 0
}
