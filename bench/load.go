package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/colony-app/colony/bench/hub"
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

// send sends so many webhooks; each is made when it is sent.
func (l *load) send(ctx context.Context, count int, next func(n int) hub.Delivery) {
	jobs := make(chan int)
	var wg sync.WaitGroup
	workers := connections
	if l.perSec > 0 {
		workers = 4 * connections
	}
	for range workers {
		wg.Go(func() {
			for n := range jobs {
				for d, copies := next(n), l.copies; copies > 0; copies-- {
					l.deliver(ctx, d)
				}
			}
		})
	}
	begun := time.Now()
	for n := range count {
		if l.perSec > 0 {
			<-time.After(time.Until(begun.Add(time.Duration(n) * time.Second / time.Duration(l.perSec))))
		}
		jobs <- n
	}
	close(jobs)
	wg.Wait()
}

// deliver sends one webhook as GitHub does.
func (l *load) deliver(ctx context.Context, d hub.Delivery) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(d.Body))
	if err != nil {
		l.note(0, false)
		return
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/044aadd", "X-GitHub-Event": d.Event, "X-GitHub-Delivery": d.ID,
		"X-Hub-Signature-256": d.Signature, "X-GitHub-Hook-Installation-Target-Type": "integration",
		"X-GitHub-Hook-Installation-Target-ID": fmt.Sprint(hub.AppID),
	} {
		request.Header.Set(name, value)
	}
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
	if len(l.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.took))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}
