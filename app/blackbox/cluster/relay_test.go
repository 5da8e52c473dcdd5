//go:build cluster

package cluster_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// relay takes GitHub's webhooks and hands each to one of several replicas, round robin, and some of them to another one as well. It
// answers what the replica answers, so that GitHub's log lists what a dead one did not take.
type relay struct {
	url    string
	client *http.Client

	mu                     sync.Mutex
	to                     []string
	sent, doubled, refused int
}

// doubleEach is which of the webhooks are sent twice: every fifth.
const doubleEach = 5

func newRelay(t *testing.T, to ...string) *relay {
	t.Helper()
	r := &relay{to: to, client: &http.Client{Timeout: 9 * time.Second}} // GitHub gives up after 10
	r.url = serve(t, r)
	return r
}

// ServeHTTP implements http.Handler.
func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	targets := r.next()
	status := r.send(request, targets[0], body)
	for _, twin := range targets[1:] {
		r.send(request, twin, body)
	}
	if status/100 != 2 {
		r.mu.Lock()
		r.refused++
		r.mu.Unlock()
	}
	w.WriteHeader(status)
}

func (r *relay) next() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
	n := r.sent
	if n%doubleEach != 0 {
		return []string{r.to[n%len(r.to)]}
	}
	r.doubled++
	return []string{r.to[n%len(r.to)], r.to[(n+1)%len(r.to)]}
}

func (r *relay) send(request *http.Request, to string, body []byte) (status int) {
	again, err := http.NewRequestWithContext(request.Context(), http.MethodPost, to+"/api/github/hook", bytes.NewReader(body))
	if err != nil {
		return http.StatusBadGateway
	}
	again.Header = request.Header.Clone()
	response, err := r.client.Do(again)
	if err != nil {
		return http.StatusBadGateway
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body) // only its status counts
	return response.StatusCode
}

func (r *relay) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("%d webhooks, %d of them sent twice, %d refused", r.sent, r.doubled, r.refused)
}
