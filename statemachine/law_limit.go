package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// limit is the law of the limits. They bound what bots ask for, and what Colony does for itself. A move of Colony's is not limited until it
// is known who ordered it, or the command that ordered it would not be found.
func (r *request) limit() (ruled bool) {
	t, from, to, by := r.life, r.at.State, r.ask.To, r.ask.For
	switch {
	case r.ask.Unordered, r.ask.By.Kind == lifecycle.Operator, t.maker(Move{From: from, To: to, By: r.ask.By, Ordered: by}) == lifecycle.Operator: // a person intervenes
		return false
	case by.Kind == lifecycle.Executor && t.Judge(by, from, to) != lifecycle.Legal: // a command that was not granted led there
		return false
	}
	limit, _, over := t.Exhausted(r.at, to)
	if over {
		r.Verdict, r.Limit, r.LedTo, r.Kind, r.AsksPerson = lifecycle.LimitReached, limit, limit.Instead, Exhausted, true
	}
	return over
}

// Exhausted returns the limit that keeps everybody but people from moving an issue to a state once more, and how often that was done.
func (t *Table) Exhausted(s Standing, to string) (limit lifecycle.Limit, count int, ok bool) {
	for _, limit := range t.Limits {
		if !limit.Bounds(s.State, to) {
			continue
		}
		if count := t.Count(limit, s); count >= limit.AtMost {
			return limit, count, true
		}
	}
	return lifecycle.Limit{}, 0, false
}

// limited returns the move that Colony makes of its own instead, if a limit ends that one.
func (t *Table) limited(s Standing, a Automatic) Automatic {
	if limit, _, over := t.Exhausted(s, a.To); over {
		a.To, a.Why, a.AsksPerson = limit.Instead, limit.Why, true
	}
	return a
}

// Count returns how often a limited move was made: for life, or since a person last intervened. To pause an issue and to resume it is no
// intervention. What is settled begins with none: it is not known how it came, and what was done before Colony came was held to no limit.
func (t *Table) Count(limit lifecycle.Limit, s Standing) int {
	n := 0
	for i, m := range slices.Backward(s.Trail) {
		if m.Kind == Settled || m.before(s.Installed) || !limit.ForLife && t.intervened(m) && !t.isPause(s, i) {
			break
		}
		if m.To == limit.To && limit.CountsFrom(m.From) {
			n++
		}
	}
	return n
}

// isPause reports whether a person's move leads into a blocked state, or back to where the issue was before a person's move led into it.
func (t *Table) isPause(s Standing, at int) bool {
	m := s.Trail[at]
	if !t.isDetour(s.before(at), m) {
		return false
	}
	to, _ := t.State(m.To)
	return to.Type == lifecycle.Blocked || at > 0 && t.intervened(s.Trail[at-1])
}
