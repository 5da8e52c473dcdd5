package statemachine

import (
	"testing"
	"time"
)

// A limit leads a row's move elsewhere, which answers the row's fact; a person's block is a detour and answers nothing. While it is unknown
// whose move it was, the fact probably no longer counts.
func TestALimitAnswersTheFactOfItsRow(t *testing.T) {
	life := shipped(t, "colony")
	row := Trigger{On: "review-changes-requested", In: []string{"in-review"}, To: "changes-requested"}
	if row.CountsSince() != SinceDecision || !life.MakesItself("in-review", "failure-blocked") {
		t.Fatal("the lifecycle has no such row and limit")
	}
	at := func(minutes int) time.Time { return time.Date(2026, 3, 1, 12, minutes, 0, 0, time.UTC) }
	olga := Actor{Login: "olga", Kind: Operator}
	for name, c := range map[string]struct {
		orderer Actor // of Colony's move
		traced  bool
		counts  bool
		doubt   time.Time
	}{
		"nobody knows whose it was":    {Actor{}, false, false, at(2)},
		"Colony's own, by the limit":   {Actor{}, true, false, time.Time{}},
		"a person's block, by command": {olga, true, true, time.Time{}},
	} {
		s := Standing{State: "in-development"}.
			Move(Move{From: "in-development", To: "in-review", Kind: Moved, By: olga, At: at(0), EventID: 1}).
			Move(Move{From: "in-review", To: "failure-blocked", Kind: Moved, By: Actor{Login: "colony[bot]", Kind: Colony}, Ordered: c.orderer, Traced: c.traced, At: at(2), EventID: 2}).
			Move(Move{From: "failure-blocked", To: "in-review", Kind: Moved, By: olga, At: at(3), EventID: 3})
		counts, doubt := life.counts(s, row, Observation{Fact: row.On, At: at(1)})
		if counts != c.counts || !doubt.Equal(c.doubt) {
			t.Errorf("%s: counts is %t, doubt %s", name, counts, doubt)
		}
	}
}
