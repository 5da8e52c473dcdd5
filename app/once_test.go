package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
)

// Each answer begins a new round: an event that comes once feeds no loop.
func TestRepliesBeginRoundsAsOftenAsTheyCome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	i := w.open("ada", "Paint it.")
	i.label("olivia", "colony:queued")
	i.label("dev[bot]", "colony:refining")
	w.settle()
	for n := range 9 {
		w.clock.Advance(time.Minute)
		i.comment("ada", fmt.Sprintf("Answer %d", n))
		w.settle()
		if moves := i.stateChanges(); moves != n+1 {
			t.Fatalf("after %d answers there were %d rounds", n+1, moves)
		}
	}
	i.has("colony:refining")
}

// Whether somebody may begin a round is not known as long as GitHub does not say what the person may do: nothing moves, nothing is lost.
func TestReplyIsRetriedIfItsAuthorsPermissionCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusInternalServerError, http.StatusForbidden} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, follows, withAdmin, func(c *config.Config) { c.Lifecycle = "autoralph" })
			i := w.open("ada", "Paint it.")
			i.label("olivia", "colony:queued")
			i.label("dev[bot]", "colony:refining")
			w.settle()
			w.clock.Advance(time.Minute)
			before := i.stateChanges()
			w.github.ResetCalls()
			heal := w.github.Fault(playground.Fault{
				Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/permission$`), Status: status,
			})
			i.comment("tara", "Paint it blue.")
			w.settle()
			asked := func() bool {
				return slices.ContainsFunc(w.github.Calls(), func(c playground.Call) bool { return strings.HasSuffix(c.Path, "/tara/permission") })
			}
			if !asked() {
				t.Error("nobody asked what tara may do")
			}
			w.sweep() // finds it as well, and knows no more
			if rounds := i.stateChanges() - before; rounds != 0 {
				t.Errorf("%d rounds although nobody knows what tara may do", rounds)
			}
			i.has("colony:refining")
			i.nothingUnread()

			heal()
			if status == http.StatusForbidden { // GitHub's last word, so an operator or a sweep asks again
				if dead := w.deadLetters(); len(dead) == 0 {
					t.Error("what GitHub refuses to show is not in the list of what was given up")
				}
				w.sweep()
			}
			w.clock.Advance(time.Minute)
			w.settle()
			if rounds := i.stateChanges() - before; rounds != 1 {
				t.Errorf("%d rounds for one reply", rounds)
			}
			i.has("colony:refining")
		})
	}
}

// Colony answers the seventh clarification within half an hour like the first.
func TestEachClarificationIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "Paint it.")
	i.label("olivia", "colony:new")
	i.label("analyzer[bot]", "colony:analyzing")
	w.settle()
	for n := range 8 {
		i.label("analyzer[bot]", "colony:needs-clarification")
		w.settle()
		i.has("colony:needs-clarification")
		w.clock.Advance(time.Minute)
		i.comment("ada", fmt.Sprintf("Answer %d", n))
		w.settle()
		i.has("colony:analyzing")
	}
}

// Where the breaker stopped Colony, a legal move still ends with one label of a state.
func TestAMoveWhereColonyHasStoppedLeavesOneLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Breaker.Rejections = 1 })
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	for range 2 {
		i.unlabel("reviewer[bot]", "colony:in-review")
		w.settle()
		i.colonySays("")
		if n := i.colonyComments(); len(n) == 1 {
			i.has("colony:in-review")
		}
	}
	i.has("colony:needs-human")
	i.label("reviewer[bot]", "colony:in-review")
	i.label("reviewer[bot]", "colony:changes-requested")
	w.settle()
	i.has("colony:changes-requested", "colony:needs-human")
}

// A lifecycle can say itself when Colony stops.
func TestALifecycleHasABreakerOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`breaker: {refusals: 1, within: 2h}
`))
	i := w.openIn("colony:a", "")
	w.settle()
	for range 2 {
		i.unlabel("tara", "colony:a")
		w.settle()
		w.clock.Advance(time.Hour)
	}
	i.colonySays("put the label of")
	i.colonySays("more than 1", "120 minutes")
}

// Colony does not lose what happens while an issue is paused or its checks are fixed.
func TestReviewsAndMergesCountAcrossADetour(t *testing.T) {
	t.Parallel()
	reviewing := func(t *testing.T, change ...func(*config.Config)) (*world, *issue, int) {
		t.Helper()
		w := newWorld(t, append([]func(*config.Config){follows, func(c *config.Config) { c.Lifecycle = "autoralph" }}, change...)...)
		i := w.open("ada", "Paint it.")
		i.through("autoralph", "in-review")
		pull := i.fixed()
		w.settle()
		i.has("colony:in-review")
		w.clock.Advance(time.Minute)
		return w, i, pull
	}
	t.Run("a review while checks are fixed", func(t *testing.T) {
		t.Parallel()
		w, i, pull := reviewing(t)
		i.check("work-on-1", "build", "failure")
		w.settle()
		i.has("colony:fixing-checks")
		w.clock.Advance(time.Minute)
		i.review(pull, "REQUEST_CHANGES", "olivia")
		w.settle()
		i.has("colony:fixing-checks")
		w.clock.Advance(time.Minute)
		i.label("dev[bot]", "colony:in-review")
		w.settle()
		i.has("colony:addressing-feedback")
		w.clock.Advance(time.Minute)
		i.label("dev[bot]", "colony:in-review")
		w.settle()
		w.sweep()
		i.has("colony:in-review") // it was answered
	})
	t.Run("a review while the issue is paused", func(t *testing.T) {
		t.Parallel()
		w, i, pull := reviewing(t)
		pause := i.comment("olivia", "/colony:pause")
		w.settle()
		i.colonyReacts(pause, "+1")
		w.clock.Advance(time.Minute)
		i.review(pull, "REQUEST_CHANGES", "olivia")
		w.clock.Advance(time.Minute)
		resume := i.comment("olivia", "/colony:resume")
		w.settle()
		i.colonyReacts(resume, "+1")
		i.has("colony:addressing-feedback")
	})
	t.Run("a merge where the work has failed", func(t *testing.T) {
		t.Parallel()
		w, i, pull := reviewing(t)
		i.comment("mona", "/colony:force failed it is stuck")
		w.settle()
		i.reads()
		i.has("colony:failed")
		w.clock.Advance(time.Minute)
		i.must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
		w.settle()
		i.has("colony:completed")
	})
	t.Run("a merge while the issue is blocked, and a retry", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, follows)
		i := w.open("ada", "Paint it.")
		i.through("colony", "in-review")
		pull := i.fixed()
		w.settle()
		block := i.comment("olivia", "/colony:block")
		w.settle()
		i.colonyReacts(block, "+1")
		w.clock.Advance(time.Minute)
		i.must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
		w.settle()
		i.has("colony:failure-blocked")
		w.clock.Advance(time.Minute)
		retry := i.comment("olivia", "/colony:retry")
		w.settle()
		i.colonyReacts(retry, "+1")
		i.has("colony:done")
	})
}

// No limit applies to a person's command, also where a trigger makes the same move, and also if Colony is killed on the way or starts anew.
func TestLimitsDivertNoPersonsCommand(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		t.Run(fmt.Sprintf("restart=%t", restart), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t), follows)
			i := w.open("ada", "Paint it.")
			i.label("olivia", "colony:in-review")
			i.fixed()
			w.settle()
			cycle := func(times int) {
				for range times {
					i.label("reviewer[bot]", "colony:changes-requested")
					w.settle()
					i.label("dev[bot]", "colony:in-development")
					w.settle()
					i.label("dev[bot]", "colony:in-review")
					w.settle()
					w.clock.Advance(time.Minute)
				}
			}
			cycle(5)
			i.has("colony:in-review")
			again := i.comment("olivia", "/colony:move changes-requested")
			w.settle()
			i.colonyReacts(again, "+1")
			if restart {
				w.stopColony()
				w.start()
			}
			w.clock.Advance(time.Minute)
			w.sweep()
			i.has("colony:changes-requested")
			i.label("dev[bot]", "colony:in-development")
			w.settle()
			i.label("dev[bot]", "colony:in-review")
			w.settle()
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
			i.has("colony:in-review")
			status := i.comment("ada", "/colony:status")
			w.settle()
			i.colonyReacts(status, "+1")
			i.colonySays("review cycles: 4 of at most 5")
			i.label("reviewer[bot]", "colony:changes-requested")
			w.settle()
			i.has("colony:changes-requested")
			i.label("dev[bot]", "colony:in-development")
			w.settle()
			i.label("dev[bot]", "colony:in-review")
			w.settle()
			i.label("reviewer[bot]", "colony:changes-requested")
			w.settle()
			i.has("colony:failure-blocked", "colony:needs-human")
			i.colonySays("as often as it may")
		})
	}
}

// A bot's command is a bot's request: it begins no count anew.
func TestABotsCommandIsLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	for range 5 {
		for _, step := range []struct{ by, to string }{{"reviewer[bot]", "changes-requested"}, {"dev[bot]", "in-development"}, {"dev[bot]", "in-review"}} {
			id := i.comment(step.by, "/colony:move "+step.to)
			w.settle()
			i.colonyReacts(id, "+1")
			w.clock.Advance(20 * time.Minute) // a bot that writes many commands is not answered
		}
	}
	i.label("reviewer[bot]", "colony:changes-requested")
	w.settle()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("as often as it may")
}
