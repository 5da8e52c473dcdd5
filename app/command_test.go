package app_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()

	w.github.ResetCalls()
	pause := i.comment("tara", "/colony:pause the database is down")
	w.quiet()
	i.has("colony:paused")
	i.colonyReacts(pause, "+1")
	if reads, writes := w.calls(); reads > 4 || writes > 3 {
		t.Errorf("a command cost %d reads and %d writes, more than 4 and 3", reads, writes)
	}

	resume := i.comment("tara", "Works again.\n/colony:resume")
	w.quiet()
	i.has("colony:in-development")
	i.colonyReacts(resume, "+1")
}

func TestRetryReturnsToBeforeTheBlock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after string }{
		{"colony:in-development", "colony:ready-for-dev"}, // the workspace is gone
		{"colony:in-review", "colony:in-review"},
		{"colony:analyzing", "colony:analyzing"},
	} {
		t.Run(c.before, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("ada", "")
			i.label("olivia", c.before)
			w.settle()
			block := i.comment("olivia", "/colony:block it burns")
			w.settle()
			i.has("colony:failure-blocked")
			i.colonyReacts(block, "+1")
			retry := i.comment("olivia", "/colony:retry")
			w.settle()
			i.has(c.after)
			i.colonyReacts(retry, "+1")
		})
	}
}

func TestRetryAfterABadRequestNeedsNobodyAnyMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:analyzing")
	w.settle()
	i.label("analyzer[bot]", "colony:done")
	w.settle()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("`analyzer[bot]`")
	retry := i.comment("olivia", "/colony:retry")
	w.settle()
	i.has("colony:analyzing")
	i.colonyReacts(retry, "+1")
}

// The status says that a bot asks for the same thing again and again, until a person has decided about the work.
func TestStatusShowsIdenticalFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:analyzing")
	w.settle()
	status := func() string {
		t.Helper()
		c := i.comment("rita", "/colony:status")
		w.settle()
		i.colonyReacts(c, "+1")
		all := i.colonyComments()
		i.colonySays("Since")
		return all[len(all)-1].GetBody()
	}
	const words = "Identical failures"
	for n := range 2 {
		i.label("analyzer[bot]", "colony:done")
		w.settle()
		i.has("colony:failure-blocked", "colony:needs-human")
		i.colonySays("`analyzer[bot]`")
		if says := status(); strings.Contains(says, words) != (n == 1) || n == 1 && !strings.Contains(says, "a bot asked 2 times for `analyzing` → `done`") {
			t.Errorf("after %d failures: %s", n+1, says)
		}
		retry := i.comment("olivia", "/colony:retry")
		w.settle()
		i.has("colony:analyzing")
		i.colonyReacts(retry, "+1")
	}
	i.label("olivia", "colony:in-development")
	w.settle()
	if says := status(); strings.Contains(says, words) {
		t.Errorf("a person decided since: %s", says)
	}
}

func TestRetryWithATarget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development", "colony:failure-blocked")
	w.settle()
	i.has("colony:failure-blocked")
	retry := i.comment("olivia", "/colony:retry planning the scope was wrong")
	w.settle()
	i.has("colony:planning")
	i.colonyReacts(retry, "+1")
}

func TestRefusedCommandTeaches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	move := i.comment("olivia", "/colony:move new")
	w.settle()
	i.has("colony:in-review", "colony:needs-human")
	i.colonyReacts(move, "confused")
	i.colonySays("did not move the issue from `in-review` to `new`", "`changes-requested`")
}

func TestUnknownVerbAndState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	verb := i.comment("olivia", "/colony:paus")
	w.settle()
	i.colonyReacts(verb, "confused")
	i.colonySays("Did you mean `/colony:pause`?")
	state := i.comment("olivia", "/colony:move merge-pendign")
	w.settle()
	i.colonyReacts(state, "confused")
	i.colonySays("Did you mean `merge-pending`?")
	i.has("colony:in-review")
}

func TestRefusedRequesterGetsOnlyAReaction(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	reader := i.comment("rita", "/colony:pause")
	author := i.comment("ada", "/colony:move done")
	force := i.comment("olivia", "/colony:force new because")
	w.settle()
	i.has("colony:in-review")
	i.colonyReacts(reader, "-1")
	i.colonyReacts(author, "-1")
	i.colonyReacts(force, "-1")
}

func TestForceGoesRoundTheTableAndSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:done")
	w.settle()
	without := i.comment("mona", "/colony:force new")
	w.settle()
	i.has("colony:done")
	i.colonyReacts(without, "confused")
	i.colonySays("needs a state and a reason")

	force := i.comment("mona", "/colony:force planning the customer came back, see @everyone")
	w.settle()
	i.has("colony:planning")
	i.colonyReacts(force, "+1")
	i.colonySays("forced this issue from `done` to `planning`", "the customer came back")

	history := i.comment("rita", "/colony:history")
	w.settle()
	i.colonyReacts(history, "+1")
	i.colonySays("`done` → `planning`", "by `mona` with `/colony:force` (forced around the table)")
}

func TestStatusShowsWhoRequestedAMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	pause := i.comment("tara", "/colony:pause waiting for the vendor")
	w.settle()
	i.colonyReacts(pause, "+1")
	status := i.comment("ada", "/colony:status")
	w.settle()
	i.colonyReacts(status, "+1")
	i.colonySays("**`paused`**", "by `tara` with `/colony:pause`: waiting for the vendor", "`ada` cannot move it")
	why := i.comment("tara", "/colony:why in-review")
	w.settle()
	i.colonyReacts(why, "+1")
	i.colonySays("`tara` can move this issue from `paused` to `in-review`")
}

func TestSeveralCommandsInOneComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	c := i.comment("olivia", "/colony:move in-review\n\nand then\n\n/colony:pause\n")
	w.settle()
	i.has("colony:paused")
	i.colonyReacts(c, "+1")
}

func TestCommandInTheOpeningText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "A new thing.\n\n/colony:move analyzing")
	w.settle()
	i.has("colony:analyzing")
	i.colonyReacts(0, "+1")
}

func TestQuotedCommandsAndEditsAreNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.comment("olivia", "> /colony:pause\n\n```\n/colony:pause\n```\nno")
	i.comment("olivia", "see /colony:pause")
	w.settle()
	i.has("colony:in-review")
}

func TestExecutorsMayUseCommandsWithinTheirTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	legal := i.comment("dev[bot]", "/colony:move in-review")
	w.settle()
	i.has("colony:in-review")
	i.colonyReacts(legal, "+1")
	illegal := i.comment("dev[bot]", "/colony:move done")
	w.settle()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonyReacts(illegal, "confused")
	i.colonySays("may not make that move", "failed work")
}

func TestPermissionThatCannotBeReadIsRetried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/permission$`), Status: http.StatusBadGateway, Times: 2,
	})
	c := i.comment("tara", "/colony:pause")
	w.quiet()
	i.colonyReacts(c, "eyes")
	i.has("colony:in-review")
	w.clock.Advance(10 * time.Second)
	w.settle()
	w.clock.Advance(time.Minute)
	w.settle()
	i.has("colony:paused")
	i.colonyReacts(c, "+1")
}

func TestTwoCommandsTakeEffectInTheirOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	w.github.HoldDeliveries()
	first := i.comment("tara", "/colony:pause")
	second := i.comment("olivia", "/colony:resume")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.settle()
	i.has("colony:in-development")
	i.colonyReacts(first, "+1")
	i.colonyReacts(second, "+1")
}

func TestCommandRunsOnceHoweverOftenItIsDelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	w.github.DoubleNext(1)
	pause := i.comment("tara", "/colony:pause")
	w.settle()
	i.colonyReacts(pause, "+1")
	i.label("olivia", "colony:in-development") // resumed by hand
	w.settle()
	for _, d := range w.github.Deliveries() {
		if d.Event == "issue_comment" && !d.Redelivery {
			w.must(w.github.Redeliver(d.ID))
		}
	}
	w.settle()
	i.has("colony:in-development")
}

func TestEditedTextIsNobodysCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "A thing.")
	i.label("olivia", "colony:in-review")
	w.settle()
	comment := i.comment("mona", "Hello.")
	w.clock.Advance(time.Minute)
	body := "/colony:force new because"
	w.github.HoldDeliveries() // so that one look sees all three: another might answer the last before the first
	_, _, err := w.as("olivia").Issues.EditComment(ctx, "acme", "widgets", comment, &github.IssueComment{Body: &body})
	w.must(err)
	_, _, err = w.as("olivia").Issues.Edit(ctx, "acme", "widgets", i.number, &github.IssueRequest{Body: &body})
	w.must(err)
	status := i.comment("olivia", "/colony:status")
	w.github.ReleaseDeliveries(nil)
	w.settle()
	i.saysNotRun(0)
	i.saysNotRun(comment)
	i.colonyReacts(status, "+1")
	i.colonySays("**`in-review`**")
	i.has("colony:in-review")
}
