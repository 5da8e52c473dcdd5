package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// While GitHub limits an installation, what waits there is not touched; one request finds out each time whether it may go on. Then
// what people did goes first, in its order: one alone, and then more and more at once; and the sweep that began before them last.
func TestALimitedInstallationCostsNothingUntilItsTime(t *testing.T) {
	t.Parallel()
	const edits, limits = 30, 10
	const alone = 1 + 4 + 16 // people who pass in groups without the sweep
	w := newWorld(t)
	var all []*issue
	for range edits {
		all = append(all, w.open("olivia", "", "colony:new"))
	}
	w.Settle()
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: 10 * time.Second, Installation: w.Installation,
	})
	w.clock.Advance(time.Minute)
	w.Must(w.colony.server.Sweep(ctx))
	w.Quiet()
	for _, i := range all {
		i.Label("olivia", "colony:analyzing")
		w.Quiet() // webhooks overtake each other
		w.clock.Advance(time.Millisecond)
	}
	putOffs := func() float64 { return acme.Value(w.metrics(), "colony_put_offs_total", "why=github") }
	before := putOffs()
	w.github.ResetCalls()
	for range limits {
		w.clock.Advance(w.colony.ready().Limited[w.Installation].Sub(w.clock.Now()))
		w.Quiet()
	}
	if n := len(w.mine()); n != limits {
		t.Errorf("%d calls while limited, want one for each of %d limits", n, limits)
	}
	if n := putOffs() - before; n != limits {
		t.Errorf("requests were requeued %v times, want once for each of %d limits", n, limits)
	}

	cancel()
	w.github.ResetCalls()
	w.clock.Advance(w.colony.ready().Limited[w.Installation].Sub(w.clock.Now()))
	for w.Quiet(); w.Delayed() > 0; w.Quiet() {
		w.clock.Advance(50 * time.Millisecond)
	}
	moved, group, together := 0, 0, 1 // the number of moves, of the groups before, and of the one that passes
	for _, c := range w.mine() {
		switch {
		case c.Method == http.MethodDelete:
			if moved == group+together {
				group, together = moved, 4*together
			}
			moved++
			path, err := url.PathUnescape(c.Path)
			w.Must(err)
			if !slices.ContainsFunc(all[group:min(group+together, edits)], func(i *issue) bool {
				return strings.HasSuffix(path, fmt.Sprintf("/issues/%d/labels/colony:new", i.Number))
			}) {
				t.Errorf("move %d is %s, which is none of the %d after the first %d", moved, path, together, group)
			}
		case strings.HasSuffix(c.Path, "/issues") && moved < alone:
			t.Errorf("the sweep came after %d of %d people", moved, edits)
		}
	}
	if moved != edits {
		t.Errorf("%d were moved of %d", moved, edits)
	}
	w.Settle()
	for _, i := range all {
		i.Has("colony:analyzing")
	}
}

// What waits for a short limit is not stored again, and what is waited for when the process ends, the next one does.
func TestWhatWaitsForALimitOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	edited, asked := w.open("olivia", "", "colony:new"), w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: time.Minute, Installation: w.Installation, Times: 1,
	})
	edited.Label("olivia", "colony:analyzing")
	w.Quiet()
	c := asked.Comment("olivia", "/colony:move analyzing")
	w.Quiet()
	if n := w.Delayed(); n != 2 {
		t.Errorf("%d requests wait, not 2", n)
	}
	w.restart(false)
	w.Quiet()
	w.clock.Advance(2 * time.Minute)
	w.Settle()
	for _, i := range []*issue{edited, asked} {
		i.Has("colony:analyzing")
	}
	asked.ColonyReacts(c, "+1")
}

// mine lists Colony's calls.
func (w *world) mine() []playground.Call {
	return slices.DeleteFunc(w.github.Calls(), func(c playground.Call) bool { return c.Actor != "colony[bot]" })
}

// A replica that learns of a limit asks GitHub nothing until it is over.
func TestReplicasLearnOfALimit(t *testing.T) {
	t.Parallel()
	w, one, another := newReplicas(t)
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: time.Minute, Installation: w.Installation, Times: 1,
	})
	i.Label("olivia", "colony:analyzing")
	w.Quiet()
	for _, w.colony = range []*colony{one, another} {
		for _, limited := w.colony.ready().Limited[w.Installation]; !limited; _, limited = w.colony.ready().Limited[w.Installation] {
			select { // the broadcast arrives in its own time
			case <-time.After(time.Millisecond):
			case <-t.Context().Done():
				t.Fatal("a replica does not know of the limit")
			}
		}
	}
	w.clock.Advance(time.Minute)
	w.Settle()
	i.Has("colony:analyzing")
}
