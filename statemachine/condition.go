package statemachine

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds returns the limits that end a repeated move, in the order of the file; those that only count are not among them.
func (l *Lifecycle) Bounds(from, to string) []Limit {
	return slices.DeleteFunc(slices.Clone(l.Limits), func(limit Limit) bool {
		return !limit.bounds(from, to)
	})
}

// Conditions returns, in words for people, what a move of the table depends on for an actor: how the issue came to where it is,
// a reason, and how often the move was made. It is empty for a move that the table alone allows.
func (l *Lifecycle) Conditions(who Actor, p Pair) []string {
	var words []string
	if p.OnlyPrevious {
		words = append(words, "only back to the state before")
	}
	if p.Reason == Required && who.Kind != Colony {
		if reason := l.reasonOf(who, p.From, p.To); reason != "" {
			words = append(words, fmt.Sprintf("needs a reason, and the request stands for %q", reason))
		} else {
			words = append(words, "needs a reason")
		}
	}
	for _, g := range l.GuardsOf(who, p.From, p.To) {
		words = append(words, g.sentence())
	}
	if who.Kind == Operator || who.Kind == Colony && !l.isAutomatic(p.From, p.To) {
		return words
	}
	for _, limit := range l.Bounds(p.From, p.To) {
		words = append(words, fmt.Sprintf("at most %s since a person last moved the issue (%s), then %s", Times(limit.AtMost), limit.Name, limit.Instead))
	}
	return words
}

// Times writes a count of moves: "once", "3 times".
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// ByItself returns what makes Colony make a move on its own: the facts of its triggers, such as "review-approved", and its
// time-out, such as "after 72h". It is empty for a move that somebody has to ask for.
func (l *Lifecycle) ByItself(from, to string) []string {
	var causes []string
	for _, t := range l.Triggers {
		if t.moves(from, to) {
			causes = append(causes, string(t.On))
		}
	}
	for _, t := range l.TimeOuts {
		if t.moves(from, to) {
			causes = append(causes, "after "+Span(t.After))
		}
	}
	return causes
}

// Span writes a duration as lifecycle files do: 72h, and not 72h0m0s.
func Span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
