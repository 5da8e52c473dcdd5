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
	i.label("olivia", "colony:new", "colony:analyzing", "colony:ready-for-dev")
	w.github.DoubleNext(10)
	w.github.ReleaseDeliveries(playground.Reversed)
	w.settle()
	i.has("colony:ready-for-dev")
	w.github.DropNext(1)
	i.label("olivia", "colony:in-development") // no webhook reports it
	w.settle()
	i.has("colony:ready-for-dev", "colony:in-development")
	i.label("olivia", "colony:in-review") // whatever comes next repairs it
	w.settle()
	i.has("colony:in-review")
}

func TestEventsThatLagBehindTheWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	w.github.LagEvents(2 * time.Second)
	i.label("olivia", "colony:in-review")
	i.unlabel("olivia", "colony:in-development")
	w.quiet()
	i.has("colony:in-review") // not judged by half of the log
	w.settle()
	i.has("colony:in-review")
	i.label("olivia", "colony:new")
	w.settle()
	w.settle()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
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
				i.closeAs(i.number, "completed")
				w.settle()
			}
			w.github.LagEvents(1500 * time.Millisecond)
			w.github.LagLabels(1500 * time.Millisecond)
			i.label("olivia", "colony:new")
			w.settle()
			i.colonySays("from `in-review` to `new`")
			w.clock.Advance(2 * time.Second)
			i.has("colony:in-review", "colony:needs-human")
			i.label("olivia", "colony:new")
			w.settle()
			w.clock.Advance(2 * time.Second)
			i.has("colony:in-review", "colony:needs-human")
			i.colonySays("from `in-review` to `new`")
		})
	}
}

// Colony also waits for its own writes to show: their webhooks ask for nothing, so nobody else would notice what they led to.
func TestOwnWriteThatIsHiddenWhileReadsLag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	w.settle()
	w.github.LagEvents(3 * time.Second)
	w.github.LagLabels(3 * time.Second)
	w.github.HoldDeliveries()
	i.label("olivia", "colony:human-review-ready")
	asked := i.comment("olivia", "/colony:move ready-for-dev")
	w.clock.Advance(2 * time.Second)
	w.github.ReleaseDeliveries(playground.Reversed) // the command runs on a log that hides the label
	for range 4 {
		w.settle()
		w.clock.Advance(2 * time.Second)
	}
	i.has("colony:ready-for-dev")
	i.colonyReacts(asked, "+1")
}

// A bot that hands work on and claims it back within a second does not wait: the log shows what Colony wrote, and what came after.
func TestLabelPutBackInTheSecondInWhichColonyTookItOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.clock.Advance(time.Second + 400*time.Millisecond) // GitHub's time of what happens now is before Colony's: it has whole seconds
	i.label("olivia", "colony:changes-requested")
	w.quiet()
	i.label("olivia", "colony:in-development")
	w.quiet()
	i.has("colony:in-development")
	i.label("olivia", "colony:in-review")
	w.quiet()
	i.has("colony:in-review")
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
	between.let(func() { i.label("olivia", "colony:merge-pending") })
	i.label("olivia", "colony:new")
	w.settle()
	w.settle()
	i.has("colony:merge-pending")
	i.colonySays("from `in-review` to `new`")
	refused := i.comment("olivia", "/colony:move new")
	w.settle()
	i.colonyReacts(refused, "confused")
	i.colonySays("from `merge-pending` to `new`")
	i.label("tara", "bug")
	w.settle()
	i.has("bug", "colony:merge-pending", "colony:needs-human") // it is for the command
}

// What Colony owes after a refused change comes too late if a person moves the issue on before: the person's move stands, also for a
// process that knows nothing of it.
func TestPersonWhoMovesOnBeforeColonysLabelIsThere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refused func(i *issue)
		says    string
	}{
		"a bot's bad request":    {func(i *issue) { i.label("dev[bot]", "colony:done") }, "from `in-development` to `done`"},
		"a label that was taken": {func(i *issue) { i.unlabel("tara", "colony:in-development") }, "in-development"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldWithoutColony(t, onDisk(t))
			between := &meanwhile{}
			w.transport = between
			w.start()
			w.install()
			i := w.stateful("colony:in-development")
			between.let(func() { i.label("olivia", "colony:ready-for-dev") })
			test.refused(i)
			w.settle()
			w.settle()
			i.has("colony:ready-for-dev")
			i.colonySays(test.says)

			w.stopColony()
			w.start()
			w.settle()
			i.has("colony:ready-for-dev")
			blocked := i.comment("olivia", "/colony:block it burns")
			w.settle()
			i.has("colony:failure-blocked")
			i.colonyReacts(blocked, "+1")
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
	i.label("olivia", "colony:in-review")
	w.settle()
	w.github.LagEvents(3 * time.Second)
	w.github.HoldDeliveries()
	i.label("olivia", "colony:merge-pending")
	status := i.comment("olivia", "/colony:status")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.settle()
	w.settle()
	i.has("colony:merge-pending")
	i.colonyReacts(status, "+1")
	i.colonySays("**`merge-pending`**")
	events, _, err := w.as("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.number, nil)
	w.must(err)
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
	i.label("olivia", "colony:in-review")
	w.settle()
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Times: 3})
	i.label("olivia", "colony:new")
	for range 5 {
		w.clock.Advance(time.Minute)
		w.settle()
	}
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
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
			i.label("olivia", "colony:in-review")
			w.settle()
			w.github.Fault(playground.Fault{
				Kind: playground.FaultCut, After: true, Actor: "colony[bot]", Path: regexp.MustCompile(path), Times: 1,
			})
			i.label("olivia", "colony:new")
			status := i.comment("olivia", "/colony:status")
			for range 5 {
				w.clock.Advance(time.Minute)
				w.settle()
			}
			i.has("colony:in-review", "colony:needs-human")
			i.colonySays("from `in-review` to `new`")
			i.colonySays("**`in-review`**")
			i.colonyReacts(status, "+1")
		})
	}
}

