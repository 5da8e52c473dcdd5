package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jonboulle/clockwork"
)

func TestPermanentErrorsAreGivenUpAtOnceAndCanBeRevived(t *testing.T) {
	q := open(t, Options{Clock: clockwork.NewFakeClock(), Log: testLog(t)})
	done := make(chan Task, 4)
	refuse := true // the work of one issue never overlaps, and it is changed while nothing runs
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if refuse {
			return nil, fmt.Errorf("wrapped: %w", Permanent(errors.New("no, for good")))
		}
		done <- task
		return nil, nil
	})
	publish(t, q, Task{ID: "a", Repository: 3, Issue: 4, Body: []byte("body")}, Task{ID: "b", Repository: 3, Issue: 4})
	idle(t, q)
	dead, err := q.DeadLetters(t.Context())
	if err != nil || len(dead) != 2 {
		t.Fatalf("dead letters %+v, %v", dead, err)
	}
	if dead[0].ID != "a" || dead[0].Error != "wrapped: no, for good" || dead[0].Failures != 1 {
		t.Errorf("the first dead letter is %+v", dead[0])
	}
	refuse = false
	for range 2 { // revived twice, it runs once
		if err := q.RetryDeadLetter(t.Context(), dead[0].Letter); err != nil && !errors.Is(err, ErrNoLetter) {
			t.Error(err)
		}
	}
	idle(t, q)
	task := receive(t, done)
	if task.ID != "a" || string(task.Body) != "body" || task.Failures != 0 || len(done) > 0 {
		t.Errorf("revived %+v, and %d more", task, len(done))
	}
	if left, err := q.DeadLetters(t.Context()); err != nil || len(left) != 1 || left[0].ID != "b" {
		t.Errorf("left %+v, %v", left, err)
	}
	if err := q.RetryDeadLetter(t.Context(), 4711); !errors.Is(err, ErrNoLetter) {
		t.Errorf("revived what is not there: %v", err)
	}
}

func TestARetriedDeadLetterThatFailsIsADeadLetterAgain(t *testing.T) {
	q := open(t, Options{Clock: clockwork.NewFakeClock(), Log: testLog(t)})
	start(t, q, func(context.Context, Task) (*Requeue, error) { return nil, Permanent(errors.New("no")) })
	publish(t, q, Task{ID: "a"})
	for range 3 {
		idle(t, q)
		dead, err := q.DeadLetters(t.Context())
		if err != nil || len(dead) != 1 {
			t.Fatalf("dead letters %+v, %v", dead, err)
		}
		if err := q.RetryDeadLetter(t.Context(), dead[0].Letter); err != nil {
			t.Fatal(err)
		}
	}
}
