package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

// Each answer begins a new round: an event that comes once feeds no loop.
func TestRepliesBeginRoundsAsOftenAsTheyCome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	i := w.open("ada", "Paint it.")
	i.Label("olivia", "colony:queued")
	i.Label("dev[bot]", "colony:refining")
	w.Settle()
	for n := range 9 {
		w.clock.Advance(time.Minute)
		i.Comment("ada", fmt.Sprintf("Answer %d", n))
		w.Settle()
		if moves := i.StateChanges(); moves != n+1 {
			t.Fatalf("after %d answers there were %d rounds", n+1, moves)
		}
	}
	i.Has("colony:refining")
}

// Colony answers the seventh clarification within half an hour like the first.
func TestEachClarificationIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	i.Label("olivia", "colony:new")
	i.Label("analyzer[bot]", "colony:analyzing")
	w.Settle()
	for n := range 8 {
		i.Label("analyzer[bot]", "colony:needs-clarification")
		w.Settle()
		i.Has("colony:needs-clarification")
		w.clock.Advance(time.Minute)
		i.Comment("ada", fmt.Sprintf("Answer %d", n))
		w.Settle()
		i.Has("colony:analyzing")
	}
}

// Where the breaker stopped Colony, a legal move still ends with one label of a state.
func TestAMoveWhereColonyHasStoppedLeavesOneLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Breaker.Rejections = 1 })
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	for range 2 {
		i.Unlabel("reviewer[bot]", "colony:in-review")
		w.Settle()
		i.ColonySays("")
		if n := i.ColonyComments(); len(n) == 1 {
			i.Has("colony:in-review")
		}
	}
	i.Has("colony:needs-human")
	i.Label("reviewer[bot]", "colony:in-review")
	i.Label("reviewer[bot]", "colony:changes-requested")
	w.Settle()
	i.Has("colony:changes-requested", "colony:needs-human")
}

// Colony does not lose what happens while an issue is paused or its checks are fixed.
func TestReviewsAndMergesCountAcrossADetour(t *testing.T) {
	t.Parallel()
	reviewing := func(t *testing.T, change ...func(*config.Config)) (*world, *issue, int) {
		t.Helper()
		w := newWorld(t, append([]func(*config.Config){acme.Follows, func(c *config.Config) { c.Lifecycle = "autoralph" }}, change...)...)
		i := w.open("ada", "Paint it.")
		i.Through("autoralph", "in-review")
		pull := i.Fixed()
		w.Settle()
		i.Has("colony:in-review")
		w.clock.Advance(time.Minute)
		return w, i, pull
	}
	t.Run("a review while checks are fixed", func(t *testing.T) {
		t.Parallel()
		w, i, pull := reviewing(t)
		i.Check("work-on-1", "build", "failure")
		w.Settle()
		i.Has("colony:fixing-checks")
		w.clock.Advance(time.Minute)
		i.Review(pull, "REQUEST_CHANGES", "olivia")
		w.Settle()
		i.Has("colony:fixing-checks")
		w.clock.Advance(time.Minute)
		i.Push("work-on-1", "mended.txt")
		i.Label("dev[bot]", "colony:in-review")
		w.Settle()
		i.Has("colony:addressing-feedback")
		w.clock.Advance(time.Minute)
		i.Push("work-on-1", "answered.txt")
		i.Label("dev[bot]", "colony:in-review")
		w.Settle()
		w.Sweep()
		i.Has("colony:in-review") // it was answered
	})
	t.Run("a review while the issue is paused", func(t *testing.T) {
		t.Parallel()
		w, i, pull := reviewing(t)
		pause := i.Comment("olivia", "/colony:pause")
		w.Settle()
		i.ColonyReacts(pause, "+1")
		w.clock.Advance(time.Minute)
		i.Review(pull, "REQUEST_CHANGES", "olivia")
		w.clock.Advance(time.Minute)
		resume := i.Comment("olivia", "/colony:resume")
		w.Settle()
		i.ColonyReacts(resume, "+1")
		i.Has("colony:addressing-feedback")
	})
	t.Run("a merge where the work has failed", func(t *testing.T) {
		t.Parallel()
		w, i, pull := reviewing(t)
		i.Comment("mona", "/colony:force failed it is stuck")
		w.Settle()
		i.Reads()
		i.Has("colony:failed")
		w.clock.Advance(time.Minute)
		i.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
		w.Settle()
		i.Has("colony:completed")
	})
	t.Run("a merge that leaves the issue open while it is blocked, and a retry", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, acme.Follows)
		i := w.open("ada", "Paint it.")
		i.Through("colony", "in-review")
		pull := i.Pull("1-paint", "", false)
		w.Settle()
		block := i.Comment("olivia", "/colony:block")
		w.Settle()
		i.ColonyReacts(block, "+1")
		w.clock.Advance(time.Minute)
		i.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
		w.Settle()
		i.Has("colony:failure-blocked")
		w.clock.Advance(time.Minute)
		retry := i.Comment("olivia", "/colony:retry")
		w.Settle()
		i.ColonyReacts(retry, "+1")
		i.Has("colony:done")
	})
}

