package statemachine

import "time"

// markFailure adds the mark NeedsHuman for work that failed, unless Colony moves the issue on from there.
func (d *decider) markFailure() (ends bool) {
	failed, _ := d.life.reportedFailure(d.in.Standing)
	if failed > d.in.Standing.NeedsHumanID && !d.in.Standing.Stands && d.out.Automatic == nil &&
		!HasLabel(d.in.Labels, NeedsHuman) && !HasLabel(d.out.Add, NeedsHuman) {
		d.out.Add = append(d.out.Add, NeedsHuman)
	}
	return false
}

// reportedFailure returns the event of the move by which an executor said that its work failed, if that is where the issue stands: who
// left a comment on what failed is answered by a person. doubt is since when it has to be known who ordered Colony's moves before it is sure
// that there is none.
func (l *Lifecycle) reportedFailure(s Standing) (eventID int64, doubt time.Time) {
	m, known := s.Since()
	switch {
	case !known || l.BadRequest == "" || s.State != l.BadRequest || m.Kind != Moved || m.At.Before(s.JudgedSince):
	case m.By.Kind == Executor || m.Ordered.Kind == Executor:
		return m.EventID, time.Time{}
	case m.By.Kind == Colony && !m.Traced:
		return 0, m.At
	}
	return 0, time.Time{}
}
