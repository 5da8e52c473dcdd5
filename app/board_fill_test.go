package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// waiting are the issues on the page Needs you, by repository and number, each with the kinds of its needs.
func (w *world) waiting() []string {
	w.t.Helper()
	_, _, root := w.page("/board")
	var found []string
	for _, text := range texts(root, "waiting-issue") {
		name := regexp.MustCompile(`acme/\w+#\d+`).FindString(text)
		for _, kind := range []string{"halted", "needs-human", "awaiting-human", "blocked", "paused", "overdue", "orphan"} {
			if regexp.MustCompile(` ` + kind + ` [A-Z]`).MatchString(text) {
				name += " " + kind
			}
		}
		found = append(found, name)
	}
	return found
}

// waits asserts what is on the page Needs you, in its order.
func (w *world) waits(want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), append([]string{}, w.waiting()...)); diff != "" {
		_, _, root := w.page("/board")
		w.t.Errorf("what waits for a person (-want +got):\n%s\n%s", diff, textOf(root))
	}
}

// boardCalls counts Colony's reads of issues since the calls were reset: lists, issues, and logs. There are no writes.
func (w *world) boardCalls() (lists, whole int, logs []string) {
	w.t.Helper()
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method != http.MethodGet {
			w.t.Errorf("Colony wrote: %s %s", c.Method, c.Path)
		}
	}
	return w.issueReads()
}

// issueReads counts Colony's reads of issues since the calls were reset: lists, issues, and logs.
func (w *world) issueReads() (lists, whole int, logs []string) {
	w.t.Helper()
	log := regexp.MustCompile(`^/repos/acme/\w+/issues/(\d+)/events$`)
	one := regexp.MustCompile(`^/repos/acme/\w+/issues/\d+$`)
	for _, c := range w.github.Calls() {
		if c.Actor != "colony[bot]" || c.Method != http.MethodGet {
			continue
		}
		switch at := log.FindStringSubmatch(c.Path); {
		case at != nil:
			logs = append(logs, at[1])
		case one.MatchString(c.Path):
			whole++
		case strings.HasSuffix(c.Path, "/issues"):
			lists++
		}
	}
	slices.Sort(logs)
	return lists, whole, logs
}

// newOldWorld is a world with issues that were moved long ago, and no Colony runs.
func newOldWorld(t *testing.T, change ...func(*config.Config)) (w *world, first, second *issue) {
	t.Helper()
	w = newWorld(t, append([]func(*config.Config){onDisk(t), func(c *config.Config) { c.Sweep.Watch = 0 }}, change...)...)
	first = w.open("olivia", "", "colony:needs-clarification")
	w.Settle()
	w.clock.Advance(time.Hour)
	second = w.open("olivia", "", "colony:needs-clarification")
	w.open("olivia", "", "colony:in-development")
	w.open("olivia", "nobody's")
	ended := w.open("olivia", "", "colony:in-review")
	w.Settle()
	ended.Label("olivia", "colony:done")
	w.Settle()
	_, _, err := w.As("olivia").Issues.Edit(ctx, "acme", "widgets", ended.Number, &github.IssueRequest{State: new("closed")})
	w.Must(err)
	w.Settle()
	w.stopColony()
	w.clock.Advance(100 * time.Hour) // no sweep looks at any of them
	return w, first, second
}

// What nothing moved for long is there after a start. It costs a list for each hundred issues, open and closed, and one call for the log of
// each that is in a state; and nothing where there is no board.
func TestTheBoardIsCompleteAfterAStart(t *testing.T) {
	t.Parallel()
	w, first, second := newOldWorld(t)
	w.github.ResetCalls()
	w.start()
	w.Settle()
	without, _, _ := w.boardCalls()
	if _, whole, logs := w.boardCalls(); whole+len(logs) > 0 {
		t.Errorf("without a board, Colony read %d issues, and the logs of %v", whole, logs)
	}
	w.stopColony()

	w.board = board.Open{}
	w.github.ResetCalls()
	w.start()
	w.Settle()
	lists, whole, logs := w.boardCalls()
	if lists-without != 2 || whole != 0 {
		t.Errorf("it took %d lists more, and %d issues were read as a whole", lists-without, whole)
	}
	if diff := cmp.Diff([]string{"1", "2", "3", "5"}, logs); diff != "" {
		t.Errorf("the logs that were read: %s", diff)
	}
	w.waits(fmt.Sprintf("acme/widgets#%d awaiting-human", first.Number), fmt.Sprintf("acme/widgets#%d awaiting-human", second.Number), "acme/widgets#3 overdue")
	_, _, root := w.page("/board")
	if text := textOf(root); strings.Contains(text, "at least") || !strings.Contains(texts(root, "waiting-issue")[0], "For 4 days , since what olivia did") {
		t.Errorf("it does not tell since when: %s", text)
	}
	_, _, root = w.page("/board/acme/widgets")
	if cards := texts(root, "card"); len(cards) != 5 {
		t.Errorf("there are %d cards: %q", len(cards), cards)
	}
	_, _, root = w.page("/board/acme/widgets/flow")
	if text := textOf(root); !strings.Contains(text, "in-review 1 less than a minute") {
		t.Errorf("the flow does not know the past: %s", text)
	}

	w.github.ResetCalls()
	w.clock.Advance(7 * time.Hour) // it lists again, and has read each log
	w.Settle()
	if lists, whole, logs := w.boardCalls(); lists != 2 || whole+len(logs) > 0 {
		t.Errorf("again it took %d lists, %d issues, and the logs of %v", lists, whole, logs)
	}
}

