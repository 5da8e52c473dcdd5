package app_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
)

// These tests hold what Colony makes of GitHub's oddities (docs/playground.md). Reads of the log that lag, suspended
// installations, reordered and lost deliveries are in fault_test.go; what people do with labels is in label_test.go.

// stateful opens an issue that is settled in a state.
func (w *world) stateful(label string) *issue {
	w.t.Helper()
	i := w.open("ada", "")
	i.label("olivia", label)
	w.settle()
	return i
}

// replace makes the labels of the issue equal to these in one request, as the picker does.
func (i *issue) replace(by string, labels ...string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.ReplaceLabelsForIssue(ctx, "acme", "widgets", i.number, labels)
	i.must(err)
}

// readsNothingMore is for an issue that nobody can read any more.
func (i *issue) readsNothingMore() {
	i.issues = slices.DeleteFunc(i.issues, func(other *issue) bool { return other == i })
}

// writesNothing asserts that Colony wrote nothing to GitHub since the calls were last reset.
func (w *world) writesNothing(when string) {
	w.t.Helper()
	if _, writes := w.calls(); writes > 0 {
		w.t.Errorf("Colony wrote %d times %s", writes, when)
		for _, c := range w.github.Calls() {
			if c.Actor == "colony[bot]" && c.Method != http.MethodGet {
				w.t.Log(c.Method, c.Path, c.Status)
			}
		}
	}
}

func TestLabelsThatLagBehindTheWebhook(t *testing.T) {
	t.Parallel()
	const lag = 3 * time.Second
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	w.github.LagLabels(lag)
	i.label("olivia", "colony:in-review")
	i.unlabel("olivia", "colony:in-development")
	for range 3 {
		w.settle()
		w.clock.Advance(lag)
	}
	i.has("colony:in-review")
	i.label("olivia", "colony:new")
	for range 3 {
		w.settle()
		w.clock.Advance(lag)
	}
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
	i.label("olivia", "colony:merge-pending")
	for range 3 {
		w.settle()
		w.clock.Advance(lag)
	}
	i.has("colony:merge-pending")
}

func TestSwapInOneRequestInEitherOrder(t *testing.T) {
	t.Parallel()
	for name, addingFirst := range map[string]bool{"labeled first": true, "unlabeled first": false} {
		for kind, order := range map[string]playground.ReleaseOrder{"in order": playground.InOrder, "webhooks reversed": playground.Reversed} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.github.SwapLabelsAddingFirst(addingFirst)
				i := w.stateful("colony:in-development")
				w.github.HoldDeliveries()
				i.replace("olivia", "colony:in-review")
				w.github.ReleaseDeliveries(order)
				w.settle()
				i.has("colony:in-review")
				w.github.HoldDeliveries()
				i.replace("olivia", "colony:new")
				w.github.ReleaseDeliveries(order)
				w.settle()
				i.has("colony:in-review", "colony:needs-human")
				i.colonySays("from `in-review` to `new`")
			})
		}
	}
}

func TestSeveralEventsInTheSameSecondAreJudgedInTheirOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:new")
	w.github.HoldDeliveries()
	for _, label := range []string{"colony:analyzing", "colony:ready-for-dev", "colony:in-development"} {
		w.clock.Advance(300 * time.Millisecond) // the clock of a world begins at a full second
		i.label("dev[bot]", label)
	}
	w.github.ReleaseDeliveries(playground.Reversed)
	w.settle()
	i.has("colony:in-development")
	events, _, err := w.as("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.number, nil)
	w.must(err)
	at := map[time.Time]int{}
	for _, e := range events {
		if e.GetActor().GetLogin() == "dev[bot]" {
			at[e.GetCreatedAt().Time]++
		}
	}
	if len(at) != 1 {
		t.Errorf("the three moves were meant to be in the same second: %v", at)
	}
}

// Deleting a label from the repository leaves every issue with an unlabeled event that has no label.
func TestUnlabeledWithoutALabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.label("olivia", "bug")
	w.settle()
	w.github.ResetCalls()
	_, err := w.as("olivia").Issues.DeleteLabel(ctx, "acme", "widgets", "bug")
	w.must(err)
	w.settle()
	if !slices.ContainsFunc(w.github.Deliveries(), func(d playground.Delivery) bool {
		return d.Event == "issues" && d.Action == "unlabeled" && !strings.Contains(string(d.Payload), `"label":{`)
	}) {
		t.Error("no webhook said unlabeled without a label")
	}
	i.has("colony:in-review")
	w.writesNothing("about a label that is not its own")
}

func TestCreationWithLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	started := w.open("olivia", "", "colony:new", "bug")
	dropped := w.open("ada", "", "colony:new") // GitHub drops labels of those who may not push
	two := w.open("olivia", "", "colony:in-review", "colony:merge-pending")
	wrong := w.open("olivia", "", "colony:in-review", "colony:new")
	w.settle()
	started.has("colony:new", "bug")
	dropped.has()
	two.has("colony:merge-pending")
	wrong.has("colony:in-review", "colony:needs-human")
	wrong.colonySays("from `in-review` to `new`")
	dropped.label("olivia", "colony:new")
	w.settle()
	dropped.has("colony:new")
}

func TestLabelRenamedWhileAMoveIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	other := w.stateful("colony:in-review")
	w.github.HoldDeliveries()
	i.label("olivia", "colony:in-review")
	w.editLabel("colony:in-review", "reviewing")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.settle()
	i.has("colony:in-review")
	other.has("colony:in-review")
	w.editLabel("colony:in-review", "Colony:In-Review") // only written differently: it is the same label
	w.settle()
	i.label("olivia", "colony:merge-pending")
	w.settle()
	i.has("colony:merge-pending")
}

func TestTransferredWithSomethingPending(t *testing.T) {
	t.Parallel()
	for name, pending := range map[string]func(i *issue){
		"command": func(i *issue) { i.comment("olivia", "/colony:move merge-pending") },
		"move":    func(i *issue) { i.label("olivia", "colony:merge-pending") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.github.AddRepository("acme", "gadgets")
			w.github.SetPermission("acme", "gadgets", "olivia", "write")
			w.github.SetPermission("acme", "gadgets", "mona", "maintain")
			w.settle()
			// The number is taken in both repositories: what is meant for one must not be written to the other.
			neighbour, _, err := w.as("olivia").Issues.Create(ctx, "acme", "gadgets", &github.IssueRequest{
				Title: new("A gadget"), Labels: &[]string{"colony:in-review"},
			})
			w.must(err)
			i := w.stateful("colony:in-review")
			if neighbour.GetNumber() != i.number {
				t.Fatalf("the neighbour is #%d, not #%d", neighbour.GetNumber(), i.number)
			}
			w.github.HoldDeliveries()
			pending(i)
			number, err := w.github.TransferIssue("acme", "widgets", i.number, "gadgets", "mona")
			w.must(err)
			i.readsNothingMore()
			w.github.ReleaseDeliveries(nil)
			w.settle()
			w.sweep()
			labels := func(number int) []string {
				list, _, err := w.as("mona").Issues.ListLabelsByIssue(ctx, "acme", "gadgets", number, nil)
				w.must(err)
				names := []string{}
				for _, l := range list {
					names = append(names, l.GetName())
				}
				return names
			}
			if diff := cmp.Diff([]string{"colony:in-review"}, labels(neighbour.GetNumber())); diff != "" {
				t.Errorf("the neighbour: %s", diff)
			}
			if diff := cmp.Diff([]string{"colony:merge-pending"}, labels(number)); diff != "" {
				t.Errorf("what was transferred: %s", diff)
			}
		})
	}
}

// Colony silently drops what is pending for an issue that is gone.
func TestIssueThatIsGone(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(w *world, number int) error{
		"deleted":                   func(w *world, n int) error { return w.github.DeleteIssue("acme", "widgets", n, "mona") },
		"converted to a discussion": func(w *world, n int) error { return w.github.ConvertToDiscussion("acme", "widgets", n, "mona") },
		"with its repository":       func(w *world, _ int) error { return w.github.DeleteRepository("acme", "widgets") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-review")
			w.github.ResetCalls()
			i.label("olivia", "colony:new")
			w.quiet() // the refusal waits for its time
			if w.delayed() == 0 {
				t.Fatal("nothing is pending")
			}
			w.github.HoldDeliveries()
			i.comment("olivia", "/colony:status")
			w.must(remove(w, i.number))
			i.readsNothingMore()
			w.github.ReleaseDeliveries(nil)
			w.settle()
			w.sweep()
			w.writesNothing("to what is gone")
			if n := w.delayed(); n > 0 {
				t.Errorf("%d requests for what is gone are retried", n)
			}
		})
	}
}

func TestClosedAndReopenedWhileAMoveIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.github.HoldDeliveries()
	i.label("olivia", "colony:new")
	i.edit("olivia", "closed")
	status := i.comment("olivia", "/colony:status")
	i.edit("olivia", "open")
	i.edit("olivia", "closed")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.settle()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
	i.colonySays("**`in-review`**")
	i.colonyReacts(status, "+1")
}

