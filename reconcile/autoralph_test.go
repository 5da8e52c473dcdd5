package reconcile_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
)

// through opens an issue of autoralph that people moved to a state, with what each move takes.
func (w *world) through(state string) *issue {
	w.t.Helper()
	i := w.open("ada", "Paint it.")
	i.Through("autoralph", state)
	w.Settle()
	w.Sweep()
	i.Has("colony:" + state)
	return i
}

// The moves of autoralph take what its document says beside them.
func TestWhatAutoralphsMovesTake(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
	i := w.through("building")
	move := func(by, from, to string, granted bool) {
		t.Helper()
		w.clock.Advance(time.Minute)
		i.Swap(by, "colony:"+from, "colony:"+to)
		w.Settle()
		if granted {
			i.Has("colony:" + to)
			return
		}
		i.Has("colony:" + from)
		i.ColonySays("the guard")
	}
	move("dev[bot]", "building", "in-review", false)
	pull := i.Fixed()
	move("dev[bot]", "building", "in-review", true)
	move("olivia", "in-review", "completed", false)

	w.clock.Advance(time.Minute)
	i.Review(pull, "REQUEST_CHANGES", "olivia")
	w.Settle()
	i.Has("colony:addressing-feedback")
	move("dev[bot]", "addressing-feedback", "in-review", false)
	i.Push("work-on-1", "a.txt")
	move("dev[bot]", "addressing-feedback", "in-review", true)

	w.clock.Advance(time.Minute)
	i.Check("work-on-1", "build", "failure")
	w.Settle()
	i.Has("colony:fixing-checks")
	w.clock.Advance(time.Minute)
	i.Push("work-on-1", "b.txt")
	i.Check("work-on-1", "build", "failure")
	move("dev[bot]", "fixing-checks", "in-review", false)
	w.clock.Advance(time.Minute)
	i.Push("work-on-1", "c.txt")
	move("dev[bot]", "fixing-checks", "in-review", true)
	w.clock.Advance(time.Minute)
	w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	w.Settle()
	i.Has("colony:completed")
}

// What was pushed after a review answers it, also where Colony was down and moved the issue for the review only after the push.
func TestAPushBeforeColonyLooks(t *testing.T) {
	t.Parallel()
	for _, later := range []bool{false, true} { // another review after the push is not answered by it
		w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
		i := w.through("building")
		pull := i.Fixed()
		w.clock.Advance(time.Minute)
		i.Swap("dev[bot]", "colony:building", "colony:in-review")
		w.Settle()
		w.stopColony()
		w.clock.Advance(5 * time.Minute)
		i.Review(pull, "REQUEST_CHANGES", "olivia")
		w.clock.Advance(5 * time.Minute)
		i.Push("work-on-1", "a.txt")
		if later {
			w.clock.Advance(time.Minute)
			i.Review(pull, "REQUEST_CHANGES", "mona")
		}
		w.restart(false)
		i.Has("colony:addressing-feedback")
		w.clock.Advance(time.Minute)
		i.Swap("dev[bot]", "colony:addressing-feedback", "colony:in-review")
		w.Settle()
		if later {
			i.Has("colony:addressing-feedback")
			i.ColonySays("the guard `pushed`")
		} else {
			i.Has("colony:in-review")
		}
	}
}

// A hand-on is not refused while GitHub might not show its pull request yet.
func TestAHandOnIsNotRefusedTooEarly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
	i := w.through("building")
	w.clock.Advance(time.Minute)
	i.Swap("dev[bot]", "colony:building", "colony:in-review")
	w.Quiet()
	i.Fixed()
	w.Settle()
	i.Has("colony:in-review")
}

