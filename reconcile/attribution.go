package reconcile

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// Whoever wrote a command made its move. GitHub's log names Colony, the comment says whose it was: so the comments are read where
// something depends on it, and what they tell is remembered.

// ordered is statemachine.History.Ordered.
func (v *reconciliation) ordered(eventID int64) (by statemachine.Actor, known bool) {
	if by, known = v.whose[eventID]; known {
		return by, true
	}
	return v.explained.orderedBy(v.view.Ref, eventID)
}

// trace finds out who ordered the moves that Colony made since a time, and folds the log again.
func (v *reconciliation) trace(ctx context.Context, since time.Time) error {
	if err := v.readConversation(ctx); err != nil {
		return err
	}
	// A command is not run once it is older than the horizon, so none before that has made a move since.
	if begin := issues.Latest(since.Add(-v.settings.Horizon), v.begun); begin.Before(v.heardSince) && v.view.Created.Before(v.heardSince) {
		if err := v.readPast(ctx, begin); err != nil {
			return err
		}
	}
	v.attribute(since)
	return nil
}

// readPast reads the commands that were written since a time before those of the conversation, and were run. What was edited since
// tells nothing.
func (v *reconciliation) readPast(ctx context.Context, since time.Time) error {
	comments, err := v.store.Comments(ctx, v.view.Ref, since)
	if err != nil {
		return err
	}
	past := &conversation{}
	var texts []issues.Comment
	for _, comment := range comments {
		invocations := commands.Parse(comment.Body)
		if comment.By.Kind == statemachine.Colony || len(invocations) == 0 || comment.Created.Before(since) || !comment.Created.Before(v.heardSince) {
			continue
		}
		receipt, _, err := v.store.Receipt(ctx, v.view.Ref, comment)
		if err != nil {
			return err
		}
		if receipt.At.IsZero() {
			continue
		}
		texts = append(texts, comment)
		past.orders = append(past.orders, order{comment: comment, invocations: invocations, receipt: receipt})
	}
	edits, err := v.store.Edits(v.log.WithContext(ctx), v.view.Ref, texts)
	if err != nil {
		return err
	}
	v.past = nil
	for i, w := range past.written() {
		if edits[i].State == issues.Unedited {
			v.past = append(v.past, w)
		}
	}
	return nil
}

// attribute says of Colony's moves since a time by whose command they were made, of those that a command made, and of all others that
// none did, as far as all comments are known that may tell otherwise. Then it folds the log again.
func (v *reconciliation) attribute(since time.Time) {
	written := slices.Concat(v.past, v.conversation.written())
	orders, _ := commands.Orders(v.settings.Lifecycle, v.standing, written)
	if v.whose == nil {
		v.whose = map[int64]statemachine.Actor{}
	}
	note := func(m statemachine.Move) {
		if m.By.Kind != statemachine.Colony {
			return
		}
		order, found := orders[m.EventID]
		if !found && m.At.Before(since) {
			return
		}
		v.whose[m.EventID] = order.By
		if told := m.Traced && reflect.DeepEqual(m.Ordered, order.By); !told && v.view.Settled.Has(m.EventID) {
			v.retold = true
			v.summaries.forget(v.view.Ref)
		}
		if !found || !v.conversation.waits(order.CommentID) { // one that still waits may turn out not to be permitted
			v.explained.order(v.view.Ref, m.EventID, order.By)
		}
	}
	from := since
	if first, some := commands.FirstWritten(written); some && first.Before(from) {
		from = first
	}
	for _, m := range v.standing.Made(from) {
		note(m.Move)
	}
	v.orders = nil
	v.fold()
}

// attributable is since when the comments that were read tell of every command that can have made a move.
func (v *reconciliation) attributable() time.Time {
	if !v.view.Created.Before(v.heardSince) || !v.begun.Before(v.heardSince) {
		return time.Time{}
	}
	return v.heardSince.Add(v.settings.Horizon)
}

// traceForCommands finds out whose Colony's moves were before commands are judged by how often something was done.
func (v *reconciliation) traceForCommands(ctx context.Context) error {
	if !slices.ContainsFunc(v.conversation.orders, order.runs) || len(v.settings.Lifecycle.Limits) == 0 {
		return nil
	}
	since := v.settings.Lifecycle.Untraced(v.standing)
	if since.IsZero() {
		return nil
	}
	return v.trace(ctx, since)
}
