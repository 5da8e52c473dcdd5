package access_test

import (
	"context"
	"testing"
	"time"

	"github.com/colony-app/colony/app/access"
)

func TestMistakesRefillOneAtATime(t *testing.T) {
	t.Parallel()
	m, now := access.NewAttempts(3, time.Minute), time.Unix(1_000_000, 0)
	fails := func(want time.Duration) {
		t.Helper()
		if _, wait := m.BeginOf("x", now); wait != want {
			t.Errorf("a wrong attempt waits %v, want %v", wait, want)
		}
	}
	for range 3 {
		fails(0)
	}
	fails(time.Minute)
	now = now.Add(59*time.Second + 500*time.Millisecond)
	fails(500 * time.Millisecond)
	fails(500 * time.Millisecond) // an attempt that was refused costs nothing
	now = now.Add(500 * time.Millisecond)
	fails(0)
	fails(time.Minute)
	now = now.Add(time.Hour)
	for range 3 {
		fails(0)
	}
	fails(time.Minute)
	if _, wait := m.BeginOf("y", now); wait != 0 {
		t.Errorf("another caller waits %v", wait)
	}
	if _, wait := m.Begin(context.Background(), now); wait != 0 {
		t.Errorf("a caller without an address waits %v", wait)
	}
}

// A slow GitHub makes no mistake of a right attempt.
func TestRightAttemptsDoNotCountHoweverLongTheyTake(t *testing.T) {
	t.Parallel()
	m, now := access.NewAttempts(2, time.Second), time.Unix(1_000_000, 0)
	begins := func() (right func()) {
		t.Helper()
		right, wait := m.BeginOf("x", now)
		if wait > 0 {
			t.Fatalf("it waits %v, though all attempts were right", wait)
		}
		return right
	}
	first, second := begins(), begins()
	now = now.Add(time.Second)
	third := begins()
	first()
	second()
	third()
	begins()
	begins()
}

func TestAttemptsAtTheSameTimeAreBounded(t *testing.T) {
	t.Parallel()
	m, now := access.NewAttempts(5, time.Hour), time.Unix(1_000_000, 0)
	var begun []func()
	for {
		right, wait := m.BeginOf("x", now)
		if wait > 0 {
			break
		}
		begun = append(begun, right)
	}
	if len(begun) != 5 {
		t.Errorf("%d attempts run at the same time", len(begun))
	}
	for _, right := range begun {
		right()
	}
	for range 5 { // right attempts do not add to the budget
		if _, wait := m.BeginOf("x", now); wait > 0 {
			t.Errorf("it waits %v after right attempts", wait)
		}
	}
	if _, wait := m.BeginOf("x", now); wait != time.Hour {
		t.Errorf("the sixth waits %v", wait)
	}
}
