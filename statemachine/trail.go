package statemachine

import "slices"

// before returns the standing of the issue before a move at a place of the trail.
func (s Standing) before(place int) Standing {
	return s.beforeMove(s.Trail[place], s.Trail[:place])
}

// beforeMove returns the standing that a trail led to, before the next move.
func (s Standing) beforeMove(m Move, after []Move) Standing {
	before := Standing{State: m.From, Trail: after, Author: s.Author, Logged: Logged{Closed: m.Closed}}
	if !m.before(s.Reopened.At) {
		before.Reopened = s.Reopened
	}
	return before
}

// BeforeLast returns the standing of the issue before the move that led into the present state. There has to be one.
func (s Standing) BeforeLast() Standing { return s.before(len(s.Trail) - 1) }

// Made is a move that was made, whether it counts or was withdrawn, and the standing of the issue before it.
type Made struct {
	Move
	Before Standing
}

// Made returns the moves that were made, oldest first.
func (s Standing) Made() []Made {
	made := make([]Made, 0, len(s.Trail)+len(s.Withdrawn))
	for i, m := range s.Trail {
		made = append(made, Made{m, s.before(i)})
	}
	for _, w := range s.Withdrawn {
		// Moves that are only planned have ids below zero, and come last.
		at := slices.IndexFunc(made, func(m Made) bool { return m.follows(w.Moment) || m.ID < 0 })
		if at < 0 {
			at = len(made)
		}
		made = slices.Insert(made, at, Made{w.Move, s.beforeMove(w.Move, w.Before)})
	}
	return made
}
