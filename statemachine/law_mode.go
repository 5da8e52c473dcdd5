package statemachine

import "github.com/colony-app/colony/lifecycle"

// mode is the last law: where Colony undoes nothing, a change that is not granted remains. It leads nowhere else, and calls no person.
func (r *request) mode() {
	r.Stood, r.AsksPerson = r.Verdict != lifecycle.Legal && r.Verdict != lifecycle.Same, false
	if r.LedTo != "" {
		r.Undone, r.LedTo, r.Kind = r.LedTo, "", ""
	}
}
