package reconcile_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
)

// These tests hold what Colony makes of GitHub's oddities (playground/doc.go). Reads of the log that lag, suspended
// installations, reordered and lost deliveries are in fault_test.go; what people do with labels is in label_test.go.

func TestLabelsThatLagBehindTheWebhook(t *testing.T) {
	t.Parallel()
	const lag = 3 * time.Second
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	w.github.LagLabels(lag)
	i.Label("olivia", "colony:in-review")
	i.Unlabel("olivia", "colony:in-development")
	for range 3 {
		w.Settle()
		w.clock.Advance(lag)
	}
	i.Has("colony:in-review")
	i.Label("olivia", "colony:new")
	for range 3 {
		w.Settle()
		w.clock.Advance(lag)
	}
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	i.Label("olivia", "colony:merge-pending")
	for range 3 {
		w.Settle()
		w.clock.Advance(lag)
	}
	i.Has("colony:merge-pending")
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
				i.Replace("olivia", "colony:in-review")
				w.github.ReleaseDeliveries(order)
				w.Settle()
				i.Has("colony:in-review")
				w.github.HoldDeliveries()
				i.Replace("olivia", "colony:new")
				w.github.ReleaseDeliveries(order)
				w.Settle()
				i.Has("colony:in-review", "colony:needs-human")
				i.ColonySays("from `in-review` to `new`")
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
		i.Label("dev[bot]", label)
	}
	w.github.ReleaseDeliveries(playground.Reversed)
	w.Settle()
	i.Has("colony:in-development")
	events, _, err := w.As("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.Number, nil)
	w.Must(err)
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
	i.Label("olivia", "bug")
	w.Settle()
	w.github.ResetCalls()
	_, err := w.As("olivia").Issues.DeleteLabel(ctx, "acme", "widgets", "bug")
	w.Must(err)
	w.Settle()
	if !slices.ContainsFunc(w.github.Deliveries(), func(d playground.Delivery) bool {
		return d.Event == "issues" && d.Action == "unlabeled" && !strings.Contains(string(d.Payload), `"label":{`)
	}) {
		t.Error("no webhook said unlabeled without a label")
	}
	i.Has("colony:in-review")
	w.WritesNothing("about a label that is not its own")
}

func TestCreationWithLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	started := w.open("olivia", "", "colony:new", "bug")
	dropped := w.open("ada", "", "colony:new") // GitHub drops labels of those who may not push
	two := w.open("olivia", "", "colony:in-review", "colony:merge-pending")
	wrong := w.open("olivia", "", "colony:in-review", "colony:new")
	w.Settle()
	started.Has("colony:new", "bug")
	dropped.Has()
	two.Has("colony:merge-pending")
	wrong.Has("colony:in-review", "colony:needs-human")
	wrong.ColonySays("from `in-review` to `new`")
	dropped.Label("olivia", "colony:new")
	w.Settle()
	dropped.Has("colony:new")
}

func TestLabelRenamedWhileAMoveIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	other := w.stateful("colony:in-review")
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:in-review")
	w.RenameLabel("colony:in-review", "reviewing")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.Settle()
	i.Has("colony:in-review")
	other.Has("colony:in-review")
	w.RenameLabel("colony:in-review", "Colony:In-Review") // only written differently: it is the same label
	w.Settle()
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	i.Has("colony:merge-pending")
}

func TestClosedAndReopenedWhileAMoveIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:new")
	i.Edit("olivia", "closed")
	status := i.Comment("olivia", "/colony:status")
	i.Edit("olivia", "open")
	i.Edit("olivia", "closed")
	w.github.ReleaseDeliveries(playground.Reversed)
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	i.ColonySays("**`in-review`**")
	i.ColonyReacts(status, "+1")
}

// In a locked conversation those with write access may comment, and no App: Colony labels there, and neither explains nor reacts.
func TestLockedConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	_, err := w.As("mona").Issues.Lock(ctx, "acme", "widgets", i.Number, nil)
	w.Must(err)
	_, response, err := w.As("tara").Issues.CreateComment(ctx, "acme", "widgets", i.Number, &github.IssueComment{Body: new("/colony:status")})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("somebody without write access commented: %v", err)
	}
	i.Label("tara", "colony:new")
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.Comment("olivia", "/colony:pause")
	w.Settle()
	i.Has("colony:paused")
	i.Label("olivia", "colony:in-review") // resumed by hand
	w.Settle()
	i.Has("colony:in-review")

	// The command has no receipt, and a new process remembers nothing: the log shows that it was run.
	w.stopColony()
	w.clock.Advance(time.Minute)
	w.start()
	w.Settle()
	i.Has("colony:in-review")
}

