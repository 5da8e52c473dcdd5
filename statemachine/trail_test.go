package statemachine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A withdrawn move is told where it was made, and what is only planned comes last.
func TestMadeListsMovesInTheirOrder(t *testing.T) {
	s := Standing{State: "d", Trail: []Move{{From: "a", To: "b", Moment: Moment{ID: 2}}, {From: "b", To: "c", Moment: Moment{ID: 7}}, {From: "c", To: "d", Moment: Moment{ID: -1}}}}
	s.Withdrawn = []Withdrawal{{Move: Move{From: "b", To: "x", Moment: Moment{ID: 5}}}, {Move: Move{From: "c", To: "y", Moment: Moment{ID: 9}}}}
	var got []int64
	for _, m := range s.Made() {
		got = append(got, m.ID)
	}
	if diff := cmp.Diff([]int64{2, 5, 7, 9, -1}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
