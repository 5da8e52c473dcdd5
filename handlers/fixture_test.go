package handlers

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// publisherStub keeps the requests in order, and drops one whose id it has already, as a Publisher must.
type publisherStub struct {
	mu       sync.Mutex
	ids      []string
	requests map[string]reconcile.Request
	err      error
}

func (b *publisherStub) Publish(_ context.Context, id string, request reconcile.Request) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	if _, known := b.requests[id]; known {
		return nil
	}
	if b.requests == nil {
		b.requests = map[string]reconcile.Request{}
	}
	b.requests[id] = request
	b.ids = append(b.ids, id)
	return nil
}

func (b *publisherStub) published() []reconcile.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	var requests []reconcile.Request
	for _, id := range b.ids {
		requests = append(requests, b.requests[id])
	}
	return requests
}

// onlyColony is a Self with one login, in any case.
type onlyColony struct{}

func (onlyColony) IsSelf(login string) bool { return strings.EqualFold(login, "colony[bot]") }

// policiesStub knows the policies that a test gives it, and what it was to forget.
type policiesStub struct {
	known     map[string]policy.Policy
	forgotten []string
}

func (s *policiesStub) Has(issues.Repository) bool { return true }

func (s *policiesStub) KnownPolicy(repo issues.Repository) (policy.Policy, bool) {
	found, known := s.known[repo.String()]
	return found, known
}

func (s *policiesStub) ForgetPolicy(repo issues.Repository) {
	delete(s.known, repo.String())
	s.forgotten = append(s.forgotten, repo.String())
}

// fixture is every handler on a publisher of its own, with its log.
type fixture struct {
	publisher publisherStub
	policies  policiesStub
	log       bytes.Buffer
	handlers  map[string]githubapp.EventHandler
}

func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	d := &fixture{}
	d.all(tb, &d.publisher, &d.policies)
	return d
}

// newFixtureOn is every handler on a queue and policies that a test gives it.
func newFixtureOn(tb testing.TB, queue reconcile.Enqueuer, policies Policies) *fixture {
	tb.Helper()
	d := &fixture{}
	d.all(tb, queue, policies)
	return d
}

func (d *fixture) all(tb testing.TB, queue reconcile.Enqueuer, policies Policies) {
	tb.Helper()
	d.handlers = map[string]githubapp.EventHandler{}
	for _, h := range All(queue, onlyColony{}, policies, News{}, zerolog.New(&d.log)) {
		for _, event := range h.Handles() {
			if d.handlers[event] != nil {
				tb.Fatalf("two handlers for %q", event)
			}
			d.handlers[event] = h
		}
	}
}

func (d *fixture) handle(tb testing.TB, event, guid, body string) error {
	tb.Helper()
	h := d.handlers[event]
	if h == nil {
		tb.Fatalf("no handler for %q", event)
	}
	return h.Handle(tb.Context(), event, guid, []byte(body))
}

// logLine is one line of the log.
type logLine struct {
	Level        string
	Event        string
	Action       string
	Delivery     string
	Repo         string
	Issue        int
	Installation int64
	Because      string
	Message      string
}

func (d *fixture) lines(tb testing.TB) []logLine {
	tb.Helper()
	var lines []logLine
	decoder := json.NewDecoder(bytes.NewReader(d.log.Bytes()))
	decoder.DisallowUnknownFields()
	for decoder.More() {
		var line logLine
		if err := decoder.Decode(&line); err != nil {
			tb.Fatalf("the log has a line of another form: %v", err)
		}
		lines = append(lines, line)
	}
	return lines
}

// example is a payload of testdata/webhooks-examples.json.gz.
type example struct {
	Server  string
	Event   string
	Payload json.RawMessage
}

func examples(tb testing.TB) []example {
	tb.Helper()
	file, err := os.Open("testdata/webhooks-examples.json.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	var all []example
	if err := json.NewDecoder(unpacked).Decode(&all); err != nil {
		tb.Fatal(err)
	}
	if len(all) != 726 {
		tb.Fatalf("%d examples, want 726", len(all))
	}
	return all
}