// In a locked conversation those with write access may comment, and no App: Colony labels there, and neither explains nor reacts.
func TestLockedConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.stateful("colony:in-review")
	_, err := w.as("mona").Issues.Lock(ctx, "acme", "widgets", i.number, nil)
	w.must(err)
	_, response, err := w.as("tara").Issues.CreateComment(ctx, "acme", "widgets", i.number, &github.IssueComment{Body: new("/colony:status")})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("somebody without write access commented: %v", err)
	}
	i.label("tara", "colony:new")
	w.settle()
	i.has("colony:in-review", "colony:needs-human")
	i.comment("olivia", "/colony:pause")
	w.settle()
	i.has("colony:paused")
	i.label("olivia", "colony:in-review") // resumed by hand
	w.settle()
	i.has("colony:in-review")

	// The command has no receipt, and a new process remembers nothing: the log shows that it was run.
	w.stopColony()
	w.clock.Advance(time.Minute)
	w.start()
	w.settle()
	i.has("colony:in-review")
}

// A deleted account is nobody in the log of labels and "ghost" as a writer: a person who may no longer do anything.
func TestUserWhoWasDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddUser("gil")
	w.github.SetPermission("acme", "widgets", "gil", "maintain")
	legal, illegal, ordered := w.stateful("colony:in-review"), w.stateful("colony:in-review"), w.stateful("colony:in-review")
	w.github.HoldDeliveries()
	legal.label("gil", "colony:merge-pending")
	illegal.label("gil", "colony:new")
	order := ordered.comment("gil", "/colony:force done because I leave")
	opening := w.open("gil", "/colony:move new")
	w.must(w.github.DeleteUser("gil"))
	w.github.ReleaseDeliveries(nil)
	w.settle()
	legal.has("colony:merge-pending")
	illegal.has("colony:in-review", "colony:needs-human")
	illegal.colonySays("from `in-review` to `new`")
	ordered.has("colony:in-review")
	ordered.colonyReacts(order, "-1")
	opening.has()
	opening.colonyReacts(0, "-1")
	history := legal.comment("olivia", "/colony:history")
	w.settle()
	legal.colonySays("merge-pending")
	legal.colonyReacts(history, "+1")
}

// interloper does something once, right after Colony has read what it needs and before its first write of a kind.
type interloper struct {
	once   sync.Once
	method string
	does   func()
}

func (i *interloper) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == i.method && !strings.Contains(r.URL.Path, "access_tokens") {
		i.once.Do(i.does)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestRepositoryRenamed(t *testing.T) {
	t.Parallel()
	t.Run("before the look", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		i := w.stateful("colony:in-review")
		w.github.HoldDeliveries()
		i.label("olivia", "colony:new")
		w.must(w.github.RenameRepository("acme", "widgets", "gizmos"))
		w.github.ReleaseDeliveries(nil)
		w.settle()
		i.has("colony:in-review", "colony:needs-human")
		i.colonySays("from `in-review` to `new`")
		i.label("olivia", "colony:merge-pending")
		w.settle()
		i.has("colony:merge-pending")
	})
	t.Run("and another one takes its name", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		i := w.stateful("colony:in-review")
		i.readsNothingMore() // its address is another's now
		w.github.HoldDeliveries()
		i.label("olivia", "colony:new")
		i.comment("olivia", "/colony:block it burns")
		w.must(w.github.RenameRepository("acme", "widgets", "gizmos"))
		w.github.AddRepository("acme", "widgets")
		w.github.SetPermission("acme", "widgets", "olivia", "write")
		w.github.SetPermission("acme", "widgets", "mona", "maintain")
		other := w.open("olivia", "", "colony:planning")
		if other.number != i.number {
			t.Fatalf("the other is #%d, not #%d", other.number, i.number)
		}
		w.github.ReleaseDeliveries(nil)
		w.settle()
		w.sweep()
		other.has("colony:planning")
		moved, _, err := w.as("mona").Issues.ListLabelsByIssue(ctx, "acme", "gizmos", i.number, nil)
		w.must(err)
		if len(moved) != 1 || moved[0].GetName() != "colony:failure-blocked" {
			t.Errorf("the labels in the renamed repository: %v", moved)
		}
	})
	t.Run("between reading and writing", func(t *testing.T) {
		t.Parallel()
		w := newWorldWithoutColony(t)
		between := &interloper{method: http.MethodDelete, does: func() { w.must(w.github.RenameRepository("acme", "widgets", "gizmos")) }}
		w.transport = between
		w.start()
		w.install()
		i := w.stateful("colony:in-development")
		i.label("olivia", "colony:in-review")
		w.settle()
		i.has("colony:in-review")
	})
}

