package notify

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/queue"
)

// receiver takes messages over HTTP, and answers with the statuses that it was given, then with 204.
type receiver struct {
	*httptest.Server

	mu       sync.Mutex
	statuses []int
	header   http.Header // of its answers
	requests []*http.Request
	bodies   [][]byte
}

func receive(t *testing.T, statuses ...int) *receiver {
	t.Helper()
	r := &receiver{statuses: statuses, header: http.Header{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.requests, r.bodies = append(r.requests, request), append(r.bodies, body)
		if len(r.statuses) == 0 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		maps.Copy(w.Header(), r.header)
		w.WriteHeader(r.statuses[0])
		r.statuses = r.statuses[1:]
	}))
	t.Cleanup(r.Close)
	return r
}

// tried is how often something came.
func (r *receiver) tried() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.requests)
}

const secret = "a secret of sixteen or more"

var began = time.Date(2026, time.May, 4, 12, 30, 0, 0, time.UTC)

// senderTo sends to receivers as webhooks a, b, …
func senderTo(rs ...*receiver) (*Sender, *clockwork.FakeClock) {
	clock := clockwork.NewFakeClockAt(began)
	var hooks []Webhook
	for i, r := range rs {
		hooks = append(hooks, Webhook{Name: string(rune('a' + i)), URL: r.URL + "/path-that-is-secret", Secret: secret})
	}
	return NewSender(hooks, clock), clock
}

func message(webhook, id string, tries int) Message {
	return Message{Webhook: webhook, Event: Event{ID: id, Event: "verdict", At: began}, Tries: tries}
}

func TestWithoutWebhooksThereIsNoSender(t *testing.T) {
	if s := NewSender(nil, clockwork.NewFakeClock()); s != nil {
		t.Errorf("%+v", s)
	}
}

