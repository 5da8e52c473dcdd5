package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// reviewOnce lets bots send an issue back from the review once.
func reviewOnce(c *config.Config) { c.Limits = policy.Limits{"review cycles": 1} }

// reviewedOnce is what bots do until the next review of an issue in development would be one too many to send it back.
func (i *issue) reviewedOnce() {
	i.t.Helper()
	i.github.HoldDeliveries() // Colony tidies nothing in between
	defer i.github.ReleaseDeliveries(nil)
	for _, step := range [][3]string{
		{"dev[bot]", "colony:in-development", "colony:in-review"},
		{"reviewer[bot]", "colony:in-review", "colony:changes-requested"},
		{"dev[bot]", "colony:changes-requested", "colony:in-development"},
		{"dev[bot]", "colony:in-development", "colony:in-review"},
	} {
		i.Label(step[0], step[2])
		i.Unlabel(step[0], step[1])
	}
}

// A bot's command that is not granted leads where its label would have led, for the same reason, and a person takes it up from there.
func TestABotsBadCommandIsABadRequest(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][]string{
		"/colony:move done":     {"did not move the issue from `in-review` to `done`, but to `failure-blocked`", "may not make that move", "failed work"},
		"/colony:move reviewed": {"`reviewed` is not a state", "failed work", "`failure-blocked`"},
		"/colony:pause":         {"did not move the issue from `in-review` to `paused`, but to `failure-blocked`", "failed work"},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-review")
			bad := i.Comment("reviewer[bot]", command)
			w.Settle()
			i.Has("colony:failure-blocked", "colony:needs-human")
			i.ColonyReacts(bad, "confused")
			i.ColonySays(want...)
			w.restart(true) // nothing of it is only in a process
			i.Has("colony:failure-blocked", "colony:needs-human")
			if says := i.Says("rita", "/colony:history"); !strings.Contains(says, "`in-review` → `failure-blocked`, by `reviewer[bot]` with `/colony:") || !strings.Contains(says, "asked for a move that is not allowed") {
				t.Errorf("the history does not tell it:\n%s", says)
			}
			retry := i.Comment("olivia", "/colony:retry")
			w.Settle()
			i.Has("colony:in-review")
			i.ColonyReacts(retry, "+1")
		})
	}
}

// A bot that comes late is only told, as after a label.
func TestABotsLateCommandBreaksNoPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	i.Swap("olivia", "colony:in-development", "colony:paused")
	w.Settle()
	late := i.Comment("dev[bot]", "/colony:move in-review")
	w.Settle()
	i.Has("colony:paused")
	i.ColonyReacts(late, "confused")
	i.ColonySays("bots have no work in `paused`")
}

// Where Colony only warns, a bot's bad command is refused, and blocks nothing.
func TestABotsBadCommandBlocksNothingWhereColonyOnlyWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(lifecycle.ModeWarn))
	i := w.stateful("colony:in-review")
	bad := i.Comment("reviewer[bot]", "/colony:move done")
	w.Settle()
	i.Has("colony:in-review")
	i.ColonyReacts(bad, "confused")
	i.ColonySays("did not move the issue from `in-review` to `done`:")
}

// A bot's command that a limit ends leads where the limit leads, and Colony says so on the pull request where the limit wants that.
func TestALimitEndsABotsCommandToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, reviewOnce)
	text, err := lifecycle.ShippedFile("colony")
	w.Must(err)
	w.CommitAndSettle("widgets", policy.LifecycleFile, strings.Replace(string(text), "  - count: review cycles\n", "  - count: review cycles\n    on-pull-request: true\n", 1))
	i := w.stateful("colony:in-development")
	pull := i.Fixed()
	w.Settle()
	i.reviewedOnce()
	w.Settle()
	i.Has("colony:in-review")
	over := i.Comment("reviewer[bot]", "/colony:move changes-requested")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonyReacts(over, "confused")
	i.ColonySays("but to `failure-blocked`", "the limit of 1 review cycles is reached", "A person has to decide")
	if _, said := i.pullState(pull); len(said) != 1 || !strings.Contains(said[0], "`failure-blocked`") {
		t.Errorf("Colony said on the pull request: %q", said)
	}
	if says := i.Says("rita", "/colony:history"); !strings.Contains(says, "`in-review` → `failure-blocked`, by `reviewer[bot]` with `/colony:move` (a limit was reached)") {
		t.Errorf("the history does not tell it:\n%s", says)
	}
	w.restart(true)
	i.Has("colony:failure-blocked", "colony:needs-human")
}

