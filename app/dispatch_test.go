package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// notifiedAndSwept runs a test with webhooks, and once more with none after Colony was installed: then only a sweep can notice.
func notifiedAndSwept(t *testing.T, change func(*config.Config), test func(w *world, after func()), more ...func(*config.Config)) {
	t.Helper()
	for _, way := range []string{"told", "swept"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, append(more, change)...)
			after := w.Settle
			if way == "swept" {
				w.github.SetWebhookURL(appID, "")
				after = w.Sweep
			}
			test(w, after)
		})
	}
}

// develops lets so many issues be in development at once.
func develops(most int) func(*config.Config) {
	return func(c *config.Config) {
		c.Dispatch = []lifecycle.Dispatch{{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: most}}
		c.GitHub.Budget.Points = 0 // many issues move here in few seconds
	}
}

// queued opens issues that wait to be developed, one a minute.
func (w *world) queued(n int) []*issue {
	w.t.Helper()
	var all []*issue
	for range n {
		w.clock.Advance(time.Minute)
		all = append(all, w.open("olivia", "", "colony:ready-for-dev"))
	}
	return all
}

// inDevelopment lists the issues that carry the label, and fails if Colony ever had more than that many there at once.
func (w *world) inDevelopment(all []*issue, most int) []int {
	w.t.Helper()
	type step struct {
		id, issue int
		there     bool
	}
	var log []step
	var now []int
	for _, i := range all {
		events, _, err := i.As("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.Number, &github.ListOptions{PerPage: 100})
		w.Must(err)
		for _, e := range events {
			if e.GetLabel().GetName() != "colony:in-development" && e.GetEvent() != "closed" {
				continue
			}
			log = append(log, step{id: int(e.GetID()), issue: i.Number, there: e.GetEvent() == "labeled"})
		}
		if slices.Contains(i.Labels(), "colony:in-development") {
			now = append(now, i.Number)
		}
	}
	slices.SortFunc(log, func(a, b step) int { return a.id - b.id })
	there := map[int]bool{}
	for _, s := range log {
		delete(there, s.issue)
		if s.there {
			there[s.issue] = true
		}
		if len(there) > most {
			w.t.Errorf("%d issues were in development at once", len(there))
		}
	}
	return now
}

func numbers(all ...*issue) []int {
	var n []int
	for _, i := range all {
		n = append(n, i.Number)
	}
	return n
}

func (w *world) develops(all []*issue, most int, want ...*issue) {
	w.t.Helper()
	if got := w.inDevelopment(all, most); !slices.Equal(got, numbers(want...)) {
		w.t.Errorf("%v are in development, not %v", got, numbers(want...))
	}
}

func TestNextIssueMovesWhenCapacityIsFree(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, develops(2), func(w *world, after func()) {
		all := w.queued(5)
		after()
		w.develops(all, 2, all[0], all[1])
		all[0].Has("colony:in-development")
		all[2].Has("colony:ready-for-dev")

		all[0].Label("dev[bot]", "colony:in-review") // done with it
		after()
		w.develops(all, 2, all[1], all[2])
		_, _, err := w.As("olivia").Issues.Edit(ctx, "acme", "widgets", all[1].Number, &github.IssueRequest{State: new("closed")})
		w.Must(err)
		after()
		w.develops(all, 2, all[1], all[2], all[3]) // the closed one keeps its label and takes no capacity
		all[0].Label("olivia", "colony:changes-requested")
		after()
		all[0].Has("colony:changes-requested") // the oldest, but no capacity is free
		all[2].Comment("tara", "/colony:pause")
		after()
		w.develops(all, 2, all[0], all[1], all[3])
		all[2].Has("colony:paused")
		all[2].Reads()
	})
}

// An issue that depends on an open one is not analysed before that is done: Colony passes over it, and goes on once it is.
func TestDependentsWaitForTheirAnalysis(t *testing.T) {
	t.Parallel()
	analyses := func(c *config.Config) {
		c.Dispatch = []lifecycle.Dispatch{{From: []string{"new"}, To: "analyzing", AtMost: 3}}
	}
	notifiedAndSwept(t, analyses, func(w *world, after func()) {
		i := w.open("ada", "Paint it.")
		number := i.Other()
		i.BlockedBy(i.Number, number, true)
		i.Label("olivia", "colony:new")
		free := w.open("olivia", "Paint that.", "colony:new")
		for range 6 {
			after()
			i.Has("colony:new")
			w.clock.Advance(time.Minute)
		}
		free.Has("colony:analyzing")
		i.NothingUnread()
		i.CloseAs(number, "completed")
		after()
		i.Has("colony:analyzing")
	}, acme.Follows)
}