// A Colony that is killed after any of its calls and started anew comes to the same end.
func TestStopAfterEveryCall(t *testing.T) {
	t.Parallel()
	scenarios := map[string]func(w *world){
		"illegal swap by a person": func(w *world) {
			i := w.issues[0]
			i.unlabel("olivia", "colony:in-development")
			i.label("olivia", "colony:new", "colony:done")
		},
		"bad request":          func(w *world) { w.issues[0].label("dev[bot]", "colony:done") },
		"bad command":          func(w *world) { w.issues[0].comment("dev[bot]", "/colony:move done\n/colony:move in-review") },
		"command":              func(w *world) { w.issues[0].comment("olivia", "/colony:move in-review\n/colony:pause") },
		"a refusal and a move": func(w *world) { w.issues[0].comment("olivia", "/colony:move unlabeled\n/colony:move in-review") },
		"a burst": func(w *world) {
			w.issues[0].label("olivia", "colony:in-review")
			w.issues[0].comment("olivia", "/colony:pause")
			w.issues[0].comment("rita", "/colony:move done")
		},
		"force": func(w *world) { w.issues[0].comment("mona", "/colony:force planning because") },
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
	i.label("olivia", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:paused")
	w.settle()
	i.has("colony:paused")
	for range 5 {
		i.label("dev[bot]", "colony:in-development")
		w.settle()
		i.has("colony:paused")
		i.colonySays("`dev[bot]`")
	}
	w.github.ResetCalls()
	for range 10 {
		i.label("dev[bot]", "colony:in-development")
		w.settle()
		i.has("colony:paused", "colony:in-development", "colony:needs-human") // left alone
		i.unlabel("dev[bot]", "colony:in-development")
		w.settle()
	}
	i.colonySays("Colony stopped undoing label changes on this issue")
	i.has("colony:paused", "colony:needs-human")
	if _, writes := w.calls(); writes > 3 {
		t.Errorf("a war cost %d writes after the breaker tripped", writes)
	}
	i.label("dev[bot]", "colony:in-development")
	w.settle()
	i.has("colony:paused", "colony:in-development", "colony:needs-human") // left alone
	w.clock.Advance(31 * time.Minute)
	w.settle()
	i.has("colony:paused", "colony:needs-human") // once nobody fights any more
	i.label("olivia", "colony:in-review")
	w.settle()
	i.has("colony:in-review") // a person decided
}

// A label that the breaker left alone is there already when a command asks for its state.
func TestCommandForALabelThatTheBreakerLeftThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Breaker.Rejections = 1 })
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:paused")
	w.settle()
	i.label("dev[bot]", "colony:in-development")
	w.settle()
	i.colonySays("`dev[bot]`")
	i.label("dev[bot]", "colony:in-development")
	w.settle()
	i.colonySays("Colony stopped undoing label changes on this issue")
	i.has("colony:paused", "colony:in-development", "colony:needs-human")
	resume := i.comment("olivia", "/colony:resume in-development")
	w.settle()
	i.colonyReacts(resume, "+1")
	i.has("colony:in-development")
	status := i.comment("olivia", "/colony:status")
	w.settle()
	i.colonyReacts(status, "+1")
	i.colonySays("**`in-development`**")
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
			i.label("olivia", "colony:in-review")
			w.settle()
			fault.Actor, fault.Method, fault.Times = "colony[bot]", http.MethodDelete, 1
			w.github.Fault(fault)
			i.label("olivia", "colony:merge-pending")
			w.quiet()
			i.has("colony:in-review", "colony:merge-pending")
			w.clock.Advance(wait - 2*time.Second)
			w.quiet()
			i.has("colony:in-review", "colony:merge-pending")
			w.clock.Advance(4 * time.Second)
			w.quiet()
			i.has("colony:merge-pending")
		})
	}
}

func TestSuspendedAndRemovedInstallationsAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	w.github.HoldDeliveries()
	i.label("olivia", "colony:merge-pending")
	w.must(w.github.Suspend(w.installation))
	w.github.ReleaseDeliveries(nil)
	w.settle()
	i.has("colony:in-review", "colony:merge-pending")
	if n := w.delayed(); n > 0 {
		t.Errorf("%d requests for a suspended installation are retried", n)
	}
	w.must(w.github.Unsuspend(w.installation))
	w.sweep()
	i.has("colony:merge-pending")
}

func TestBotThatAnswersEveryCommentIsNotTalkedWithForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:human-review-ready") // no bot works there, so nothing it asks for is failed work
	w.settle()
	var last int64
	for n := range 12 {
		last = i.comment("dev[bot]", "/colony:move new")
		w.settle()
		i.colonyReacts(last, "confused")
		if n < 5 {
			i.colonySays("did not move the issue from `human-review-ready` to `new`")
		}
	}
	i.has("colony:human-review-ready")
	person := i.comment("tara", "/colony:move new") // people are always answered
	w.settle()
	i.colonyReacts(person, "confused")
	i.colonySays("did not move the issue from `human-review-ready` to `new`")
}
