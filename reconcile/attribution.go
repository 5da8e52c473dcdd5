package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// The writer of a command made its move. GitHub's log names Colony, and the comment says whose it was. So the comments are read before anything is
// decided, unless this process made the move itself, and what they tell is remembered.

// requestOf tells who ordered a move of Colony's, and when.
func (q *inquiry) requestOf(eventID int64) (by requester, known bool) {
	if by, known = q.orders.by[eventID]; known {
		return by, true
	}
	if by, known = q.memory.orderer(eventID); known {
		return by, true
	}
	if by, known = q.memory.wroteFor(q.view.Changes, eventID); known {
		q.memory.order(eventID, by)
	}
	return by, known
}

// trace finds out who ordered Colony's moves, where the standing is Unordered, and folds the log again. Another order can show further
// moves.
func (q *inquiry) trace(ctx context.Context) error {
	for known := -1; !q.standing.Unordered.IsZero(); known = len(q.orders.by) {
		since := q.standing.Unordered
		if known == len(q.orders.by) {
			return fmt.Errorf("judge %s: the comments do not tell who ordered what Colony did since %s", q.view.Ref, since.Format(time.RFC3339))
		}
		if err := q.traceSince(ctx, since); err != nil {
			return err
		}
	}
	return nil
}

// traceSince finds out who ordered the moves that Colony made since a time, and folds the log again.
func (q *inquiry) traceSince(ctx context.Context, since time.Time) error {
	if err := q.readConversation(ctx); err != nil {
		return err
	}
	// A command is not run once it is older than the horizon, so none before that has made a move since.
	if begin := issues.Latest(since.Add(-q.settings.Horizon), q.installedSince); begin.Before(q.commandsSince) && q.view.Created.Before(q.commandsSince) {
		if err := readPast(ctx, q, begin); err != nil {
			return err
		}
	}
	q.attribute(since)
	return nil
}

// readPast reads the commands that were written since a time before those of the conversation, and were run. What was edited since
// tells nothing.
func readPast(ctx context.Context, q *inquiry, since time.Time) error {
	comments, err := q.store.Comments(ctx, q.view.Ref, since)
	if err != nil {
		return err
	}
	isPast := func(o commandComment) bool {
		return !o.comment.Created.Before(since) && o.comment.Created.Before(q.commandsSince)
	}
	run, edits, err := readRun(ctx, q, q.view.Ref, comments, isPast, func(r issues.Receipt) bool { return !r.At.IsZero() })
	if err != nil {
		return err
	}
	q.orders.earlier = nil
	for i, w := range (&conversation{commands: run}).written() {
		if edits[i].State == issues.Unedited {
			q.orders.earlier = append(q.orders.earlier, w)
		}
	}
	return nil
}

// attribute records of Colony's moves whose command made each, where a command did. Of all others since a time it records that none did, as far as
// all comments are known that might tell otherwise. Then it folds the log again.
func (q *inquiry) attribute(since time.Time) {
	written := slices.Concat(q.orders.earlier, q.conversation.written())
	orders, _ := commands.AttributeMoves(q.settings.Lifecycle, q.standing, written)
	if q.orders.by == nil {
		q.orders.by = map[int64]requester{}
	}
	for _, m := range q.standing.Made() {
		a, found := orders[m.ID]
		if m.By.Kind != lifecycle.Colony || !found && m.At.Before(since) {
			continue
		}
		q.orders.by[m.ID] = requester{a.By, a.At}
		if !q.conversation.waitedAt(m.At) {
			q.memory.order(m.ID, requester{a.By, a.At})
		}
	}
	q.fold()
}

// attributions tells by which command each move of the issue was made, where a command made it. It reads the comments.
func (q *inquiry) attributions(ctx context.Context) (orders map[int64]commands.MoveAttribution, err error) {
	if err = q.readConversation(ctx); err == nil {
		orders, _ = commands.AttributeMoves(q.settings.Lifecycle, q.since(q.standing), q.conversation.written())
	}
	return orders, err
}

// attributable is the time from which the comments that were read tell of every command that can have made a move.
func (c *Case) attributable() time.Time {
	if !c.view.Created.Before(c.commandsSince) || !c.installedSince.Before(c.commandsSince) {
		return time.Time{}
	}
	return c.commandsSince.Add(c.settings.Horizon)
}
