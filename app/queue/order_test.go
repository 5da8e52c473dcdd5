package queue

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
)

// Tasks of one issue run in the order in which they were published, one at a time, each ID once, however many others there are.
func TestOrderOfEachIssue(t *testing.T) {
	t.Parallel()
	const issues, each = 20, 15
	q := open(t, Options{Concurrency: 5})
	order := make([][]string, issues)
	busy := make([]bool, issues) // of one issue at a time, so that the race detector sees an overlap as well
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if busy[task.Issue] {
			t.Errorf("two tasks of issue %d run at the same time", task.Issue)
		}
		busy[task.Issue] = true
		order[task.Issue] = append(order[task.Issue], task.ID)
		busy[task.Issue] = false
		return nil, nil
	})
	want := make([][]string, issues)
	for n := range each {
		for issue := range issues {
			task := Task{ID: fmt.Sprintf("%d-%d", issue, n), Issue: issue}
			want[issue] = append(want[issue], task.ID)
			publish(t, q, task)
			if dup, err := q.Publish(t.Context(), task); err != nil || !dup {
				t.Errorf("%s is published twice: %v", task.ID, err)
			}
		}
	}
	idle(t, q)
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-published +ran):\n%s", diff)
	}
}

// What is noted is kept, the last of each key.
func TestNotes(t *testing.T) {
	clock := clockwork.NewFakeClock()
	begun := clock.Now()
	q := open(t, Options{Clock: clock})
	noted(t, q, "a.1", "")
	for _, note := range []string{"first", "second"} {
		if err := q.Note(t.Context(), "a.1", []byte(note)); err != nil {
			t.Fatal(err)
		}
	}
	noted(t, q, "a.1", "second")
	noted(t, q, "a", "")
	if !q.NotesSince().Equal(begun) {
		t.Errorf("notes since %v, want %v", q.NotesSince(), begun)
	}
	clock.Advance(DedupeWindow + time.Hour)
	if want := begun.Add(time.Hour); !q.NotesSince().Equal(want) {
		t.Errorf("notes since %v, want %v", q.NotesSince(), want)
	}
}

// A replica does not hear what it said itself.
func TestNobodyHearsItself(t *testing.T) {
	q := open(t, Options{})
	if err := q.Subscribe(func(word []byte) { t.Errorf("it heard %q", word) }); err != nil {
		t.Fatal(err)
	}
	if err := q.Broadcast([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	closed(t, q)
	if err := q.Broadcast(nil); err == nil {
		t.Error("a closed queue still broadcasts")
	}
}
