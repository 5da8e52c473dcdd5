package statemachine

import (
	"slices"
	"time"
)

// Evidence is what was read of an issue besides its labels and its log. It only grows while a decision is made.
type Evidence struct {
	Said
	Facts Facts
	// GuardsRead says that the conditions of the guards of pending moves were asked for. Unreadable names the conditions that cannot be read, for
	// people.
	GuardsRead bool
	Unreadable string
}

// Said is what the comments of an issue say. A function is nil until the comments it needs are read.
type Said struct {
	// Answered reports whether Colony explained a rejection, by the id of one of its events.
	Answered func(eventID int64) bool
	// Stopped reports whether Colony said that it stops there, by the id of one of the events that a stop has. It is read together with Answered, or
	// later: only where Colony has stopped.
	Stopped func(eventID int64) bool
	// Commanded reports whether Colony made a move for a command. It is read together with Answered.
	Commanded func(eventID int64) bool
	// RefusedCommand reports whether Colony refused a command since a time, or has one yet to run.
	RefusedCommand func(since time.Time) bool
	// Asked reports whether a person was asked about something already; see Asked.IDs. LastAsked is the latest such ID; 0 if nothing was
	// asked.
	Asked     func(id int64) bool
	LastAsked int64
	// ForcePending says that a command is waiting to be run that overrides the workflow, so the mark Forced must stay.
	ForcePending bool
}

// input is all that a decision depends on: a lifecycle and its thresholds, an issue, and the evidence about it.
type input struct {
	life *Table
	p    Thresholds
	Case
	Evidence
}

// commanded reports whether Colony is known to have made a move for a command.
func (s *Said) commanded(eventID int64) bool { return s.Commanded != nil && s.Commanded(eventID) }

// answered reports whether a rejection has Colony's comment: one of its events is enough.
func (s *Said) answered(r Rejection) bool { return slices.ContainsFunc(r.IDs, s.Answered) }

// explained reports whether a refusal was explained. If Colony explained the removal of a state's label before it saw the label that
// followed, the label still needs its explanation.
func (s *Said) explained(r Rejection) bool {
	if r.Asked != 0 {
		return s.Answered(r.Asked)
	}
	return s.answered(r)
}
