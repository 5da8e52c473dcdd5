package reconcile_test

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
	i.Label("olivia", "colony:in-development")
	w.Settle()

	w.github.ResetCalls()
	pause := i.Comment("tara", "/colony:pause the database is down")
	w.Quiet()
	i.Has("colony:paused")
	i.ColonyReacts(pause, "+1")
	if reads, writes := w.Cost(); reads > 4 || writes > 3 {
		t.Errorf("a command cost %d reads and %d writes, more than 4 and 3", reads, writes)
	}

	resume := i.Comment("tara", "Works again.\n/colony:resume")
	w.Quiet()
	i.Has("colony:in-development")
	i.ColonyReacts(resume, "+1")
}

// A comment with more commands than Colony runs is not answered as if all had run.
func TestCommandsLeftOutAreToldOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	many := i.Comment("olivia", strings.Repeat("/colony:help\n", 19)+"/colony:pause\n/colony:resume")
	w.Settle()
	i.Has("colony:paused")
	i.ColonyReacts(many, "confused")
	i.ColonySays("so it left out the rest, from line 21 on")
	w.Quiet()
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
			i.Label("olivia", c.before)
			w.Settle()
			block := i.Comment("olivia", "/colony:block it burns")
			w.Settle()
			i.Has("colony:failure-blocked")
			i.ColonyReacts(block, "+1")
			retry := i.Comment("olivia", "/colony:retry")
			w.Settle()
			i.Has(c.after)
			i.ColonyReacts(retry, "+1")
		})
	}
}

func TestRetryAfterABadRequestNeedsNobodyAnyMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Label("analyzer[bot]", "colony:done")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("`analyzer[bot]`")
	retry := i.Comment("olivia", "/colony:retry")
	w.Settle()
	i.Has("colony:analyzing")
	i.ColonyReacts(retry, "+1")
}

// The status says that a bot asks for the same thing again and again, until a person has decided about the work.
func TestStatusShowsIdenticalFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	status := func() string {
		t.Helper()
		c := i.Comment("rita", "/colony:status")
		w.Settle()
		i.ColonyReacts(c, "+1")
		all := i.ColonyComments()
		i.ColonySays("Since")
		return all[len(all)-1].GetBody()
	}
	const words = "Identical failures"
	for n := range 2 {
		i.Label("analyzer[bot]", "colony:done")
		w.Settle()
		i.Has("colony:failure-blocked", "colony:needs-human")
		i.ColonySays("`analyzer[bot]`")
		if says := status(); strings.Contains(says, words) != (n == 1) || n == 1 && !strings.Contains(says, "a bot asked 2 times for `analyzing` → `done`") {
			t.Errorf("after %d failures: %s", n+1, says)
		}
		retry := i.Comment("olivia", "/colony:retry")
		w.Settle()
		i.Has("colony:analyzing")
		i.ColonyReacts(retry, "+1")
	}
	i.Label("olivia", "colony:in-development")
	w.Settle()
	if says := status(); strings.Contains(says, words) {
		t.Errorf("a person decided since: %s", says)
	}
}

func TestRetryWithATarget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development", "colony:failure-blocked")
	w.Settle()
	i.Has("colony:failure-blocked")
	retry := i.Comment("olivia", "/colony:retry planning the scope was wrong")
	w.Settle()
	i.Has("colony:planning")
	i.ColonyReacts(retry, "+1")
}

func TestRefusedCommandTeaches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	move := i.Comment("olivia", "/colony:move new")
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonyReacts(move, "confused")
	i.ColonySays("did not move the issue from `in-review` to `new`", "`changes-requested`")
}

func TestUnknownVerbAndState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	verb := i.Comment("olivia", "/colony:paus")
	w.Settle()
	i.ColonyReacts(verb, "confused")
	i.ColonySays("Did you mean `/colony:pause`?")
	state := i.Comment("olivia", "/colony:move merge-pendign")
	w.Settle()
	i.ColonyReacts(state, "confused")
	i.ColonySays("Did you mean `merge-pending`?")
	i.Has("colony:in-review")
}

func TestRefusedRequesterGetsOnlyAReaction(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	reader := i.Comment("rita", "/colony:pause")
	author := i.Comment("ada", "/colony:move done")
	force := i.Comment("olivia", "/colony:force new because")
	w.Settle()
	i.Has("colony:in-review")
	i.ColonyReacts(reader, "-1")
	i.ColonyReacts(author, "-1")
	i.ColonyReacts(force, "-1")
}

func TestForceGoesRoundTheTableAndSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:done")
	w.Settle()
	without := i.Comment("mona", "/colony:force new")
	w.Settle()
	i.Has("colony:done")
	i.ColonyReacts(without, "confused")
	i.ColonySays("needs a state and a reason")

	force := i.Comment("mona", "/colony:force planning the customer came back, see @everyone")
	w.Settle()
	i.Has("colony:planning")
	i.ColonyReacts(force, "+1")
	i.ColonySays("forced this issue from `done` to `planning`", "the customer came back")

	history := i.Comment("rita", "/colony:history")
	w.Settle()
	i.ColonyReacts(history, "+1")
	i.ColonySays("`done` → `planning`", "by `mona` with `/colony:force` (forced around the table)")
}

func TestStatusShowsWhoRequestedAMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	pause := i.Comment("tara", "/colony:pause waiting for the vendor")
	w.Settle()
	i.ColonyReacts(pause, "+1")
	status := i.Comment("ada", "/colony:status")
	w.Settle()
	i.ColonyReacts(status, "+1")
	i.ColonySays("**`paused`**", "by `tara` with `/colony:pause`: waiting for the vendor", "`ada` cannot move it")
	why := i.Comment("tara", "/colony:why in-review")
	w.Settle()
	i.ColonyReacts(why, "+1")
	i.ColonySays("`tara` can move this issue from `paused` to `in-review`")
}

func TestSeveralCommandsInOneComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	c := i.Comment("olivia", "/colony:move in-review\n\nand then\n\n/colony:pause\n")
	w.Settle()
	i.Has("colony:paused")
	i.ColonyReacts(c, "+1")
}

func TestCommandInTheOpeningText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "A new thing.\n\n/colony:move analyzing")
	w.Settle()
	i.Has("colony:analyzing")
	i.ColonyReacts(0, "+1")
}

func TestQuotedCommandsAndEditsAreNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Comment("olivia", "> /colony:pause\n\n```\n/colony:pause\n```\nno")
	i.Comment("olivia", "see /colony:pause")
	w.Settle()
	i.Has("colony:in-review")
}

func TestExecutorsMayUseCommandsWithinTheirTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	legal := i.Comment("dev[bot]", "/colony:move in-review")
	w.Settle()
	i.Has("colony:in-review")
	i.ColonyReacts(legal, "+1")
	illegal := i.Comment("dev[bot]", "/colony:move done")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonyReacts(illegal, "confused")
	i.ColonySays("may not make that move", "failed work")
}

func TestPermissionThatCannotBeReadIsRetried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/permission$`), Status: http.StatusBadGateway, Times: 2,
	})
	c := i.Comment("tara", "/colony:pause")
	w.Quiet()
	i.ColonyReacts(c, "eyes")
	i.Has("colony:in-review")
	w.clock.Advance(10 * time.Second)
	w.Settle()
	w.clock.Advance(time.Minute)
	w.Settle()
	i.Has("colony:paused")
	i.ColonyReacts(c, "+1")
}

func TestTwoCommandsTakeEffectInTheirOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.github.HoldDeliveries()
	first := i.Comment("tara", "/colony:pause")
	second := i.Comment("olivia", "/colony:resume")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.Settle()
	i.Has("colony:in-development")
	i.ColonyReacts(first, "+1")
	i.ColonyReacts(second, "+1")
}

func TestCommandRunsOnceHoweverOftenItIsDelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.github.DoubleNext(1)
	pause := i.Comment("tara", "/colony:pause")
	w.Settle()
	i.ColonyReacts(pause, "+1")
	i.Label("olivia", "colony:in-development") // resumed by hand
	w.Settle()
	for _, d := range w.github.Deliveries() {
		if d.Event == "issue_comment" && !d.Redelivery {
			w.Must(w.github.Redeliver(d.ID))
		}
	}
	w.Settle()
	i.Has("colony:in-development")
}

func TestEditedTextIsNobodysCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "A thing.")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	comment := i.Comment("mona", "Hello.")
	w.clock.Advance(time.Minute)
	body := "/colony:force new because"
	w.github.HoldDeliveries() // so that one look sees all three: another might answer the last before the first
	_, _, err := w.As("olivia").Issues.EditComment(ctx, "acme", "widgets", comment, &github.IssueComment{Body: &body})
	w.Must(err)
	_, _, err = w.As("olivia").Issues.Edit(ctx, "acme", "widgets", i.Number, &github.IssueRequest{Body: &body})
	w.Must(err)
	status := i.Comment("olivia", "/colony:status")
	w.github.ReleaseDeliveries(nil)
	w.Settle()
	i.SaysNotRun(0)
	i.SaysNotRun(comment)
	i.ColonyReacts(status, "+1")
	i.ColonySays("**`in-review`**")
	i.Has("colony:in-review")
}

// The bot of GitHub's coding agent is called Copilot, without the ending of other Apps. GitHub says that it is a bot.
func TestABotWithoutTheEnding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddBot("copilot-swe-agent")
	i := w.stateful("colony:in-development")
	w.clock.Advance(time.Minute)
	i.ColonyReacts(i.CommentAndSettle("Copilot", "/colony:move in-review"), "+1")
	i.Has("colony:in-review")
}
