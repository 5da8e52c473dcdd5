package demo

import "testing"

// Each promise of Tries comes true, one after the other in the same world.
func TestWhatIsToBeTriedGoesAsPromised(t *testing.T) {
	transcript, err := played(t, []scene{
		{issue: price, acts: []act{puts("tara", "in-review")}, sees: Sight{Labels: on("in-review")}},
		{issue: epic, acts: []act{puts("tara", "new")}, sees: Sight{Labels: on("needs-human", "waiting-for-subtasks"), Says: []string{"`tara`"}}},
		{issue: crash, acts: []act{puts("analyzer-bot", "done")}, sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{"/colony:retry"}}},
		{issue: crash, acts: []act{writes("tara", "/colony:retry")}, sees: Sight{Labels: on("analyzing"), Reaction: accepted}},
		{issue: corners, acts: []act{writes("olivia", "/colony:pause")}, sees: Sight{Labels: on("paused"), Reaction: accepted}},
		{issue: corners, acts: []act{writes("olivia", "/colony:resume")}, sees: Sight{Labels: on("in-review"), Reaction: accepted}},
		{issue: unread, acts: []act{writes("rita", "/colony:status")}, sees: Sight{Reaction: accepted, Says: []string{"`unlabeled`"}}},
		{issue: corners, acts: []act{writes("rita", "/colony:why done")}, sees: Sight{Labels: on("in-review"), Reaction: accepted, Says: []string{"`in-review` to `done`"}}},
		{issue: unread, acts: []act{writes("rita", "/colony:help")}, sees: Sight{Reaction: accepted, Says: []string{"`/colony:pause [reason]`"}}},
	})
	if err != nil {
		t.Errorf("%v\n%s", err, transcript)
	}
}
