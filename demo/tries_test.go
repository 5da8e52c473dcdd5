package demo

import (
	"testing"
	"time"
)

// Each promise of Tries comes true, one after the other in the same world.
func TestWhatIsToBeTriedGoesAsPromised(t *testing.T) {
	transcript, err := played(t, []scene{
		{issue: price, acts: []act{puts("tara", "in-review")}, sees: Sight{Labels: on("in-review")}},
		{issue: epic, acts: []act{puts("tara", "new")}, sees: Sight{Labels: on("needs-human", "waiting-for-subtasks"), Says: []string{"@tara"}}},
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

func TestWhatIsToBeTriedWithFourEyesGoesAsPromised(t *testing.T) {
	transcript, err := playedBy(t, fourEyesProduction, []scene{
		{issue: eyesOwn, acts: []act{writes("tara", "/colony:approve")}, sees: Sight{Labels: on("proposed"), Reaction: refused, Says: []string{"`leads`"}}},
		{issue: eyesOwn, acts: []act{writes("lena", "/colony:approve")}, sees: Sight{Labels: on("proposed"), Reaction: refused, Says: []string{"`not-the-author`"}}},
		{issue: eyesOwn, acts: []act{writes("olivia", "/colony:approve")}, sees: Sight{Labels: on("approved"), Reaction: accepted}},
		{issue: eyesOwn, acts: []act{waits(time.Minute), edits("lena", "With two codes.")}, sees: Sight{Labels: on("needs-human", "proposed"), Says: []string{"+With two codes."}}},
		{
			issue: eyesOwn, acts: []act{waits(time.Minute), writes("olivia", "/colony:approve"), puts("dev-bot", "in-development")},
			sees: Sight{Labels: on("approved"), Reaction: accepted, Says: []string{"`two-at-once`"}},
		},
		{issue: eyesTaken, acts: []act{puts("tara", "in-review"), puts("tara", "merging")}, sees: Sight{Labels: on("in-review"), Says: []string{"`four-eyes`"}}},
		{issue: eyesTaken, acts: []act{puts("lena", "merging")}, sees: Sight{Labels: on("merging")}},
	})
	if err != nil {
		t.Errorf("%v\n%s", err, transcript)
	}
}