// What a locked conversation did not take of an attempt that failed is not said once more by the one that makes it good.
func TestAnAnswerThatALockedConversationRefusedIsGivenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	_, err := w.As("mona").Issues.Lock(ctx, "acme", "widgets", i.Number, nil)
	w.Must(err)
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/reactions$`), Status: http.StatusBadGateway,
	})
	status := i.Comment("olivia", "/colony:status")
	w.Quiet()
	_, err = w.As("mona").Issues.Unlock(ctx, "acme", "widgets", i.Number)
	w.Must(err)
	cancel()
	w.Pass(3, time.Minute)
	i.ColonySays("**`in-review`**")
	i.ColonyReacts(status, "+1")
}

// A deleted account is nobody in the log of labels and "ghost" as a writer: a person who may no longer do anything.
func TestUserWhoWasDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddUser("gil")
	w.github.SetPermission("acme", "widgets", "gil", "maintain")
	legal, illegal, ordered := w.stateful("colony:in-review"), w.stateful("colony:in-review"), w.stateful("colony:in-review")
	w.github.HoldDeliveries()
	legal.Label("gil", "colony:merge-pending")
	illegal.Label("gil", "colony:new")
	order := ordered.Comment("gil", "/colony:force done because I leave")
	opening := w.open("gil", "/colony:move new")
	w.Must(w.github.DeleteUser("gil"))
	w.github.ReleaseDeliveries(nil)
	w.Settle()
	legal.Has("colony:merge-pending")
	illegal.Has("colony:in-review", "colony:needs-human")
	illegal.ColonySays("from `in-review` to `new`")
	ordered.Has("colony:in-review")
	ordered.ColonyReacts(order, "-1")
	opening.Has()
	opening.ColonyReacts(0, "-1")
	history := legal.Comment("olivia", "/colony:history")
	w.Settle()
	legal.ColonySays("merge-pending")
	legal.ColonyReacts(history, "+1")
}

func TestRepositoryMadePrivate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	w.github.HoldDeliveries()
	i.Label("dev[bot]", "colony:in-review")
	w.Must(w.github.SetPrivate("acme", "widgets", true))
	w.github.ReleaseDeliveries(nil)
	w.Settle()
	i.Has("colony:in-review")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	w.Must(w.github.SetPrivate("acme", "widgets", false))
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	i.Has("colony:merge-pending")
}

func TestLongLogs(t *testing.T) {
	t.Parallel()
	for name, swaps := range map[string]int{"more than 100 label events": 60, "more than 1000": 510} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-development")
			for range swaps {
				i.Label("olivia", "busy")
				i.Unlabel("olivia", "busy")
			}
			w.Quiet()
			w.github.ResetCalls()
			i.Label("olivia", "colony:in-review")
			w.Settle()
			i.Has("colony:in-review")
			if reads, _ := w.Cost(); reads < 2+2*swaps/100 {
				t.Errorf("%d reads are not every page", reads)
			}
			i.Label("olivia", "colony:new")
			w.Settle()
			i.Has("colony:in-review", "colony:needs-human")
			i.ColonySays("from `in-review` to `new`")
		})
	}
}

func TestDeliveriesThatComeDaysLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, late, command := w.stateful("colony:new"), w.stateful("colony:in-review"), w.stateful("colony:ready-for-dev") // no time-outs there
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:ready-for-dev")
	late.Label("olivia", "colony:new")
	command.Comment("olivia", "/colony:move in-review")
	w.clock.Advance(4 * 24 * hour)
	w.github.ReleaseDeliveries(playground.Reversed)
	w.Settle()
	i.Has("colony:ready-for-dev")
	late.Has("colony:new")              // older than the horizon: it stands, and counts
	command.Has("colony:ready-for-dev") // nobody waits for that any more
	late.Label("olivia", "colony:analyzing")
	w.Settle()
	late.Has("colony:analyzing")

	w.github.ResetCalls()
	for _, d := range w.github.Deliveries() {
		if !d.Redelivery && d.Event == "issues" {
			w.Must(w.github.Redeliver(d.ID))
		}
	}
	w.Settle()
	w.WritesNothing("because of what it had seen days ago")
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
			mine.Label(bound, "colony:in-review") // not a reviewer's move
			others.Label(other, "colony:in-review")
			w.Settle()
			mine.Has("colony:failure-blocked", "colony:needs-human")
			mine.ColonySays("`" + bound + "` tried to move the issue from `in-development` to `in-review`")
			others.Has("colony:in-review")
		})
	}
}
