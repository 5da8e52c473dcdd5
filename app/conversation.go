package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/statemachine"
)

// conversation is what the comments of an issue say: what Colony explained and answered, and which commands there are.
type conversation struct {
	seen      map[int64]bool
	explained []int64
	replied   []int64
	facts     []statemachine.Observation // what the author said
	orders    []order
	links     commands.Links // by the commands of these comments that were accepted
	orphans   []int64        // the ends for which a reflection was asked
}

// order is a comment with commands; its receipt is zero as long as they were not run.
type order struct {
	comment     issues.Comment
	invocations []commands.Invocation
	receipt     issues.Receipt
}

func (o order) pending() bool { return o.receipt.At.IsZero() }

// readConversation understands the comments since a time, and reads the receipts on those with commands. The opening text of
// the issue is the first of them. Colony's own words are never commands.
func (l *Looker) readConversation(ctx context.Context, view issues.View, comments []issues.Comment, since time.Time) (*conversation, error) {
	opening := issues.Comment{By: view.Author, Body: view.Body, Created: view.Created, Reactions: view.Reactions}
	c := &conversation{seen: map[int64]bool{}}
	for _, comment := range slices.Insert(comments, 0, opening) {
		c.seen[comment.ID] = true
		if comment.By.Kind == statemachine.Colony {
			for kind, ids := range wording.Markers(comment.Body) {
				switch kind {
				case wording.Answers:
					c.replied = append(c.replied, ids...)
				case wording.Orphans:
					c.orphans = append(c.orphans, ids...)
				default:
					c.explained = append(c.explained, ids...)
				}
			}
			continue
		}
		if comment.Created.Before(since) {
			continue
		}
		if comment.ID != 0 && comment.By.Login == view.Author.Login && !onlyCommands(comment.Body) {
			c.facts = append(c.facts, statemachine.Observation{Fact: "author-replied", At: comment.Created, About: comment.By.Login})
		}
		if err := l.readOrder(ctx, c, view.Ref, comment); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (l *Looker) readOrder(ctx context.Context, c *conversation, ref issues.Ref, comment issues.Comment) error {
	invocations := commands.Parse(comment.Body)
	if comment.ID == 0 { // GitHub does not tell whether an opening text was edited
		invocations = slices.DeleteFunc(invocations, func(i commands.Invocation) bool { return i.Verb == commands.Force })
	}
	if len(invocations) == 0 || comment.Edited {
		return nil
	}
	receipt, _, err := l.Store.Receipt(ctx, ref, comment)
	if err != nil {
		return err
	}
	c.orders = append(c.orders, order{comment: comment, invocations: invocations, receipt: receipt})
	if receipt.Content == issues.ThumbsUp {
		c.links = c.links.Then(l.homeOf(ref), invocations)
	}
	return nil
}

func (c *conversation) shows(commentID int64) bool { return commentID == 0 || c.seen[commentID] }

func (c *conversation) answered(eventID int64) bool { return slices.Contains(c.explained, eventID) }

// waits reports whether the commands of a comment have not been run yet.
func (c *conversation) waits(commentID int64) bool {
	return slices.ContainsFunc(c.orders, func(o order) bool { return o.comment.ID == commentID && o.pending() })
}

// forcePending reports whether a command that has not been run yet wants to go round the table.
func (c *conversation) forcePending() bool {
	return slices.ContainsFunc(c.orders, func(o order) bool {
		return o.pending() && slices.ContainsFunc(o.invocations, func(i commands.Invocation) bool { return i.Verb == commands.Force })
	})
}

// written renders the comments with commands for commands.Orders. Whoever was not permitted has the receipt that says so; everybody
// else had the right to what was run.
func (c *conversation) written() []commands.Written {
	written := make([]commands.Written, len(c.orders))
	for i, o := range c.orders {
		right := commands.MayForce
		if o.receipt.Content == issues.ThumbsDown {
			right = commands.MayRead
		}
		written[i] = commands.Written{
			CommentID: o.comment.ID, Asker: commands.Asker{Actor: o.comment.By, Right: right},
			Invocations: o.invocations, At: o.comment.Created, Done: o.receipt.At,
		}
	}
	return written
}

// onlyCommands reports whether a comment says nothing beside commands, so that it answers no question.
func onlyCommands(body string) bool {
	lines := 0
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	return lines == len(commands.Parse(body))
}
