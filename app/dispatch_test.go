package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/policy"
)

// develops lets so many issues be in development at once.
func develops(most int) func(*config.Config) {
	return func(c *config.Config) {
		c.Dispatch = []policy.Dispatch{{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: most}}
		c.GitHub.Pace.Points = 0 // many issues move here in few seconds
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
		events, _, err := i.as("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.number, &github.ListOptions{PerPage: 100})
		w.must(err)
		for _, e := range events {
			if e.GetLabel().GetName() != "colony:in-development" && e.GetEvent() != "closed" {
				continue
			}
			log = append(log, step{id: int(e.GetID()), issue: i.number, there: e.GetEvent() == "labeled"})
		}
		if slices.Contains(i.labels(), "colony:in-development") {
			now = append(now, i.number)
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
		n = append(n, i.number)
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
		all[0].has("colony:in-development")
		all[2].has("colony:ready-for-dev")

		all[0].label("dev[bot]", "colony:in-review") // done with it
		after()
		w.develops(all, 2, all[1], all[2])
		_, _, err := w.as("olivia").Issues.Edit(ctx, "acme", "widgets", all[1].number, &github.IssueRequest{State: new("closed")})
		w.must(err)
		after()
		w.develops(all, 2, all[1], all[2], all[3]) // the closed one keeps its label and takes no capacity
		all[0].label("olivia", "colony:changes-requested")
		after()
		all[0].has("colony:changes-requested") // the oldest, but no capacity is free
		all[2].comment("tara", "/colony:pause")
		after()
		w.develops(all, 2, all[0], all[1], all[3])
		all[2].has("colony:paused")
		all[2].reads()
	})
}

// reads takes whatever Colony said and reacted on the issue as read.
func (i *issue) reads() {
	i.t.Helper()
	i.describe()
}

func TestPriorityComesBeforeAge(t *testing.T) {
	t.Parallel()
	change := func(c *config.Config) {
		colibri(c)
		c.Dispatch = []policy.Dispatch{{From: []string{"init"}, To: "gather", AtMost: 1}}
	}
	notifiedAndSwept(t, change, func(w *world, after func()) {
		first := w.open("olivia", "", "colony:init")
		after()
		first.has("colony:gather")
		w.clock.Advance(time.Minute)
		old := w.open("olivia", "", "colony:init")
		w.clock.Advance(time.Minute)
		both := w.open("olivia", "", "colony:init", "colony:importance/3", "colony:urgency/3")
		after()
		first.label("olivia", "colony:analyze")
		after()
		both.has("colony:gather", "colony:importance/3", "colony:urgency/3")
		old.has("colony:init")
	})
}

// An issue that is there against the table takes capacity and is not moved; a paused issue does not wait.
func TestIssueAgainstTheTableTakesCapacityAndIsNotMoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	done := w.open("olivia", "", "colony:done")
	w.settle()
	done.label("olivia", "colony:ready-for-dev")
	w.settle()
	done.has("colony:done", "colony:needs-human")
	done.colonySays("`done`")
	paused := w.open("olivia", "", "colony:ready-for-dev")
	paused.label("olivia", "colony:paused")
	w.settle()
	paused.has("colony:paused")
	w.develops([]*issue{done, paused}, 1)
}

func TestCapacityOfARepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.queued(4)
	w.settle()
	w.develops(all, 0)
	w.commitAndSettle("widgets", policy.SettingsFile, "dispatch: [{from: [ready-for-dev], to: in-development, at-most: 1}]\n")
	w.develops(all, 1, all[0])
	w.commitAndSettle("widgets", policy.SettingsFile, "dispatch: [{from: [ready-for-dev], to: in-development, at-most: 3}]\n")
	w.develops(all, 3, all[0], all[1], all[2])
	w.commitAndSettle("widgets", policy.SettingsFile, "dispatch: []\n")
	all[0].label("olivia", "colony:in-review")
	w.settle()
	w.develops(all, 3, all[1], all[2])
}

// An executor that fails again and again does not get the same issue for ever: an automatic move is no person's doing.
func TestDispatchDoesNotGoRoundForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	i := w.queued(1)[0]
	w.settle()
	for range 30 {
		if !slices.Contains(i.labels(), "colony:in-development") {
			break
		}
		w.clock.Advance(time.Hour)
		i.label("olivia", "colony:changes-requested")
		w.settle()
		w.clock.Advance(time.Hour)
	}
	w.develops([]*issue{i}, 1, i) // a person's move counts anew each time
	for range 30 {
		if slices.Contains(i.labels(), "colony:failure-blocked") {
			break
		}
		w.clock.Advance(time.Hour)
		i.label("dev[bot]", "colony:in-review")
		w.settle()
		i.label("reviewer[bot]", "colony:changes-requested")
		w.settle()
	}
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("as often as it may")
}

// A dispatch that moves nothing costs one list, which GitHub does not count while it stays the same.
func TestDispatchThatHasNothingToDoReadsOneList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	all := w.queued(3)
	w.settle()
	w.clock.Advance(time.Minute)
	w.settle()
	w.github.ResetCalls()
	all[2].comment("rita", "/colony:help")
	w.settle()
	lists := 0
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && strings.HasSuffix(c.Path, "/issues") {
			lists++
		}
	}
	if lists != 1 {
		t.Errorf("%d lists of issues were read for one comment", lists)
	}
	all[2].reads()
}