func TestRepositoryMadePrivate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	w.github.HoldDeliveries()
	i.label("dev[bot]", "colony:in-review")
	w.must(w.github.SetPrivate("acme", "widgets", true))
	w.github.ReleaseDeliveries(nil)
	w.settle()
	i.has("colony:in-review")
	i.label("olivia", "colony:new")
	w.settle()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
	w.must(w.github.SetPrivate("acme", "widgets", false))
	i.label("olivia", "colony:merge-pending")
	w.settle()
	i.has("colony:merge-pending")
}

func TestPermissionsReducedAndRestored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, command := w.stateful("colony:in-review"), w.stateful("colony:in-review")
	w.must(w.github.SetInstallationPermissions(w.installation, map[string]string{"issues": "read"}))
	w.settle()
	i.label("olivia", "colony:new")
	order := command.comment("olivia", "/colony:move merge-pending")
	w.settle()
	i.has("colony:in-review", "colony:new") // nothing half done
	command.has("colony:in-review")
	if n := w.givenUp(); n == 0 {
		t.Error("/readyz does not show that something was given up")
	}
	w.must(w.github.SetInstallationPermissions(w.installation, map[string]string{"issues": "write"}))
	w.sweep()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
	command.has("colony:merge-pending")
	command.colonyReacts(order, "+1")
}

func TestLongLogs(t *testing.T) {
	t.Parallel()
	for name, swaps := range map[string]int{"more than 100 label events": 60, "more than 1000": 510} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-development")
			for range swaps {
				i.label("olivia", "busy")
				i.unlabel("olivia", "busy")
			}
			w.quiet()
			w.github.ResetCalls()
			i.label("olivia", "colony:in-review")
			w.settle()
			i.has("colony:in-review")
			if reads, _ := w.calls(); reads < 2+2*swaps/100 {
				t.Errorf("%d reads are not every page", reads)
			}
			i.label("olivia", "colony:new")
			w.settle()
			i.has("colony:in-review", "colony:needs-human")
			i.colonySays("from `in-review` to `new`")
		})
	}
}

func TestDeliveriesThatComeDaysLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, late, command := w.stateful("colony:new"), w.stateful("colony:in-review"), w.stateful("colony:ready-for-dev") // no time-outs there
	w.github.HoldDeliveries()
	i.label("olivia", "colony:ready-for-dev")
	late.label("olivia", "colony:new")
	command.comment("olivia", "/colony:move in-review")
	w.clock.Advance(4 * 24 * hour)
	w.github.ReleaseDeliveries(playground.Reversed)
	w.settle()
	i.has("colony:ready-for-dev")
	late.has("colony:new")              // older than the horizon: it stands, and counts
	command.has("colony:ready-for-dev") // nobody waits for that any more
	late.label("olivia", "colony:analyzing")
	w.settle()
	late.has("colony:analyzing")

	w.github.ResetCalls()
	for _, d := range w.github.Deliveries() {
		if !d.Redelivery && d.Event == "issues" {
			w.must(w.github.Redeliver(d.ID))
		}
	}
	w.settle()
	w.writesNothing("because of what it had seen days ago")
}

// "dev" and "dev[bot]" are two: what is configured for one says nothing of the other.
func TestBotWithTheNameOfAUser(t *testing.T) {
	t.Parallel()
	for bound, other := range map[string]string{"dev": "dev[bot]", "dev[bot]": "dev"} {
		t.Run(bound+" is bound", func(t *testing.T) {
			t.Parallel()
			w := newWorldWithoutColony(t, func(c *config.Config) { c.Executors.Logins = map[string][]string{bound: {"reviewer"}} })
			w.github.AddUser("dev")
			w.github.SetPermission("acme", "widgets", "dev", "write")
			w.start()
			w.install()
			mine, others := w.stateful("colony:in-development"), w.stateful("colony:in-development")
			mine.label(bound, "colony:in-review") // not a reviewer's move
			others.label(other, "colony:in-review")
			w.settle()
			mine.has("colony:failure-blocked", "colony:needs-human")
			mine.colonySays("`" + bound + "` tried to move the issue from `in-development` to `in-review`")
			others.has("colony:in-review")
		})
	}
}

// givenUp counts the requests that were given up, as /readyz shows.
func (w *world) givenUp() int {
	w.t.Helper()
	return w.ready().Queue.Dead
}
