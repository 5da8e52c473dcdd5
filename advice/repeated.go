package advice

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Repeated counts the bad requests of a rejection's kind up to and including it, since a person last decided about the work. The kind is
// the states and the roles. A retry, a resume or a block decides nothing about the work, so the count continues across them. It is 0 if
// the rejection is no bad request of a bot.
func Repeated(l *statemachine.Table, s statemachine.Standing, r statemachine.Rejection) int {
	if !isBadRequest(r) {
		return 0
	}
	decided := l.LastDecision(s, r.At)
	n := 0
	for _, other := range s.Rejections {
		same := other.From == r.From && other.To == r.To && slices.Equal(other.By.Roles, r.By.Roles)
		if same && isBadRequest(other) && other.At.After(decided) && other.ID <= r.ID {
			n++
		}
	}
	return n
}

// Failing returns the last bad request of a bot and how often it was repeated, if no person has decided about the work since; else 0.
func Failing(l *statemachine.Table, s statemachine.Standing) (statemachine.Rejection, int) {
	for _, r := range slices.Backward(s.Rejections) {
		if !isBadRequest(r) {
			continue
		}
		if last, moved := s.Since(); moved && l.LastDecision(s, last.At).After(r.At) {
			break
		}
		return r, Repeated(l, s, r)
	}
	return statemachine.Rejection{}, 0
}

// isBadRequest reports whether a bot asked for a move that it is not allowed, and the issue was blocked for it; a reached limit is not one.
func isBadRequest(r statemachine.Rejection) bool {
	refused := r.Verdict == lifecycle.NotForRole || r.Verdict == lifecycle.NotInTable || r.Verdict == lifecycle.NotAState
	return refused && r.By.Kind == lifecycle.Executor && r.To != "" && r.LedTo != ""
}
