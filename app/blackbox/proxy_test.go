package blackbox_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// proxy stands between a GitHub that sends webhooks and Colony. It passes them on byte by byte with all their headers,
// and keeps a record.
type proxy struct {
	url    string
	secret string

	mu       sync.Mutex
	colony   string
	log      []delivery
	holding  bool
	waiting  []delivery
	problems []string
}

func newProxy(t *testing.T, secret string) *proxy {
	t.Helper()
	p := &proxy{secret: secret}
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		server.Close()
		for _, problem := range p.problems {
			t.Error(problem)
		}
	})
	p.url = server.URL
	return p
}

// ServeHTTP implements http.Handler.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		p.problem("read a webhook: " + err.Error())
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	d := newDelivery(r.Header.Get("X-GitHub-Event"), r.Header.Get("X-GitHub-Delivery"), body)
	if got := r.Header.Get("X-Hub-Signature-256"); got != signature(p.secret, body) {
		p.problem("GitHub signed " + d.event + " with " + got)
	}
	p.mu.Lock()
	if p.holding {
		p.waiting = append(p.waiting, d)
		p.mu.Unlock()
		w.WriteHeader(http.StatusOK)
		return
	}
	colony := p.colony
	p.mu.Unlock()
	header := r.Header.Clone()
	header.Del("Content-Length")
	d.status, err = send(r.Context(), colony, header, body)
	if err != nil {
		p.problem(err.Error())
		d.status = http.StatusBadGateway
	}
	p.keep(d)
	w.WriteHeader(d.status)
}

func (p *proxy) problem(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, text)
}

func (p *proxy) keep(d delivery) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, d)
}

func (p *proxy) to(colonyURL string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.colony = colonyURL
}

func (*proxy) collect(context.Context) error { return nil }

func (p *proxy) arrived() []delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log)
}

func (p *proxy) hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holding = true
}

func (p *proxy) held(context.Context) ([]delivery, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.waiting), nil
}

func (p *proxy) release(ctx context.Context, order func([]delivery) []delivery) error {
	p.mu.Lock()
	waiting := p.waiting
	p.waiting, p.holding = nil, false
	colony := p.colony
	p.mu.Unlock()
	return releaseTo(ctx, colony, p.secret, waiting, order, p.keep)
}

// releaseTo sends what was held back in an order, and keeps the first of each.
func releaseTo(ctx context.Context, colony, secret string, waiting []delivery, order func([]delivery) []delivery, keep func(delivery)) error {
	kept := map[string]bool{}
	for _, d := range order(waiting) {
		var err error
		if d.status, err = send(ctx, colony, d.header(signature(secret, d.body)), d.body); err != nil {
			return err
		}
		if key := d.guid + string(d.body); !kept[key] {
			kept[key] = true
			keep(d)
		}
	}
	return nil
}
