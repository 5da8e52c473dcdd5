package statemachine

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
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

// A standing that is Unordered says so of a move that Made lists, so that it can be found out, also where a transfer took the move out of
// the trail. Once every order is known, no standing is Unordered.
func TestWhoOrderedAMoveCanBeFoundOut(t *testing.T) {
	t.Parallel()
	lives := anyLives(t)
	long.Check(t, func(t *rapid.T) {
		life, h := drawHistory(t, lives)
		if len(h.Changes) > 0 && rapid.IntRange(0, 1).Draw(t, "transferred") == 0 {
			last := rapid.SampledFrom(h.Changes).Draw(t, "last before the transfer")
			for i := range h.Changes { // there is room in the log for the transfer
				h.Changes[i].ID *= 2
			}
			h.Arrived = Arrival{Moment{At: last.At, ID: 2*last.ID + 1}, cast["omar"]}
		}
		known := map[int64]bool{}
		h.Ordered = func(id int64) (lifecycle.Actor, bool) { return cast["bot"], known[id] }
		for range h.Changes {
			s := life.Fold(h)
			if s.Unordered.IsZero() {
				return
			}
			unknown := slices.DeleteFunc(s.Made(), func(m Made) bool {
				return m.By.Kind != lifecycle.Colony || m.At.Before(s.Unordered) || known[m.ID]
			})
			if !slices.ContainsFunc(unknown, func(m Made) bool { return m.At.Equal(s.Unordered) }) {
				t.Fatalf("%s: orders are unknown since %s, and none of these moves was made then: %+v", life.Name, s.Unordered.Sub(morning).Round(time.Second), unknown)
			}
			for _, m := range unknown {
				known[m.ID] = true
			}
		}
		if s := life.Fold(h); !s.Unordered.IsZero() {
			t.Fatalf("%s: with all orders known, they are unknown since %s", life.Name, s.Unordered.Sub(morning))
		}
	})
}
