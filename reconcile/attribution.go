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

// The writer of a command made its move. GitHub's log names Colony, and the comment says whose it was: so the comments are read before
// anything is judged, unless this process made the move itself, and what they tell is remembered.

// requesterOf is statemachine.History.Ordered.
func (rc *reconciliation) requesterOf(eventID int64) (by lifecycle.Actor, known bool) {
	found, known := rc.requestOf(eventID)
	return found.Actor, known
}

// requestOf tells who ordered a move of Colony's, and when.
func (rc *reconciliation) requestOf(eventID int64) (by requester, known bool) {
	if by, known = rc.requesters[eventID]; known {
		return by, true
	}
	if by, known = rc.explained.requesterOf(rc.view.Ref, eventID); known {
		return by, true
	}
	if by, known = rc.recent.requesterOf(rc.view.Ref, rc.view.Changes, eventID); known {
		rc.explained.setRequester(rc.view.Ref, eventID, by)
	}
	return by, known
}

// trace finds out who ordered Colony's moves, where the standing is Unordered, and folds the log again. Another order can show further
// moves.
func (rc *reconciliation) trace(ctx context.Context) error {
	for known := -1; !rc.standing.Unordered.IsZero(); known = len(rc.requesters) {
		since := rc.standing.Unordered
		if known == len(rc.requesters) {
			return fmt.Errorf("judge %s: the comments do not tell who ordered what Colony did since %s", rc.view.Ref, since.Format(time.RFC3339))
		}
		if err := rc.traceSince(ctx, since); err != nil {
			return err
		}
	}
	return nil
}

// traceSince finds out who ordered the moves that Colony made since a time, and folds the log again.
func (rc *reconciliation) traceSince(ctx context.Context, since time.Time) error {
	if err := rc.readConversation(ctx); err != nil {
		return err
	}
	// A command is not run once it is older than the horizon, so none before that has made a move since.
	if begin := issues.Latest(since.Add(-rc.settings.Horizon), rc.installedSince); begin.Before(rc.commandsSince) && rc.view.Created.Before(rc.commandsSince) {
		if err := rc.readPast(ctx, begin); err != nil {
			return err
		}
	}
	rc.attribute(since)
	return nil
}

// readPast reads the commands that were written since a time before those of the conversation, and were run. What was edited since
// tells nothing.
func (rc *reconciliation) readPast(ctx context.Context, since time.Time) error {
	comments, err := rc.store.Comments(ctx, rc.view.Ref, since)
	if err != nil {
		return err
	}
	past := &conversation{}
	var texts []issues.Comment
	for _, comment := range comments {
		invocations := commands.Parse(comment.Body)
		if comment.By.Kind == lifecycle.Colony || len(invocations) == 0 || comment.Created.Before(since) || !comment.Created.Before(rc.commandsSince) {
			continue
		}
		receipt, _, err := rc.store.Receipt(ctx, rc.view.Ref, comment)
		if err != nil {
			return err
		}
		if receipt.At.IsZero() {
			continue
		}
		texts = append(texts, comment)
		past.commands = append(past.commands, commandComment{comment: comment, invocations: invocations, receipt: receipt})
	}
	edits, err := rc.store.Edits(rc.log.WithContext(ctx), rc.view.Ref, texts)
	if err != nil {
		return err
	}
	rc.earlierComments = nil
	for i, w := range past.written() {
		if edits[i].State == issues.Unedited {
			rc.earlierComments = append(rc.earlierComments, w)
		}
	}
	return nil
}

// attribute says of Colony's moves since a time by whose command they were made, of those that a command made, and of all others that
// none did, as far as all comments are known that may tell otherwise. Then it folds the log again.
func (rc *reconciliation) attribute(since time.Time) {
	written := slices.Concat(rc.earlierComments, rc.conversation.written())
	orders, _ := commands.AttributeMoves(rc.settings.Lifecycle, rc.standing, written)
	if rc.requesters == nil {
		rc.requesters = map[int64]requester{}
	}
	for _, m := range rc.standing.Made() {
		a, found := orders[m.ID]
		if m.By.Kind != lifecycle.Colony || !found && m.At.Before(since) {
			continue
		}
		rc.requesters[m.ID] = requester{a.By, a.At}
		if !rc.conversation.waitedAt(m.At) {
			rc.explained.setRequester(rc.view.Ref, m.ID, requester{a.By, a.At})
		}
	}
	rc.fold()
}

// attributable is since when the comments that were read tell of every command that can have made a move.
func (rc *reconciliation) attributable() time.Time {
	if !rc.view.Created.Before(rc.commandsSince) || !rc.installedSince.Before(rc.commandsSince) {
		return time.Time{}
	}
	return rc.commandsSince.Add(rc.settings.Horizon)
}
