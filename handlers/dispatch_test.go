package handlers_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

const webhookSecret = "a secret of the webhook"

// counter is a queue that counts, or fails.
type counter struct {
	published atomic.Int64
	err       error
}

func (c *counter) Publish(context.Context, string, reconcile.Request) error {
	if c.err == nil {
		c.published.Add(1)
	}
	return c.err
}

type nobody struct{}

func (nobody) IsSelf(string) bool { return false }

// unread knows no policy.
type unread struct{}

func (unread) Has(issues.Repository) bool { return true }

func (unread) KnownPolicy(issues.Repository) (found policy.Policy, known bool) {
	return policy.Policy{}, false
}
func (unread) ForgetPolicy(issues.Repository) {}

func serve(t *testing.T, q reconcile.Enqueuer) string {
	t.Helper()
	server := httptest.NewServer(webhook(all(q), func(handlers.Answer) {}))
	t.Cleanup(server.Close)
	return server.URL + githubapp.DefaultWebhookRoute
}

// all returns all handlers on a queue.
func all(q reconcile.Enqueuer) []githubapp.EventHandler {
	return handlers.All(q, nobody{}, unread{}, handlers.News{}, zerolog.Nop())
}

func webhook(all []githubapp.EventHandler, counted func(handlers.Answer)) http.Handler {
	return handlers.Webhook(webhookSecret, all, counted, clockwork.NewFakeClock(), zerolog.Nop())
}

func sign(body []byte, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func post(t *testing.T, url, event, signature string, body []byte) int {
	t.Helper()
	return postAs(t, url, event, "application/json", signature, body)
}

func postAs(t *testing.T, url, event, contentType, signature string, body []byte) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958")
	request.Header.Set("X-GitHub-Event", event)
	if signature != "" {
		request.Header.Set("X-Hub-Signature-256", signature)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

var comment = []byte(`{"action": "created", "issue": {"number": 3}, "comment": {"id": 9, "body": "/colony:help"},
	"installation": {"id": 7}, "repository": {"id": 11, "name": "b", "owner": {"login": "a"}}, "sender": {"login": "ada"}}`)

func TestDispatch(t *testing.T) {
	half := comment[:len(comment)/2]
	for _, test := range []struct {
		name      string
		event     string
		signature string
		body      []byte
		queue     error
		status    int
		published int64
	}{
		{"good", "issue_comment", sign(comment, webhookSecret), comment, nil, 200, 1},
		{"ignored", "issues", sign(comment, webhookSecret), comment, nil, 200, 0},
		{"ping", "ping", sign([]byte("{}"), webhookSecret), []byte("{}"), nil, 200, 0},
		{"an event of no handler", "star", sign(comment, webhookSecret), comment, nil, 202, 0},
		{"no event", "", sign(comment, webhookSecret), comment, nil, 400, 0},
		{"wrong signature", "issue_comment", sign(comment, "guess"), comment, nil, 400, 0},
		{"signature of nothing", "issue_comment", "sha256=", comment, nil, 400, 0},
		{"no signature", "issue_comment", "", comment, nil, 400, 0},
		{"truncated", "issue_comment", sign(comment, webhookSecret), half, nil, 400, 0},
		{"truncated before it was signed", "issue_comment", sign(half, webhookSecret), half, nil, 400, 0},
		{"no body", "issue_comment", sign(nil, webhookSecret), nil, nil, 400, 0},
		{"queue fails", "issue_comment", sign(comment, webhookSecret), comment, errors.New("disk full"), 500, 0},
		{"queue is full", "issue_comment", sign(comment, webhookSecret), comment, fmt.Errorf("disk full: %w", githubapp.ErrCapacityExceeded), 503, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := &counter{err: test.queue}
			if got := post(t, serve(t, q), test.event, test.signature, test.body); got != test.status {
				t.Errorf("status %d, want %d", got, test.status)
			}
			if got := q.published.Load(); got != test.published {
				t.Errorf("published %d requests, want %d", got, test.published)
			}
		})
	}
}

// A webhook can be set up to send its payload as a form.
func TestPayloadsOfOtherContentTypes(t *testing.T) {
	form := []byte(url.Values{"payload": {string(comment)}}.Encode())
	for _, test := range []struct {
		contentType string
		body        []byte
		status      int
		published   int64
	}{
		{"application/json", comment, 200, 1},
		{"application/json; charset=utf-8", comment, 200, 1},
		{"Application/JSON", comment, 200, 1},
		{"application/x-www-form-urlencoded", form, 200, 1},
		{"application/x-www-form-urlencoded", comment, 400, 0},
		{"application/json", form, 400, 0},
		{"text/plain", comment, 400, 0},
		{"", comment, 400, 0},
		{"/", comment, 400, 0},
	} {
		q := &counter{}
		if got := postAs(t, serve(t, q), "issue_comment", test.contentType, sign(test.body, webhookSecret), test.body); got != test.status || q.published.Load() != test.published {
			t.Errorf("%q: status %d, published %d", test.contentType, got, q.published.Load())
		}
	}
}

// keeper is a queue that keeps what it gets.
type keeper struct {
	mu   sync.Mutex
	kept []reconcile.Request
}

func (k *keeper) Publish(_ context.Context, _ string, request reconcile.Request) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(k.kept, request)
	return nil
}

