package app_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/reconcile"
)

func (w *world) refusedWrites() []reconcile.RefusedWrite {
	w.t.Helper()
	var list reconcile.RefusedWrites
	w.readAsAdmin(app.RefusedWritesPath, &list)
	return list.RefusedWrites
}

// Colony counts and lists what a locked conversation does not take, and writes it once the conversation is unlocked.
func TestWhatALockedConversationDidNotTakeIsWrittenOnceItIsUnlocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	i := w.stateful("colony:in-review")
	i.Lock(true)
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	w.clock.Advance(time.Minute)
	pause, status := i.CommentAndSettle("olivia", "/colony:pause"), i.CommentAndSettle("olivia", "/colony:status")
	i.Has("colony:paused")

	refused := w.refusedWrites()
	if len(refused) != 4 {
		t.Fatalf("%d writes are listed: %+v", len(refused), refused)
	}
	slices.SortFunc(refused, func(a, b reconcile.RefusedWrite) int { return strings.Compare(a.Write, b.Write) })
	for n, write := range []string{"react with +1", "react with +1", "write a comment", "write a comment"} {
		r := refused[n]
		if r.Write != write || r.Repository != "acme/widgets" || r.Issue != i.Number || r.Installation != w.Installation || r.Refused.IsZero() || !strings.Contains(r.Error, "403") {
			t.Errorf("%d. write: %+v, want %q", n, r, write)
		}
	}
	// What it does not take is not tried again with each request: it would spend the budget that the others need.
	metrics := w.metrics()
	if comments, reactions := acme.Value(metrics, "colony_refused_writes_total", "write=comment"), acme.Value(metrics, "colony_refused_writes_total", "write=reaction"); comments != 2 || reactions != 2 {
		t.Errorf("%g comments and %g reactions are counted", comments, reactions)
	}
	var ready struct {
		RefusedWrites int `json:"refused_writes"`
	}
	w.Must(json.Unmarshal(w.ask(http.MethodGet, "/readyz", "", "").Body.Bytes(), &ready))
	if ready.RefusedWrites != 4 {
		t.Errorf("/readyz shows %d", ready.RefusedWrites)
	}

	i.Lock(false)
	w.Settle()
	i.Has("colony:paused") // nothing is run again
	i.ColonySays("from `in-review` to `new`")
	i.ColonySays("**`paused`**")
	i.ColonyReacts(pause, "+1")
	i.ColonyReacts(status, "+1")
	if left := w.refusedWrites(); len(left) > 0 {
		t.Errorf("still listed: %+v", left)
	}
	w.Sweep()
}

// What a locked conversation did not take is not forgotten if GitHub fails just when Colony is about to write it.
func TestRefusedWritesOutliveAFailedReconciliation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	i := w.stateful("colony:in-review")
	i.Lock(true)
	w.clock.Advance(time.Minute)
	status := i.CommentAndSettle("olivia", "/colony:status")
	if refused := w.refusedWrites(); len(refused) != 2 {
		t.Fatalf("refused %+v", refused)
	}
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusBadGateway, Actor: "colony[bot]", Method: http.MethodGet, Path: regexp.MustCompile(`/comments$`), Times: 1,
	})
	i.Lock(false)
	w.Settle()
	i.ColonySays("**`in-review`**")
	i.ColonyReacts(status, "+1")
	if left := w.refusedWrites(); len(left) > 0 {
		t.Errorf("still listed: %+v", left)
	}
}

// A permission that was lowered, and is there again: what was not said is said, and what was given up is tried again.
func TestWhatAPermissionDidNotAllowIsDoneOnceItIsGranted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	said, done := w.stateful("colony:in-review"), w.stateful("colony:in-review")
	comments := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusForbidden, Actor: "colony[bot]", Method: http.MethodPost, Path: regexp.MustCompile(`/comments$`),
		Body: `{"message": "Resource not accessible by integration"}`,
	})
	removals := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusForbidden, Actor: "colony[bot]", Method: http.MethodDelete, Path: regexp.MustCompile(`issues/2/labels/`),
		Body: `{"message": "Resource not accessible by integration"}`,
	})
	said.Label("olivia", "colony:new")
	done.Label("olivia", "colony:merge-pending")
	w.Settle()
	said.Has("colony:in-review", "colony:needs-human")
	done.Has("colony:in-review", "colony:merge-pending")
	if refused, dead := w.refusedWrites(), w.deadLetters(); len(refused) != 1 || len(dead) != 1 {
		t.Fatalf("refused %+v, given up %+v", refused, dead)
	}
	comments()
	removals()
	w.Must(w.github.SetInstallationPermissions(w.Installation, permissions.All()))
	w.Settle()
	said.ColonySays("from `in-review` to `new`")
	done.Has("colony:merge-pending")
	if refused, dead := w.refusedWrites(), w.deadLetters(); len(refused)+len(dead) != 0 {
		t.Errorf("refused %+v, given up %+v", refused, dead)
	}
}

