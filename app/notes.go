package app

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/colony-app/colony/app/issues"
)

// GitHub holds what Colony has to remember: labels, their log, comments and reactions. What it does not take, or does not tell later,
// is noted beside the tasks: every replica sees it, and a restart does not lose it.

// notes keep small facts under keys. See queue.Queue.
type notes interface {
	Note(ctx context.Context, key string, note []byte) error
	Noted(ctx context.Context, key string) (note []byte, ok bool, err error)
	// NotesSince is since when nothing that was noted is forgotten.
	NotesSince() time.Time
}

func noteOfReceipt(ref issues.Ref, commentID int64) string {
	return fmt.Sprintf("receipt.%d.%d.%d", ref.ID, ref.Number, commentID)
}

// note keeps something about the issue.
func (v *visit) note(ctx context.Context, key string, what any) error {
	if v.Notes == nil {
		return nil
	}
	note, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("write down %s: %w", key, err)
	}
	return v.Notes.Note(ctx, key, note)
}

// noted reads what was noted last under a key; ok is false if that is nothing.
func (v *visit) noted(ctx context.Context, key string, into any) (ok bool, err error) {
	if v.Notes == nil {
		return false, nil
	}
	note, ok, err := v.Notes.Noted(ctx, key)
	if err != nil || !ok {
		return false, err
	}
	if err := json.Unmarshal(note, into); err != nil {
		return false, fmt.Errorf("read what was noted as %s: %w", key, err)
	}
	return true, nil
}

// unreceipted finds out about a comment with commands that has no receipt, although its conversation was locked since it was written: then
// GitHub did not take one. It may have been noted; if the comment is older than the notes, nobody knows whether the commands were run.
func (v *visit) unreceipted(ctx context.Context, o *order) (known bool, err error) {
	if v.Notes == nil || !v.view.LockedSince(o.comment.Created) {
		return true, nil
	}
	var receipt issues.Receipt
	ok, err := v.noted(ctx, noteOfReceipt(v.view.Ref, o.comment.ID), &receipt)
	if err != nil {
		return false, err
	}
	if ok {
		o.receipt = receipt
		v.Store.Remember(v.view.Ref, o.comment.ID, receipt)
		return true, nil
	}
	// GitHub's times are whole seconds.
	return !o.comment.Created.Before(v.Notes.NotesSince().Truncate(time.Second)), nil
}