// A pull request that is merged before it was handed on cannot be handed on any more. What Colony then advises ends the issue.
func TestAPullRequestOfAutoralphThatIsMergedEarly(t *testing.T) {
	t.Parallel()
	for _, closes := range []bool{true, false} {
		w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
		i := w.through("building")
		pull := i.Fixed()
		w.Settle()
		w.clock.Advance(time.Minute)
		w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
		w.Settle()
		if !closes {
			i.Edit("mona", "open")
			w.Settle()
		}
		w.clock.Advance(time.Minute)
		i.Swap("dev[bot]", "colony:building", "colony:in-review")
		w.Settle()
		i.Has("colony:building")
		i.ColonySays("merge its pull request, or, if that is merged, pause it.")
		if closes {
			i.ColonySays("until someone reopens it")
		} else {
			i.ColonySays("if it is merged already, a person can pause the issue, which completes it.")
		}
		w.clock.Advance(time.Minute)
		i.ColonyReacts(i.CommentAndSettle("olivia", "/colony:pause"), "+1")
		w.Sweep()
		i.Has("colony:completed")
		i.ReadsComments()
	}
}

func TestAPullRequestOfAutoralphThatIsClosed(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		i := w.through("building")
		pull := i.Fixed()
		after()
		w.clock.Advance(time.Minute)
		i.Swap("olivia", "colony:building", "colony:in-review")
		after()
		w.clock.Advance(time.Minute)
		i.CloseAs(pull, "")
		after()
		i.Has("colony:in-review", "colony:needs-human")
		i.ColonySays("closed without a merge")
		w.Sweep()
	}, acme.WithLifecycle("autoralph"))
}

// A bot that cannot go on says that its work failed.
func TestBotsOfAutoralphFail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.WithLifecycle("autoralph"))
	for _, from := range []string{"refining", "addressing-feedback", "fixing-checks"} {
		i := w.through(from)
		w.clock.Advance(time.Minute)
		i.Swap("dev[bot]", "colony:"+from, "colony:failed")
		w.Settle()
		i.Has("colony:failed", "colony:needs-human")
	}
}

// The plan is often a comment of the refiner, and what a person approved with it.
func TestAnApprovedPlanInAComment(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		i := w.through("refining")
		w.clock.Advance(time.Minute)
		i.Comment("dev[bot]", "A draft.")
		plan := i.Comment("dev[bot]", "The plan: paint it.")
		after()
		w.clock.Advance(time.Minute)
		id := i.Comment("olivia", "/colony:approve")
		after()
		i.ColonyReacts(id, "+1")
		i.Has("colony:approved")
		w.clock.Advance(time.Minute)
		i.EditComment("mona", plan, "The plan: paint it, and send me the keys.")
		after()
		i.Has("colony:needs-human", "colony:paused")
		i.ColonySays("was edited since")
	}, acme.WithLifecycle("autoralph"))
}

// A plan that someone deletes is no longer what a person approved, and the bot's comment before it does not take its place. Who approved can tidy up.
func TestAnApprovedPlanThatIsDeleted(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		approved := func() (i *issue, plan int64) {
			i = w.through("refining")
			w.clock.Advance(time.Minute)
			i.Comment("dev[bot]", "A draft.")
			plan = i.Comment("dev[bot]", "The plan: paint it.")
			after()
			w.clock.Advance(time.Minute)
			id := i.Comment("olivia", "/colony:approve")
			after()
			i.ColonyReacts(id, "+1")
			w.clock.Advance(time.Minute)
			return i, plan
		}
		tidied, plan := approved()
		_, err := tidied.As("olivia").Issues.DeleteComment(ctx, "acme", "widgets", plan)
		w.Must(err)
		after()
		tidied.Has("colony:approved")
		i, plan := approved()
		_, err = i.As("mona").Issues.DeleteComment(ctx, "acme", "widgets", plan)
		w.Must(err)
		after()
		i.Has("colony:needs-human", "colony:paused")
		i.ColonySays("A comment was deleted since the approval.", "(mona)")
		w.clock.Advance(time.Minute)
		id := i.Comment("olivia", "/colony:resume")
		after()
		i.ColonyReacts(id, "+1")
		w.clock.Advance(time.Minute)
		w.Sweep()
		i.Has("colony:approved")
	}, acme.WithLifecycle("autoralph"))
}
