package budget

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// calls carries Colony's calls to its GitHub, which takes its time, and sees which moves they finish.
type calls struct {
	world *world

	mu      sync.Mutex
	sent    int
	refused int
	moves   map[string]*move // that are under way, by the path of the label that Colony takes off
}

// RoundTrip implements http.RoundTripper.
func (c *calls) RoundTrip(request *http.Request) (*http.Response, error) {
	select {
	case <-c.world.clock.After(latency):
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	response := direct(c.world.github.Handler(), request)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent++
	if response.StatusCode == http.StatusForbidden || response.StatusCode == http.StatusTooManyRequests {
		c.refused++
	}
	if m := c.moves[request.URL.Path]; m != nil && request.Method == http.MethodDelete && response.StatusCode == http.StatusOK {
		m.took = c.world.clock.Since(m.began)
		delete(c.moves, request.URL.Path)
	}
	return response, nil
}

// left is how many moves are under way.
func (c *calls) left() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.moves)
}

// asked counts Colony's calls since they were reset.
func (w *world) asked() (n int) {
	for _, call := range w.github.Calls() {
		if call.Actor == login {
			n++
		}
	}
	return n
}

// move is an allowed move: a person puts a label on, and Colony takes the old one off.
type move struct {
	began time.Time
	took  time.Duration // 0 while it is under way
}

const (
	labelBefore = "colony:new"
	labelAfter  = "colony:analyzing"
)

// begin lets a person move an issue.
func (w *world) begin(person string, i issue) (*move, error) {
	m := &move{began: w.clock.Now()}
	w.calls.mu.Lock()
	w.calls.moves[fmt.Sprintf("/api/v3/repos/%s/%s/issues/%d/labels/%s", owner, i.repo, i.number, labelBefore)] = m
	w.calls.mu.Unlock()
	var labels []any
	return m, w.act(person, http.MethodPost, fmt.Sprintf("%s/issues/%d/labels", i.repo, i.number), map[string]any{"labels": []string{labelAfter}}, &labels)
}
