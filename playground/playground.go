package playground

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"
)

// Options configures a Playground. The zero value is usable.
type Options struct {
	// Clock dates everything: timestamps, token expiry, rate windows, lags and delays. Nil means the real clock.
	Clock clockwork.Clock
	// AuthClock checks JWTs and the expiry of installation tokens. Nil means Clock. Clients such as ghinstallation live in real time, so a test with a
	// fake Clock that authenticates through them sets the real clock here.
	AuthClock clockwork.Clock
	// BaseURL is the address that payloads name ("http://127.0.0.1:8080"). Empty means the address of Start, or
	// else that of the first request.
	BaseURL string
	// Hosts are further names by which clients can call what Start and StartTLS serve, and to which webhooks can be sent whose URL comes over HTTP. On
	// a loopback address only such clients are answered: see OnlyHosts. On another one all are, unless there are names here.
	Hosts []string
	// Webhooks carries webhooks to Apps. Nil means the network.
	Webhooks http.RoundTripper
	// Log receives one line for each call and delivery, at debug level. The zero value is silent.
	Log zerolog.Logger
}

// Playground is one embedded GitHub. Its methods can be called from any goroutine.
type Playground struct {
	clock     clockwork.Clock
	authClock clockwork.Clock
	log       zerolog.Logger
	client    *http.Client
	ctx       context.Context
	stop      context.CancelFunc
	hosts     []string
	exposed   atomic.Bool // others than this machine can reach it, by any name

	// mu guards everything below. It is never held while a webhook is being sent or an answer is being written.
	mu              sync.Mutex
	base            string
	servers         []*http.Server
	page            http.Handler
	lastID          int64
	changed         chan struct{}
	ghost           *account
	accounts        map[string]*account
	repositories    map[string]*repository
	formerNames     map[string]*repository
	teams           []*team
	issueTypes      map[*account][]*issueType
	apps            []*app
	installations   []*installation
	tokens          map[string]*token
	windows         map[string]*rateWindow
	rateLimit       int
	spendings       map[string]*spending
	pointLimit      int // in a minute; 0: none
	eventLag        time.Duration
	labelLag        time.Duration
	lateStamp       time.Duration
	mergeabilityLag time.Duration
	lacking         map[Feature]bool
	addingFirst     bool
	deliveries      []*delivery
	pending         int // deliveries in the line of an App or being sent
	holding         bool
	held            []*delivery
	dropNext        int
	doubleNext      int
	faults          []*fault
	calls           []Call
	unimplemented   map[string]int
	conversions     map[string]*conversion   // by the code
	authorizations  map[string]authorization // by the code
	refreshings     map[string]refreshing    // by the refresh token
}

// idleWebhooks is how long a connection to a receiver of webhooks is kept.
const idleWebhooks = 90 * time.Second

// New makes an empty GitHub: no users, no repositories, no Apps.
func New(o Options) *Playground {
	if o.Clock == nil {
		o.Clock = clockwork.NewRealClock()
	}
	if o.AuthClock == nil {
		o.AuthClock = o.Clock
	}
	if o.Webhooks == nil {
		o.Webhooks = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: idleWebhooks}
	}
	ctx, stop := context.WithCancel(context.Background())
	return &Playground{
		clock: o.Clock, authClock: o.AuthClock, log: o.Log, ctx: ctx, stop: stop, hosts: o.Hosts,
		client:         &http.Client{Transport: o.Webhooks, Timeout: deliveryTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		base:           strings.TrimSuffix(o.BaseURL, "/"),
		lastID:         firstID,
		changed:        make(chan struct{}),
		ghost:          &account{id: 10137, login: "ghost", kind: kindUser},
		accounts:       map[string]*account{},
		repositories:   map[string]*repository{},
		formerNames:    map[string]*repository{},
		tokens:         map[string]*token{},
		windows:        map[string]*rateWindow{},
		rateLimit:      defaultRateLimit,
		unimplemented:  map[string]int{},
		conversions:    map[string]*conversion{},
		authorizations: map[string]authorization{}, refreshings: map[string]refreshing{},
	}
}

// Start listens on an address ("127.0.0.1:0" picks a port) and serves until Close. It returns the base URL: REST answers below it and below it +
// "/api/v3". A playground can listen on several addresses; payloads name the first.
func (p *Playground) Start(address string) (baseURL string, err error) {
	return p.listen(address, nil)
}

// listen serves on an address, over TLS if secured says how.
func (p *Playground) listen(address string, secured *tls.Config) (baseURL string, err error) {
	listener, err := (&net.ListenConfig{}).Listen(p.ctx, "tcp", address)
	if err != nil {
		return "", fmt.Errorf("start the playground on %s: %w", address, err)
	}
	server := &http.Server{Handler: p.guarded(p.wired(), address, listener.Addr()), ReadHeaderTimeout: 10 * time.Second}
	scheme := "http://"
	if secured != nil {
		listener, scheme = tls.NewListener(listener, secured), "https://"
	}
	p.mu.Lock()
	p.servers = append(p.servers, server)
	own := scheme + listener.Addr().String()
	if p.base == "" {
		p.base = own
	}
	baseURL = p.base
	if len(p.servers) > 1 {
		baseURL = own // payloads go on to name the first
	}
	p.mu.Unlock()
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			p.log.Error().Err(err).Msg("the playground stopped serving")
		}
	}()
	return baseURL, nil
}

// Close stops the servers of Start and StartTLS, and every delivery under way.
func (p *Playground) Close() error {
	p.stop()
	p.mu.Lock()
	servers := p.servers
	p.mu.Unlock()
	for _, server := range servers {
		if err := server.Close(); err != nil {
			return fmt.Errorf("close the playground: %w", err)
		}
	}
	return nil
}

// SetPage mounts a web page: it answers every request that is neither a REST path nor below /playground/.
func (p *Playground) SetPage(page http.Handler) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page = page
}

// BaseURL is the address that payloads name; empty until Start or the first request.
func (p *Playground) BaseURL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.base
}

// firstID is where ids begin: they increase strictly over all kinds of objects.
const firstID = 100_000_000

func (p *Playground) nextID() int64 {
	p.lastID++
	return p.lastID
}

func (p *Playground) now() time.Time { return p.clock.Now().UTC().Truncate(time.Second) }

// Until returns when holds returns true. It is asked immediately and after every call answered and every delivery tried, and can use the playground.
// An error only if ctx ends before.
func (p *Playground) Until(ctx context.Context, holds func() bool) error {
	for {
		p.mu.Lock()
		changed := p.changed
		p.mu.Unlock()
		if holds() {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the playground: %w", ctx.Err())
		case <-changed:
		}
	}
}

// notify wakes everybody who waits for the state to change.
func (p *Playground) notify() {
	close(p.changed)
	p.changed = make(chan struct{})
}
