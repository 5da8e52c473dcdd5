package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// noteSince is where the stream of notes holds the time from which there are any.
const noteSince = "colony-since"

// provisionNotes creates the stream of notes, or goes on with the one that is there.
func (q *Queue) provisionNotes(ctx context.Context) error {
	q.notesSince = q.opts.Clock.Now().UTC()
	have, err := q.js.Stream(ctx, q.names.noteStream())
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
	case err != nil:
		return fmt.Errorf("look for stream %s: %w", q.names.noteStream(), err)
	default:
		if since, err := time.Parse(time.RFC3339Nano, have.CachedInfo().Config.Metadata[noteSince]); err == nil {
			q.notesSince = since
		}
	}
	q.notes, err = q.stream(ctx, jetstream.StreamConfig{
		Name:              q.names.noteStream(),
		Subjects:          []string{q.names.note(">")},
		Retention:         jetstream.LimitsPolicy,
		MaxAge:            DedupeWindow,
		MaxMsgsPerSubject: 1,
		MaxBytes:          q.opts.MaxBytes / 8,
		Discard:           jetstream.DiscardNew, // what NotesSince promises must never go unseen
		Metadata:          map[string]string{noteSince: q.notesSince.Format(time.RFC3339Nano)},
	})
	return err
}

// Note keeps something small for DedupeWindow, for every Queue on the same server and over restarts. A key is words of letters, digits,
// hyphens and underscores with dots between them; a later note of a key replaces an earlier one. It returns once the note is safe.
func (q *Queue) Note(ctx context.Context, key string, note []byte) error {
	m := nats.NewMsg(q.names.note(key))
	m.Data = note
	if _, err := q.store(ctx, m); err != nil {
		return fmt.Errorf("keep note %s: %w", key, err)
	}
	return nil
}

// Noted returns the last note of a key; ok is false if the key has no note.
func (q *Queue) Noted(ctx context.Context, key string) (note []byte, ok bool, err error) {
	m, err := lastOf(ctx, q.notes, q.names.note(key))
	return m.Data, m.Sequence > 0, err
}

// NotesSince is the time from which nothing that was noted is forgotten.
func (q *Queue) NotesSince() time.Time {
	if kept := q.opts.Clock.Now().Add(-DedupeWindow); kept.After(q.notesSince) {
		return kept
	}
	return q.notesSince
}
