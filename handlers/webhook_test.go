package handlers_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/reconcile"
)

// gate is an address that takes webhooks as Colony does, and what it counted.
type gate struct {
	http.Handler
	url      string
	mu       sync.Mutex
	answered map[handlers.Answer]int
	reached  []string // delivery ids that reached a handler
}

func newGate(t testing.TB, q reconcile.Enqueuer) *gate {
	t.Helper()
	g := &gate{answered: map[handlers.Answer]int{}}
	var reporting []githubapp.EventHandler
	for _, h := range all(q) {
		reporting = append(reporting, reached{h, g})
	}
	g.Handler = webhook(reporting, func(a handlers.Answer) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.answered[a]++
	})
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

// reached is a handler that reports which deliveries reach it.
type reached struct {
	githubapp.EventHandler
	gate *gate
}

// Handle implements githubapp.EventHandler.
func (r reached) Handle(ctx context.Context, event, delivery string, payload []byte) error {
	r.gate.mu.Lock()
	r.gate.reached = append(r.gate.reached, delivery)
	r.gate.mu.Unlock()
	return r.EventHandler.Handle(ctx, event, delivery, payload)
}

func (g *gate) take() (answered map[handlers.Answer]int, reached []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	answered, reached = g.answered, g.reached
	g.answered, g.reached = map[handlers.Answer]int{}, nil
	return answered, reached
}

// beginning is a connection on which a webhook was begun: its headers are sent, and no more.
type beginning struct {
	net.Conn
	t testing.TB
}

func (g *gate) begin(t testing.TB, length int, headers ...string) beginning {
	t.Helper()
	connection, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	sized := fmt.Sprintf("Content-Length: %d", length)
	if length < 0 {
		sized = "Transfer-Encoding: chunked"
	}
	headers = append([]string{"POST /api/github/hook HTTP/1.1", "Host: colony", "Content-Type: application/json", "X-GitHub-Event: ping", sized}, headers...)
	if _, err := io.WriteString(connection, strings.Join(headers, "\r\n")+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	return beginning{connection, t}
}

// answer reads the answer.
func (b beginning) answer() *http.Response {
	b.t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(b), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		b.t.Error(err)
	}
	return response
}

const wellFormed = "X-Hub-Signature-256: sha256=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// Colony reads no byte of a body without a signature: it answers before the body arrives.
func TestUnsignedBodiesAreNotRead(t *testing.T) {
	g := newGate(t, &counter{})
	older := hmac.New(sha1.New, []byte(webhookSecret))
	older.Write([]byte("{}"))
	digits := strings.Repeat("0", 64)
	for name, header := range map[string]string{
		"none":                    "X-Nothing: x",
		"SHA-1 alone, and right":  "X-Hub-Signature: sha1=" + hex.EncodeToString(older.Sum(nil)),
		"SHA-1 in the newer's":    "X-Hub-Signature-256: sha1=" + hex.EncodeToString(older.Sum(nil)),
		"empty":                   "X-Hub-Signature-256:",
		"no digits":               "X-Hub-Signature-256: sha256=",
		"too short":               "X-Hub-Signature-256: sha256=" + digits[2:],
		"too long":                "X-Hub-Signature-256: sha256=" + digits + "00",
		"not hexadecimal":         "X-Hub-Signature-256: sha256=" + digits[1:] + "g",
		"without its kind":        "X-Hub-Signature-256: " + digits,
		"of another kind":         "X-Hub-Signature-256: sha512=" + digits,
		"two of which one counts": wellFormed + "\r\nX-Hub-Signature-256: sha256=" + digits,
	} {
		if response := g.begin(t, 24_000_000, header).answer(); response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", name, response.Status)
		}
		answered, reached := g.take()
		if diff := cmp.Diff(map[handlers.Answer]int{handlers.AnswerUnsigned: 1}, answered); diff != "" || reached != nil {
			t.Errorf("%s: (-want +got)\n%s reached: %q", name, diff, reached)
		}
	}
}

func TestOnlySignedWebhooksReachAHandler(t *testing.T) {
	body := []byte(`{"zen": "Half measures are as bad as nothing at all."}`)
	for name, c := range map[string]struct {
		signature string
		body      []byte
		status    int
		answer    handlers.Answer
	}{
		"signed":              {sign(body, webhookSecret), body, 200, handlers.AnswerTaken},
		"in capital letters":  {"sha256=" + strings.ToUpper(strings.TrimPrefix(sign(body, webhookSecret), "sha256=")), body, 200, handlers.AnswerTaken},
		"with another secret": {sign(body, "guess"), body, 400, handlers.AnswerForged},
		"another body":        {sign(body, webhookSecret), body[1:], 400, handlers.AnswerForged},
		"no body":             {sign(nil, webhookSecret), nil, 400, handlers.AnswerUnreadable},
		"not JSON":            {sign([]byte("x"), webhookSecret), []byte("x"), 400, handlers.AnswerUnreadable},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t, &counter{})
			if got := post(t, g.url, "ping", c.signature, c.body); got != c.status {
				t.Errorf("status %d, want %d", got, c.status)
			}
			answered, reached := g.take()
			if diff := cmp.Diff(map[handlers.Answer]int{c.answer: 1}, answered); diff != "" || (len(reached) == 0) != (c.answer == handlers.AnswerForged) {
				t.Errorf("(-want +got)\n%s reached: %q", diff, reached)
			}
		})
	}
}

