package playground_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/schematest"
)

const (
	appID  = 7
	secret = "s3cret"
)

var key = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

func keyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key())})
}

var covered sync.Map // method and pattern of routes that a test has called with success

func noteCovered(calls []playground.Call) {
	for _, c := range calls {
		if c.Status >= 200 && c.Status < 300 {
			covered.Store(c.Method+" "+c.Route, true)
		}
	}
}

// TestMain holds everything that is said against GitHub's descriptions. After a full run it asks as well that every
// route was called with success, every webhook was sent, and every deviation that the tables allow was met.
func TestMain(m *testing.M) {
	watch := schematest.Start()
	code := m.Run()
	watch.Stop()
	wrong := !watch.Report(os.Stderr)
	if code == 0 && everythingWasRun() {
		for _, missing := range missedByTheTests(watch) {
			fmt.Fprintln(os.Stderr, missing)
			wrong = true
		}
	}
	if code == 0 && wrong {
		code = 1
	}
	os.Exit(code)
}

func everythingWasRun() bool {
	for _, selects := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(selects).Value.String() != "" {
			return false
		}
	}
	return true
}

func missedByTheTests(watch *schematest.Watch) []string {
	var missed []string
	for _, r := range playground.Routes() {
		if _, called := covered.Load(r.Method + " " + r.Pattern); !called {
			missed = append(missed, "no test calls "+r.Method+" "+r.Pattern+" with success")
		}
	}
	_, sent := watch.Seen()
	for _, e := range playground.Events() {
		for _, action := range e.Actions {
			if sent[e.Name+"."+action] == 0 {
				missed = append(missed, "no test sends "+e.Name+"."+action)
			}
		}
		if e.Actions == nil && sent[e.Name] == 0 {
			missed = append(missed, "no test sends "+e.Name)
		}
	}
	for _, row := range watch.Stale() {
		missed = append(missed, "nothing needs this row of schematest's tables any more: "+row)
	}
	return missed
}

// webhook is one that arrived, its signature checked.
type webhook struct {
	event   string
	guid    string
	payload any
}

// laterEvent is one that came after this version of go-github.
type laterEvent struct{ Action string }

func (e *laterEvent) GetAction() string { return e.Action }

// world is a playground with an App, its webhook receiver and a repository acme/shop.
type world struct {
	*playground.Playground
	t            *testing.T
	base         string
	clock        *clockwork.FakeClock
	began        time.Time // in whole seconds, as GitHub says it
	installation int64
	receiver     string // where webhooks go

	mu       sync.Mutex
	webhooks []webhook
	answer   int
}

// Where people come back to who sign in to the App.
const (
	callback     = "https://colony.example.com/callback"
	clientSecret = "s3cret of the client"
)

func clientID() string { return playground.App{ID: appID}.ClientID() }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, clock: clockwork.NewFakeClock(), answer: http.StatusOK}
	w.began = w.clock.Now().Truncate(time.Second)
	w.Playground = playground.New(playground.Options{Clock: w.clock, AuthClock: clockwork.NewRealClock()})
	base, err := w.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.base = base
	t.Cleanup(func() {
		noteCovered(w.Calls())
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	receiver := httptest.NewServer(http.HandlerFunc(w.receive))
	w.receiver = receiver.URL
	t.Cleanup(func() {
		w.quiet() // a delivery under way would be cut off
		receiver.Close()
	})

	w.AddOrganization("acme")
	for _, login := range []string{"alice", "bob", "mallory"} {
		w.AddUser(login)
	}
	w.AddBot("dev")
	w.AddRepository("acme", "shop")
	w.SetPermission("acme", "shop", "alice", "maintain")
	w.SetPermission("acme", "shop", "bob", "triage")
	if err := w.RegisterApp(playground.App{
		ID: appID, Slug: "colony", PublicKey: &key().PublicKey, WebhookURL: receiver.URL, WebhookSecret: secret,
		CallbackURLs: []string{callback, "https://colony.example.com/other"}, ClientSecret: clientSecret,
		Permissions: map[string]string{"issues": "write", "pull_requests": "read", "contents": "read", "checks": "read", "statuses": "read"},
		Events:      []string{"issues", "issue_comment", "label", "repository", "pull_request", "pull_request_review", "push", "check_run", "check_suite", "status", "issue_dependencies", "sub_issues"},
	}); err != nil {
		t.Fatal(err)
	}
	w.installation = w.Install(appID, "acme")
	w.quiet()
	w.take()
	return w
}

func (w *world) receive(rw http.ResponseWriter, r *http.Request) {
	body, err := github.ValidatePayload(r, []byte(secret))
	if err != nil {
		w.t.Errorf("webhook %s: %v", r.Header.Get("X-GitHub-Event"), err)
		return
	}
	payload, err := github.ParseWebHook(github.WebHookType(r), body)
	if later := (laterEvent{}); err != nil && json.Unmarshal(body, &later) == nil && later.Action != "" {
		payload, err = &later, nil
	}
	if err != nil {
		w.t.Errorf("webhook %s: %v", r.Header.Get("X-GitHub-Event"), err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.webhooks = append(w.webhooks, webhook{github.WebHookType(r), github.DeliveryID(r), payload})
	rw.WriteHeader(w.answer)
}

func (w *world) quiet() {
	w.t.Helper()
	if err := w.Quiet(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

// take returns the webhooks that arrived since the last take.
func (w *world) take() []webhook {
	w.quiet()
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.webhooks
	w.webhooks = nil
	return taken
}

// names are "event.action" of webhooks.
func names(webhooks []webhook) []string {
	named := []string{}
	for _, h := range webhooks {
		action := ""
		if with, ok := h.payload.(interface{ GetAction() string }); ok {
			action = "." + with.GetAction()
		}
		named = append(named, h.event+action)
	}
	return named
}

func (w *world) as(login string) *github.Client {
	return w.client(&bearer{w.Token(login)})
}

func (w *world) client(transport http.RoundTripper) *github.Client {
	client := github.NewClient(&http.Client{Transport: transport})
	base, err := url.Parse(w.base + "/api/v3/")
	if err != nil {
		w.t.Fatal(err)
	}
	client.BaseURL = base
	return client
}

func (w *world) app() *github.Client {
	transport, err := ghinstallation.NewAppsTransport(http.DefaultTransport, appID, keyPEM())
	if err != nil {
		w.t.Fatal(err)
	}
	return w.client(transport)
}

func (w *world) installed() *github.Client {
	transport, err := ghinstallation.New(http.DefaultTransport, appID, w.installation, keyPEM())
	if err != nil {
		w.t.Fatal(err)
	}
	transport.BaseURL = w.base + "/api/v3"
	return w.client(transport)
}

type bearer struct{ token string }

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// must unwraps an answer that has to succeed.
func must[T any](t *testing.T) func(T, *github.Response, error) T {
	t.Helper()
	return func(value T, _ *github.Response, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// status is the HTTP status of an answer, refused or not.
func status(t *testing.T, response *github.Response, err error) int {
	t.Helper()
	if response == nil {
		t.Fatalf("no answer: %v", err)
	}
	return response.StatusCode
}
