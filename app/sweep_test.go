package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/github/ratelimit"
)

// BeginSweep implements acme.Colony.
func (w *world) BeginSweep(ctx context.Context) error { return w.colony.server.Sweep(ctx) }

func TestSweepsComeByThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.SetWebhookURL(appID, "")
	i.Label("olivia", "colony:analyzing")
	until, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	w.Must(w.clock.BlockUntilContext(until, 1))
	w.clock.Advance(12 * time.Minute)
	w.Must(w.github.Until(until, func() bool {
		is, _, err := w.As("mona").Issues.Get(ctx, "acme", "widgets", i.Number)
		return err == nil && len(is.Labels) == 1
	}))
	i.Has("colony:analyzing")
}

func TestSweepFinishesWhatNoWebhookReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.github.SetWebhookURL(appID, "") // no webhook is sent, and nothing is recorded
	legal, illegal, command := w.open("olivia", "", "colony:new"), w.open("olivia", "", "colony:in-review"), w.open("ada", "")
	legal.Label("olivia", "colony:analyzing")
	illegal.Label("olivia", "colony:new")
	command.Label("olivia", "colony:in-development")
	pause := command.Comment("tara", "/colony:pause")
	resume := command.Comment("tara", "/colony:resume")
	block := command.Comment("tara", "/colony:block it burns")
	opening := w.open("olivia", "/colony:move planning")
	w.Sweep()
	legal.Has("colony:analyzing")
	illegal.Has("colony:in-review", "colony:needs-human")
	illegal.ColonySays("from `in-review` to `new`")
	command.Has("colony:failure-blocked")
	command.ColonyReacts(pause, "+1")
	command.ColonyReacts(resume, "+1")
	command.ColonyReacts(block, "+1")
	opening.Has("colony:planning")
	opening.ColonyReacts(0, "+1")
	i.Has("colony:in-development")
}

// GitHub's times have whole seconds: what follows within the second of a reconciled change leaves the issue's time as it was.
func TestSweepFindsChangesInTheSecondOfAReconciliation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:in-development")
	w.Quiet()
	w.github.SetWebhookURL(appID, "") // no webhook is sent
	i.Label("olivia", "colony:in-review")
	w.Sweep()
	i.Has("colony:in-review")
}

func TestCommandWithoutWebhookIsRunAndMarkedAsLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.github.SetWebhookURL(appID, "")
	pause := i.Comment("tara", "/colony:pause until Monday")
	left := i.Comment("rita", "/colony:status")
	w.clock.Advance(time.Hour)
	w.Sweep()
	i.Has("colony:paused")
	i.ColonyReacts(pause, "+1")
	i.ColonySays("Colony answers late")
	i.ColonyReacts(left, "+1")
	i.ColonySays("**`paused`**", "until Monday")
}

func TestFailedDeliveriesAreRedelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.github.DropNext(2)
	i.Label("olivia", "colony:in-review")
	i.Comment("rita", "just words")
	w.Sweep()
	i.Has("colony:in-review")
	again := 0
	for _, d := range w.github.Deliveries() {
		if d.Redelivery {
			again++
		}
	}
	if again != 2 {
		t.Errorf("%d deliveries were redelivered, want 2", again)
	}
	w.Sweep()
	for _, d := range w.github.Deliveries() {
		if d.Redelivery {
			again--
		}
	}
	if again != 0 {
		t.Errorf("a delivery that succeeded was asked for again")
	}
}

func TestWhatHappenedWhileColonyWasAwayIsCaughtUpAtTheStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.stopColony()
	i.Label("dev[bot]", "colony:in-review")
	i.Label("reviewer[bot]", "colony:done")
	w.clock.Advance(30 * time.Hour)
	w.config.Queue.Dir = t.TempDir() // nothing but time is lost with the queue
	w.start()
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("`reviewer[bot]`", "from `in-review` to `done`")
}

func TestSweepThatWouldUndoTooMuchStopsAndReports(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var all []*issue
	for range 7 {
		i := w.open("olivia", "", "colony:in-review")
		all = append(all, i)
	}
	w.Settle()
	w.github.SetWebhookURL(appID, "")
	for _, i := range all {
		i.Label("olivia", "colony:new")
	}
	w.Sweep()
	for _, i := range all {
		i.Has("colony:in-review", "colony:new")
	}
	if ready := w.colony.ready(); ready.HeldBack != 7 {
		t.Errorf("/readyz reports %d issues held back, want 7: %+v", ready.HeldBack, ready)
	}
	for _, i := range all[:3] {
		i.Unlabel("olivia", "colony:new")
	}
	w.Sweep() // four are not too many
	for _, i := range all[3:] {
		i.Has("colony:in-review", "colony:needs-human")
		i.ColonySays("from `in-review` to `new`")
	}
}

func TestSweepOfAQuietRepositoryCostsFewCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Queue.Concurrency = 1 })
	for range 30 {
		w.open("olivia", "", "colony:new")
	}
	w.Sweep()
	w.Sweep()
	w.github.ResetCalls()
	w.Sweep()
	reads, writes := w.Cost()
	// The issues, the comments, and that neither the repository nor its owner has a policy of its own; and by a question which states are empty.
	if reads > 4 || writes > 1 || w.Spent().Writes > 0 {
		t.Errorf("a sweep over 30 issues that nobody touched cost %d reads and %d writes", reads, writes)
		for _, c := range w.github.Calls() {
			t.Log(fmt.Sprint(c.Method, " ", c.Path, " ", c.Status))
		}
	}
}

