package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Where Colony does not undo a change that is not allowed, the change remains. The fold then counts it as the state the issue is in. Otherwise
// every later move would be checked from a state that no one sees. That it was not allowed remains among the rejections. The decision leaves out
// everything that would undo something, block the issue, or call a person.

// halvesWithin is how far apart the two halves of a swap can be. After more time than that, a label that was taken off has gone for good.
const halvesWithin = time.Minute

// stand lets a rejected change count. A state's label that was taken off might be the first half of a swap: it counts once it is certain that it
// is not.
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
	there := func(state string) bool {
		return f.board.there.has(f.life.Label(state)) && (f.board.has(state) || !f.board.cameByName(nil))
	}
	if off := f.course.off; !there(f.course.state) {
		f.leave(*off, there)
	}
}

// leave moves the issue to the state whose label was put on last among the labels that are there, or out of the lifecycle.
func (f *folder) leave(off Move, there func(state string) bool) {
	off.To = f.board.latest(there)
	f.course.follow(off)
	f.refusals.open = 0
}

// takeBackStood marks the rejection of a move that counted although it was not allowed, and that someone undid.
func (s *refusals) takeBackStood(m Move) {
	for i := range s.all {
		if r := &s.all[i]; slices.Contains(r.IDs, m.ID) && r.Verdict != lifecycle.Guarded { // its explanation is the record of the verdict
			r.Withdrawn = true
		}
	}
}

// standingLabels returns the labels that can go from an issue on which a change remains that is not allowed. These are the labels that were there
// before the last allowed move, which leaves the label of its state alone. They are also the requests that an allowed move granted, and Colony's
// own mark.
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

// leftLegally reports whether the label of a state was there before the last allowed move within the horizon, and only allowed changes concerned
// it since. Finishing the move takes it off, also if a change that is not allowed left it there. No one's change is undone by that, as the issue
// has moved on from it.
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

// withholds reports whether Colony does not make a move of its own where changes remain that are not allowed. That is a move that blocks the
// issue, or one to a state whose label is there already and would have to go first.
func (in *input) withholds(a Automatic) bool {
	return in.Standing.Stands && (in.life.Withholds(a.To) || a.From != a.To && lifecycle.HasLabel(in.Labels, in.life.Label(a.To)))
}

// Withholds reports whether Colony moves no issue to a state on its own where changes remain that are not allowed.
func (t *Table) Withholds(to string) bool {
	state, _ := t.State(to)
	return state.Type == lifecycle.Blocked
}