func TestWhatTheQueueSaysIsCounted(t *testing.T) {
	for answer, c := range map[handlers.Answer]struct {
		err    error
		status int
	}{
		handlers.AnswerFull:       {fmt.Errorf("disk full: %w", githubapp.ErrCapacityExceeded), http.StatusServiceUnavailable},
		handlers.AnswerFailed:     {io.ErrUnexpectedEOF, http.StatusInternalServerError},
		handlers.AnswerUnreadable: {fmt.Errorf("publish: %w", githubapp.ValidationError{Cause: io.EOF}), http.StatusBadRequest},
	} {
		g := newGate(t, &counter{err: c.err})
		if got := post(t, g.url, "issue_comment", sign(comment, webhookSecret), comment); got != c.status {
			t.Errorf("%v is answered %d", c.err, got)
		}
		if answered, _ := g.take(); answered[answer] != 1 || len(answered) != 1 {
			t.Errorf("%v is counted as %v", c.err, answered)
		}
	}
}

// handlerOf is a handler of pings.
type handlerOf func(ctx context.Context)

func (handlerOf) Handles() []string { return []string{"ping"} }

func (h handlerOf) Handle(ctx context.Context, _, _ string, _ []byte) error {
	h(ctx)
	return nil
}

func TestAHandlerHasUntilGitHubGivesUpAndMayPanic(t *testing.T) {
	counted := map[handlers.Answer]int{}
	for status, h := range map[int]handlerOf{
		http.StatusOK: func(ctx context.Context) {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Error("a handler can take for ever")
			}
		},
		http.StatusInternalServerError: func(context.Context) { panic("oh") },
	} {
		request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
		for name, value := range map[string]string{"Content-Type": "application/json", "X-GitHub-Event": "ping", "X-Hub-Signature-256": sign([]byte("{}"), webhookSecret)} {
			request.Header.Set(name, value)
		}
		answer := httptest.NewRecorder()
		webhook([]githubapp.EventHandler{h}, func(a handlers.Answer) { counted[a]++ }).ServeHTTP(answer, request)
		if answer.Code != status {
			t.Errorf("answered %d, want %d", answer.Code, status)
		}
	}
	if diff := cmp.Diff(map[handlers.Answer]int{handlers.AnswerTaken: 1, handlers.AnswerFailed: 1}, counted); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBodiesThatAreLargerThanGitHubsAreRefused(t *testing.T) {
	g := newGate(t, &counter{})
	if response := g.begin(t, handlers.MaxBody+1, wellFormed).answer(); response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("one that says so: %s", response.Status)
	}
	endless := g.begin(t, -1, wellFormed)
	chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat(" ", 1<<20))
	go func() {
		for range 30 {
			if _, err := io.WriteString(endless, chunk); err != nil {
				return
			}
		}
	}()
	if response := endless.answer(); response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("one that does not: %s", response.Status)
	}
	if answered, reached := g.take(); answered[handlers.AnswerTooLarge] != 2 || reached != nil {
		t.Errorf("counted as %v, reached %q", answered, reached)
	}
}

// GitHub's largest body is taken, also where its length comes only at its end.
func TestTheLargestBodyIsTaken(t *testing.T) {
	g := newGate(t, &counter{})
	body := []byte(`{"zen": "` + strings.Repeat("x", handlers.MaxBody-11) + `"}`)
	for name, reader := range map[string]io.Reader{"its length said": bytes.NewReader(body), "its length not said": io.MultiReader(bytes.NewReader(body))} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url, reader)
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]string{"Content-Type": "application/json", "X-GitHub-Event": "ping", "X-Hub-Signature-256": sign(body, webhookSecret)} {
			request.Header.Set(key, value)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", name, response.Status)
		}
	}
}

