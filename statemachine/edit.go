package statemachine

import "github.com/colony-app/colony/lifecycle"

// edit is one change of a label, and the values that name its case, each computed once.
type edit struct {
	Change
	// name is the state that the label means, or the label if it means none; label is how the board calls it.
	name, label     string
	isState, isMark bool
	// onlyName says that the label of the present state is there as before, under another name.
	onlyName bool
	// verdict, forced, guards and withdrawn are what the laws say of a label that was added: see rule.
	verdict   lifecycle.Verdict
	forced    bool
	guards    Guarding
	withdrawn bool
}

// reads fills an edit with what a change is about, and reports whether that is the label of a state, or one that asks for a state that there
// is not, or a mark.
func (t *Table) reads(e *edit, c Change) bool {
	*e = edit{Change: c, name: c.Label, label: c.Label, verdict: lifecycle.NotAState}
	if s, isState := t.StateOf(c.Label); isState {
		e.isState, e.name, e.label, e.verdict = true, s.Name, s.Label, lifecycle.NotInTable
	} else if mark := markOf(c.Label); mark != "" {
		e.isMark, e.label = true, mark
	}
	return e.isState || e.isMark || t.NamesNoState(c.Label)
}

// own reports whether Colony made the change.
func (e *edit) own() bool { return e.By.Kind == lifecycle.Colony }

// to is what the change asks for; empty if a label was taken off.
func (e *edit) to() string {
	if e.Added {
		return e.name
	}
	return ""
}

// asking is the request as guards see it.
func (e *edit) asking(from string) lifecycle.Asking {
	return lifecycle.Asking{EventID: e.ID, By: e.By, From: from, To: e.name, At: e.At}
}

// rejection is the request as one that is not granted.
func (e *edit) rejection(from string, o Outcome) Rejection {
	r := Rejection{IDs: []int64{e.ID}, By: e.By, Moment: e.Moment, From: from, To: e.to(), Verdict: e.verdict, Before: o.Before, AsksPerson: o.AsksPerson}
	if e.Added {
		r.Asked = e.ID
	}
	if e.verdict == lifecycle.Guarded {
		r.AsksPerson = e.guards.NeedsHuman
		for _, guard := range e.guards.Refusing {
			r.Guards = append(r.Guards, guard.Name)
		}
	}
	return r
}

// rule asks the laws in their order what they say of a state's label that was added: force, the table, the limits, the guards.
func (f *folder) rule(e *edit) {
	e.forced = e.own() && f.marks.forced && e.name != f.course.state && !f.life.ForGood(f.course.state)
	e.verdict = f.life.allows(f.now(), e.By, e.name, false)
	switch {
	case e.forced || e.verdict != lifecycle.Legal:
	case f.exceeds(e.Change, e.name):
		e.verdict = lifecycle.LimitReached
	default:
		f.guard(e)
		if e.guards.Answer == lifecycle.No {
			e.verdict = lifecycle.Guarded
		}
	}
}

// exceeds reports whether a limit ends the move that a change asks for. A move of Colony's counts until it is known who ordered it: else
// the command that ordered it would not be found.
func (f *folder) exceeds(c Change, to string) bool {
	by, known := f.orderer(c)
	if !known || by.Kind == lifecycle.Executor && f.life.Judge(by, f.course.state, to) != lifecycle.Legal {
		return false // a command that was not granted led there, as a label would have
	}
	_, over := f.life.exhausted(f.now(), f.life.maker(f.made(c, to, Moved)), to)
	return over
}
