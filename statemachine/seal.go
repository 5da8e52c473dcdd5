package statemachine

import (
	"slices"
	"time"
)

// Somebody approves what they have read. In a sealed state that stays what is to be worked on: facts that are Sealed tell that it is not
// any more, and a row that names one sends the issue back. GitHub keeps who changed what, and when; the log keeps who approved.

// Approval returns the move by which an issue in a sealed state was approved: the one that brought it there. Coming back from a blocked
// state approves nothing, unless a seal was broken before: then that is how a person says that the changed text is right. ok is false
// if the state is not sealed, or the log does not tell.
//
// doubt is since when it has to be known who ordered Colony's moves before that is sure; zero if it is.
func (l *Lifecycle) Approval(s Standing) (m Move, ok bool, doubt time.Time) {
	if state, _ := l.State(s.State); !state.Sealed {
		return Move{}, false, time.Time{}
	}
	for place, step := range slices.Backward(s.Trail) {
		switch {
		case step.To == s.State && (step.Kind == Settled || !l.isDetour(s.before(place), step)):
			return step, true, step.untraced()
		case step.To == s.State: // it came back; from what, the moves before tell
			m, ok = step, true
		case ok && step.From == s.State && l.breaksSeal(step):
			if doubt := step.untraced(); !doubt.IsZero() {
				return m, true, doubt
			}
			if l.own(step) {
				return m, true, m.untraced()
			}
		}
	}
	return m, ok, m.untraced()
}

// ApprovalBefore returns the approval that held before a move, given by its event: see Approval.
func (l *Lifecycle) ApprovalBefore(s Standing, eventID int64) (Move, bool) {
	for place, m := range slices.Backward(s.Trail) {
		if m.EventID == eventID {
			approved, ok, _ := l.Approval(s.before(place))
			return approved, ok
		}
	}
	return Move{}, false
}

// breaksSeal reports whether a row that holds what was approved makes such a move.
func (l *Lifecycle) breaksSeal(m Move) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.Sealed() && t.Moves(m.From, m.To) })
}

// BrokeSeal reports whether a row that holds what was approved made a move for this reason; without a reason, whether it may have.
func (l *Lifecycle) BrokeSeal(from, to, why string) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.Sealed() && t.Moves(from, to) && (why == "" || t.Why == why) })
}

// untraced is the time of a move of Colony's of which nobody has found out who ordered it; zero otherwise.
func (m Move) untraced() time.Time {
	if m.By.Kind == Colony && m.Kind != Settled && !m.Traced {
		return m.At
	}
	return time.Time{}
}

// Maker returns who made a move: who ordered it, if Colony made it for a command. It has no kind if that is not known, and if Colony
// made the move on its own.
func (m Move) Maker() Actor {
	switch {
	case m.Kind == Settled || m.By.Kind == Colony && m.Ordered.Kind == "":
		return Actor{}
	case m.By.Kind == Colony:
		return m.Ordered
	}
	return m.By
}

// doubtsApproval returns since when it has to be known who ordered Colony's moves before it is clear who approved an issue; zero if that
// is clear, or nothing depends on it.
func (l *Lifecycle) doubtsApproval(in *Case) time.Time {
	if in.Closed || in.Standing.Untouched() || len(l.Seals(in.Standing.State)) == 0 {
		return time.Time{}
	}
	_, _, doubt := l.Approval(in.Standing)
	return doubt
}