// As long as logs cannot be read, the state is known by the label, and the page says that it knows no more. What fails is not tried for
// ever.
func TestTheBoardShowsWhatListsSayUntilLogsAreRead(t *testing.T) {
	t.Parallel()
	w, first, second := newOldWorld(t)
	w.board = board.Open{}
	heals := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/issues/\d+/events$`), Status: http.StatusBadGateway})
	w.start()
	w.Settle()
	_, _, root := w.page("/board")
	rows := texts(root, "waiting-issue")
	if len(rows) != 2 || !strings.Contains(textOf(root), "Colony has yet to read the history of 4 issues") || !strings.Contains(rows[0], "For at least 4 days") {
		t.Errorf("the page is %s", textOf(root))
	}
	w.github.ResetCalls()
	w.Pass(20, 2*time.Minute)
	if _, _, logs := w.boardCalls(); len(logs) > 4*3 {
		t.Errorf("it tried %d times to read 4 logs", len(logs))
	}
	w.waits(fmt.Sprintf("acme/widgets#%d awaiting-human", first.Number), fmt.Sprintf("acme/widgets#%d awaiting-human", second.Number))
	heals()
}

func TestWhatIsGoneIsGoneFromTheBoard(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.board = board.Open{}
	w.github.AddRepository("acme", "gadgets")
	w.makeLabels()
	w.start()
	w.install()
	all := []*issue{}
	for range 6 {
		all = append(all, w.open("olivia", "", "colony:needs-clarification"))
	}
	w.Settle()
	if n := len(w.waiting()); n != 6 {
		t.Fatalf("%d issues wait", n)
	}
	w.Issues = nil
	w.Must(w.github.DeleteIssue("acme", "widgets", all[0].Number, "mona"))
	w.Must(w.github.ConvertToDiscussion("acme", "widgets", all[1].Number, "mona"))
	_, err := w.github.TransferIssue("acme", "widgets", all[2].Number, "gadgets", "")
	w.Must(err)
	w.Settle()
	w.waits("acme/widgets#4 awaiting-human", "acme/widgets#5 awaiting-human", "acme/widgets#6 awaiting-human")

	_, _, err = w.As("olivia").Issues.Edit(ctx, "acme", "widgets", all[3].Number, &github.IssueRequest{State: new("closed")})
	w.Must(err)
	w.Settle()
	w.waits("acme/widgets#5 awaiting-human", "acme/widgets#6 awaiting-human")
	_, _, err = w.As("olivia").Issues.Edit(ctx, "acme", "widgets", all[3].Number, &github.IssueRequest{State: new("open")})
	w.Must(err)
	w.Settle()
	w.waits("acme/widgets#4 awaiting-human", "acme/widgets#5 awaiting-human", "acme/widgets#6 awaiting-human")

	w.Deaf() // and nobody tells
	w.clock.Advance(time.Minute)
	w.Must(w.github.DeleteIssue("acme", "widgets", all[3].Number, "mona"))
	w.clock.Advance(7 * time.Hour)
	w.Settle()
	w.waits("acme/widgets#5 awaiting-human", "acme/widgets#6 awaiting-human")

	w.github.SetWebhookURL(appID, w.colony.address+"/api/github/hook")
	w.Must(w.github.RemoveFromInstallation(w.Installation, "widgets"))
	w.Settle()
	w.waits()
	if status, _, _ := w.page("/board/acme/widgets"); status != http.StatusNotFound {
		t.Errorf("a repository that left is answered with %d", status)
	}
	w.Must(w.github.AddToInstallation(w.Installation, "widgets"))
	w.Settle()
	w.waits("acme/widgets#5 awaiting-human", "acme/widgets#6 awaiting-human")
	w.Must(w.github.Uninstall(w.Installation))
	w.Settle()
	w.waits()
}

func TestAnOrphanWaitsForItsReflection(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, onDisk(t), acme.Colibri)
	w.board = board.Open{}
	w.makeLabels()
	w.start()
	w.install()
	i := w.Verified()
	i.Label("olivia", "colony:done")
	w.Settle()
	w.waits()
	w.clock.Advance(time.Hour)
	w.Sweep()
	i.ColonySays("ended this issue in `done`")
	w.waits("acme/widgets#1 orphan")
	i.Label("olivia", "bug")
	w.Sweep() // somebody looks at it for another reason
	w.waits("acme/widgets#1 orphan")
	w.stopColony()
	w.start()
	w.Settle()
	w.waits("acme/widgets#1 orphan")
	i.Comment("olivia", "reflection: it went well")
	w.Sweep()
	w.waits()
}

func TestWhatIsHaltedWaitsForAPerson(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, onDisk(t))
	w.board = board.Open{}
	w.makeLabels()
	w.start()
	w.install()
	i := w.open("olivia", "", "colony:done")
	w.Settle()
	w.stopColony()
	i.Label("olivia", "colony:new", "colony:planning", "colony:analyzing", "colony:paused", "colony:in-review", "colony:ready-for-dev")
	w.clock.Advance(time.Minute)
	w.start()
	w.Settle()
	w.waits("acme/widgets#1 halted needs-human")
	w.Issues = nil // what Colony says of it is other tests' subject
}

// Filling leaves half of the hour's calls to everybody else, and goes on in the next hour.
func TestFillingTheBoardLeavesCallsToPeople(t *testing.T) {
	t.Parallel()
	const issues, limit = 80, 100
	w := newWorld(t, onDisk(t), func(c *config.Config) { c.Sweep.Watch = 0 })
	w.stopColony()
	w.Deaf() // nothing is to be delivered again
	for range issues {
		w.open("olivia", "", "colony:new")
	}
	w.clock.Advance(100 * time.Hour)
	w.github.SetRateLimit(limit)
	w.board = board.Open{}
	w.github.ResetCalls()
	w.start()
	w.Settle()
	calls := 0
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Status != http.StatusNotModified {
			calls++
		}
	}
	if _, _, logs := w.boardCalls(); len(logs) == 0 || len(logs) == issues || calls > limit/2+5 {
		t.Errorf("%d logs were read, with %d calls of %d", len(logs), calls, limit)
	}
	w.Issues[0].Label("olivia", "colony:analyzing")
	w.Settle()
	w.Issues[0].Has("colony:analyzing")
	for range 4 {
		w.clock.Advance(time.Hour)
		w.Settle()
	}
	_, _, root := w.page("/board")
	if text := textOf(root); strings.Contains(text, "yet to read") {
		t.Errorf("after four hours: %s", text)
	}
	read := map[string]int{}
	_, _, logs := w.issueReads()
	for _, n := range logs {
		read[n]++
	}
	if len(read) != issues || len(logs) > issues+2 { // one was moved
		t.Errorf("%d logs of %d issues were read", len(logs), len(read))
	}
	w.Issues = nil
}

// A GitHub that does not answer for a while after the start is asked again, and the other repositories do not wait for that.
func TestTheBoardListsAgainWhatCouldNotBeListed(t *testing.T) {
	t.Parallel()
	w, first, second := newOldWorld(t)
	w.board = board.Open{}
	w.github.AddRepository("acme", "gadgets")
	w.github.SetPermission("acme", "gadgets", "olivia", "write")
	_, _, err := w.As("olivia").Issues.Create(ctx, "acme", "gadgets", &github.IssueRequest{Title: new("A gadget"), Labels: &[]string{"colony:needs-clarification"}})
	w.Must(err)
	w.clock.Advance(100 * time.Hour)
	heals := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/acme/widgets/issues$`), Status: http.StatusBadGateway})
	w.start()
	w.Settle()
	w.waits("acme/gadgets#1 awaiting-human")
	w.Pass(10, 5*time.Minute)
	heals()
	w.Pass(10, 10*time.Minute)
	w.waits(fmt.Sprintf("acme/widgets#%d awaiting-human", first.Number), fmt.Sprintf("acme/widgets#%d awaiting-human", second.Number), "acme/widgets#3 overdue", "acme/gadgets#1 awaiting-human")
}
