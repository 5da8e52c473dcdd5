package statemachine

import (
	"time"
)

// What becomes of an issue, one function for each of the cases in which something does: see cases.

// back is the label of the state that is there again.
func (f *folder) back(e *edit) {
	if !e.own {
		f.refusals.takenBack()
	}
	f.refusals.open, f.course.off = 0, nil
}

// await keeps a request until it is known whether it is granted: the issue stays where it is, and nothing of it is undone. A state's label
// that went before it was the first half of its swap. Where no one has asked about it, what comes after it waits too.
func (f *folder) await(e *edit) {
	f.refusals.takenBack()
	f.verdicts.frozen = e.ruling.Guards.Unasked
	f.verdicts.wait(e, f.course.state)
}

// accept moves the issue. A removal was the first half of this swap. Where Colony undoes nothing, the guards can still be unknown.
func (f *folder) accept(e *edit) {
	f.refusals.takenBack()
	from := f.course.state
	f.move(e, e.name, e.ruling.Kind)
	if !e.ruling.Granted() {
		f.verdicts.wait(e, from)
	}
}

// limit moves the issue to the state to which a limit leads.
func (f *folder) limit(e *edit) {
	f.refusals.takenBack()
	f.refuse(e)
}

// withdraw ends a refused request whose label was removed.
func (f *folder) withdraw(e *edit) {
	if len(f.refusals.all) > 0 {
		f.refusals.withdraw(e, f.board.put[e.name].ID)
	}
}

// takeOff keeps who took the state's label off.
func (f *folder) takeOff(e *edit) { f.course.offBy = e.By.Kind }

// takeBack returns to the state before the last move.
func (f *folder) takeBack(*edit) {
	if last := f.course.takeBack(); last.Kind == Stood {
		f.refusals.takeBackStood(last)
	}
}

// leaveState refuses that the issue leaves its state without going anywhere.
func (f *folder) leaveState(e *edit) {
	f.takeOff(e)
	f.refuse(e)
}

// refuse keeps a change that is not granted, and moves the issue where that leads. A bot's bad request where bots act is a failure of the work.
func (f *folder) refuse(e *edit) {
	if e.ruling.Verdict == "" { // the laws were asked about the labels of states that were added
		f.rule(e)
	}
	r := e.rejection(f.course.state)
	open := f.refusals.join(&r, f.board.isAsked) || !e.Added
	if r.Stood {
		f.stand(e, &r)
		f.refusals.add(r, r.To == "")
		return
	}
	if r.LedTo != "" {
		f.move(e, r.LedTo, e.ruling.Kind)
	}
	if !f.board.has(f.course.state) {
		f.due[f.course.state] = time.Time{}
	}
	f.refusals.add(r, open && r.LedTo == "")
}
