package statemachine

import (
	"slices"
	"strings"
)

// Intake is what a repository does with new issues. Which issues it wants is the repository's to say; where they go is
// the lifecycle's.

// The words for which new issues a lifecycle is made for, where a repository takes new issues in and does not say which.
const (
	TakesEvery    = "every"    // all that are opened
	TakesLabelled = "labelled" // those that get a label
	TakesAssigned = "assigned" // those that are assigned to somebody
)

func takesWords() []string { return []string{TakesEvery, TakesLabelled, TakesAssigned} }

// intake checks where new issues are taken in.
func (c *checker) intake(doc fileDocument) {
	if c.life.Initial == Outside {
		c.life.Intake = doc.Initial
	}
	c.life.TakesIn = doc.TakesIn
	if doc.TakesIn != "" && !slices.Contains(takesWords(), doc.TakesIn) {
		c.wrong(at("takes-in"), "%q is not one of %s", doc.TakesIn, strings.Join(takesWords(), ", "))
	}
	if doc.TakesIn != "" && c.life.Intake == "" && doc.Intake == "" {
		c.wrong(at("takes-in"), "nothing is taken in without a state for it: say which with intake")
	}
	if doc.Intake == "" || !c.known(at("intake"), "intake", doc.Intake) {
		return
	}
	if _, legal := c.life.Pair(c.life.Initial, doc.Intake); !legal {
		c.wrong(at("intake"), "%s -> %s is not in the table, so nothing can be taken in there", c.life.Initial, doc.Intake)
		return
	}
	c.life.Intake = doc.Intake
}

// takesIn returns the move that takes an issue into the lifecycle. One to which anything ever happened is left alone.
func (l *Lifecycle) takesIn(in Input) (Automatic, bool) {
	s := in.Standing
	// Who asks for a state in the opening asks to be taken in, unless somebody took that back. A word that somebody mistyped is no touch.
	notByAuthor := func(r Rejection) bool { return (r.By.Kind != Author || r.Withdrawn) && r.Verdict != NotAState }
	untouched := s.State == l.Initial && len(s.Trail)+len(s.Withdrawn) == 0 && !slices.ContainsFunc(s.Rejections, notByAuthor)
	if !in.TakenIn || in.Closed || !untouched || l.Intake == "" {
		return Automatic{}, false
	}
	return Automatic{From: s.State, To: l.Intake, Why: whyTakenIn}, true
}

// whyTakenIn is why Colony takes an issue into the lifecycle.
const whyTakenIn = "The repository takes new issues in"

// answeredRequests returns the labels on an issue that ask for it to be taken in, if it is in the lifecycle.
func (l *Lifecycle) answeredRequests(in Input, state string) []string {
	if state == l.Initial {
		return nil
	}
	var answered []string
	for _, label := range in.Labels {
		if HasLabel(in.Requests, label) {
			answered = append(answered, label)
		}
	}
	return answered
}
