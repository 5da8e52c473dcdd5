package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// refusals are the changes of the log that do not count. They say what is to be answered, and never decide the state.
type refusals struct {
	all []Rejection
	// open is the index+1 of the rejection that says "the state's label was taken off", while it is open. A label that follows makes it the first
	// half of a swap. A swap that was refused is open too, so that it can be undone.
	open int
}

func (s *refusals) add(r Rejection, open bool) {
	s.all = append(s.all, r)
	s.open = 0
	if open {
		s.open = len(s.all)
	}
}

// join makes one rejection of the two halves of a swap that is not allowed, by the same actor. One half is the removal of the state's label before
// or after the label that was asked for. A removal is half of one swap only: what is asked for after both halves would be answered by what was
// said of them. A change that counted although it was not allowed has moved the issue, so nothing that is taken off later is a half of it.
func (s *refusals) join(r *Rejection, isThere func(to string) bool) bool {
	i := len(s.all) - 1
	if i < 0 {
		return false
	}
	half := s.all[i]
	switch {
	case half.By.Login != r.By.Login || half.By.Kind != r.By.Kind || half.From != r.From || half.Withdrawn:
		return false
	case r.To != "" && (len(half.IDs) != 1 || s.open != i+1), r.To == "" && !half.asksFor(isThere):
		return false
	case r.To == "": // what was asked for decides, also if the removal came second
		r.To, r.Asked, r.Verdict, r.Before, r.Guards = half.To, half.Asked, half.Verdict, half.Before, half.Guards
		if len(r.Guards.Refusing) > 0 || r.Verdict == lifecycle.NotAState {
			r.AsksPerson = half.AsksPerson
		}
	}
	r.IDs = append(slices.Clone(half.IDs), r.IDs...)
	s.all = slices.Delete(s.all, i, i+1)
	return true
}

// asksFor reports whether a rejection is about a label that is there still, and moved nothing.
func (r Rejection) asksFor(isThere func(to string) bool) bool {
	return r.To != "" && !r.Stood && r.LedTo == "" && isThere(r.To)
}

// takenBack ends an open removal of the state's label: it needs no answer, unless a refused label is there in its place.
func (s *refusals) takenBack() {
	if s.open > 0 {
		r := &s.all[s.open-1]
		r.Withdrawn = r.Withdrawn || r.To == ""
		s.open = 0
	}
}

// overtake ends what a move makes meaningless: an open removal, and what the author asked for in the opening.
func (s *refusals) overtake() {
	s.open = 0
	for i := range s.all {
		s.all[i].Withdrawn = s.all[i].Withdrawn || s.all[i].By.Kind == lifecycle.Author
	}
}

// withdraw marks a rejected label, which some event put there, as taken off again by someone other than Colony. Of a swap, the removal of the
// state's label is left.
func (s *refusals) withdraw(e *edit, put int64) {
	if s.open > 0 && s.all[s.open-1].To == e.name && s.all[s.open-1].Verdict != lifecycle.Guarded {
		if r := &s.all[s.open-1]; !e.own {
			r.To, r.Asked, r.Verdict, r.Before = "", 0, lifecycle.NotInTable, ""
		} else {
			s.open = 0 // it was refused, so no one can take it back now
		}
		return
	}
	for i := range s.all {
		r := &s.all[i]
		if !e.own && r.To == e.name && r.LedTo == "" && len(r.IDs) == 1 && r.IDs[0] == put && r.Verdict != lifecycle.Guarded {
			r.Withdrawn = true
		}
	}
}
