package statemachine

import (
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// A limit leads a row's move elsewhere, which answers the row's fact; a person's block is a detour and answers nothing.
func TestALimitAnswersTheFactOfItsRow(t *testing.T) {
	life := shipped(t, "colony")
	row := lifecycle.Trigger{On: "review-changes-requested", In: []string{"in-review"}, To: "changes-requested"}
	if row.CountsSince() != lifecycle.SinceDecision || !life.MakesItself("in-review", "failure-blocked") {
		t.Fatal("the lifecycle has no such row and limit")
	}
	at := func(minutes int) time.Time { return time.Date(2026, 3, 1, 12, minutes, 0, 0, time.UTC) }
	olga := lifecycle.Actor{Login: "olga", Kind: lifecycle.Operator}
	for name, c := range map[string]struct {
		orderer lifecycle.Actor // of Colony's move
		counts  bool
	}{
		"Colony's own, by the limit":   {lifecycle.Actor{}, false},
		"a person's block, by command": {olga, true},
	} {
		s := Standing{State: "in-development"}.
			Move(Move{From: "in-development", To: "in-review", Kind: Moved, By: olga, Moment: Moment{At: at(0), ID: 1}}).
			Move(Move{From: "in-review", To: "failure-blocked", Kind: Moved, By: lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}, Ordered: c.orderer, Moment: Moment{At: at(2), ID: 2}}).
			Move(Move{From: "failure-blocked", To: "in-review", Kind: Moved, By: olga, Moment: Moment{At: at(3), ID: 3}})
		if counts := (rowAt{row, life, s}).counts(Observation{Fact: row.On, At: at(1)}); counts != c.counts {
			t.Errorf("%s: counts is %t", name, counts)
		}
	}
}

// Colony's own move is as old as what it was made for, and no older than what was decided before.
func TestAnOwnMoveIsAsOldAsItsCause(t *testing.T) {
	t.Parallel()
	hour := func(h int) time.Time { return time.Date(2026, 3, 2, h, 0, 0, 0, time.UTC) }
	s := Standing{State: "merge-pending", Trail: []Move{
		{Moment: Moment{At: hour(10), ID: 1}, Kind: Moved, From: "in-review", To: "human-review-ready", By: lifecycle.Actor{Login: "olga", Kind: lifecycle.Operator}},
		{Moment: Moment{At: hour(12), ID: 2}, Kind: Moved, From: "human-review-ready", To: "merge-pending", By: lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}},
	}}
	for approved, want := range map[int]int{9: 10, 11: 11, 13: 12} {
		facts := Facts{Observed: []Observation{{Fact: "person-approved", At: hour(approved), About: "olga"}}}
		if trail := asCaused(shipped(t, "colony"), s, facts).Trail; !trail[0].At.Equal(hour(10)) || !trail[1].At.Equal(hour(want)) {
			t.Errorf("approved at %d: %v", approved, trail)
		}
	}
}