// Messages are signed as GitHub signs: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation.
func TestTheSignatureIsThatOfGitHub(t *testing.T) {
	const want = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	if got := Sign("It's a Secret to Everybody", []byte("Hello, World!")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A receiver knows the message by its headers, and Colony by the signature.
func TestWhatAReceiverGets(t *testing.T) {
	r := receive(t)
	s, _ := senderTo(r)
	s.webhooks = append(s.webhooks, Webhook{Name: "unsigned", URL: r.URL}, Webhook{Name: "chat", URL: r.URL, Format: Slack})
	digest := digestOf(1)
	for _, m := range []Message{message("a", "one", 0), {Webhook: "a", Digest: &digest}, message("unsigned", "two", 0), message("chat", "three", 0), {Webhook: "chat", Digest: &digest}} {
		if later, err := s.Send(t.Context(), m); later != nil || err != nil {
			t.Errorf("%+v: %+v, %v", m, later, err)
		}
	}
	if later, err := s.Send(t.Context(), message("gone", "four", 0)); later != nil || err != nil || r.tried() != 5 {
		t.Errorf("a webhook that is configured no longer: %+v, %v", later, err)
	}
	for n, want := range []struct{ event, delivery string }{{"verdict", "one"}, {DigestName, digest.ID}, {"verdict", "two"}, {"verdict", "three"}, {DigestName, digest.ID}} {
		h := r.requests[n].Header
		signature := ""
		if n < 2 {
			signature = Sign(secret, r.bodies[n])
		}
		if h.Get(HeaderEvent) != want.event || h.Get(HeaderDelivery) != want.delivery || h.Get("Content-Type") != "application/json" || h.Get("User-Agent") != "Colony" ||
			!hmac.Equal([]byte(h.Get(HeaderSignature)), []byte(signature)) || r.requests[n].Method != http.MethodPost {
			t.Errorf("message %d: %v", n, h)
		}
		var got map[string]any
		if err := json.Unmarshal(r.bodies[n], &got); err != nil {
			t.Fatal(err)
		}
		if _, text := got["text"]; text != (n >= 3) || strings.HasSuffix(string(r.bodies[n]), "\n") {
			t.Errorf("message %d: %s", n, r.bodies[n])
		}
	}
}

// The time between two attempts doubles, a receiver can ask for a longer one, and neither is above the bound.
func TestReceiverThatFailsGetsItsEventLater(t *testing.T) {
	for _, c := range []struct {
		tries, status int
		asks          string
		want          time.Duration
	}{
		{0, 500, "", firstWait},
		{1, 502, "", 2 * firstWait},
		{3, 503, "", 8 * firstWait},
		{10, 599, "", longestWait},
		{0, 408, "", firstWait},
		{0, 425, "", firstWait},
		{0, 429, "60", time.Minute},
		{5, 429, "60", 32 * firstWait},
		{0, 429, "1", firstWait},
		{0, 429, "86400", longestWait},
		{0, 429, "0", firstWait},
		{0, 429, "-60", firstWait},
		{0, 429, "soon", firstWait},
	} {
		r := receive(t, c.status)
		r.header.Set("Retry-After", c.asks)
		s, _ := senderTo(r)
		later, err := s.Send(t.Context(), message("a", "one", c.tries))
		if err != nil || later == nil || later.After != c.want || later.Tried == nil || !strings.Contains(later.Tried.Error(), fmt.Sprintf("send to webhook a: it answers %d ", c.status)) {
			t.Errorf("%+v: %+v, %v", c, later, err)
		}
	}
}

// As long as a receiver is left alone, nothing is tried there, and everything elsewhere.
func TestAReceiverThatFailsIsLeftAlone(t *testing.T) {
	failing, well := receive(t, 500, 500), receive(t)
	s, clock := senderTo(failing, well)
	send := func(webhook, id string, tries, tried int, want *Later) {
		t.Helper()
		later, err := s.Send(t.Context(), message(webhook, id, tries))
		if later != nil {
			later.Tried = nil
		}
		if diff := cmp.Diff(want, later); diff != "" || err != nil || failing.tried() != tried {
			t.Errorf("tried %d times, %v, -want +got:\n%s", failing.tried(), err, diff)
		}
	}
	send("a", "one", 0, 1, &Later{After: firstWait})
	clock.Advance(2 * time.Second)
	send("a", "two", 0, 1, &Later{After: firstWait - 2*time.Second})
	send("b", "two", 0, 1, nil)
	clock.Advance(firstWait - 2*time.Second)
	send("a", "one", 1, 2, &Later{After: 2 * firstWait})
	clock.Advance(2 * firstWait)
	send("a", "one", 2, 3, nil)
	send("a", "two", 0, 4, nil)
}

// What a receiver refuses, what leads elsewhere, and what was tried for long is given up. The error does not show the address.
func TestWhatIsGivenUp(t *testing.T) {
	elsewhere := receive(t)
	for name, c := range map[string]struct {
		status, tries int
		age           time.Duration
		says          string
	}{
		"gone":                     {http.StatusGone, 0, 0, "send to webhook a: it answers 410 Gone"},
		"not found":                {http.StatusNotFound, 0, 0, "send to webhook a: it answers 404 Not Found"},
		"a redirect":               {http.StatusTemporaryRedirect, 0, 0, "send to webhook a: it answers 307 Temporary Redirect"},
		"the last attempt":         {http.StatusInternalServerError, attempts - 1, 0, "send to webhook a: it answers 500 Internal Server Error"},
		"an event of a day before": {http.StatusInternalServerError, 0, oldest + time.Second, "send to webhook a: it answers 500 Internal Server Error"},
	} {
		r := receive(t, c.status)
		r.header.Set("Location", elsewhere.URL)
		s, clock := senderTo(r)
		clock.Advance(c.age)
		later, err := s.Send(t.Context(), message("a", "one", c.tries))
		if later != nil || !queue.IsPermanent(err) || err.Error() != c.says {
			t.Errorf("%s: %+v, %v", name, later, err)
		}
	}
	if elsewhere.tried() > 0 {
		t.Error("a redirect was followed")
	}

	r := receive(t, 500, 500)
	s, clock := senderTo(r)
	clock.Advance(oldest)
	if later, err := s.Send(t.Context(), message("a", "one", attempts-2)); later == nil || err != nil {
		t.Errorf("the attempt before the last, on the day: %+v, %v", later, err)
	}
	clock.Advance(time.Second)
	if _, err := s.Send(t.Context(), message("a", "two", 0)); !queue.IsPermanent(err) || err.Error() != "send to webhook a: it took nothing since the event, for 24h0m0s" || r.tried() != 1 {
		t.Errorf("an old event for a receiver that is left alone: %v", err)
	}

	r.Close()
	s, _ = senderTo(r)
	later, err := s.Send(t.Context(), message("a", "one", 0))
	if err != nil || later == nil || later.Tried == nil || strings.Contains(later.Tried.Error(), "path-that-is-secret") || strings.Contains(later.Tried.Error(), "http://") {
		t.Errorf("a receiver that is not there: %+v, %v", later, err)
	}
	s, _ = senderTo(r)
	s.webhooks[0].URL = "http://%zz/path-that-is-secret"
	if _, err := s.Send(t.Context(), message("a", "one", 0)); !queue.IsPermanent(err) || err.Error() != "send to webhook a: its url cannot be used" {
		t.Errorf("an address that is none: %v", err)
	}
}

func TestErrorsOfTheClientWithoutTheAddress(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&url.Error{Op: "Post", URL: "https://secret.example", Err: os.ErrDeadlineExceeded}, "it does not answer within 5s"},
		{&url.Error{Op: "Post", URL: "https://secret.example", Err: io.EOF}, "EOF"},
		{errors.New("another"), "another"},
		{context.Canceled, "context canceled"},
	} {
		if got := withoutAddress(c.err); got.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.err, got, c.want)
		}
	}
}