// No limit applies to a person's command, also where a trigger makes the same move, and also if Colony is killed on the way or starts anew.
func TestLimitsDivertNoPersonsCommand(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		t.Run(fmt.Sprintf("restart=%t", restart), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows)
			i := w.open("ada", "Paint it.")
			i.Label("olivia", "colony:in-review")
			i.Fixed()
			w.Settle()
			cycle := func(times int) {
				for range times {
					i.Label("reviewer[bot]", "colony:changes-requested")
					w.Settle()
					i.Label("dev[bot]", "colony:in-development")
					w.Settle()
					i.Label("dev[bot]", "colony:in-review")
					w.Settle()
					w.clock.Advance(time.Minute)
				}
			}
			cycle(5)
			i.Has("colony:in-review")
			again := i.Comment("olivia", "/colony:move changes-requested")
			w.Settle()
			i.ColonyReacts(again, "+1")
			if restart {
				w.stopColony()
				w.start()
			}
			w.clock.Advance(time.Minute)
			w.Sweep()
			i.Has("colony:changes-requested")
			i.Label("dev[bot]", "colony:in-development")
			w.Settle()
			i.Label("dev[bot]", "colony:in-review")
			w.Settle()
			cycle(1)
			if restart { // the command is older than what is judged by now: only its comment shows it
				w.clock.Advance(70 * time.Hour)
				cycle(1)
				w.clock.Advance(70 * time.Hour)
				cycle(1)
				w.stopColony()
				w.start()
				cycle(1)
			} else {
				cycle(3)
			}
			i.Has("colony:in-review")
			status := i.Comment("ada", "/colony:status")
			w.Settle()
			i.ColonyReacts(status, "+1")
			i.ColonySays("review cycles: 4 of at most 5")
			i.Label("reviewer[bot]", "colony:changes-requested")
			w.Settle()
			i.Has("colony:changes-requested")
			i.Label("dev[bot]", "colony:in-development")
			w.Settle()
			i.Label("dev[bot]", "colony:in-review")
			w.Settle()
			i.Label("reviewer[bot]", "colony:changes-requested")
			w.Settle()
			i.Has("colony:failure-blocked", "colony:needs-human")
			i.ColonySays("as often as it may")
		})
	}
}

// A bot's command is a bot's request: it begins no count anew.
func TestABotsCommandIsLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	for range 5 {
		for _, step := range []struct{ by, to string }{{"reviewer[bot]", "changes-requested"}, {"dev[bot]", "in-development"}, {"dev[bot]", "in-review"}} {
			id := i.Comment(step.by, "/colony:move "+step.to)
			w.Settle()
			i.ColonyReacts(id, "+1")
			w.clock.Advance(20 * time.Minute) // a bot that writes many commands is not answered
		}
	}
	i.Label("reviewer[bot]", "colony:changes-requested")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("as often as it may")
}