// Colony judges what is closed like anything else, also where no webhook reported it.
func TestSweepSeesClosedIssuesThatChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Settle()
	w.Deaf()
	two, rejected, right := w.open("olivia", "", "colony:in-review"), w.open("olivia", "", "colony:in-review"), w.open("olivia", "", "colony:in-review")
	two.Label("olivia", "colony:merge-pending")
	rejected.Label("olivia", "colony:new")
	rejected.Unlabel("olivia", "colony:in-review")
	for _, i := range []*issue{two, rejected, right} {
		i.CloseAs(i.Number, "completed")
	}
	mistyped := w.open("olivia", "")
	mistyped.CloseAs(mistyped.Number, "not_planned")
	mistyped.Label("dev[bot]", "colony:in-reveiw")
	var others []int
	for range 5 {
		number := right.Other()
		right.CloseAs(number, "not_planned")
		others = append(others, number)
	}
	w.github.ResetCalls()
	w.Sweep()
	two.Has("colony:merge-pending")
	rejected.Has("colony:in-review", "colony:needs-human")
	rejected.ColonySays("from `in-review` to `new`")
	mistyped.Has()
	mistyped.ColonySays("`colony:in-reveiw`")
	right.Has("colony:in-review")
	for _, number := range others {
		if n := w.ReadsOf(number); n > 0 {
			t.Errorf("#%d, which is closed and does not concern Colony, cost %d reads", number, n)
		}
	}
	if n := w.ReadsOf(right.Number); n != 2 {
		t.Errorf("#%d, with which all is well, cost %d reads, want 2", right.Number, n)
	}
	w.github.ResetCalls()
	w.Sweep()
	w.Sweep()
	if n := w.ReadsOf(right.Number); n > 0 {
		t.Errorf("#%d, which nobody touched since, cost %d reads", right.Number, n)
	}
}

// Colony notices a removed label also where no webhook reported it and the issue is closed, although the lists of issues do not show it.
func TestSweepSeesThatALabelWasTakenOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	open, closed, before, again := w.stateful("colony:in-review"), w.stateful("colony:in-review"), w.stateful("colony:in-review"), w.stateful("colony:in-review")
	for _, i := range []*issue{closed, again} {
		i.CloseAs(i.Number, "completed")
	}
	w.clock.Advance(time.Minute)
	w.Settle()
	w.Deaf()
	for _, i := range []*issue{open, closed, before, again} {
		i.Unlabel("olivia", "colony:in-review")
	}
	before.CloseAs(before.Number, "completed")
	again.Label("olivia", "colony:in-review")
	number := open.Other()
	for range 50 { // what Colony needs is on the second page
		_, _, err := w.As("olivia").Issues.AddLabelsToIssue(ctx, "acme", "widgets", number, []string{"documentation"})
		w.Must(err)
		_, err = w.As("olivia").Issues.RemoveLabelForIssue(ctx, "acme", "widgets", number, "documentation")
		w.Must(err)
	}
	open.CloseAs(number, "not_planned")
	w.github.ResetCalls()
	w.Sweep()
	for _, i := range []*issue{open, closed, before} {
		i.Has("colony:in-review", "colony:needs-human")
		i.ColonySays("put the label of `in-review` back")
	}
	again.Has("colony:in-review") // somebody put it back
	if n := w.ReadsOf(number); n > 0 {
		t.Errorf("#%d, which does not concern Colony, cost %d reads", number, n)
	}
	if n := w.eventsRead(); n != 2 {
		t.Errorf("%d pages of the repository's events were read, want 2", n)
	}
	w.clock.Advance(10 * time.Minute)
	w.Sweep()
	w.github.ResetCalls()
	w.Sweep()
	if n := w.eventsRead(); n > 0 {
		t.Errorf("the repository's events were read %d times although nothing happened", n)
	}
}

// eventsRead counts Colony's reads of the events of the repository.
func (w *world) eventsRead() (reads int) {
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && strings.HasSuffix(c.Path, "/issues/events") {
			reads++
		}
	}
	return reads
}

// While a sweep goes through what changed in one second, its own findings are put right, which changes them: the others move up on
// the pages of GitHub's list, and none of them is overlooked.
func TestSweepOfManyIssuesOfOneSecond(t *testing.T) {
	t.Parallel()
	const many = 2*sweep.PageSize + 20
	w := newWorld(t, onDisk(t), func(c *config.Config) { c.GitHub.Budget = ratelimit.Settings{} })
	var all []*issue
	for range many {
		all = append(all, w.open("olivia", "", "colony:new"))
	}
	w.Settle()
	w.stopColony()
	w.github.SetWebhookURL(appID, "")
	w.clock.Advance(time.Minute)
	for _, i := range all {
		i.Label("olivia", "colony:analyzing")
	}
	w.clock.Advance(time.Minute)
	w.start()
	w.rest()
	for _, i := range all {
		i.Has("colony:analyzing")
	}
}