func TestPriorityComesBeforeAge(t *testing.T) {
	t.Parallel()
	change := func(c *config.Config) {
		acme.Colibri(c)
		c.Dispatch = []lifecycle.Dispatch{{From: []string{"init"}, To: "gather", AtMost: 1}}
	}
	notifiedAndSwept(t, change, func(w *world, after func()) {
		first := w.open("olivia", "", "colony:init")
		after()
		first.Has("colony:gather")
		w.clock.Advance(time.Minute)
		old := w.open("olivia", "", "colony:init")
		w.clock.Advance(time.Minute)
		both := w.open("olivia", "", "colony:init", "colony:importance/3", "colony:urgency/3")
		after()
		first.Label("olivia", "colony:analyze")
		after()
		both.Has("colony:gather", "colony:importance/3", "colony:urgency/3")
		old.Has("colony:init")
	})
}

// An issue that is there against the table takes capacity and is not moved; a paused issue does not wait.
func TestIssueAgainstTheTableTakesCapacityAndIsNotMoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	done := w.open("olivia", "", "colony:done")
	w.Settle()
	done.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	done.Has("colony:done", "colony:needs-human")
	done.ColonySays("`done`")
	paused := w.open("olivia", "", "colony:ready-for-dev")
	paused.Label("olivia", "colony:paused")
	w.Settle()
	paused.Has("colony:paused")
	w.develops([]*issue{done, paused}, 1)
}

func TestCapacityOfARepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.queued(4)
	w.Settle()
	w.develops(all, 0)
	w.CommitAndSettle("widgets", policy.SettingsFile, "dispatch: [{from: [ready-for-dev], to: in-development, at-most: 1}]\n")
	w.develops(all, 1, all[0])
	w.CommitAndSettle("widgets", policy.SettingsFile, "dispatch: [{from: [ready-for-dev], to: in-development, at-most: 3}]\n")
	w.develops(all, 3, all[0], all[1], all[2])
	w.CommitAndSettle("widgets", policy.SettingsFile, "dispatch: []\n")
	all[0].Label("olivia", "colony:in-review")
	w.Settle()
	w.develops(all, 3, all[1], all[2])
}

// An executor that fails again and again does not get the same issue for ever: an automatic move is no person's doing.
func TestDispatchDoesNotGoRoundForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	i := w.queued(1)[0]
	w.Settle()
	for range 30 {
		if !slices.Contains(i.Labels(), "colony:in-development") {
			break
		}
		w.clock.Advance(time.Hour)
		i.Label("olivia", "colony:changes-requested")
		w.Settle()
		w.clock.Advance(time.Hour)
	}
	w.develops([]*issue{i}, 1, i) // a person's move counts anew each time
	for range 30 {
		if slices.Contains(i.Labels(), "colony:failure-blocked") {
			break
		}
		w.clock.Advance(time.Hour)
		i.Label("dev[bot]", "colony:in-review")
		w.Settle()
		i.Label("reviewer[bot]", "colony:changes-requested")
		w.Settle()
	}
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("as often as it may")
}

// A dispatch that moves nothing costs one list, which GitHub does not count while it stays the same.
func TestDispatchThatHasNothingToDoReadsOneList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	all := w.queued(3)
	w.Settle()
	w.clock.Advance(time.Minute)
	w.Settle()
	w.github.ResetCalls()
	all[2].Comment("rita", "/colony:help")
	w.Settle()
	lists := 0
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && strings.HasSuffix(c.Path, "/issues") {
			lists++
		}
	}
	if lists != 1 {
		t.Errorf("%d lists of issues were read for one comment", lists)
	}
	all[2].Reads()
}

// A deleted or transferred issue frees its capacity at once.
func TestCapacityOfAMissingIssueIsRefilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	w.github.AddRepository("acme", "gadgets")
	w.github.SetPermission("acme", "gadgets", "mona", "maintain")
	all := w.queued(3)
	w.Settle()
	w.Must(w.github.DeleteIssue("acme", "widgets", all[0].Number, "mona"))
	all[0].ReadsNothingMore()
	w.Settle()
	w.develops(all[1:], 1, all[1])
	_, err := w.github.TransferIssue("acme", "widgets", all[1].Number, "gadgets", "mona")
	w.Must(err)
	all[1].ReadsNothingMore()
	w.Settle()
	w.develops(all[2:], 1, all[2])
}

// However many requests run at once, Colony never puts more issues there than the capacity allows.
func TestConcurrentReconciliationsKeepTheCapacity(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(3))
	all := w.queued(12)
	for range 5 {
		w.Must(w.colony.server.Sweep(ctx))
		w.clock.Advance(time.Second)
	}
	w.Settle()
	for range 3 {
		// Those that are there now: as soon as one leaves, Colony moves the next there.
		busy := slices.DeleteFunc(slices.Clone(all), func(i *issue) bool { return !slices.Contains(i.Labels(), "colony:in-development") })
		for _, i := range busy {
			i.Label("dev[bot]", "colony:in-review")
		}
		w.Must(w.colony.server.Sweep(ctx))
		w.Settle()
	}
	w.develops(all, 3, all[9], all[10], all[11])
}