// An operator can have them tried again too; what GitHub refuses again stays in the list.
func TestRefusedWritesAreRetriedByAnOperator(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	i := w.stateful("colony:in-review")
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusForbidden, Actor: "colony[bot]", Method: http.MethodPost, Path: regexp.MustCompile(`/reactions$`),
		Body: `{"message": "Resource not accessible by integration"}`,
	})
	pause := i.CommentAndSettle("olivia", "/colony:pause")
	retry := func() {
		answer := w.ask(http.MethodPost, app.RefusedWritesPath+"/retry", "Bearer "+adminToken, "")
		if answer.Code != http.StatusOK || strings.TrimSpace(answer.Body.String()) != `{"retried":1}` {
			t.Errorf("trying again is answered with %d %s", answer.Code, answer.Body)
		}
		w.Settle()
	}
	retry()
	if n := len(w.refusedWrites()); n != 1 {
		t.Errorf("%d are listed after GitHub refused again", n)
	}
	cancel()
	retry()
	i.Has("colony:paused")
	i.ColonyReacts(pause, "+1")
	if n := len(w.refusedWrites()); n != 0 {
		t.Errorf("%d are listed after GitHub took it", n)
	}
	for _, token := range []string{"", "Bearer of nothing at all"} {
		if answer := w.ask(http.MethodGet, app.RefusedWritesPath, token, ""); answer.Code != http.StatusNotFound {
			t.Errorf("without the token the list is answered with %d", answer.Code)
		}
	}
}

// One that took effect, although its answer was lost, is not written once more.
func TestRefusedCommentIsWrittenOnceAlthoughItsAnswerWasLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.Lock(true)
	status := i.CommentAndSettle("olivia", "/colony:status")
	w.github.Fault(playground.Fault{
		Kind: playground.FaultCut, After: true, Actor: "colony[bot]", Method: http.MethodPost, Path: regexp.MustCompile(`/issues/\d+/comments$`), Times: 1,
	})
	i.Lock(false)
	for range 5 {
		w.Settle()
		w.clock.Advance(time.Minute)
	}
	i.ColonySays("**`in-review`**")
	i.ColonyReacts(status, "+1")
}

// Colony counts requests for what is gone by the reason.
func TestWhatIsGoneIsCountedByCause(t *testing.T) {
	t.Parallel()
	for cause, does := range map[string]func(w *world, i *issue){
		"deleted": func(w *world, i *issue) { w.Must(w.github.DeleteIssue("acme", "widgets", i.Number, "")) },
		"moved": func(w *world, i *issue) {
			w.github.AddRepository("acme", "elsewhere")
			_, err := w.github.TransferIssue("acme", "widgets", i.Number, "elsewhere", "")
			w.Must(err)
		},
		"missing":     func(w *world, _ *issue) { w.Must(w.github.DeleteRepository("acme", "widgets")) },
		"suspended":   func(w *world, _ *issue) { w.Must(w.github.Suspend(w.Installation)) },
		"uninstalled": func(w *world, _ *issue) { w.Must(w.github.Uninstall(w.Installation)) },
	} {
		t.Run(cause, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			i := w.stateful("colony:in-review")
			w.Issues = nil
			if cause == "suspended" || cause == "uninstalled" { // the token that there is has to come to its end
				w.stopColony()
			}
			w.github.HoldDeliveries()
			_, _, err := w.As("olivia").Issues.AddLabelsToIssue(ctx, "acme", "widgets", i.Number, []string{"colony:merge-pending"})
			w.Must(err)
			does(w, i)
			if w.colony == nil {
				w.start()
			}
			w.github.ReleaseDeliveries(nil)
			w.Settle()
			if n := acme.Value(w.metrics(), "colony_gone_total", "cause="+cause); n < 1 {
				t.Errorf("%g requests are counted; %v", n, w.metrics()["colony_gone_total"])
			}
			if n := acme.Value(w.metrics(), "colony_looks_total", "because=issues", "outcome=gone"); n < 1 {
				t.Errorf("%g requests ended in gone", n)
			}
		})
	}
}
