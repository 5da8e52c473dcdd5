package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Why Colony made a move, its log does not say: it shows a label. A row of the lifecycle that leads from the one state to the other need not be
// the reason. A command might have been, in a comment that was deleted or edited since. So Colony notes its reason before it moves an issue. Where
// it has to give one and none was noted, it says that it does not know.

// madeWithin bounds how long after its reason was noted Colony can have begun a move.
const madeWithin = 2 * time.Minute

// reason is what is noted before a move.
type reason struct {
	MoveCause
	At time.Time `json:"at"`
	// After is the last event that the log showed then: the move's event is newer.
	After int64 `json:"after,omitempty"`
}

// of reports whether the reason can be that of a move that Colony began at a time.
func (r reason) of(begun time.Time) bool {
	return !r.At.IsZero() && !begun.Before(r.At.Add(-statemachine.ClocksDiffer)) && !begun.After(r.At.Add(madeWithin))
}

func noteOfMove(ref issues.Ref, to string) string {
	return fmt.Sprintf("move.%d.%d.%s", ref.ID, ref.Number, to)
}

// noteReason notes why Colony is about to make a move: for the comment that announces it, and for the answer to /colony:status.
func (rc *reconciliation) noteReason(ctx context.Context, a statemachine.Automatic) error {
	return WriteNote(ctx, rc.Notes, noteOfMove(rc.view.Ref, a.To), reason{causeOf(a), rc.Clock.Now(), lastEvent(rc.view.Changes)})
}

// withReasons completes the announcements of moves, and takes out the reasons that are not known to be the real ones. It adds to lostOrders
// the moves that a command made whose text is gone.
func withReasons(ctx context.Context, q *inquiry, told []statemachine.Announcement) ([]statemachine.Announcement, error) {
	told = slices.Clone(told)
	for i := range told {
		t := &told[i]
		if t.By.Kind != lifecycle.Colony || !t.AsksPerson { // the person who put the label there gave the reason
			continue
		}
		begun := q.begunAt(t.From, t.To, t.Moment)
		about := q.carry.About
		if about == nil || about.To != t.To || i < len(told)-1 {
			noted, err := ReadNote[reason](ctx, q.Notes, noteOfMove(q.view.Ref, t.To))
			if err != nil {
				return nil, err
			}
			if about = nil; noted.of(begun) {
				about = &noted.MoveCause
			}
		}
		if about == nil && isOrderLost(q, begun, i == len(told)-1) {
			q.orders.lost = append(q.orders.lost, t.ID)
		}
		if about == nil {
			t.Why, t.About, t.Causes, t.OnPullRequest = "", "", nil, false
			continue
		}
		t.Why, t.About, t.Causes = about.Why, about.What, about.Causes
	}
	return told, nil
}

// isOrderLost reports whether a move of Colony's without a known reason was made for a command whose text is gone. The latest move has
// a note of its reason if it was Colony's own, unless the notes were lost since. Otherwise a person deleted or edited a comment since.
func isOrderLost(q *inquiry, begun time.Time, latest bool) bool {
	if latest && q.Notes != nil && !q.Notes.NotesSince().After(begun.Add(-madeWithin)) {
		return true
	}
	return slices.ContainsFunc(q.view.Deleted, func(d issues.Deletion) bool { return !d.At.Before(begun) }) || q.conversation.editedSince(begun)
}
