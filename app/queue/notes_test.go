package queue

import (
	"context"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// noted asserts what is noted under a key; empty: nothing.
func noted(t *testing.T, q *Queue, key, want string) {
	t.Helper()
	note, ok, err := q.Noted(t.Context(), key)
	if err != nil || ok != (want != "") || string(note) != want {
		t.Errorf("%s is noted as %q (%t, %v), want %q", key, note, ok, err, want)
	}
}

func TestNotesOutliveAProcess(t *testing.T) {
	t.Parallel()
	clock := clockwork.NewFakeClock()
	begun := clock.Now()
	dir := t.TempDir()
	q := open(t, Options{Dir: dir, Clock: clock})
	noted(t, q, "a.1", "")
	for _, note := range []string{"first", "second"} {
		if err := q.Note(t.Context(), "a.1", []byte(note)); err != nil {
			t.Fatal(err)
		}
	}
	noted(t, q, "a.1", "second")
	noted(t, q, "a", "")
	if err := q.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	q = open(t, Options{Dir: dir, Clock: clock})
	noted(t, q, "a.1", "second")
	if !q.NotesSince().Equal(begun) {
		t.Errorf("notes since %v, want %v", q.NotesSince(), begun)
	}
	clock.Advance(DedupeWindow)
	if want := begun.Add(time.Hour); !q.NotesSince().Equal(want) {
		t.Errorf("notes since %v, want %v", q.NotesSince(), want)
	}
	other := open(t, Options{Dir: t.TempDir(), Clock: clock})
	noted(t, other, "a.1", "")
	if !other.NotesSince().Equal(clock.Now()) {
		t.Errorf("notes of a new folder since %v, want %v", other.NotesSince(), clock.Now())
	}
}

func TestReplicasShareNotes(t *testing.T) {
	t.Parallel()
	address := external(t)
	one, another := open(t, Options{URL: address}), open(t, Options{URL: address})
	if err := one.Note(t.Context(), "a.1", []byte("x")); err != nil {
		t.Fatal(err)
	}
	noted(t, another, "a.1", "x")
	if !one.NotesSince().Equal(another.NotesSince()) {
		t.Errorf("notes since %v and %v", one.NotesSince(), another.NotesSince())
	}
}

func TestNoteThatDoesNotFitIsAnError(t *testing.T) {
	t.Parallel()
	q := open(t, Options{MaxBytes: minBytes})
	if err := q.Note(t.Context(), "a", make([]byte, minBytes)); err == nil {
		t.Error("it was kept")
	}
	noted(t, q, "a", "")
}
