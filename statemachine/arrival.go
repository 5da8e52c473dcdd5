package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// An issue that is transferred keeps its log, and the log does not tell in which repository an event was made. A person who
// transfers issues can own the other repository, so what takes an approval is asked for again where the issue arrives.

// Arrival is the last transfer of an issue, and who made it. Its ID is 0 if there was none.
type Arrival struct {
	Moment
	By lifecycle.Actor
}

// brings reports whether a change was made before the transfer.
func (a Arrival) brings(c Change) bool { return a.follows(c.Moment) }

// arrive refuses the state in which the issue arrives if it takes an approval. The issue returns to the latest state before that takes none.
func (f *folder) arrive() {
	f.passed.arrived = true
	arrival := f.history.Arrived
	if f.history.isTooOld(arrival.Moment) {
		return
	}
	f.reach(arrival.Moment)
	came := f.course
	for f.course.state != f.life.Initial && f.takesApproval(f.course.state, f.course.trail) {
		f.course.state, f.course.off, f.course.offBy = f.life.Initial, nil, ""
		if last, known := f.now().Since(); known {
			before := came.trail[:len(f.course.trail)-1]
			f.course.trail = before
			if last.Kind != Settled { // it was made all the same, and who ordered it might have to be found out
				f.course.state = last.From
				f.course.withdrawn = append(f.course.withdrawn, Withdrawal{Move: last, Before: slices.Clone(before)})
			}
		}
	}
	if f.course.state == came.state {
		return
	}
	r := Rejection{
		IDs: []int64{arrival.ID}, Asked: arrival.ID, By: arrival.By, Moment: arrival.Moment, From: f.course.state, To: came.state,
		Ruling:    Ruling{Verdict: lifecycle.Transferred, AsksPerson: true},
		Withdrawn: f.board.has(f.course.state) && !f.board.has(came.state), // it was set back before it came, and explained there
	}
	if f.history.Stands { // nothing is undone
		f.course, r.AsksPerson, r.Stood = came, false, true
	} else if !f.board.has(f.course.state) {
		f.due[f.course.state] = time.Time{}
	}
	f.refusals.add(r, false)
}

// takesApproval reports whether a state is sealed, or a guard is about the move that led there, or whether a blocked state leads back to
// such a one. Where the log does not tell who made a move, it counts as a person's.
func (f *folder) takesApproval(name string, trail []Move) bool {
	state, _ := f.life.State(name)
	last, known := Standing{Trail: trail}.Since()
	known = known && last.Kind != Settled
	by := last.Maker()
	if by.Kind == "" {
		by.Kind = lifecycle.Operator
	}
	guarded := slices.ContainsFunc(f.life.written(), func(g lifecycle.Guard) bool {
		from := last.From
		if !known && len(g.From) > 0 {
			from = g.From[0]
		}
		return g.Concerns(lifecycle.Asking{By: by, From: from, To: name})
	})
	return state.Sealed || guarded || known && state.Type == lifecycle.Blocked && f.takesApproval(last.From, trail[:len(trail)-1])
}
