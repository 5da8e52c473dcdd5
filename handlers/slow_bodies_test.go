package handlers_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Strangers who say that they send much, and send little of it, keep no room that others need: not even as many as Colony has connections.
func TestSlowBodiesKeepNoOtherWaiting(t *testing.T) {
	t.Parallel()
	g := newGate(t, &counter{})
	send := func(body io.Reader, size int, signature string) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/github/hook", body)
		request.ContentLength = int64(size)
		for name, value := range map[string]string{"Content-Type": "application/json", "X-GitHub-Event": "issue_comment", "X-Hub-Signature-256": signature} {
			request.Header.Set(name, value)
		}
		answer := httptest.NewRecorder()
		g.ServeHTTP(answer, request)
		return answer
	}
	const strangers = 2048
	ends := make(chan int, strangers)
	for range strangers {
		slow, begun := io.Pipe()
		t.Cleanup(func() { _ = begun.Close() })
		go func() {
			ends <- send(slow, 256<<10, strings.TrimPrefix(wellFormed, "X-Hub-Signature-256: ")).Code
			_ = slow.Close() // so that who is refused sends no more
		}()
		_, _ = begun.Write([]byte("{")) // it is read, or the sender is refused
	}
	if answer := send(bytes.NewReader(comment), len(comment), sign(comment, webhookSecret)); answer.Code != http.StatusOK {
		t.Errorf("a webhook is answered %d %s, while %d of %d slow ones are refused", answer.Code, answer.Body, len(ends), strangers)
	}
}

// A body grows into the room that it gets, whatever the pieces in which it arrives.
func TestASmallBodyArrivesInPieces(t *testing.T) {
	t.Parallel()
	g := newGate(t, &counter{})
	for _, size := range []int{len(comment), 4 << 10, 4<<10 + 1, 8 << 10, 100_000, 256 << 10} {
		body := append(bytes.Clone(comment), bytes.Repeat([]byte(" "), size-min(size, len(comment)))...)
		connection := g.begin(t, len(body), "X-GitHub-Delivery: 1", "X-Hub-Signature-256: "+sign(body, webhookSecret))
		for rest := body; len(rest) > 0; {
			n, err := connection.Write(rest[:min(len(rest), 3001)])
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if response := connection.answer(); response.StatusCode != http.StatusOK {
			t.Errorf("%d bytes are answered %s", len(body), response.Status)
		}
	}
}
