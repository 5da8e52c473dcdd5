package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/playground"
)

// While GitHub limits an installation, what waits there is not touched; one request finds out each time whether it may go on. Then
// what people did goes first, in its order: one alone, and then more and more at once; and the sweep that began before them last.
func TestALimitedInstallationCostsNothingUntilItsTime(t *testing.T) {
	t.Parallel()
	const edits, limits = 30, 10
	w := newWorld(t)
	var all []*issue
	for range edits {
		all = append(all, w.open("olivia", "", "colony:new"))
	}
	w.settle()
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: 10 * time.Second, Installation: w.installation,
	})
	w.clock.Advance(time.Minute)
	w.must(w.colony.server.Sweep(ctx))
	w.quiet()
	for _, i := range all {
		i.label("olivia", "colony:analyzing")
		w.quiet() // webhooks overtake each other
		w.clock.Advance(time.Millisecond)
	}
	putOffs := func() float64 { return value(w.metrics(), "colony_put_offs_total", "why=github") }
	before := putOffs()
	w.github.ResetCalls()
	for range limits {
		w.clock.Advance(w.ready().Limited[w.installation].Sub(w.clock.Now()))
		w.quiet()
	}
	if n := len(w.mine()); n != limits {
		t.Errorf("%d calls while limited, want one for each of %d limits", n, limits)
	}
	if n := putOffs() - before; n != limits {
		t.Errorf("requests were requeued %v times, want once for each of %d limits", n, limits)
	}

	cancel()
	w.github.ResetCalls()
	w.clock.Advance(w.ready().Limited[w.installation].Sub(w.clock.Now()))
	for w.quiet(); w.delayed() > 0; w.quiet() {
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
			w.must(err)
			if !slices.ContainsFunc(all[group:min(group+together, edits)], func(i *issue) bool {
				return strings.HasSuffix(path, fmt.Sprintf("/issues/%d/labels/colony:new", i.number))
			}) {
				t.Errorf("move %d is %s, which is none of the %d after the first %d", moved, path, together, group)
			}
		case strings.HasSuffix(c.Path, "/issues") && moved < edits:
			t.Errorf("the sweep came after %d of %d people", moved, edits)
		}
	}
	if moved != edits {
		t.Errorf("%d were moved of %d", moved, edits)
	}
	w.settle()
	for _, i := range all {
		i.has("colony:analyzing")
	}
}

// What waits for a short limit is not stored again, and what is waited for when the process ends, the next one does.
func TestWhatWaitsForALimitOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	edited, asked := w.open("olivia", "", "colony:new"), w.open("olivia", "", "colony:new")
	w.settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: time.Minute, Installation: w.installation, Times: 1,
	})
	edited.label("olivia", "colony:analyzing")
	w.quiet()
	c := asked.comment("olivia", "/colony:move analyzing")
	w.quiet()
	if n := w.delayed(); n != 2 {
		t.Errorf("%d requests wait, not 2", n)
	}
	w.restart(false)
	w.quiet()
	w.clock.Advance(2 * time.Minute)
	w.settle()
	for _, i := range []*issue{edited, asked} {
		i.has("colony:analyzing")
	}
	asked.colonyReacts(c, "+1")
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
	w.settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: time.Minute, Installation: w.installation, Times: 1,
	})
	i.label("olivia", "colony:analyzing")
	w.quiet()
	for _, w.colony = range []*colony{one, another} {
		for _, limited := w.ready().Limited[w.installation]; !limited; _, limited = w.ready().Limited[w.installation] {
			select { // the broadcast arrives in its own time
			case <-time.After(time.Millisecond):
			case <-t.Context().Done():
				t.Fatal("a replica does not know of the limit")
			}
		}
	}
	w.clock.Advance(time.Minute)
	w.settle()
	i.has("colony:analyzing")
}
