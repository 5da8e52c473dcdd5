package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// moveAutomatically makes the move that Colony makes on its own, once the labels are right and everything is explained.
func (d *decider) moveAutomatically() (ends bool) {
	if d.out.Halted != nil || d.out.Wait.Why == Held { // the record of a grant goes first
		return false
	}
	if len(d.out.Explain) > 0 || slices.ContainsFunc(d.out.Add, d.isState) {
		if _, overdue := d.overdue(); overdue || len(d.readings()) > 0 {
			d.hold()
		}
		return false
	}
	if d.needs(Needs{Facts: d.Facts.Unread(d.readings())}) || len(d.Facts.Observed) > 0 && d.needs(Needs{Facts: d.unreadByGuards()}) {
		return true
	}
	if d.Facts.Late {
		d.out.Wait = Wait{Why: Late}
		return true
	}
	asked := d.kept()
	if len(asked) > 0 && d.Asked == nil {
		return d.needs(Needs{Said: true})
	}
	switch a, ok := d.ownMove(); {
	case ok:
		d.move(a)
	case len(asked) > 0:
		d.ask(asked)
	}
	return false
}

// kept finds out what keeps the issue where it is, and returns what rows have to say of that. It waits for rows that have something to say
// later.
func (d *decider) kept() []Asked {
	if len(d.Facts.Observed) == 0 {
		return nil
	}
	d.out.Kept = d.keeps()
	asked, next := d.asks()
	if !next.IsZero() && d.out.Wait.Why == "" {
		d.out.Wait = Wait{Why: Early, Until: next}
	}
	return asked
}

// ownMove returns the allowed move that Colony makes on its own; ok is false if there is no such move. A timeout comes first, then what rows say
// of facts.
func (d *decider) ownMove() (a Automatic, ok bool) {
	if row, over := d.overdue(); over {
		a, ok = Automatic{From: d.Standing.State, To: row.To, Why: row.Why, About: lifecycle.Span(row.After), Causes: []string{"time-out"}, AsksPerson: true}, true
	} else if len(d.Facts.Observed) > 0 {
		a, ok = d.triggered()
	}
	if !ok && d.TakenIn {
		a, ok = d.takesIn()
	}
	return a, ok && d.life.allows(d.Standing, a)
}

// goesAfterEdits reports whether a move has to wait for the label edits before it: what Colony does within its own bracket is recorded as
// forced. A label that is there already means nothing, as only an event makes the move. Labels from the author's opening go before the
// issue is taken in: until another state has a label, the log shows their refusal.
func (d *decider) goesAfterEdits(a Automatic) bool {
	return d.Standing.ForcedByColony && lifecycle.HasLabel(d.Labels, lifecycle.Forced) ||
		lifecycle.HasLabel(d.out.Remove, d.life.Label(a.To)) || a.TakesIn && slices.ContainsFunc(d.out.Remove, d.isState)
}

// move lists the label edits that make a move, if it can be made now and Colony makes it where it only warns.
func (d *decider) move(a Automatic) {
	if d.goesAfterEdits(a) {
		d.hold()
		return
	}
	if d.withholds(a) {
		d.out.Withheld = &a
		return
	}
	d.out.Automatic, d.out.State = &a, a.To
	if a.From == a.To {
		d.out.Repeat = d.life.Label(a.To)
		return
	}
	d.out.Add = append(d.out.Add, d.life.Label(a.To))
	if from := d.life.Label(a.From); from != "" {
		d.out.Remove = append(d.out.Remove, from)
	}
	d.out.Remove = append(d.out.Remove, d.answeredRequests(a.To)...)
}

// ask asks the questions that were not asked yet, and adds the mark NeedsHuman for them. A mark that goes, because a person acted since, goes
// first: only an event of its own says that it is there for a question.
func (d *decider) ask(asked []Asked) {
	person := false
	for _, a := range asked {
		if slices.ContainsFunc(a.IDs, func(id int64) bool { return !d.Asked(id) }) {
			d.out.Ask = append(d.out.Ask, a)
			person = person || a.AsksPerson
		}
	}
	if person && lifecycle.HasLabel(d.out.Remove, lifecycle.NeedsHuman) {
		d.out.Ask = nil
		d.hold()
		return
	}
	if person && !d.Standing.Stands && !lifecycle.HasLabel(d.Labels, lifecycle.NeedsHuman) && !lifecycle.HasLabel(d.out.Add, lifecycle.NeedsHuman) {
		d.out.Add = append(d.out.Add, lifecycle.NeedsHuman)
	}
}