// No limit diverts what a person asks for, by label or by command, also once a Colony that knows nothing of it reads the log anew; and
// the count begins again.
func TestNoLimitDivertsAPersonsCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, reviewOnce) // a review makes the same move, so the log does not tell whose it is
	i := w.stateful("colony:in-development")
	i.Fixed()
	w.Settle()
	i.reviewedOnce()
	w.Settle()
	back := i.Comment("tara", "/colony:move changes-requested")
	w.Settle()
	i.Has("colony:changes-requested")
	i.ColonyReacts(back, "+1")
	w.restart(true)
	i.Has("colony:changes-requested")

	// Bots may send it back once more since a person did.
	w.clock.Advance(time.Minute)
	i.Label("dev[bot]", "colony:in-development")
	w.Settle()
	i.Label("dev[bot]", "colony:in-review")
	w.Settle()
	again := i.Comment("reviewer[bot]", "/colony:move changes-requested")
	w.Settle()
	i.Has("colony:changes-requested")
	i.ColonyReacts(again, "+1")
	for _, label := range []string{"colony:in-development", "colony:in-review", "colony:changes-requested"} {
		i.Label("dev[bot]", label)
		w.Settle()
	}
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("the limit of 1 review cycles is reached")
	w.restart(true)
	i.Has("colony:failure-blocked", "colony:needs-human")
}

// A Colony that is killed while it runs a bot's command that a limit ends comes to the same end.
func TestStopWhileALimitEndsACommand(t *testing.T) {
	t.Parallel()
	scenario := func(w *world) {
		(&issue{w.Issues[0], w}).reviewedOnce()
		w.Settle()
		w.Issues[0].Comment("reviewer[bot]", "/colony:move changes-requested")
	}
	want, calls := endOf(t, scenario, 0, reviewOnce)
	if !strings.Contains(want, "[colony:failure-blocked colony:needs-human], reactions [confused]") {
		t.Errorf("it ends with %s", want)
	}
	for k := range crashPoints(calls) {
		if got, _ := endOf(t, scenario, k, reviewOnce); got != want {
			t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
		}
	}
}

// Each role may say that its work failed, by label or by command. That is no bad request: Colony says nothing, and asks for a person. What
// people read is what the bot wrote: its comment, or the reason of its command, which stays in the status and the history.
func TestAnHonestFailureIsNoBadRequest(t *testing.T) {
	t.Parallel()
	const why = "ld: undefined reference to paint"
	for state, back := range map[string]string{
		"colony:planning": "colony:planning", "colony:analyzing": "colony:analyzing", "colony:in-development": "colony:ready-for-dev",
		"colony:in-review": "colony:in-review", "colony:merge-pending": "colony:merge-pending",
	} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful(state)
			i.Comment("dev[bot]", "The build failed: "+why)
			i.Label("dev[bot]", "colony:failure-blocked")
			w.Settle()
			i.Has("colony:failure-blocked", "colony:needs-human")
			if says := i.Says("rita", "/colony:status"); strings.Contains(says, "not allowed") || !strings.Contains(says, "by `dev[bot]`") {
				t.Errorf("the status does not tell an honest failure:\n%s", says)
			}
			w.restart(true)
			i.Has("colony:failure-blocked", "colony:needs-human")
			retry := i.Comment("olivia", "/colony:retry")
			w.Settle()
			i.Has(back)
			i.ColonyReacts(retry, "+1")

			w.clock.Advance(time.Minute)
			i.Label("olivia", state)
			w.Settle()
			for n, command := range []string{"/colony:block " + why, "/colony:move failure-blocked " + why} {
				blocked := i.Comment("dev[bot]", command)
				w.Settle()
				i.Has("colony:failure-blocked", "colony:needs-human")
				i.ColonyReacts(blocked, "+1")
				w.restart(true)
				i.Has("colony:failure-blocked", "colony:needs-human")
				if says := i.Says("rita", "/colony:history"); strings.Contains(says, "not allowed") || strings.Count(says, why) != n+1 {
					t.Errorf("the history does not tell an honest failure:\n%s", says)
				}
				w.clock.Advance(time.Minute)
				retry := i.Comment("olivia", "/colony:retry "+strings.TrimPrefix(state, "colony:"))
				w.Settle()
				i.Has(state)
				i.ColonyReacts(retry, "+1")
			}
		})
	}
}

// Where Colony only warns, nobody is asked for, either.
func TestAnHonestFailureAsksForNobodyWhereColonyOnlyWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(lifecycle.ModeWarn))
	i := w.stateful("colony:in-review")
	i.Label("reviewer[bot]", "colony:failure-blocked")
	w.Settle()
	i.Has("colony:failure-blocked")
}

// A person who takes the mark off has seen the failure: Colony does not put it there again.
func TestWhoHasSeenAFailureIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.Label("reviewer[bot]", "colony:failure-blocked")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.Unlabel("olivia", "colony:needs-human")
	w.Settle()
	w.restart(true)
	i.Has("colony:failure-blocked")
}
