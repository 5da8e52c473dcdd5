package reconcile

import (
	"context"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// Commands are those of who wrote them, so a text that was edited gives none: it might be someone else's by now. Its writer learns so once. A text
// with a receipt had its commands run before it was edited, and there is nothing to say about it.

// readOrders reads the receipts on comments with commands, and finds out which texts were edited. It leaves out what was written
// before Colony listened, and what was edited after its commands were run.
func (c *conversation) readOrders(ctx context.Context, q *inquiry, all []commandComment) ([]commandComment, error) {
	var doubtful, lending []int // the orders whose times leave it open, and the ones that GitHub is asked about regardless of their times
	edits := make([]issues.Edit, len(all))
	for i, o := range all {
		if !q.isOld(o) {
			var err error
			if all[i].receipt, _, err = q.store.Receipt(ctx, q.view.Ref, o.comment); err != nil {
				return nil, err
			}
		}
		at, edited := q.toldOfEdit(o.comment)
		switch {
		case edited:
			edits[i] = issues.Edit{State: issues.Edited, At: at}
		case !q.isOld(o) && all[i].pending() && q.lends(o.invocations):
			lending = append(lending, i)
		case o.comment.EditInDoubt():
			doubtful = append(doubtful, i)
		}
	}
	if err := askForEdits(ctx, q, q.store.EditsNow, all, lending, edits); err != nil {
		return nil, err
	}
	if err := askForEdits(ctx, q, q.store.Edits, all, doubtful, edits); err != nil {
		return nil, err
	}
	var orders []commandComment
	for i, o := range all {
		counts, err := c.afterEdit(ctx, q, &o, edits[i])
		if err != nil {
			return nil, err
		}
		if counts {
			orders = append(orders, o)
		}
	}
	return orders, nil
}

// readRun returns the comments that concern someone and whose receipts count, and what GitHub tells of their edits.
func readRun(
	ctx context.Context, q *inquiry, ref issues.Ref, comments []issues.Comment, concerns func(commandComment) bool, counts func(issues.Receipt) bool,
) (run []commandComment, edits []issues.Edit, err error) {
	var texts []issues.Comment
	for _, comment := range comments {
		o := commandComment{comment: comment, invocations: commands.Parse(comment.Body)}
		if comment.By.Kind == lifecycle.Colony || len(o.invocations) == 0 || !concerns(o) {
			continue
		}
		if o.receipt, _, err = q.store.Receipt(ctx, ref, comment); err != nil {
			return nil, nil, err
		}
		if counts(o.receipt) {
			run, texts = append(run, o), append(texts, comment)
		}
	}
	if edits, err = q.store.Edits(q.log.WithContext(ctx), ref, texts); err != nil {
		return nil, nil, err
	}
	return run, edits, nil
}

// askForEdits asks GitHub which of some orders were edited.
func askForEdits(
	ctx context.Context, q *inquiry, ask func(context.Context, issues.Ref, []issues.Comment) ([]issues.Edit, error), all []commandComment, which []int, edits []issues.Edit,
) error {
	texts := make([]issues.Comment, len(which))
	for place, i := range which {
		texts[place] = all[i].comment
	}
	found, err := ask(q.log.WithContext(ctx), q.view.Ref, texts)
	if err != nil {
		unchecked := &uncheckedError{error: err, what: "who edited a comment"}
		for _, i := range which {
			if all[i].pending() {
				unchecked.comments = append(unchecked.comments, all[i].comment.ID)
			}
		}
		return unchecked
	}
	for place, i := range which {
		edits[i] = found[place]
	}
	return nil
}

// toldOfEdit reports whether a webhook reported that a text was edited, and when that was at the latest.
func (c *Case) toldOfEdit(text issues.Comment) (at time.Time, edited bool) {
	for _, e := range c.request.Expected() {
		if e.Edited && e.CommentID == text.ID {
			return issues.Latest(e.At, text.Updated), true
		}
	}
	return time.Time{}, false
}

func (c *Case) isOld(o commandComment) bool {
	return o.comment.Created.Before(c.commandsSince)
}

// afterEdit says what becomes of commands by what is known of the last edit of their text. Commands that do not count are not what anybody wrote
// since Colony listens, and there is nothing to say about them.
func (c *conversation) afterEdit(ctx context.Context, q *inquiry, o *commandComment, edit issues.Edit) (counts bool, err error) {
	switch {
	case edit.State == issues.Edited && (edit.At.Before(q.commandsSince) || edit.By.Kind == lifecycle.Colony):
		return false, nil
	case edit.State == issues.Edited:
		if q.isOld(*o) {
			if o.receipt, _, err = q.store.Receipt(ctx, q.view.Ref, o.comment); err != nil {
				return false, err
			}
		}
		if o.pending() { // its receipt might be noted
			_, err = c.unreceipted(ctx, q, o)
		}
		o.void = wording.WasEdited
		return o.pending(), err
	case q.isOld(*o) || !o.pending():
		return !q.isOld(*o), nil
	}
	known, err := c.unreceipted(ctx, q, o)
	switch {
	case edit.State == issues.EditUnknown && o.pending():
		o.void = wording.MayBeEdited
	case !known:
		o.void = wording.MayHaveRun
	}
	return true, err
}

// lends reports whether a text with these commands could lend someone a right. People with write access can edit what others wrote, and some of
// the commands take more than that. GitHub's times do not show an edit within the second in which the text was written.
func (c *Case) lends(invocations []commands.Invocation) bool {
	switch commands.Needed(c.settings.Lifecycle, invocations) {
	case commands.MayForce:
		return true
	case commands.MayMove:
		return !issues.PermissionWrite.Includes(c.settings.Commands.Move)
	case commands.MayRead:
	}
	return false
}
