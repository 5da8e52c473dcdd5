package reconcile

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// conversation is what the comments of an issue say: what Colony explained and answered, and which commands there are.
type conversation struct {
	seen     map[int64]bool
	marked   map[wording.MarkerKind][]int64 // what Colony's comments are about; all that they explain under Explains
	replies  []issues.Comment               // what people and bots wrote that says more than commands
	commands []commandComment
	links    commands.Links   // by the commands of these comments that were accepted
	own      []issues.Comment // what Colony wrote
	records  records          // why Colony moved the issue
	edits    []issues.Comment // comments of others than Colony whose times show a possible edit
	owed     []commandComment // those with a receipt of another process that GitHub did not take
}

// commandComment is a comment with commands; its receipt is zero while they have not been run.
type commandComment struct {
	comment     issues.Comment
	invocations []commands.Invocation
	receipt     issues.Receipt
	// void says why no command of the comment is run, no matter which commands they are; empty if they are run.
	void wording.Void
}

// pending reports whether the commands are still to be run, or to be answered with why they are not.
func (o commandComment) pending() bool { return o.receipt.At.IsZero() }

func (o commandComment) runs() bool { return o.pending() && o.void == "" }

// read understands the comments since a time, and reads the receipts on those with commands. The opening text of
// the issue is the first of them. Colony's own words are never commands.
func (c *conversation) read(ctx context.Context, q *inquiry, comments []issues.Comment) error {
	var orders []commandComment
	for _, comment := range slices.Insert(comments, 0, q.view.Opening()) {
		c.seen[comment.ID] = true
		if comment.By.Kind == lifecycle.Colony {
			c.readOwn(q, comment)
			continue
		}
		if comment.ID != 0 && comment.EditInDoubt() {
			c.edits = append(c.edits, comment)
		}
		invocations := commands.Parse(comment.Body)
		if isNew := !comment.Created.Before(q.commandsSince); isNew && comment.ID != 0 && !OnlyCommands(comment.Body, invocations) {
			c.replies = append(c.replies, comment)
		}
		if len(invocations) > 0 {
			orders = append(orders, commandComment{comment: comment, invocations: invocations})
		}
	}
	orders, err := c.readOrders(ctx, q, orders)
	if err != nil {
		return err
	}
	c.commands = orders
	for _, o := range orders {
		if o.receipt.Content == issues.ThumbsUp {
			c.links = c.links.Then(q.home(), o.invocations, o.receipt.At)
		}
	}
	return nil
}

func (c *conversation) readOwn(q *inquiry, comment issues.Comment) {
	c.own = append(c.own, comment)
	c.records.read(q.view.Ref.Number, q.Web, comment)
	for kind, ids := range wording.Markers(comment.Body) {
		switch kind {
		case wording.Answers, wording.Asks, wording.Orphans:
		case wording.Reminds, wording.Trail:
			continue
		case wording.Halts: // what Colony stops at needs no explanation
			c.marked[kind] = append(c.marked[kind], ids...)
			kind = wording.Explains
		default:
			kind = wording.Explains
		}
		c.marked[kind] = append(c.marked[kind], ids...)
	}
}

// showsAll reports whether the comments are there that webhooks reported.
func (c *conversation) showsAll(told []ExpectedEvent) bool {
	return !slices.ContainsFunc(told, func(e ExpectedEvent) bool { return e.CommentID != 0 && !c.seen[e.CommentID] })
}

// owes reports whether there are receipts of other processes to be written.
func (c *conversation) owes() bool { return c != nil && len(c.owed) > 0 }

func (c *conversation) answered(eventID int64) bool {
	return slices.Contains(c.marked[wording.Explains], eventID)
}

func (c *conversation) waits(commentID int64) bool {
	return slices.ContainsFunc(c.commands, func(o commandComment) bool { return o.comment.ID == commentID && o.runs() })
}

func (c *conversation) toRun(commentID int64) []commands.Invocation {
	for _, o := range c.commands {
		if o.comment.ID == commentID && o.runs() {
			return o.invocations
		}
	}
	return nil
}

// waitedAt reports whether commands that have not been run yet were there at a time. They can turn out to have made a move then, or to have made
// none.
func (c *conversation) waitedAt(at time.Time) bool {
	return slices.ContainsFunc(c.commands, func(o commandComment) bool { return o.runs() && !o.comment.Created.After(at) })
}

// refusedSince reports whether Colony refused a command since a time, or has one yet to run.
func (c *conversation) refusedSince(at time.Time) bool {
	return slices.ContainsFunc(c.commands, func(o commandComment) bool {
		return o.pending() || o.receipt.Content == issues.Confused && !o.receipt.At.Before(at)
	})
}

// editedSince reports whether the times of a comment that was there at a time show a possible edit since.
func (c *conversation) editedSince(at time.Time) bool {
	return slices.ContainsFunc(c.edits, func(e issues.Comment) bool { return !e.Created.After(at) && e.Updated.After(at) })
}

// forcePending reports whether a command that has not been run yet wants to override the workflow.
func (c *conversation) forcePending() bool {
	return slices.ContainsFunc(c.commands, func(o commandComment) bool {
		return o.runs() && slices.ContainsFunc(o.invocations, func(i commands.Invocation) bool { return i.Verb == commands.Force })
	})
}

// written renders the comments with commands for commands.AttributeMoves. Someone without the permission has the receipt that says so; everybody
// else had the right to what was run.
func (c *conversation) written() []commands.CommandComment {
	written := make([]commands.CommandComment, len(c.commands))
	for i, o := range c.commands {
		right := commands.MayForce
		if o.receipt.Content == issues.ThumbsDown {
			right = commands.MayRead
		}
		written[i] = commands.CommandComment{
			CommentID: o.comment.ID, Requester: commands.Requester{Actor: o.comment.By, Right: right},
			Invocations: o.invocations, At: o.comment.Created, Done: o.receipt.At,
		}
		if o.void.NotWritten() {
			written[i].Invocations = nil // what is there now is not what might have been run
		}
	}
	return written
}

// OnlyCommands reports whether a comment says nothing but the commands in it, so that it answers no question.
func OnlyCommands(body string, invocations []commands.Invocation) bool {
	lines := 0
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	return lines == len(invocations)
}

func (q *inquiry) readConversation(ctx context.Context) error {
	if q.conversation != nil {
		return nil
	}
	comments, err := q.store.Comments(ctx, q.view.Ref, q.commandsSince)
	if err != nil {
		return err
	}
	return q.parseComments(ctx, comments)
}

// parseComments reads what the comments say.
func (q *inquiry) parseComments(ctx context.Context, comments []issues.Comment) error {
	read := &conversation{seen: map[int64]bool{}, marked: map[wording.MarkerKind][]int64{}}
	if err := read.read(ctx, q, comments); err != nil {
		return err
	}
	q.conversation = read
	q.attribute(q.attributable())
	return nil
}
