package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Standing is what the log of an issue says: the state it is in, how it came there, and what was asked for and
// is not granted. It is the result of Fold.
type Standing struct {
	State string
	// Author is the login of who opened the issue.
	Author string
	Terms
	// Trail lists the moves that count, oldest first. A withdrawn move is not among them.
	Trail []Move
	// Withdrawn lists the moves that someone or a transfer undid, oldest first.
	Withdrawn []Withdrawal
	// Rejections lists the changes that do not count, oldest first.
	Rejections []Rejection

	// Pending lists what was asked for and is still undecided, oldest first: it is not known yet whether the guards grant it. Granted lists the
	// events of moves that the guards grant as far as was read, and that the log has no record of.
	Pending []lifecycle.Asking
	Granted []int64

	Logged
	Marks
	// Unordered is the time of Colony's earliest move for which History.Ordered does not know who ordered it; zero without such a move. Until that
	// is known, such a move counts as the most likely actor's; see Table.maker.
	Unordered time.Time
	// Reached says that a state was settled that the issue had come to since Colony reconciles there.
	Reached bool
}

// Terms say from which time on changes of an issue are checked, and what becomes there of a change that is not allowed.
type Terms struct {
	// JudgedSince is the horizon: what changed before it is final and is not checked.
	JudgedSince time.Time
	// Begun is the time from which issues are checked by this table. What was there then is the baseline of all that follows, also once that time
	// is long before the horizon. Nothing has been in a state for too long before it.
	Begun time.Time
	// Installed is the time from which Colony reconciles issues there, by any table. What was there then is final while no one moves the issue.
	// Zero: nothing is final for that reason, because the issue is younger, or is to be adopted.
	Installed time.Time
	// Stands says that a change that is not allowed is not undone, but remains: it counts as a move, and is also a rejection. See Mode.
	Stands bool
}

// Logged is what the log of an issue says besides its moves.
type Logged struct {
	// Present holds the state labels and marks that the log says are on the issue, and Missing those of them that
	// are not. Unexplained holds the states whose labels are on the issue although the log never put them there: either it
	// lags behind, or the label came without an event and counts as the beginning.
	Present, Missing, Unexplained []string
	// LastChange is the time of the latest event about a state label or mark; zero without such an event.
	LastChange time.Time
	// Closed says that the issue is closed. Reopened is the event by which it was last opened again; zero if it never was.
	Closed   bool
	Reopened Moment
}

// MoveKind says how a move came to count.
type MoveKind string

// The kinds of moves.
const (
	Moved      MoveKind = "moved"       // the table allows it
	ForcedMove MoveKind = "forced"      // someone with the right to do so overrode the workflow
	BadRequest MoveKind = "bad-request" // a bot asked for what it is not allowed to; see Rejection
	Exhausted  MoveKind = "exhausted"   // a limit led there instead of where it was asked for; see Rejection
	Stood      MoveKind = "stood"       // the table does not allow it, and no one undoes it; see Rejection
	Settled    MoveKind = "settled"     // was there for longer than the horizon, so it is not checked
)

// Move is one step of the trail.
type Move struct {
	From, To string
	Kind     MoveKind
	By       lifecycle.Actor
	Moment
	// Ordered is who wrote the command that Colony made the move for; it has no kind without such a command, and where
	// History.Ordered does not know it.
	Ordered lifecycle.Actor
	// Reason is what a bot's request represents, where the table wants a reason.
	Reason string
	// Closed says that the issue was closed then.
	Closed bool
}

// Withdrawal is a move that no longer counts. Either its label was taken off before it was committed, or it was made where the issue was before a
// transfer.
type Withdrawal struct {
	Move
	// Before is the trail that the move was the next step of.
	Before []Move
}

// Rejection is one change that the fold does not grant. Taking the old label off and putting a new one on, by the
// same actor, is one change.
type Rejection struct {
	// IDs are the ids of the events it is made of.
	IDs []int64
	// Asked is the event that put on the label of To; zero if a state label was only removed.
	Asked  int64
	By     lifecycle.Actor
	Moment // of its last event
	// From is the state the issue was in. To is the state that was asked for, or the label if that names no state: then the verdict is
	// NotAState. It is empty if a state label was only removed.
	From, To string
	// Ruling is what became of it.
	Ruling
	// Withdrawn says that someone undid the change before Colony did: there is nothing left to explain.
	Withdrawn bool
}

// Since returns the move that led into the present state. ok is false if the log does not say, because the issue was in that state before the log
// or the horizon begins.
func (s Standing) Since() (Move, bool) {
	if len(s.Trail) == 0 {
		return Move{}, false
	}
	return s.Trail[len(s.Trail)-1], true
}

// SinceOpen returns the event from which on the time in the present state counts: the move that led there, or a later reopening. ok is false
// where it is of Since.
func (s Standing) SinceOpen() (begun Moment, ok bool) {
	entered, known := s.Since()
	if known && entered.before(s.Reopened.At) {
		return s.Reopened, true
	}
	return entered.Moment, known
}

// Untouched reports whether no one has moved the issue since Colony began to reconcile there. Then Colony does not move it either, unless someone
// asks it to.
func (s Standing) Untouched() bool {
	return !s.Installed.IsZero() && !s.Reached &&
		!slices.ContainsFunc(s.Trail, func(m Move) bool { return m.Kind != Settled && !m.before(s.Installed) })
}

// Previous returns the state before the present one, skipping the given states: what a pause or a block returns to.
// ok is false if the log does not say.
func (s Standing) Previous(skip ...string) (string, bool) {
	for _, m := range slices.Backward(s.Trail) {
		if m.Kind == Settled {
			return "", false
		}
		if !slices.Contains(skip, m.From) {
			return m.From, true
		}
	}
	return "", false
}

// Move returns the standing after one more allowed move, as the fold would see it. If several commands follow each other in one comment, each is
// checked against what the one before left.
func (s Standing) Move(m Move) Standing {
	m.Closed = s.Closed
	s.Trail = append(slices.Clone(s.Trail), m)
	s.State = m.To
	return s
}
