package statemachine

import (
	"iter"
	"slices"
	"time"
)

// Earlier is what a summary tells of the moves at the beginning of a log. All of it is older than the horizon, in the order of time, and
// shared by all that goes on after it: nothing may be changed there. Its methods may be called on nil, which is empty.
type Earlier struct {
	Trail     []Move
	Withdrawn []Withdrawal
	// until is the time of the latest change that was summed up.
	until time.Time
}

func (e *Earlier) len() int {
	if e == nil {
		return 0
	}
	return len(e.Trail)
}

func (e *Earlier) empty() bool { return e == nil || len(e.Trail)+len(e.Withdrawn) == 0 }

// lasts reports whether somebody made one of the moves not before a time.
func (e *Earlier) lasts(t time.Time) bool {
	if e == nil {
		return false
	}
	for _, m := range slices.Backward(e.Trail) {
		if m.At.Before(t) {
			return false
		}
		if m.Kind != Settled {
			return true
		}
	}
	return false
}

// backward goes through the whole trail, the latest move first, with the place of each. A caller that asks for the latest of something ends
// early, however old the issue is.
func (s Standing) backward() iter.Seq2[int, Move] {
	return func(yield func(int, Move) bool) {
		n := s.Earlier.len()
		for i, m := range slices.Backward(s.Trail) {
			if !yield(n+i, m) {
				return
			}
		}
		if n == 0 {
			return
		}
		for i, m := range slices.Backward(s.Earlier.Trail) {
			if !yield(i, m) {
				return
			}
		}
	}
}

// before returns where the issue stood before a move at a place of the whole trail.
func (s Standing) before(place int, m Move) Standing {
	if n := s.Earlier.len(); place >= n {
		return Standing{State: m.From, Earlier: s.Earlier, Trail: s.Trail[:place-n]}
	}
	return Standing{State: m.From, Trail: s.Earlier.Trail[:place]}
}

// BeforeLast returns where the issue stood before the move that led into the present state. There has to be one.
func (s Standing) BeforeLast() Standing {
	last, _ := s.Since()
	return s.before(s.Steps()-1, last)
}

// Whole returns the whole trail, oldest first. That costs as much as the issue is old.
func (s Standing) Whole() []Move {
	if s.Earlier.len() == 0 {
		return s.Trail
	}
	return slices.Concat(s.Earlier.Trail, s.Trail)
}

// Steps returns how many moves the whole trail has.
func (s Standing) Steps() int { return s.Earlier.len() + len(s.Trail) }

// Made is a move that was made, whether it counts or was withdrawn, and where the issue stood before it.
type Made struct {
	Move
	Before Standing
}

// Made returns the moves that were made, oldest first; of those that a summary tells of only if one of them may not be before a time.
func (s Standing) Made(since time.Time) []Made {
	var earlier []Move
	withdrawn := s.Withdrawn
	if e := s.Earlier; e != nil && !e.until.Before(since) {
		earlier, withdrawn = e.Trail, slices.Concat(e.Withdrawn, withdrawn)
	}
	made := make([]Made, 0, len(earlier)+len(s.Trail)+len(withdrawn))
	for i, m := range earlier {
		made = append(made, Made{m, s.before(i, m)})
	}
	for i, m := range s.Trail {
		made = append(made, Made{m, s.before(s.Earlier.len()+i, m)})
	}
	for _, w := range withdrawn {
		// Moves that are only planned have ids below zero, and come last.
		at := slices.IndexFunc(made, func(m Made) bool { return m.EventID > w.EventID || m.EventID < 0 })
		if at < 0 {
			at = len(made)
		}
		made = slices.Insert(made, at, Made{w.Move, Standing{State: w.From, Earlier: w.Earlier, Trail: w.Before}})
	}
	return made
}
