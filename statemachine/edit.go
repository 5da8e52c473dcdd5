package statemachine

import "github.com/colony-app/colony/lifecycle"

// edit is one change of a label, and the values that name its case, each computed once.
type edit struct {
	Change
	// name is the state that the label means, or the label if it means none; label is how the board calls it.
	name, label     string
	isState, isMark bool
	// own says that Colony made the change.
	own bool
	// renamed says that the label of the state had other names.
	renamed bool
	// absent says that the log had the label not on the issue.
	absent bool
	// onlyName says that the label of the present state is there as before, under another name.
	onlyName bool
	// ask is the change as a request, and ruling what the laws say of it: see rule. withdrawn says that someone took it back before guards
	// had a verdict.
	ask       Ask
	ruling    Ruling
	withdrawn bool
}

// reads fills an edit with what a change is about, and reports whether that is the label of a state, or one that asks for a state that there
// is not, or a mark.
func (f *folder) reads(e *edit, c Change) bool {
	*e = edit{Change: c, name: c.Label, label: c.Label, own: c.By.Kind == lifecycle.Colony}
	if s, isState := f.life.StateOf(c.Label); isState {
		e.isState, e.name, e.label, e.renamed = true, s.Name, s.Label, len(s.Previously) > 0
	} else if mark := markOf(c.Label); mark != "" {
		e.isMark, e.label = true, mark
	}
	return e.isState || e.isMark || f.life.NamesNoState(c.Label)
}

// rejection is the change as one that is not granted.
func (e *edit) rejection(from string) Rejection {
	r := Rejection{IDs: []int64{e.ID}, By: e.By, Moment: e.Moment, From: from, To: e.ask.To, Ruling: e.ruling}
	if e.Added {
		r.Asked = e.ID
	}
	return r
}

// rule asks the laws what becomes of a change, and who ordered it.
func (f *folder) rule(e *edit) {
	e.ask = Ask{By: e.By, Forced: e.own && f.marks.ForcedByColony, EventID: e.ID, At: e.At}
	if e.Added {
		e.ask.To = e.name
	}
	if e.own {
		e.ask.Unordered = true
		if f.history.Ordered != nil {
			by, known := f.history.Ordered(e.ID)
			e.ask.For, e.ask.Unordered = by, !known
		}
	}
	var answers Answers
	if len(f.life.Guards) > 0 && !e.own {
		r := record{folder: f, edit: e}
		answers, e.ask.recorded = r.answer, r.guarding
	}
	e.ruling = f.life.Rule(f.now(), e.ask, answers)
}
