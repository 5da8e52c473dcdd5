package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// recordGrant leaves in the log that guards granted a move, unless finishing the move does. Each such move gets a mark of its own, and
// nothing else is written before the last mark: a label that goes or comes back could pass for the refusal of an unrecorded move.
func (d *decider) recordGrant() (ends bool) { //nolint:unparam // each step says whether it is the last one
	marked := lifecycle.HasLabel(d.Labels, lifecycle.Checked)
	if marked {
		d.out.Remove = append(d.out.Remove, lifecycle.Checked)
	}
	if len(d.Standing.Granted) == 0 {
		return false
	}
	if granted := d.unrecorded(); len(granted) > 0 && (!d.finishes(granted) || d.out.Halted != nil) {
		d.hold()
		d.writeMark(granted, marked)
	}
	return false
}

// writeMark leaves only writes that can come before the next mark, or the mark itself.
func (d *decider) writeMark(granted []int64, marked bool) {
	refused := slices.DeleteFunc(slices.Clone(d.out.Remove), func(label string) bool { return !d.refusedByGuard(label) })
	unexplained := slices.DeleteFunc(slices.Clone(d.out.Explain), func(r Rejection) bool { return r.Verdict != lifecycle.Guarded })
	switch {
	case len(refused)+len(unexplained) > 0: // a mark would pass for a grant of these
		d.out.Add, d.out.Remove, d.out.Explain = nil, refused, unexplained
	case marked: // only an event records anything
		d.out.Add, d.out.Remove, d.out.Explain = nil, []string{lifecycle.Checked}, nil
	case len(granted) > 1:
		d.out.Add, d.out.Remove, d.out.Explain = []string{lifecycle.Checked}, []string{lifecycle.Checked}, nil
	default:
		d.out.Add, d.out.Remove = slices.Insert(d.out.Add, 0, lifecycle.Checked), append(d.out.Remove, lifecycle.Checked)
	}
}

// unrecorded returns the events of the moves that guards granted and that have no record in the log.
func (in *input) unrecorded() []int64 {
	return slices.DeleteFunc(slices.Clone(in.Standing.Granted), func(id int64) bool { // a withdrawn move needs no record
		return !slices.ContainsFunc(in.Standing.Trail, func(m Move) bool { return m.ID == id })
	})
}

// finishes reports whether taking off what the last move left behind records the only grant that has no record.
func (d *decider) finishes(granted []int64) bool {
	last, _ := d.Standing.Since()
	return len(granted) == 1 && last.ID == granted[0] && last.From != last.To && len(d.life.OnIssue(d.Labels, last.From)) > 0
}
