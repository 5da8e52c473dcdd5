package statemachine

import (
	"math"
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// History is what GitHub knows about the labels of one issue.
type History struct {
	// Changes are the label events of the issue, in any order. Labels that are neither state nor mark are ignored.
	Changes []Change
	// Closures are the events by which the issue was closed and opened again, oldest first.
	Closures []Closure
	// Labels are the labels that are on the issue now.
	Labels []string
	Terms
	// Opening is how the issue was opened, and Arrived its last transfer.
	Opening Opening
	Arrived Arrival
	// Ordered tells who wrote the command that Colony made a move for, by the move's event. The actor has no kind if Colony made it without
	// a command. Where it does not know, the standing is Unordered. Nil: it knows of no event.
	Ordered func(eventID int64) (by lifecycle.Actor, known bool)
	// Explained reports whether Colony has explained why it refused a change, as far as that is known: that is the record of a verdict as
	// well, where there was no label to write.
	Explained func(eventID int64) bool
	// Answers tells what the log does not, of the moves whose guards depend on it. Nil: nothing was read yet.
	Answers Answers
}

// Fold computes the standing of an issue. It is the one idea of Colony: the state is not stored, it is a pure function of the log that GitHub
// keeps. See docs/design.md.
func (t *Table) Fold(h History) Standing {
	if slices.ContainsFunc(h.Changes, h.inOpening) {
		h.Changes = h.attributed(t)
	}
	h.Changes = sorted(h.Changes)
	f := newFolder(t, h)
	for i := range h.Changes {
		if !f.passed.arrived && !h.Arrived.brings(h.Changes[i]) {
			f.arrive()
		}
		f.next(i)
	}
	return f.standing()
}

// folder is the fold under way: one pass over the log, in which each change is one case of Cases.
type folder struct {
	life    *Table
	history History
	passed  passed

	board    board
	marks    Marks
	course   course
	refusals refusals
	due      due
	verdicts verdicts
	// unordered is Standing.Unordered.
	unordered time.Time
	// edit is the change under way.
	edit edit
}

// passed says which times of the history the log has reached.
type passed struct{ begun, judging, arrived bool }

func newFolder(l *Table, h History) *folder {
	f := &folder{life: l, history: h, due: due{}, board: board{life: l, present: labelSet{}, there: labelSet{}, put: map[string]placing{}}}
	for _, label := range h.Labels {
		f.board.there.add(l.PresentLabel(label))
	}
	f.passed.arrived = h.Arrived.ID == 0
	f.board.vanished = vanished{changes: h.Changes, since: h.Begun}
	f.course.state = f.board.begin(h.Changes, h.Labels)
	return f
}

// next goes on to one change of the log, and returns its case. It is unconcerned if the change is about no label of a state.
func (f *folder) next(i int) ChangeCase {
	e := &f.edit
	if !f.reads(e, f.history.Changes[i]) {
		return unconcerned
	}
	f.verdicts.rest = f.history.Changes[i+1:]
	f.reach(e.Moment)
	f.board.lastChange = e.At
	if e.isMark {
		f.marks.change(e)
		f.board.keep(e, false)
		return unconcerned
	}
	e.absent = !f.board.present.has(e.label)
	e.onlyName = e.renamed && f.board.onlyName(e, f.course.state)
	if !e.onlyName {
		f.board.keep(e, !e.before(f.history.Installed))
	}
	of := f.caseOf(e)
	if warned := cases[of].Warned; f.history.Stands && warned != unconcerned { // the mode has the last word
		of = warned
	}
	if becomes := cases[of].becomes; becomes != nil {
		becomes(f, e)
	}
	if e.isState && e.Added && !e.onlyName {
		delete(f.due, e.name)
		if len(f.board.names) > 0 {
			f.dueByName()
		}
	}
	if e.own {
		f.due.write()
	}
	return of
}

// reach makes a baseline of the labels at two times, before the first change since. These are the time from which issues are checked by this
// table, and the horizon. Without the first a change would be checked differently once the horizon has passed it. It would be checked from a state
// that the table would never have let the issue come to, or as if it had come from nowhere.
func (f *folder) reach(m Moment) {
	if !f.passed.begun && !m.before(f.history.Begun) {
		f.passed.begun = true
		f.settle(f.history.Begun)
	}
	if !f.passed.judging && !m.before(f.history.JudgedSince) {
		f.passed.judging = true
		f.settle(f.history.JudgedSince)
	}
}

// settle ends what is too old to be checked. The labels as they were then are the baseline, the one labelled last counts, and nothing that was
// rejected is still answered.
func (f *folder) settle(horizon time.Time) {
	f.refusals, f.course.offBy = refusals{}, ""
	clear(f.due)
	f.verdicts.pending, f.verdicts.granted, f.verdicts.frozen = nil, nil, false
	if off := f.course.off; off != nil && off.before(f.history.Begun) {
		f.course.off = nil
	}
	base := f.course.state
	if f.course.off == nil { // otherwise whether the issue leaves depends on what comes after it, and not on when that is read
		base = f.board.latest(func(state string) bool { return f.board.has(state) })
	}
	f.course.reached = f.course.reached || f.board.put[base].since
	if base != f.course.state {
		f.course.follow(Move{From: f.course.state, To: base, Kind: Settled, Moment: Moment{At: horizon}})
	}
	if len(f.board.names) > 0 {
		f.dueByName()
	}
}

// now is where the issue is at this point of the log.
func (f *folder) now() Standing {
	return Standing{
		State: f.course.state, Terms: f.history.Terms, Author: f.history.Opening.By, Trail: f.course.trail,
		Logged: Logged{Closed: closedAt(f.history.Closures, f.edit.Moment)},
	}
}

// standing ends the fold: it compares the log with the labels that are there.
func (f *folder) standing() Standing {
	if !f.passed.arrived {
		f.arrive()
	}
	if !f.passed.judging {
		f.settle(f.history.JudgedSince)
	}
	if len(f.refusals.all) > 0 {
		f.refusals.forgetRenamed(f.board.present, f.board.there)
	}
	if f.course.off != nil {
		f.leaveAtEnd()
	}
	logged := f.board.logged()
	logged.Closed, logged.Reopened = closedAt(f.history.Closures, Moment{ID: math.MaxInt64}), LastReopening(f.history.Closures)
	slices.SortFunc(f.course.withdrawn, func(a, b Withdrawal) int { return a.compare(b.Moment) })
	return Standing{
		State: f.course.state, Terms: f.history.Terms, Author: f.history.Opening.By, Trail: f.course.trail, Withdrawn: f.course.withdrawn, Rejections: f.refusals.all,
		Pending: f.verdicts.pending, Granted: f.verdicts.granted, Logged: logged, Marks: f.marks, Unordered: f.unordered, Reached: f.course.reached,
	}
}
