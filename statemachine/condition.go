package statemachine

import (
	"fmt"
)

// Conditions returns, in words for people, what a move of the table depends on for an actor: how the issue came to where it is,
// a reason, and how often the move was made. It is empty for a move that the table alone allows.
func (l *Lifecycle) Conditions(who Actor, p Pair) []string {
	var words []string
	if p.OnlyPrevious {
		words = append(words, "only back to the state before")
	}
	if p.Reason == Required && who.Kind != Colony {
		if reason := l.ReasonOf(who, p.From, p.To); reason != "" {
			words = append(words, fmt.Sprintf("needs a reason, and the request stands for %q", reason))
		} else {
			words = append(words, "needs a reason")
		}
	}
	for _, g := range l.GuardsOf(who, p.From, p.To) {
		words = append(words, g.Sentence())
	}
	if who.Kind == Operator || who.Kind == Colony && !l.MakesItself(p.From, p.To) {
		return words
	}
	for _, limit := range l.Bounds(p.From, p.To) {
		words = append(words, fmt.Sprintf("at most %s since a person last moved the issue (%s), then %s", Times(limit.AtMost), limit.Name, limit.Instead))
	}
	return words
}
