package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Conditions lists for people the conditions of a move for an actor: the previous state, a reason, guards and limits. It is nil for a move
// that the table alone allows.
func Conditions(l *statemachine.Table, who lifecycle.Actor, p lifecycle.Pair) []string {
	return slices.Concat(wayAndReason(l, who, p), guards(l, who, p), limits(l, who, p))
}

// Unguarded lists the conditions of a move without its guards.
func Unguarded(l *statemachine.Table, who lifecycle.Actor, p lifecycle.Pair) []string {
	return slices.Concat(wayAndReason(l, who, p), limits(l, who, p))
}

// wayAndReason says whether a move leads only to the previous state, and whether it needs a reason.
func wayAndReason(l *statemachine.Table, who lifecycle.Actor, p lifecycle.Pair) []string {
	var words []string
	if p.OnlyPrevious {
		words = append(words, "only back to the state before")
	}
	if p.Reason != lifecycle.Required || who.Kind == lifecycle.Colony {
		return words
	}
	if reason := l.StandsFor(who, p.From, p.To); reason != "" {
		return append(words, fmt.Sprintf("needs a reason, and the request stands for %q", reason))
	}
	return append(words, "needs a reason")
}

func guards(l *statemachine.Table, who lifecycle.Actor, p lifecycle.Pair) []string {
	var words []string
	for _, g := range l.Guards.Of(who, p.From, p.To) {
		text := strings.TrimSuffix(g.Why, ".")
		if len(g.Commands) > 0 {
			text += " (with /colony:" + strings.Join(g.Commands, ", /colony:") + ")"
		}
		words = append(words, text)
	}
	return words
}

func limits(l *statemachine.Table, who lifecycle.Actor, p lifecycle.Pair) []string {
	if who.Kind == lifecycle.Operator || who.Kind == lifecycle.Colony && !l.MakesItself(p.From, p.To) {
		return nil
	}
	var words []string
	for _, limit := range l.Limits.Bounding(p.From, p.To) {
		words = append(words, fmt.Sprintf("at most %s %s (%s), then %s", lifecycle.Times(limit.AtMost), limit.Since(), limit.Name, limit.Instead))
	}
	return words
}
