package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Limits are the limits of a lifecycle, in the order of the file.
type Limits []Limit

// Bounding returns the limits that end a repeated move, in the order of the file; limits that only count are not among them.
func (all Limits) Bounding(from, to string) []Limit {
	return slices.DeleteFunc(slices.Clone(all), func(limit Limit) bool {
		return !limit.Bounds(from, to)
	})
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

// ByItself returns what makes Colony make a move on its own: the facts of its triggers, such as "review-approved", and its timeout, such as "after
// 72h". It is empty for a move that an actor has to ask for.
func (l *Lifecycle) ByItself(from, to string) []string {
	var causes []string
	for _, t := range l.Triggers {
		if t.Moves(from, to) {
			causes = append(causes, string(t.On))
		}
	}
	for _, t := range l.TimeOuts {
		if t.Moves(from, to) {
			causes = append(causes, "after "+Span(t.After))
		}
	}
	return causes
}

// Span writes a duration as lifecycle files do: 72h, and not 72h0m0s.
func Span[D ~int64](d D) string {
	text := time.Duration(d).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