// A deleted or transferred issue frees its capacity at once.
func TestCapacityOfAMissingIssueIsRefilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	w.github.AddRepository("acme", "gadgets")
	w.github.SetPermission("acme", "gadgets", "mona", "maintain")
	all := w.queued(3)
	w.settle()
	w.must(w.github.DeleteIssue("acme", "widgets", all[0].number, "mona"))
	all[0].readsNothingMore()
	w.settle()
	w.develops(all[1:], 1, all[1])
	_, err := w.github.TransferIssue("acme", "widgets", all[1].number, "gadgets", "mona")
	w.must(err)
	all[1].readsNothingMore()
	w.settle()
	w.develops(all[2:], 1, all[2])
}

// However many requests run at once, Colony never puts more issues there than the capacity allows.
func TestConcurrentReconciliationsKeepTheCapacity(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(3))
	all := w.queued(12)
	for range 5 {
		w.must(w.colony.server.Sweep(ctx))
		w.clock.Advance(time.Second)
	}
	w.settle()
	for range 3 {
		// Those that are there now: as soon as one leaves, Colony moves the next there.
		busy := slices.DeleteFunc(slices.Clone(all), func(i *issue) bool { return !slices.Contains(i.labels(), "colony:in-development") })
		for _, i := range busy {
			i.label("dev[bot]", "colony:in-review")
		}
		w.must(w.colony.server.Sweep(ctx))
		w.settle()
	}
	w.develops(all, 3, all[9], all[10], all[11])
}

// An issue that left before Colony saw it where it was moved takes capacity only for as long as GitHub may lag.
func TestCapacityOfAnIssueThatLeftAtOnceIsRefilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(3))
	hook := w.address() + "/api/github/hook"
	w.deaf()
	all := w.queued(2)
	w.must(w.colony.server.Sweep(ctx))
	w.settle()
	all = append(all, w.open("olivia", "", "colony:ready-for-dev"), w.open("olivia", "", "colony:ready-for-dev"))
	w.github.SetWebhookURL(appID, hook)
	all[0].label("dev[bot]", "colony:in-review")
	w.settle()
	w.develops(all, 3, all[1], all[2], all[3])
}

func TestReplicasKeepTheCapacity(t *testing.T) {
	t.Parallel()
	w, one, another := newReplicas(t, develops(2))
	all := w.queued(8)
	w.must(one.server.Sweep(ctx))
	w.clock.Advance(time.Millisecond) // a sweep has its time for a name, and what comes twice is dropped
	w.must(another.server.Sweep(ctx))
	w.settle()
	w.develops(all, 2, all[0], all[1])
	for n := range 3 {
		all[2*n].label("dev[bot]", "colony:in-review")
		all[2*n+1].label("dev[bot]", "colony:in-review")
		w.must(one.server.Sweep(ctx))
		w.clock.Advance(time.Millisecond) // a sweep has its time for a name, and what comes twice is dropped
		w.must(another.server.Sweep(ctx))
		w.settle()
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
		all[0].label("dev[bot]", "colony:in-review")
		return all
	}
	everyCrash(t, develops(2), before, scenario, func(w *world, all []*issue) {
		w.develops(all, 2, all[1], all[2])
		for n, state := range []string{"in-review", "in-development", "in-development", "ready-for-dev"} {
			if got := fmt.Sprint(all[n].labels()); got != "[colony:"+state+"]" {
				w.t.Errorf("#%d has the labels %s, and should be in %s", all[n].number, got, state)
			}
		}
	})
}

func TestStatusAndNextListTheWaitingIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t, develops(1))
	all := w.queued(3)
	w.settle()
	for i, want := range map[*issue]string{
		all[0]: "`in-development` holds 1 of at most 1 issue; 2 wait for it.",
		all[1]: "`in-development` holds 1 of at most 1 issue; this issue is 1st of 2 in line.",
		all[2]: "`in-development` holds 1 of at most 1 issue; this issue is 2nd of 2 in line.",
	} {
		if got := i.says("rita", "/colony:status"); !strings.Contains(got, want) {
			t.Errorf("#%d: not %q but:\n%s", i.number, want, got)
		}
	}
	if got, want := all[0].says("rita", "/colony:next"), "holds 1 of at most 1 issue; 2 wait for it. Colony moves the next"; !strings.Contains(got, want) {
		t.Errorf("not %q but:\n%s", want, got)
	}
	elsewhere := w.open("olivia", "", "colony:in-review")
	w.settle()
	w.github.ResetCalls()
	if got := elsewhere.says("rita", "/colony:status"); strings.Contains(got, "in line") || strings.Contains(got, "at most") {
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
		c.Dispatch = []policy.Dispatch{{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: 1}}
	})
	busy := w.queued(1)[0]
	w.settle()
	w.github.ResetCalls()
	taken := w.open("ada", "")
	w.settle()
	taken.has("colony:new")
	if reads, writes := w.calls(); reads > 4 || writes > 1 {
		t.Errorf("an issue was taken in for %d reads and %d writes", reads, writes)
	}
	next := w.queued(1)[0]
	w.settle()
	busy.label("dev[bot]", "colony:in-review")
	w.quiet()
	w.clock.Advance(time.Minute)
	w.settle()
	next.has("colony:in-development")
	_, _, err := w.as("olivia").Issues.Edit(ctx, "acme", "widgets", next.number, &github.IssueRequest{State: new("closed")})
	w.must(err)
	last := w.queued(1)[0]
	w.github.ResetCalls()
	w.settle()
	last.has("colony:in-development")
	// The issue was opened with its label, so there are two requests for it; and two for the capacity.
	if reads, writes := w.calls(); reads > 6 || writes > 2 {
		t.Errorf("the next issue was moved for %d reads and %d writes", reads, writes)
	}
}
