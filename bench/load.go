package bench

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/colony-app/colony/bench/budget"
)

// load sends webhooks.
type load struct {
	client  *http.Client
	url     string
	perSec  int // 0: as fast as they are acknowledged
	copies  int
	mu      sync.Mutex
	took    []time.Duration
	refused int
}

// connections is how many webhooks are sent at once when they are sent as fast as possible.
const connections = 32

func newLoad(p *process, t trial) *load {
	transport := &http.Transport{MaxIdleConnsPerHost: 4 * connections}
	return &load{client: &http.Client{Transport: transport, Timeout: 60 * time.Second}, url: p.url, perSec: t.perSecond, copies: max(1, t.copies)}
}

// send sends webhooks.
func (l *load) send(ctx context.Context, all []webhook) {
	jobs := make(chan webhook)
	var wg sync.WaitGroup
	workers := connections
	if l.perSec > 0 {
		workers = 4 * connections
	}
	for range workers {
		wg.Go(func() {
			for w := range jobs {
				for range l.copies {
					l.deliver(ctx, w)
				}
			}
		})
	}
	begun := time.Now()
	for n, w := range all {
		if l.perSec > 0 {
			<-time.After(time.Until(begun.Add(time.Duration(n) * time.Second / time.Duration(l.perSec))))
		}
		jobs <- w
	}
	close(jobs)
	wg.Wait()
}

// deliver sends one webhook, as the playground would have.
func (l *load) deliver(ctx context.Context, w webhook) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(w.body))
	if err != nil {
		l.note(0, false)
		return
	}
	request.Header = w.header.Clone()
	begun := time.Now()
	response, err := l.client.Do(request)
	if err != nil {
		l.note(0, false)
		return
	}
	_, _ = io.Copy(io.Discard, response.Body) // so that the connection is used again
	_ = response.Body.Close()
	l.note(time.Since(begun), response.StatusCode < http.StatusMultipleChoices)
}

func (l *load) note(took time.Duration, acknowledged bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !acknowledged {
		l.refused++
		return
	}
	l.took = append(l.took, took)
}

// quantile is the time in which so large a part of the webhooks was acknowledged.
func (l *load) quantile(part float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return budget.Quantile(l.took, part)
}
