// Package hub is a GitHub for measurements: one repository whose issues are changed and read thousands of times a second, in memory.
//
// The playground behaves like GitHub, but spends half a millisecond on reading an issue and five on a page of its log, several times what Colony
// does with them. The hub keeps issues, their labels, their logs and their comments, and answers in the playground's own words, which it
// records when it starts; the playground itself answers everything that is not about an issue (the App, its tokens, the repository, its
// labels and files). What neither knows is refused with 501 and counted.
package hub

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/playground"
)

// The world of the hub.
const (
	Owner      = "acme"
	Repository = "widgets"
	Person     = "olivia" // an administrator of the repository, who opened all issues
	Reader     = "rita"   // somebody else
	AppID      = 7
	slug       = "colony"
	Login      = slug + "[bot]"
	Secret     = "only for measurements" // of webhooks
)

// unlimited is a rate limit that no measurement reaches.
const unlimited = 1 << 30

// Options says how the hub behaves.
type Options struct {
	Latency time.Duration // of each call
	// LimitEvery makes one of so many calls about issues fail with 403 and Retry-After: 1; 0: none.
	LimitEvery int
}

// Hub is one running GitHub for measurements.
type Hub struct {
	URL          string
	Installation int64

	key        *rsa.PrivateKey
	playground *playground.Playground
	behind     http.Handler // the playground
	server     *http.Server
	text       string // of each issue
	objects    *recorded

	mu           sync.Mutex
	options      Options
	live         bool // issues are the hub's own
	issues       []*issue
	labels       map[string]string // JSON by name
	commented    map[int64]*issue
	tokens       map[string]bool
	fixed        map[string][]byte // answers of the playground that do not change
	lastID       int64
	stats        Stats
	asked        int // calls about issues
	limitedUntil time.Time
	inFlight     int
	refused      map[string]int
	changed      chan struct{}
}

// Start starts a hub whose repository has no issues yet.
func Start(ctx context.Context) (*Hub, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the hub: %w", err)
	}
	h := &Hub{
		URL: "http://" + listener.Addr().String(), lastID: 4_000_000_000, text: textOf(payloadText),
		labels: map[string]string{}, commented: map[int64]*issue{}, tokens: map[string]bool{}, fixed: map[string][]byte{}, refused: map[string]int{},
		changed: make(chan struct{}),
	}
	h.server = &http.Server{Handler: http.HandlerFunc(h.serve), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = h.server.Serve(listener) }() // until Close
	if err := h.found(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start the hub: %w", err), h.Close())
	}
	return h, nil
}

// appKey is the App's key, one for all hubs of a process: making one takes longer than a hub needs to start.
var appKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// found makes the organization, its repository and the App, and records the playground's words.
func (h *Hub) found(ctx context.Context) (err error) {
	if h.key, err = appKey(); err != nil {
		return fmt.Errorf("make the App's key: %w", err)
	}
	p := playground.New(playground.Options{BaseURL: h.URL})
	h.playground, h.behind = p, p.Handler()
	p.AddOrganization(Owner)
	p.AddUser(Person)
	p.AddUser(Reader)
	p.AddRepository(Owner, Repository)
	p.SetPermission(Owner, Repository, Person, "admin")
	p.SetRateLimit(unlimited)
	p.HoldDeliveries()
	err = p.RegisterApp(playground.App{
		ID: AppID, Slug: slug, Name: "Colony", PublicKey: &h.key.PublicKey, WebhookURL: h.URL, WebhookSecret: Secret,
		Permissions: permissions.All(), Events: permissions.Subscriptions(),
	})
	if err != nil {
		return fmt.Errorf("register the App: %w", err)
	}
	h.Installation = p.Install(AppID, Owner)
	if h.objects, err = (&recorder{ctx: ctx, playground: p, address: h.URL, login: Person}).record(); err != nil {
		return err
	}
	h.objects.people[Reader] = accountLike(h.objects.people[Person], Reader, "User", 1001)
	h.objects.people[Login] = accountLike(h.objects.people[Person], Login, "Bot", 1002)
	p.SetWebhookURL(AppID, "") // the load generator sends them
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live, h.stats = true, Stats{}
	return nil
}

// Close ends the hub.
func (h *Hub) Close() error {
	err := h.server.Close()
	if h.playground != nil {
		err = errors.Join(err, h.playground.Close())
	}
	if err != nil {
		return fmt.Errorf("close the hub: %w", err)
	}
	return nil
}

// PrivateKey is the App's key in PEM form.
func (h *Hub) PrivateKey() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(h.key)}))
}

// Behave changes how the hub behaves from now on.
func (h *Hub) Behave(o Options) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.options = o
}

// Open opens so many issues with labels, as long ago as nobody looks back, and returns the number of the first. The log of each has
// so many events at least.
func (h *Hub) Open(count, events int, labels ...string) (first int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first = len(h.issues) + 1
	past := time.Now().Add(-30 * 24 * time.Hour)
	for n := range count {
		i := &issue{number: first + n, updated: past}
		for len(i.events)+len(labels) < events {
			h.lastID++
			i.events = append(i.events, labelEvent{id: h.lastID, added: len(i.events)%2 == 0, label: "area: handles", by: Person, at: past})
		}
		for _, label := range labels {
			h.lastID++
			i.labels = append(i.labels, label)
			i.events = append(i.events, labelEvent{id: h.lastID, added: true, label: label, by: Person, at: past})
		}
		h.issues = append(h.issues, i)
	}
	return first
}

// Results says what became of issues, from a number on.
func (h *Hub) Results(first, count int) []Issue {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []Issue
	for n := range count {
		all = append(all, h.result(h.issues[first-1+n]))
	}
	return all
}

// Until returns true when holds says so of the results, which it is asked again after each write, or false when ctx ends.
func (h *Hub) Until(ctx context.Context, holds func() bool) bool {
	for {
		h.mu.Lock()
		changed := h.changed
		h.mu.Unlock()
		if holds() {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-changed:
		}
	}
}
