package reconcile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
)

// GitHub holds what Colony has to remember: labels, their log, comments and reactions. What it does not take, or does not tell later, is noted
// next to the tasks. Every replica sees it, and a restart does not lose it.

// Notes keep small facts under keys. See queue.Queue.
type Notes interface {
	Note(ctx context.Context, key string, note []byte) error
	Noted(ctx context.Context, key string) (note []byte, ok bool, err error)
	// NotesSince is the time from which nothing that was noted is forgotten.
	NotesSince() time.Time
}

func noteOfReceipt(ref issues.Ref, commentID int64) string {
	return fmt.Sprintf("receipt.%d.%d.%d", ref.ID, ref.Number, commentID)
}

// WriteNote keeps something under a key. Without notes, nothing is kept.
func WriteNote(ctx context.Context, notes Notes, key string, what any) error {
	if notes == nil {
		return nil
	}
	note, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("write down %s: %w", key, err)
	}
	return notes.Note(ctx, key, note)
}

// ReadNote reads what was kept last under a key. What another version kept is as if nothing were known.
func ReadNote[T any](ctx context.Context, notes Notes, key string) (known T, err error) {
	if notes == nil {
		return known, nil
	}
	note, ok, err := notes.Noted(ctx, key)
	if err != nil || !ok {
		return known, err
	}
	if json.Unmarshal(note, &known) != nil {
		known = *new(T)
	}
	return known, nil
}

// giveReceipts writes the receipts that are due, or has them wait with what this process was refused while the conversation is locked. A receipt
// that another process wrote in between stays as it is: GitHub keeps one reaction of each kind.
func (rc *reconciliation) giveReceipts(ctx context.Context) error {
	for _, o := range rc.conversation.owed {
		receipt := issues.Write{Reaction: &issues.Reaction{CommentID: o.comment.ID, Content: o.receipt.Content}}
		if rc.view.Locked {
			rc.memory.refuse(issues.Refused{Write: receipt, Err: errLocked}, o.receipt.At)
		} else if err := rc.write(ctx, []issues.Write{receipt}); err != nil {
			return err
		}
		rc.store.Remember(rc.view.Ref, o.comment.ID, o.receipt)
	}
	return nil
}

// errLocked says why a receipt of another process waits.
var errLocked = errors.New("403: the conversation is locked")

// unreceipted finds out about a comment with commands that has no receipt, although its conversation was locked since it was written. In that case
// GitHub did not take one. It might have been noted; if the comment is older than the notes, it is not known whether the commands were run.
func (c *conversation) unreceipted(ctx context.Context, q *inquiry, o *commandComment) (known bool, err error) {
	if q.Notes == nil || !q.view.LockedSince(o.comment.Created) {
		return true, nil
	}
	receipt, err := ReadNote[issues.Receipt](ctx, q.Notes, noteOfReceipt(q.view.Ref, o.comment.ID))
	if err != nil {
		return false, err
	}
	if receipt.Content != "" {
		o.receipt = receipt
		c.owed = append(c.owed, *o)
		return true, nil
	}
	// GitHub's times are whole seconds.
	return !o.comment.Created.Before(q.Notes.NotesSince().Truncate(time.Second)), nil
}
