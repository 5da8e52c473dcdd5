package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
)

// held keeps the next call about an issue from GitHub until it is released, each time it is armed.
type held struct {
	mu             sync.Mutex
	began, release chan struct{} // nil: nothing is kept
}

func (h *held) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.Path, "/issues/") {
		h.mu.Lock()
		began, release := h.began, h.release
		h.began, h.release = nil, nil
		h.mu.Unlock()
		if began != nil {
			close(began)
			<-release
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (h *held) arm() (began, release chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.began, h.release = make(chan struct{}), make(chan struct{})
	return h.began, h.release
}

// newBurstWorld has a Colony whose calls can be held.
func newBurstWorld(t *testing.T) (*world, *held) {
	t.Helper()
	w, h := newWorldWithoutColony(t), &held{}
	w.transport = h
	w.start()
	w.install()
	return w, h
}

// burst has people do something on an issue while Colony reads what came before it.
func (w *world) burst(h *held, first, others func()) {
	w.t.Helper()
	w.github.ResetCalls()
	began, release := h.arm()
	first()
	<-began
	others()
	w.Must(w.github.Quiet(ctx)) // every webhook was answered: what it asks for is in the queue
	close(release)
	w.Quiet()
}

// reads counts the calls of Colony that read something about an issue, answered 304 or not.
func (w *world) reads(i *issue) (n int) {
	for _, c := range w.mine() {
		if c.Method == http.MethodGet && strings.Contains(c.Path+"/", fmt.Sprintf("/issues/%d/", i.Number)) {
			n++
		}
	}
	return n
}

// Five label events of one issue within a second: Colony reconciles the first when it comes, and the four that come meanwhile together.
func TestABurstOnOneIssueIsReadTwice(t *testing.T) {
	t.Parallel()
	w, h := newBurstWorld(t)
	i, last := w.open("olivia", "", "colony:new"), w.open("olivia", "", "colony:new")
	w.Settle()
	w.clock.Advance(time.Hour)
	w.burst(h, func() { i.Label("olivia", "colony:analyzing") }, func() {
		i.Label("olivia", "colony:planning", "colony:in-development", "colony:in-review", "colony:merge-pending")
		last.Label("olivia", "colony:planning") // behind these in the queue: once it is read, Colony has taken all of them
		w.Must(w.github.Until(ctx, func() bool { return w.reads(last) > 0 }))
	})
	if n := w.reads(i); n != 4 {
		t.Errorf("%d reads for a burst of five, want 4", n)
	}
	i.Has("colony:merge-pending")
	if done := acme.Value(w.metrics(), "colony_queue_joined_total"); done != 3 {
		t.Errorf("%v were done with another, want 3", done)
	}
}

// Colony does what each event of a burst asks for: it runs commands in their order, and waits for labels that GitHub shows late.
func TestNothingOfABurstIsOverlooked(t *testing.T) {
	t.Parallel()
	w, h := newBurstWorld(t)
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.clock.Advance(time.Hour)
	var comments []int64
	w.burst(h, func() { i.Label("olivia", "colony:analyzing") }, func() {
		comments = append(comments, i.Comment("olivia", "/colony:move planning"), i.Comment("rita", "/colony:move done"), i.Comment("olivia", "/colony:pause"))
	})
	w.Settle()
	for n, receipt := range []string{"+1", "-1", "+1"} {
		i.ColonyReacts(comments[n], receipt)
	}
	i.Has("colony:paused")

	w.github.LagEvents(2 * time.Second)
	w.burst(h, func() { i.Label("olivia", "colony:planning") }, func() {
		i.Label("olivia", "bug")
		i.Label("olivia", "colony:in-development", "colony:in-review")
	})
	w.Settle()
	w.Settle()
	i.Has("bug", "colony:in-review")
}
