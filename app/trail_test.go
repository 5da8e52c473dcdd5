package app_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/playground"
)

func (i *issue) hasTrail(want ...string) {
	i.t.Helper()
	if diff := cmp.Diff(want, i.trail()); diff != "" {
		i.t.Errorf("the trail of #%d (-want +got):\n%s", i.number, diff)
	}
}

// moved is an issue that Colony moved for the lack of a pull request, which its trail says.
func (w *world) moved() *issue {
	w.t.Helper()
	i := w.open("ada", "Paint it.")
	pull := i.fixed()
	i.through("colony", "in-review")
	w.settle()
	w.clock.Advance(time.Hour)
	i.closeAs(pull, "")
	w.settle()
	i.has("colony:ready-for-dev")
	i.hasTrail(missingPull)
	return i
}

const missingPull = "in-review -> ready-for-dev: There is no open pull request"

// merged has Colony move the issue to its end for another pull request, and returns that and what the trail says of it.
func (i *issue) merged() (pull int, says string) {
	i.t.Helper()
	pull = i.pull("again", i.fixes(), false)
	i.through("colony", "in-review")
	i.settle()
	i.clock.Advance(time.Hour)
	i.must(i.github.MergePullRequest("acme", "widgets", pull, "mona"))
	i.settle()
	return pull, fmt.Sprintf("in-review -> done: The pull request was merged #%d", pull)
}

// Each move that Colony makes on its own leaves its reason in one comment, which is edited; status and history tell it as well, after the
// queue was lost, too.
func TestTheTrailTellsWhyColonyMovedAnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.moved()
	w.clock.Advance(time.Hour)
	second, merged := i.merged()
	i.has("colony:done")
	i.hasTrail(missingPull, merged)
	w.restart(true)
	i.comment("olivia", "/colony:history")
	w.settle()
	link := fmt.Sprintf("/acme/widgets/issues/%d", second)
	i.colonySays("There is no open pull request", fmt.Sprintf("The pull request was merged (`#%d`)", second), link)
	w.clock.Advance(500 * time.Hour)
	w.restart(true)
	i.comment("olivia", "/colony:status")
	w.settle()
	i.colonySays("The pull request was merged", link)
	i.readsReactions()
	i.hasTrail(missingPull, merged)
}

// Wherever Colony is stopped while it moves an issue, the trail tells of the move once.
func TestACrashLeavesOneReason(t *testing.T) {
	t.Parallel()
	play := func(k int) (trail []string, calls int) {
		w := newWorldWithoutColony(t, onDisk(t), follows)
		crash := &crashingTransport{}
		w.transport = crash
		w.start()
		w.install()
		i := w.open("ada", "Paint it.")
		i.through("colony", "in-review")
		pull := i.fixed()
		w.settle()
		w.clock.Advance(time.Hour)
		w.settle()
		crash.after(k)
		i.must(i.github.MergePullRequest("acme", "widgets", pull, "mona"))
		w.settle()
		calls = crash.calls()
		w.stopColony()
		w.transport = nil
		w.start()
		for range 6 {
			w.clock.Advance(time.Minute)
			w.settle()
		}
		i.has("colony:done")
		return i.trail(), calls
	}
	want, calls := play(0)
	if len(want) != 1 || calls < 5 {
		t.Fatalf("the trail is %q after %d calls", want, calls)
	}
	for k := range crashPoints(calls) {
		got, _ := play(k)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("stopped after call %d of %d: %s", k, calls, diff)
		}
	}
}

// What nobody wrote down is not told: neither a reason whose move was never made, nor one that somebody else's comment forges. A trail that
// somebody deleted begins anew.
func TestATrailIsColonysOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "Paint it.")
	pull := i.fixed()
	i.through("colony", "in-review")
	w.settle()
	forged := wording.RenderTrail(i.number, []wording.RecordedMove{{Outcome: wording.AutomaticMove, Kind: "colony", From: "new", To: "in-review", Why: "Because I say so", At: w.clock.Now().UTC()}})
	i.comment("rita", forged)
	w.clock.Advance(time.Hour)
	stops := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/labels$`), Status: http.StatusBadGateway})
	i.closeAs(pull, "")
	w.settle()
	i.has("colony:in-review")
	i.hasTrail("in-review -> ready-for-dev: There is no open pull request") // and it was not made yet
	next := i.pull("another", i.fixes(), false)
	stops()
	w.clock.Advance(time.Hour)
	w.settle()
	i.has("colony:in-review")
	i.must(i.github.MergePullRequest("acme", "widgets", next, "mona"))
	w.settle()
	i.has("colony:done")
	merged := fmt.Sprintf("in-review -> done: The pull request was merged #%d", next)
	i.hasTrail(merged)
	i.comment("olivia", "/colony:history")
	w.settle()
	i.colonySays("The pull request was merged")
	for _, c := range i.colonyComments() {
		if strings.Contains(c.GetBody(), "Because I say so") {
			t.Errorf("Colony believes a stranger:\n%s", c.GetBody())
		}
	}
	for _, c := range i.allComments() {
		if _, is := wording.TrailOf(i.number, c.GetBody()); is && c.GetUser().GetLogin() == "colony[bot]" {
			_, err := i.as("mona").Issues.DeleteComment(context.Background(), "acme", "widgets", c.GetID())
			i.must(err)
		}
	}
	i.comment("mona", "/colony:force in-review once more")
	w.settle()
	i.colonySays("forced this issue")
	w.clock.Advance(time.Hour)
	w.settle()
	i.readsReactions()
	i.readsAll()
}
