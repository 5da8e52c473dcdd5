package statemachine

import "github.com/colony-app/colony/lifecycle"

// OutcomeOf returns what the labels of an issue tell of its work. An issue with two labels of states is on its way from one to the other.
func OutcomeOf(t *Table, labels []string) lifecycle.Outcome {
	outcome := lifecycle.Untold
	for _, label := range labels {
		switch s, is := t.StateOf(label); {
		case !is:
		case s.Type != lifecycle.Terminal:
			return lifecycle.UnderWay
		case s.Closes == lifecycle.ClosedCompleted:
			outcome = lifecycle.Completed
		case s.Closes == lifecycle.ClosedNotPlanned:
			outcome = lifecycle.Dropped
		}
	}
	return outcome
}
