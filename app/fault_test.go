package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
)

func TestDeliveriesDoubledReorderedAndLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:new", "colony:analyzing", "colony:ready-for-dev")
	w.github.DoubleNext(10)
	w.github.ReleaseDeliveries(playground.Reversed)
	w.Settle()
	i.Has("colony:ready-for-dev")
	w.github.DropNext(1)
	i.Label("olivia", "colony:in-development") // no webhook reports it
	w.Settle()
	i.Has("colony:ready-for-dev", "colony:in-development")
	i.Label("olivia", "colony:in-review") // whatever comes next repairs it
	w.Settle()
	i.Has("colony:in-review")
}

func TestEventsThatLagBehindTheWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.github.LagEvents(2 * time.Second)
	i.Label("olivia", "colony:in-review")
	i.Unlabel("olivia", "colony:in-development")
	w.Quiet()
	i.Has("colony:in-review") // not judged by half of the log
	w.Settle()
	i.Has("colony:in-review")
	i.Label("olivia", "colony:new")
	w.Settle()
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
}

// An event that was undone a moment ago does not pass for the one of the same kind that a webhook reports now.
func TestLabelThatIsPutBackWhileReadsLag(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		t.Run(fmt.Sprintf("closed %t", closed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-review")
			if closed {
				i.CloseAs(i.Number, "completed")
				w.Settle()
			}
			w.github.LagEvents(1500 * time.Millisecond)
			w.github.LagLabels(1500 * time.Millisecond)
			i.Label("olivia", "colony:new")
			w.Settle()
			i.ColonySays("from `in-review` to `new`")
			w.clock.Advance(2 * time.Second)
			i.Has("colony:in-review", "colony:needs-human")
			i.Label("olivia", "colony:new")
			w.Settle()
			w.clock.Advance(2 * time.Second)
			i.Has("colony:in-review", "colony:needs-human")
			i.ColonySays("from `in-review` to `new`")
		})
	}
}

// Colony also waits for its own writes to show: their webhooks ask for nothing, so nobody else would notice what they led to.
func TestOwnWriteThatIsHiddenWhileReadsLag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	w.Settle()
	w.github.LagEvents(3 * time.Second)
	w.github.LagLabels(3 * time.Second)
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:human-review-ready")
	asked := i.Comment("olivia", "/colony:move ready-for-dev")
	w.clock.Advance(2 * time.Second)
	w.github.ReleaseDeliveries(playground.Reversed) // the command runs on a log that hides the label
	for range 4 {
		w.Settle()
		w.clock.Advance(2 * time.Second)
	}
	i.Has("colony:ready-for-dev")
	i.ColonyReacts(asked, "+1")
}

// A bot that hands work on and claims it back within a second does not wait: the log shows what Colony wrote, and what came after.
func TestLabelPutBackInTheSecondInWhichColonyTookItOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.clock.Advance(time.Second + 400*time.Millisecond) // GitHub's time of what happens now is before Colony's: it has whole seconds
	i.Label("olivia", "colony:changes-requested")
	w.Quiet()
	i.Label("olivia", "colony:in-development")
	w.Quiet()
	i.Has("colony:in-development")
	i.Label("olivia", "colony:in-review")
	w.Quiet()
	i.Has("colony:in-review")
}

// meanwhile has something happen, once, just before Colony's next call that puts labels on.
type meanwhile struct {
	mu      sync.Mutex
	happens func()
}

func (m *meanwhile) let(happens func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.happens = happens
}

func (m *meanwhile) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/labels") {
		m.mu.Lock()
		happens := m.happens
		m.happens = nil
		m.mu.Unlock()
		if happens != nil {
			happens()
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// A person who moves the issue while Colony is about to ask for one has answered already.
func TestPersonWhoMovesWhileColonyAsksForOne(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	between := &meanwhile{}
	w.transport = between
	w.start()
	w.install()
	i := w.stateful("colony:in-review")
	between.let(func() { i.Label("olivia", "colony:merge-pending") })
	i.Label("olivia", "colony:new")
	w.Settle()
	w.Settle()
	i.Has("colony:merge-pending")
	i.ColonySays("from `in-review` to `new`")
	refused := i.Comment("olivia", "/colony:move new")
	w.Settle()
	i.ColonyReacts(refused, "confused")
	i.ColonySays("from `merge-pending` to `new`")
	i.Label("tara", "bug")
	w.Settle()
	i.Has("bug", "colony:merge-pending", "colony:needs-human") // it is for the command
}

// What Colony owes after a refused change comes too late if a person moves the issue on before: the person's move stands, also for a
// process that knows nothing of it.
func TestPersonWhoMovesOnBeforeColonysLabelIsThere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refused func(i *issue)
		says    string
	}{
		"a bot's bad request":    {func(i *issue) { i.Label("dev[bot]", "colony:done") }, "from `in-development` to `done`"},
		"a label that was taken": {func(i *issue) { i.Unlabel("tara", "colony:in-development") }, "in-development"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldWithoutColony(t, onDisk(t))
			between := &meanwhile{}
			w.transport = between
			w.start()
			w.install()
			i := w.stateful("colony:in-development")
			between.let(func() { i.Label("olivia", "colony:ready-for-dev") })
			test.refused(i)
			w.Settle()
			w.Settle()
			i.Has("colony:ready-for-dev")
			i.ColonySays(test.says)

			w.stopColony()
			w.start()
			w.Settle()
			i.Has("colony:ready-for-dev")
			blocked := i.Comment("olivia", "/colony:block it burns")
			w.Settle()
			i.Has("colony:failure-blocked")
			i.ColonyReacts(blocked, "+1")
		})
	}
}

