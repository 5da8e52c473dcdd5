package statemachine

import (
	"slices"
	"time"
)

// Repeated returns how many bad requests of a rejection's kind there were up to it, itself among them, since a person last decided about
// the work: from and to the same states, by the same roles. A retry, a resume or a block decides nothing about the work, so the count goes
// on across them. It is 0 for what is no bad request of an executor.
func (l *Lifecycle) Repeated(s Standing, r Rejection) int {
	if !isBadRequest(r) {
		return 0
	}
	decided := l.lastDecision(s, r.At)
	n := 0
	for _, other := range s.Rejections {
		same := other.From == r.From && other.To == r.To && slices.Equal(other.By.Roles, r.By.Roles)
		if same && isBadRequest(other) && other.At.After(decided) && other.last() <= r.last() {
			n++
		}
	}
	return n
}

// Failing returns the last bad request of an executor, if no person has decided about the work since, and how many there were of its
// kind. Without one it returns 0.
func (l *Lifecycle) Failing(s Standing) (Rejection, int) {
	for _, r := range slices.Backward(s.Rejections) {
		if !isBadRequest(r) {
			continue
		}
		if last, moved := s.Since(); moved && l.lastDecision(s, last.At).After(r.At) {
			break
		}
		return r, l.Repeated(s, r)
	}
	return Rejection{}, 0
}

// isBadRequest reports whether an executor asked for what it may not, as opposed to what a limit bounds.
func isBadRequest(r Rejection) bool {
	return r.By.Kind == Executor && r.To != "" && r.LedTo != "" && (r.Verdict == NotForRole || r.Verdict == NotInTable || r.Verdict == NotAState)
}

// lastDecision returns when a person last made a move that says something about the work, up to a time; zero if the log does not tell.
func (l *Lifecycle) lastDecision(s Standing, until time.Time) time.Time {
	for i, m := range slices.Backward(s.Trail) {
		if !m.At.After(until) && l.intervened(m) && !l.isDetour(s.before(i), m) {
			return m.At
		}
	}
	return time.Time{}
}