// An issue that left before Colony saw it where it was moved takes capacity only for as long as GitHub may lag.
func TestCapacityOfAnIssueThatLeftAtOnceIsRefilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(3))
	hook := w.address() + "/api/github/hook"
	w.Deaf()
	all := w.queued(2)
	w.Must(w.colony.server.Sweep(ctx))
	w.Settle()
	all = append(all, w.open("olivia", "", "colony:ready-for-dev"), w.open("olivia", "", "colony:ready-for-dev"))
	w.github.SetWebhookURL(appID, hook)
	all[0].Label("dev[bot]", "colony:in-review")
	w.Settle()
	w.develops(all, 3, all[1], all[2], all[3])
}

func TestReplicasKeepTheCapacity(t *testing.T) {
	t.Parallel()
	w, one, another := newReplicas(t, develops(2))
	all := w.queued(8)
	w.Must(one.server.Sweep(ctx))
	w.clock.Advance(time.Millisecond) // a sweep has its time for a name, and what comes twice is dropped
	w.Must(another.server.Sweep(ctx))
	w.Settle()
	w.develops(all, 2, all[0], all[1])
	for n := range 3 {
		all[2*n].Label("dev[bot]", "colony:in-review")
		all[2*n+1].Label("dev[bot]", "colony:in-review")
		w.Must(one.server.Sweep(ctx))
		w.clock.Advance(time.Millisecond) // a sweep has its time for a name, and what comes twice is dropped
		w.Must(another.server.Sweep(ctx))
		w.Settle()
	}
	w.develops(all, 2, all[6], all[7])
}

// Colony is killed at each call while it moves issues on; the next one finishes it: no issue is left between two states, the order is
// kept, and there are never too many.
func TestCrashWhileTheNextIsMoved(t *testing.T) {
	t.Parallel()
	var all []*issue
	before := func(w *world) { all = w.queued(4) }
	scenario := func(*world) []*issue {
		all[0].Label("dev[bot]", "colony:in-review")
		return all
	}
	everyCrash(t, develops(2), before, scenario, func(w *world, all []*issue) {
		w.develops(all, 2, all[1], all[2])
		for n, state := range []string{"in-review", "in-development", "in-development", "ready-for-dev"} {
			if got := fmt.Sprint(all[n].Labels()); got != "[colony:"+state+"]" {
				w.t.Errorf("#%d has the labels %s, and should be in %s", all[n].Number, got, state)
			}
		}
	})
}

func TestStatusAndNextListTheWaitingIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	all := w.queued(3)
	w.Settle()
	for i, want := range map[*issue]string{
		all[0]: "`in-development` holds 1 of at most 1 issue; 2 wait for it.",
		all[1]: "`in-development` holds 1 of at most 1 issue; this issue is 1st of 2 in line.",
		all[2]: "`in-development` holds 1 of at most 1 issue; this issue is 2nd of 2 in line.",
	} {
		if got := i.Says("rita", "/colony:status"); !strings.Contains(got, want) {
			t.Errorf("#%d: not %q but:\n%s", i.Number, want, got)
		}
	}
	if got, want := all[0].Says("rita", "/colony:next"), "holds 1 of at most 1 issue; 2 wait for it. Colony moves the next"; !strings.Contains(got, want) {
		t.Errorf("not %q but:\n%s", want, got)
	}
	elsewhere := w.open("olivia", "", "colony:in-review")
	w.Settle()
	w.github.ResetCalls()
	if got := elsewhere.Says("rita", "/colony:status"); strings.Contains(got, "in line") || strings.Contains(got, "at most") {
		t.Errorf("the status of an issue elsewhere shows the waiting issues:\n%s", got)
	}
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && strings.HasSuffix(c.Path, "/issues") {
			t.Error("Colony reads the waiting issues although no answer shows them")
		}
	}
}

func TestCostOfTakingInAndMovingOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) {
		c.Intake.When = policy.Every
		c.Dispatch = []lifecycle.Dispatch{{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: 1}}
	})
	busy := w.queued(1)[0]
	w.Settle()
	w.github.ResetCalls()
	taken := w.open("ada", "")
	w.Settle()
	taken.Has("colony:new")
	if reads, writes := w.Cost(); reads > 4 || writes > 1 {
		t.Errorf("an issue was taken in for %d reads and %d writes", reads, writes)
	}
	next := w.queued(1)[0]
	w.Settle()
	busy.Label("dev[bot]", "colony:in-review")
	w.Quiet()
	w.clock.Advance(time.Minute)
	w.Settle()
	next.Has("colony:in-development")
	_, _, err := w.As("olivia").Issues.Edit(ctx, "acme", "widgets", next.Number, &github.IssueRequest{State: new("closed")})
	w.Must(err)
	w.Quiet()
	last := w.queued(1)[0]
	w.github.ResetCalls()
	w.Settle()
	last.Has("colony:in-development")
	// The issue was opened with its label, so there are two requests for it; and two for the capacity.
	if reads, writes := w.Cost(); reads > 6 || writes > 2 {
		t.Errorf("the next issue was moved for %d reads and %d writes", reads, writes)
	}
}
