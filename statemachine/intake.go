package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// Intake is what a repository does with new issues. Which issues it wants is the repository's to say; where they go is
// the lifecycle's.

// takesIn returns the move that takes an issue into the lifecycle. One to which anything ever happened is left alone.
func (in *input) takesIn() (Automatic, bool) {
	s, intake := &in.Standing, in.life.Intake
	// Who asks for a state in the opening asks to be taken in, unless someone took that back. A word that someone mistyped is no touch.
	notByAuthor := func(r Rejection) bool {
		return (r.By.Kind != lifecycle.Author || r.Withdrawn) && r.Verdict != lifecycle.NotAState
	}
	untouched := s.State == in.life.Initial && len(s.Trail)+len(s.Withdrawn) == 0 && !slices.ContainsFunc(s.Rejections, notByAuthor)
	if !in.TakenIn || in.Closed || !untouched || intake == "" {
		return Automatic{}, false
	}
	return Automatic{From: s.State, To: intake, Why: whyTakenIn, TakesIn: true}, true
}

// whyTakenIn is why Colony takes an issue into the lifecycle.
const whyTakenIn = "The repository takes new issues in"

// answeredRequests returns the labels on an issue that ask for it to be taken in, if it is in the lifecycle.
func (in *input) answeredRequests(state string) []string {
	if state == in.life.Initial {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(in.Labels), func(label string) bool { return !lifecycle.HasLabel(in.Requests, label) })
}