// stalls lets time pass while comments are read.
type stalls struct{ *world }

func (s stalls) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/comments") {
		s.clock.Advance(15 * time.Second)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// A log that lagged when it was read still does if what was read after it took its time.
func TestLogThatWasReadLongAgoIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.transport = stalls{w}
	w.start()
	w.install()
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.github.LagEvents(3 * time.Second)
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:merge-pending")
	status := i.Comment("olivia", "/colony:status")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.Settle()
	w.Settle()
	i.Has("colony:merge-pending")
	i.ColonyReacts(status, "+1")
	i.ColonySays("**`merge-pending`**")
	events, _, err := w.As("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.Number, nil)
	w.Must(err)
	for _, e := range events {
		if e.GetActor().GetLogin() == "colony[bot]" && e.GetLabel().GetName() == "colony:merge-pending" {
			t.Errorf("Colony %s the label of a legal move", e.GetEvent())
		}
	}
}

func TestServerErrorsAreRetried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Times: 3})
	i.Label("olivia", "colony:new")
	for range 5 {
		w.clock.Advance(time.Minute)
		w.Settle()
	}
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
}

func TestWriteThatTookEffectAlthoughItsAnswerWasLost(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"comment":  `/issues/\d+/comments$`,
		"labels":   `/issues/\d+/labels$`,
		"unlabel":  `/issues/\d+/labels/.+$`,
		"reaction": `/reactions$`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("ada", "")
			i.Label("olivia", "colony:in-review")
			w.Settle()
			w.github.Fault(playground.Fault{
				Kind: playground.FaultCut, After: true, Actor: "colony[bot]", Path: regexp.MustCompile(path), Times: 1,
			})
			i.Label("olivia", "colony:new")
			status := i.Comment("olivia", "/colony:status")
			for range 5 {
				w.clock.Advance(time.Minute)
				w.Settle()
			}
			i.Has("colony:in-review", "colony:needs-human")
			i.ColonySays("from `in-review` to `new`")
			i.ColonySays("**`in-review`**")
			i.ColonyReacts(status, "+1")
		})
	}
}

// A Colony that is killed after any of its calls and started anew comes to the same end.
func TestStopAfterEveryCall(t *testing.T) {
	t.Parallel()
	scenarios := map[string]func(w *world){
		"illegal swap by a person": func(w *world) {
			i := w.Issues[0]
			i.Unlabel("olivia", "colony:in-development")
			i.Label("olivia", "colony:new", "colony:done")
		},
		"bad request":          func(w *world) { w.Issues[0].Label("dev[bot]", "colony:done") },
		"bad command":          func(w *world) { w.Issues[0].Comment("dev[bot]", "/colony:move done\n/colony:move in-review") },
		"command":              func(w *world) { w.Issues[0].Comment("olivia", "/colony:move in-review\n/colony:pause") },
		"a refusal and a move": func(w *world) { w.Issues[0].Comment("olivia", "/colony:move unlabeled\n/colony:move in-review") },
		"a burst": func(w *world) {
			w.Issues[0].Label("olivia", "colony:in-review")
			w.Issues[0].Comment("olivia", "/colony:pause")
			w.Issues[0].Comment("rita", "/colony:move done")
		},
		"force": func(w *world) { w.Issues[0].Comment("mona", "/colony:force planning because") },
		"an illegal swap without room for a label more": func(w *world) {
			i := w.Issues[0]
			var others []string
			for n := len(i.Labels()); n < 100; n++ {
				others = append(others, fmt.Sprint("other-", n))
			}
			i.Label("olivia", others...)
			w.HoldDeliveries()
			i.Unlabel("olivia", "colony:in-development")
			i.Label("olivia", "colony:done")
			w.ReleaseDeliveries(nil)
		},
	}
	for name, scenario := range scenarios {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, calls := endOf(t, scenario, 0)
			for k := range crashPoints(calls) {
				if got, _ := endOf(t, scenario, k); got != want {
					t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
				}
			}
		})
	}
}

func TestTwoBotsDoNotFightForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:paused")
	w.Settle()
	i.Has("colony:paused")
	for range 5 {
		i.Label("dev[bot]", "colony:in-development")
		w.Settle()
		i.Has("colony:paused")
		i.ColonySays("`dev[bot]`")
	}
	w.github.ResetCalls()
	for range 10 {
		i.Label("dev[bot]", "colony:in-development")
		w.Settle()
		i.Has("colony:paused", "colony:in-development", "colony:needs-human") // left alone
		i.Unlabel("dev[bot]", "colony:in-development")
		w.Settle()
	}
	i.ColonySays("Colony stopped undoing label changes on this issue")
	i.Has("colony:paused", "colony:needs-human")
	if _, writes := w.Cost(); writes > 3 {
		t.Errorf("a war cost %d writes after the breaker tripped", writes)
	}
	i.Label("dev[bot]", "colony:in-development")
	w.Settle()
	i.Has("colony:paused", "colony:in-development", "colony:needs-human") // left alone
	w.clock.Advance(31 * time.Minute)
	w.Settle()
	i.Has("colony:paused", "colony:needs-human") // once nobody fights any more
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Has("colony:in-review") // a person decided
}

// A label that the breaker left alone is there already when a command asks for its state.
func TestCommandForALabelThatTheBreakerLeftThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Breaker.Rejections = 1 })
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:paused")
	w.Settle()
	i.Label("dev[bot]", "colony:in-development")
	w.Settle()
	i.ColonySays("`dev[bot]`")
	i.Label("dev[bot]", "colony:in-development")
	w.Settle()
	i.ColonySays("Colony stopped undoing label changes on this issue")
	i.Has("colony:paused", "colony:in-development", "colony:needs-human")
	resume := i.Comment("olivia", "/colony:resume in-development")
	w.Settle()
	i.ColonyReacts(resume, "+1")
	i.Has("colony:in-development")
	status := i.Comment("olivia", "/colony:status")
	w.Settle()
	i.ColonyReacts(status, "+1")
	i.ColonySays("**`in-development`**")
}

func TestRateLimitsAreWaitedFor(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]playground.Fault{
		"primary, 403":                        {Kind: playground.FaultPrimaryLimit, Status: http.StatusForbidden, Reset: 20 * time.Minute},
		"primary, 429":                        {Kind: playground.FaultPrimaryLimit, Status: http.StatusTooManyRequests, Reset: 20 * time.Minute},
		"secondary, 403, with Retry-After":    {Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: 5 * time.Minute},
		"secondary, 429, with Retry-After":    {Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: 5 * time.Minute},
		"secondary, 403, without Retry-After": {Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden},
		"secondary, 429, without Retry-After": {Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			wait := max(fault.Reset, fault.RetryAfter, time.Minute) // GitHub asks for a minute at least
			i := w.open("ada", "")
			i.Label("olivia", "colony:in-review")
			w.Settle()
			fault.Actor, fault.Method, fault.Times = "colony[bot]", http.MethodDelete, 1
			w.github.Fault(fault)
			i.Label("olivia", "colony:merge-pending")
			w.Quiet()
			i.Has("colony:in-review", "colony:merge-pending")
			w.clock.Advance(wait - 2*time.Second)
			w.Quiet()
			i.Has("colony:in-review", "colony:merge-pending")
			w.clock.Advance(4 * time.Second)
			w.Quiet()
			i.Has("colony:merge-pending")
		})
	}
}

func TestSuspendedAndRemovedInstallationsAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:merge-pending")
	w.Must(w.github.Suspend(w.Installation))
	w.github.ReleaseDeliveries(nil)
	w.Settle()
	i.Has("colony:in-review", "colony:merge-pending")
	if n := w.Delayed(); n > 0 {
		t.Errorf("%d requests for a suspended installation are retried", n)
	}
	w.Must(w.github.Unsuspend(w.Installation))
	w.Sweep()
	i.Has("colony:merge-pending")
}

func TestBotThatAnswersEveryCommentIsNotTalkedWithForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:human-review-ready") // no bot works there, so nothing it asks for is failed work
	w.Settle()
	var last int64
	for n := range 12 {
		last = i.Comment("dev[bot]", "/colony:move new")
		w.Settle()
		i.ColonyReacts(last, "confused")
		if n < 5 {
			i.ColonySays("did not move the issue from `human-review-ready` to `new`")
		}
	}
	i.Has("colony:human-review-ready")
	person := i.Comment("tara", "/colony:move new") // people are always answered
	w.Settle()
	i.ColonyReacts(person, "confused")
	i.ColonySays("did not move the issue from `human-review-ready` to `new`")
}
