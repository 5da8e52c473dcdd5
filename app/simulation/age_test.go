package simulation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/reconcile"
)

// folded reconciles an issue, and returns how many changes of its log that went through.
func (w *slowGitHub) folded(request reconcile.Request) (changes int) {
	w.Helper()
	var log bytes.Buffer
	reconciler := *w.worker.Reconciler
	reconciler.Log = zerolog.New(&log).Level(zerolog.DebugLevel)
	w.task = &taskContext{Context: w.Context(), clock: w.clock, until: w.clock.Now().Add(taskTime)}
	_, err := reconciler.Reconcile(w.Context(), request, reconcile.Carry{})
	w.must(err)
	folds := 0
	for line := range strings.Lines(log.String()) {
		var said struct{ Changes *int }
		w.must(json.Unmarshal([]byte(line), &said))
		if said.Changes != nil {
			changes += *said.Changes
			folds++
		}
	}
	if folds == 0 {
		w.Fatalf("no log was folded:\n%s", &log)
	}
	return changes
}

// stands are the labels of an issue.
func (w *slowGitHub) stands(request reconcile.Request) string {
	w.Helper()
	var found struct {
		Labels []struct{ Name string }
	}
	w.call("olivia", http.MethodGet, fmt.Sprintf("/repos/acme/widgets/issues/%d", request.Number), nil, &found)
	var names []string
	for _, l := range found.Labels {
		names = append(names, l.Name)
	}
	return strings.Join(names, " ")
}

// However old an issue is, Colony goes again only through the changes since the settled pages of its log. Where what is settled depends on
// changes, it goes through the whole log, once.
func TestAnOldIssueIsFoldedFromWhereItsLogIsSettled(t *testing.T) {
	t.Parallel()
	for _, recent := range []int{2, 20} {
		t.Run(fmt.Sprintf("%d recent", recent), func(t *testing.T) {
			t.Parallel()
			w := newSlowGitHub(t)
			young, old := w.aged(50, recent), w.aged(1050, recent)
			w.answers = nil
			floor := w.folded(young)
			if floor < 49 {
				t.Errorf("of 49 changes or more, Colony folded %d", floor)
			}
			few := func(when string, most int) {
				t.Helper()
				if got := w.folded(old); got > most {
					t.Errorf("%s: Colony folded %d changes, more than %d", when, got, most)
				}
			}
			few("again", floor)
			before := w.stands(old)
			path := fmt.Sprintf("/repos/acme/widgets/issues/%d/labels", old.Number)
			var into any
			w.call("olivia", http.MethodPost, path, map[string]any{"labels": []string{"colony:new"}}, &into)
			few("after an illegal move", 2*floor)
			w.clock.Advance(time.Minute)
			few("once it is quiet", 4*floor)
			if got := w.stands(old); got != before+" colony:needs-human" {
				t.Errorf("after an illegal move there is %q, where %q was", got, before)
			}
			w.clock.Advance(time.Minute)
			few("once it was refused", 2*floor)
		})
	}
}
