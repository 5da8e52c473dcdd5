package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Where Colony does not undo what is illegal, that stands. The fold then takes it for the state the issue is in, or every later move would
// be judged from a state that nobody sees; that it was illegal stays among the rejections. And of the decision is left out whatever would
// take something back, block the issue, or call a person.

// halvesWithin is how far apart the two halves of a swap may be: longer than that, a label that was taken off has gone for good.
const halvesWithin = time.Minute

// stand lets a rejected change count. A state's label that was taken off may be the first half of a swap: it counts once it is sure that
// it is not.
func (f *folder) stand(e *edit, r *Rejection) {
	if _, isState := f.life.State(r.To); isState && f.course.state != r.To {
		f.move(e, r.To, Stood)
	}
	if r.To == "" {
		f.course.off = &Move{Kind: Stood, From: r.From, By: r.By, Moment: e.Moment}
	}
}

// leaveBefore lets the issue leave its state, whose label was taken off, before another label is put on that is no other half of that.
func (f *folder) leaveBefore(e *edit) {
	if off := f.course.off; e.name != f.course.state && !within(halvesWithin, off.At, e.At) {
		f.leave(*off, func(state string) bool { return state != e.name && f.board.has(state) })
	}
}

// leaveAtEnd lets the issue leave its state if the log ends with its label taken off.
func (f *folder) leaveAtEnd() {
	there := func(state string) bool { return f.board.there.has(f.life.Label(state)) }
	if off := f.course.off; !there(f.course.state) {
		f.leave(*off, there)
	}
}

// leave moves the issue to the state whose label was put on last of those that are there, or out of the lifecycle.
func (f *folder) leave(off Move, there func(state string) bool) {
	off.To = f.board.latest(there)
	f.course.follow(off)
	f.refusals.open = 0
}

// takeBackStood marks the rejection of a move that stood, and that somebody took back.
func (s *refusals) takeBackStood(m Move) {
	for i := range s.all {
		if r := &s.all[i]; slices.Contains(r.IDs, m.ID) && r.Verdict != lifecycle.Guarded { // its explanation is the record of the verdict
			r.Withdrawn = true
		}
	}
}

// standingLabels returns the labels that may go from an issue on which what is illegal stands: those that were there before the last legal
// move, which leaves the label of its state alone, the requests that a legal move granted, and Colony's own mark.
func (in *input) standingLabels(state string) []string {
	var gone []string
	s := &in.Standing
	for _, label := range in.Labels {
		left, isState := in.life.StateOf(label)
		if isState && left.Name != state && lifecycle.HasLabel(s.Present, left.Label) && s.leftLegally(left.Name) {
			gone = append(gone, label)
		}
	}
	if slices.ContainsFunc(s.Trail, func(m Move) bool {
		return m.Kind == Moved && m.By.Kind == lifecycle.Colony && m.From == in.life.Initial
	}) {
		gone = append(gone, in.answeredRequests(state)...)
	}
	if lifecycle.HasLabel(in.Labels, lifecycle.Forced) && s.ForcedByColony && !in.ForcePending {
		gone = append(gone, lifecycle.Forced)
	}
	return gone
}

// leftLegally reports whether the label of a state was there before the last legal move that is judged, and nothing illegal concerned it
// since: finishing the move takes it off, also if an illegal change left it there. Nobody's change is undone by that, as the issue has
// moved on from it.
func (s Standing) leftLegally(state string) bool {
	for _, m := range slices.Backward(s.Trail) {
		switch {
		case m.From == m.To:
		case m.Kind == Moved || m.Kind == ForcedMove:
			return m.To != state && !m.before(s.JudgedSince)
		case m.From == state || m.To == state:
			return false
		}
	}
	return false
}

// withholds reports whether Colony does not make a move of its own where what is illegal stands: one that blocks the issue, or one to a
// state whose label is there already and would have to be taken off first.
func (in *input) withholds(a Automatic) bool {
	return in.Standing.Stands && (in.life.Withholds(a.To) || a.From != a.To && lifecycle.HasLabel(in.Labels, in.life.Label(a.To)))
}

// Withholds reports whether Colony moves no issue to a state on its own where what is illegal stands.
func (t *Table) Withholds(to string) bool {
	state, _ := t.State(to)
	return state.Type == lifecycle.Blocked
}
