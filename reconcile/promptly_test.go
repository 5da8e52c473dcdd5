package reconcile_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// developed is an issue in development, without a pull request.
func (w *world) developed() *issue {
	w.t.Helper()
	i := w.open("ada", "Paint it.")
	i.Through("colony", "in-development")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Has("colony:in-development")
	return i
}

// refined is an issue of the lifecycle autoralph whose plan is worked out.
func refined(t *testing.T) (*world, *issue) {
	t.Helper()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	i := w.open("ada", "Paint it.")
	i.Through("autoralph", "refining")
	w.Settle()
	w.clock.Advance(time.Minute)
	return w, i
}

// GitHub can hide a pull request for some seconds. What Colony does about its absence waits for that, and the move to review does not.
func TestAMoveDoesNotWaitForWhatATriggerWaitsFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.developed()
	i.Label("dev[bot]", "colony:in-review")
	w.Quiet()
	i.Has("colony:in-review")
	w.Pass(9, time.Second)
	i.Has("colony:in-review")
	w.Pass(2, time.Second)
	i.Has("colony:ready-for-dev")
	i.HasTrail("in-review -> ready-for-dev: There is no open pull request")
}

// So it is by command.
func TestACommandDoesNotWaitForWhatATriggerWaitsFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.developed()
	i.Label("dev[bot]", "colony:in-review")
	w.Quiet()
	moved := i.Comment("olivia", "/colony:move changes-requested")
	w.Quiet()
	i.ColonyReacts(moved, "+1")
	i.Has("colony:changes-requested")
}

// Where GitHub does not tell what a trigger depends on, a move is finished all the same, and the trigger comes once GitHub tells.
func TestAMoveDoesNotWaitForWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.developed()
	works := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Path: regexp.MustCompile(`/pulls|/graphql`)})
	i.Label("dev[bot]", "colony:in-review")
	w.Quiet()
	i.Has("colony:in-review")
	w.Pass(20, time.Second)
	i.Has("colony:in-review")
	works()
	w.Pass(60, time.Second)
	i.Has("colony:ready-for-dev")
	i.HasTrail("in-review -> ready-for-dev: There is no open pull request")
}

// A reply begins a round immediately, whatever Colony itself said a moment before.
func TestAReplyBeginsARoundImmediately(t *testing.T) {
	t.Parallel()
	for _, said := range []bool{false, true} {
		t.Run(fmt.Sprintf("said=%t", said), func(t *testing.T) {
			t.Parallel()
			w, i := refined(t)
			if said {
				status := i.Comment("ada", "/colony:status")
				w.Quiet()
				i.ColonyReacts(status, "+1")
				i.ReadsComments()
				w.clock.Advance(time.Second)
			}
			i.Comment("ada", "Paint it red.")
			w.Quiet()
			if rounds := i.StateChanges(); rounds != 1 {
				t.Errorf("right after the reply there were %d rounds", rounds)
			}
		})
	}
}

// Colony waits for what GitHub does not show yet, and at most a second longer.
func TestColonyWaitsNoLongerThanGitHub(t *testing.T) {
	t.Parallel()
	for lag := range 10 {
		t.Run(fmt.Sprintf("lag=%ds", lag), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.developed()
			w.github.LagEvents(time.Duration(lag) * time.Second)
			i.Label("dev[bot]", "colony:in-review")
			w.Quiet()
			w.Pass(2*(lag+1), 500*time.Millisecond)
			i.Has("colony:in-review")
		})
	}
}

// However long someone goes on, each change has its time to show: Colony judges none by a log that is only late.
func TestALateLogThatGoesOnIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	w.github.LagEvents(3 * time.Second)
	ways := map[string][]string{
		"in-development": {"in-review", "changes-requested", "ready-for-dev"}, "in-review": {"changes-requested", "ready-for-dev", "human-review-ready"},
		"changes-requested": {"in-development", "in-review", "human-review-ready"}, "ready-for-dev": {"in-development", "in-review"},
		"human-review-ready": {"ready-for-dev", "merge-pending"}, "merge-pending": {"in-review", "ready-for-dev", "human-review-ready"},
	}
	state := "in-development"
	for range 20 {
		for _, next := range ways[state] {
			if label := "colony:" + next; !slices.Contains(i.Labels(), label) {
				i.Label("olivia", label)
				state = next
				break
			}
		}
		w.Quiet()
		w.Pass(5, 500*time.Millisecond)
	}
	w.Pass(20, time.Second)
	i.Has("colony:" + state)
	if said := i.ColonyComments(); len(said) > 0 {
		t.Errorf("of moves that are all allowed, Colony says %s", said[0].GetBody())
	}
}

// What Colony undid by a log that hid it for longer than Colony waits is explained once the log shows it.
func TestWhatAnOldLogHidIsExplained(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.remembers = true // by its own writes Colony knows that the log hides something
	i := w.stateful("colony:done")
	w.github.LagEvents(40 * time.Second)
	i.Swap("olivia", "colony:done", "colony:in-review")
	w.Quiet()
	w.Pass(35, time.Second)
	i.Has("colony:done")
	w.clock.Advance(time.Minute)
	w.Sweep()
	i.Has("colony:done", "colony:needs-human")
	i.ColonySays("in-review")
}

// A log that lags hides a whole round: it leaves the labels as they were. Another process knows of it by the note of why it was begun.
func TestNoRoundIsMadeTwice(t *testing.T) {
	t.Parallel()
	w, i := refined(t)
	w.github.LagEvents(8 * time.Second)
	i.Comment("ada", "Paint it red.")
	w.Quiet()
	w.start()
	w.clock.Advance(time.Second)
	w.Must(w.Colony.BeginSweep(ctx))
	w.Pass(20, time.Second)
	w.Sweep()
	if rounds := i.StateChanges(); rounds != 1 {
		t.Errorf("there were %d rounds for one reply", rounds)
	}
}

// The questions of a reader whose webhooks were lost are answered by whatever reads the comments next. What waits then for the reader's share
// is answered too.
func TestQuestionsThatALabelFoundWaitForTheirShare(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.Settle()
	var asked []int64
	w.github.DropNext(20)
	for n := range 20 {
		asked = append(asked, i.Comment("rita", fmt.Sprintf("/colony:why done\n%d", n)))
	}
	w.Quiet()
	i.Swap("olivia", "colony:in-review", "colony:new")
	w.Settle()
	w.Pass(10, time.Minute)
	i.Has("colony:in-review", "colony:needs-human")
	for _, comment := range asked {
		if len(i.ColonyReactions(comment)) == 0 {
			t.Errorf("comment %d has no receipt", comment)
		}
	}
	i.ReadsComments()
	i.ReadsReactions()
}