// The memory of a body is used for the next one, so nothing that is published may be a part of it.
func TestWhatIsPublishedOutlivesTheBody(t *testing.T) {
	q := &keeper{}
	url := serve(t, q)
	var senders sync.WaitGroup
	for i := range 8 {
		senders.Go(func() {
			name := strings.Repeat(string(rune('a'+i)), 30)
			for range 20 {
				body := bytes.ReplaceAll(comment, []byte(`"name": "b"`), []byte(`"name": "`+name+`"`))
				body = bytes.ReplaceAll(body, []byte(`"login": "ada"`), []byte(`"login": "`+name+`"`))
				if got := post(t, url, "issue_comment", sign(body, webhookSecret), body); got != http.StatusOK {
					t.Errorf("status %d", got)
				}
			}
		})
	}
	senders.Wait()
	got := map[string]int{}
	for _, request := range q.kept {
		if request.Name != request.By || len(request.Name) != 30 || strings.Trim(request.Name, request.Name[:1]) != "" {
			t.Errorf("%q by %q", request.Name, request.By)
		}
		got[request.Name]++
	}
	if len(got) != 8 || len(q.kept) != 8*20 {
		t.Errorf("%d requests, for %v", len(q.kept), got)
	}
}

func TestDispatchExamples(t *testing.T) {
	file, err := os.Open("testdata/webhooks-examples.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Event   string
		Payload json.RawMessage
	}
	if err := json.NewDecoder(unpacked).Decode(&examples); err != nil {
		t.Fatal(err)
	}
	subscribed := map[string]bool{}
	for _, h := range all(nil) {
		for _, event := range h.Handles() {
			subscribed[event] = true
		}
	}
	q := &counter{}
	url := serve(t, q)
	for i, e := range examples {
		want := http.StatusAccepted
		if subscribed[e.Event] {
			want = http.StatusOK
		}
		if got := post(t, url, e.Event, sign(e.Payload, webhookSecret), e.Payload); got != want {
			t.Errorf("example %d, %s: status %d, want %d", i, e.Event, got, want)
		}
		before := q.published.Load()
		if got := post(t, url, e.Event, sign(e.Payload, "guess"), e.Payload); got != http.StatusBadRequest {
			t.Errorf("example %d, %s, forged: status %d", i, e.Event, got)
		}
		if q.published.Load() != before {
			t.Errorf("example %d, %s, forged: published", i, e.Event)
		}
	}
}
