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
	// Withdrawn lists the moves that somebody took back, or that a transfer undid, oldest first.
	Withdrawn []Withdrawal
	// Rejections lists the changes that do not count, oldest first.
	Rejections []Rejection

	// Pending lists what was asked for of which nobody knows yet whether the guards grant it, oldest first, and Granted the events of
	// moves that they grant as far as was read, and of which the log has no record.
	Pending []lifecycle.Asking
	Granted []int64

	Logged
	Marks
	// Unordered is the time of the earliest move of Colony's of which History.Ordered does not know who ordered it; zero if there is none.
	// Until that is known, such a move counts as the most likely actor's; see Table.maker.
	Unordered time.Time
	// Reached says that a state was settled that the issue had come to since Colony judges there.
	Reached bool
}

// Terms say since when an issue is judged, and what becomes there of a change that is not allowed.
type Terms struct {
	// JudgedSince is the horizon: what changed before it is settled and is not judged.
	JudgedSince time.Time
	// Begun is since when issues are judged by this table: what stood then is the baseline of all that follows, also once it is long
	// before the horizon, and nothing has been in a state for too long before.
	Begun time.Time
	// Installed is since when Colony judges issues there by any table. What stood then is settled as long as nobody moves the issue.
	// Zero: nothing is settled by that, because the issue is younger, or is to be adopted.
	Installed time.Time
	// Stands says that what is illegal is not undone, but stands: it counts as a move, besides being a rejection. See Mode.
	Stands bool
}

// Logged is what the log of an issue says besides its moves.
type Logged struct {
	// Present holds the state labels and marks that the log says are on the issue, and Missing those of them that
	// are not. Unexplained holds the states whose labels are on the issue although the log never put them there: either it
	// lags behind, or the label came without an event and counts as the beginning.
	Present, Missing, Unexplained []string
	// LastChange is the time of the latest event about a state label or mark; zero if there is none.
	LastChange time.Time
	// Closed says that the issue is closed.
	Closed bool
}

// MoveKind says how a move came to count.
type MoveKind string

// The kinds of moves.
const (
	Moved      MoveKind = "moved"       // the table allows it
	ForcedMove MoveKind = "forced"      // somebody with the right to do so went round the table
	BadRequest MoveKind = "bad-request" // a bot asked for what it may not; see Rejection
	Exhausted  MoveKind = "exhausted"   // a limit led there instead of where it was asked for; see Rejection
	Stood      MoveKind = "stood"       // the table does not allow it, and nobody undoes it; see Rejection
	Settled    MoveKind = "settled"     // stood for longer than the horizon, so it is not judged
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
	// Reason is what an executor's request stands for, where the table wants a reason.
	Reason string
	// Closed says that the issue was closed then.
	Closed bool
}

// Withdrawal is a move that does not count any more, because its label was taken off before it was committed, or because it was made where
// the issue was before a transfer.
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
	// Withdrawn says that somebody took the change back before Colony did: there is nothing left to explain.
	Withdrawn bool
}

// Since returns the move that led into the present state. ok is false if the log does not say, because the state
// stood before the log or the horizon begins.
func (s Standing) Since() (Move, bool) {
	if len(s.Trail) == 0 {
		return Move{}, false
	}
	return s.Trail[len(s.Trail)-1], true
}

// Untouched reports whether nobody has moved the issue since Colony judges there: then Colony does not either, unless somebody asks
// it to.
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

// Move returns the standing after one more legal move, as the fold would see it: commands that follow each other
// in one comment are each judged by what the one before left.
func (s Standing) Move(m Move) Standing {
	m.Closed = s.Closed
	s.Trail = append(slices.Clone(s.Trail), m)
	s.State = m.To
	return s
}
