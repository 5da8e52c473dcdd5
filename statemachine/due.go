package statemachine

import (
	"maps"
	"time"
)

// due has the states whose label Colony has to restore after a refused change, while it is not there, and when the issue moved on from
// there; zero: it did not. Colony can be late: see isLate.
type due map[string]time.Time

// lateFor is how long after a move away a write of Colony's can come that did not know the move: longer than GitHub's answers take.
const lateFor = time.Minute

// leave keeps when the issue moved on from a state.
func (d due) leave(state string, at time.Time) {
	if movedOn, is := d[state]; is && movedOn.IsZero() {
		d[state] = at
	}
}

func (d due) write() {
	maps.DeleteFunc(d, func(_ string, movedOn time.Time) bool { return !movedOn.IsZero() })
}

// dueByName keeps that the present label of the state has to be added, if the log knows it under other names only. Where Colony undoes
// nothing it adds none.
func (f *folder) dueByName() {
	x, _ := f.life.State(f.course.state)
	if f.history.Stands || len(x.Previously) == 0 || !f.board.present.has(x.Label) || f.board.names[x.Name].has(x.Label) {
		return
	}
	if _, is := f.due[x.Name]; !is {
		f.due[x.Name] = time.Time{}
	}
}

// isLate reports whether a label is the one that was due after a change that Colony refused, and the issue has moved on since: then
// it is no move. It is one if a command ordered it, or if that is not known yet.
func (f *folder) isLate(e *edit) bool {
	movedOn := f.due[e.name]
	if movedOn.IsZero() || !within(lateFor, movedOn, e.At) || f.marks.ForcedByColony {
		return false
	}
	return !e.ask.Unordered && e.ask.For.Kind == ""
}