func TestADeliveryIDThatIsNotGitHubsIsHashed(t *testing.T) {
	g := newGate(t, &counter{})
	const own = "72d3162e-cc78-11e3-81ab-4c9367dc0958"
	var all []string
	for _, id := range []string{own, "", "*", ">", "a.*.>", "a b", strings.Repeat("x", 10_000), strings.Repeat("x", 10_001)} {
		connection := g.begin(t, 2, "X-GitHub-Delivery: "+id, "X-Hub-Signature-256: "+sign([]byte("{}"), webhookSecret))
		if _, err := io.WriteString(connection, "{}"); err != nil {
			t.Fatal(err)
		}
		if response := connection.answer(); response.StatusCode != http.StatusOK {
			t.Errorf("%.20q: %s", id, response.Status)
		}
		_, reached := g.take()
		all = append(all, reached...)
	}
	if len(all) != 8 || all[0] != own || all[1] != "" {
		t.Fatalf("they became %q", all)
	}
	hashed := regexp.MustCompile(`^sha256-[0-9a-f]{32}$`)
	for i, id := range all[2:] {
		if !hashed.MatchString(id) || slices.Contains(all[:i+2], id) {
			t.Errorf("%d became %q", i, id)
		}
	}
}

// hold sends n bodies of size bytes at once, of each all but the last byte, and returns how much memory they keep then, once each is
// either with the server or refused.
func (g *gate) hold(t testing.TB, n int, body []byte) (kept uint64, refused []*http.Response, held []beginning) {
	t.Helper()
	before := heap()
	type outcome struct {
		of       beginning
		response *http.Response
	}
	outcomes := make(chan outcome, 2*n)
	for range n {
		connection := g.begin(t, len(body), wellFormed)
		go func() {
			if _, err := connection.Write(body[:len(body)-1]); err == nil {
				outcomes <- outcome{of: connection}
			}
		}()
		go func() {
			if response, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
				_ = response.Body.Close()
				outcomes <- outcome{connection, response}
			}
		}()
	}
	is := map[beginning]*http.Response{}
	for len(is) < n {
		one := <-outcomes
		if is[one.of] == nil {
			is[one.of] = one.response
		}
	}
	kept = max(heap(), before) - before
	for connection, response := range is {
		if response != nil {
			refused = append(refused, response)
		} else {
			held = append(held, connection)
		}
	}
	return kept, refused, held
}

// heap is how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what the first one finalized
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// However many strangers send GitHub's largest bodies at once, they cost what one costs; the others get a Retry-After, and small
// webhooks are taken meanwhile.
func TestManyStrangersCostNoMoreThanOne(t *testing.T) {
	body := bytes.Repeat([]byte(" "), 24_000_000)
	g := newGate(t, &counter{})
	floor, _, held := g.hold(t, 1, body)
	if len(held) != 1 || floor < 12_000_000 {
		t.Fatalf("one body keeps %d bytes, %d held: this measures nothing", floor, len(held))
	}
	finish := func(held []beginning) {
		for _, connection := range held {
			_ = connection.Close()
		}
	}
	finish(held)

	g = newGate(t, &counter{})
	kept, refused, held := g.hold(t, 40, body)
	if len(held) == 0 || len(refused) == 0 {
		t.Fatalf("%d held, %d refused", len(held), len(refused))
	}
	if kept > 2*floor {
		t.Errorf("forty bodies keep %d bytes, one keeps %d", kept, floor)
	}
	for _, response := range refused {
		if after, err := strconv.Atoi(response.Header.Get("Retry-After")); response.StatusCode != http.StatusServiceUnavailable || err != nil || after <= 0 {
			t.Errorf("%s, Retry-After %q", response.Status, response.Header.Get("Retry-After"))
		}
	}
	if answered, _ := g.take(); answered[handlers.AnswerBusy] != len(refused) || len(answered) != 1 {
		t.Errorf("%d are refused, counted as %v", len(refused), answered)
	}
	if got := post(t, g.url, "issue_comment", sign(comment, webhookSecret), comment); got != http.StatusOK {
		t.Errorf("meanwhile, a small one is answered %d", got)
	}
	finish(held)
}

// A body that is refused for want of memory frees its share: the next ones are read.
func TestMemoryIsFreedAfterRefusals(t *testing.T) {
	body := bytes.Repeat([]byte(" "), 24_000_000)
	g := newGate(t, &counter{})
	for range 3 {
		connection := g.begin(t, len(body), wellFormed)
		if _, err := connection.Write(body); err != nil {
			t.Fatal(err)
		}
		if response := connection.answer(); response.StatusCode != http.StatusBadRequest {
			t.Errorf("a forged one is answered %s", response.Status)
		}
	}
	if answered, _ := g.take(); answered[handlers.AnswerForged] != 3 {
		t.Errorf("counted as %v", answered)
	}
}

// BenchmarkStrangers reports what forty large bodies of strangers keep in memory (MB), beside what one keeps.
func BenchmarkStrangers(b *testing.B) {
	body := bytes.Repeat([]byte(" "), 24_000_000)
	for b.Loop() {
		for _, n := range []int{1, 20, 40} {
			kept, _, held := newGate(b, &counter{}).hold(b, n, body)
			b.ReportMetric(float64(kept)/1e6, fmt.Sprintf("MB-of-%d", n))
			for _, connection := range held {
				_ = connection.Close()
			}
		}
	}
}
