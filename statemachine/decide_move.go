package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// moveAutomatically makes the move that Colony makes on its own, once the labels are right and everything is explained.
func (d *decider) moveAutomatically() (ends bool) {
	if d.out.Halted != nil || d.held() { // the record of a grant goes first
		return false
	}
	if len(d.out.Explain) > 0 || d.hasState(d.out.Add) {
		if _, overdue := d.overdue(); overdue || len(d.life.ReadingsAt(d.Standing, d.Closed)) > 0 {
			d.hold()
		}
		return false
	}
	if d.needs(Needs{Facts: d.unreadFacts()}) {
		return true
	}
	d.out.Kept = d.keeps()
	asked := d.asks()
	if len(asked) > 0 && d.Asked == nil {
		return d.needs(Needs{Said: true})
	}
	if a, ok := d.ownMove(); ok {
		d.move(a)
	} else {
		d.ask(asked)
	}
	return false
}

// ownMove returns the allowed move that Colony makes on its own; ok is false if there is no such move.
func (d *decider) ownMove() (a Automatic, ok bool) {
	a, ok = d.automatic()
	if !ok {
		a, ok = d.takesIn()
	}
	return a, ok && d.life.allows(d.Standing, a)
}

// unreadFacts returns the readings that the rows of the state use and that were not made yet.
func (d *decider) unreadFacts() []lifecycle.Reading {
	var unread []lifecycle.Reading
	for _, need := range d.life.ReadingsAt(d.Standing, d.Closed) {
		if !slices.Contains(d.Facts.Read, need) {
			unread = append(unread, need)
		}
	}
	return unread
}

// goesAfterEdits reports whether a move has to wait for the label edits before it: what Colony does within its own bracket is recorded as
// forced. A label that is there already means nothing, as only an event makes the move. Labels from the author's opening go before the
// issue is taken in: until another state has a label, the log shows their refusal.
func (d *decider) goesAfterEdits(a Automatic) bool {
	return d.Standing.ForcedByColony && lifecycle.HasLabel(d.Labels, lifecycle.Forced) ||
		lifecycle.HasLabel(d.out.Remove, d.life.Label(a.To)) || a.TakesIn && d.hasState(d.out.Remove)
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

// ask asks the questions that were not asked yet, and adds the mark NeedsHuman for them.
func (d *decider) ask(asked []Asked) {
	person := false
	for _, a := range asked {
		if !d.Asked(a.ID) {
			d.out.Ask = append(d.out.Ask, a)
			person = person || a.AsksPerson
		}
	}
	if person && !d.Standing.Stands && !lifecycle.HasLabel(d.Labels, lifecycle.NeedsHuman) && !lifecycle.HasLabel(d.out.Add, lifecycle.NeedsHuman) {
		d.out.Add = append(d.out.Add, lifecycle.NeedsHuman)
	}
}
