package app_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
)

// BenchmarkIgnored shows what a delivery costs that leads to nothing, from the socket to the socket, beside the least that anybody can
// do with it: read it and compute its signature.
//
//	go test ./app -run '^$' -bench Ignored -benchmem
//
// cpu-ns/op is what the whole process used for a delivery, the side that sends it included, which is the same for all.
func BenchmarkIgnored(b *testing.B) {
	w := newWorldWithoutColony(b, onDisk(b))
	server, err := app.New(context.Background(), w.config, app.Options{Clock: w.clock, Log: zerolog.New(io.Discard).Level(zerolog.InfoLevel)})
	w.Must(err)
	address := w.run(server)
	w.install()
	known := w.open("olivia", "", "colony:new")
	w.Settle() // now Colony knows the policy
	var id int64
	for _, d := range w.github.Deliveries() {
		var p struct{ Repository struct{ ID int64 } }
		w.Must(json.Unmarshal(d.Payload, &p))
		id = max(id, p.Repository.ID)
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	w.Must(err)
	floor := &http.Server{Handler: http.HandlerFunc(onlyVerify)}
	go func() { _ = floor.Serve(listener) }()
	defer floor.Close()

	off := w.example("issues", "unlabeled", id, known.Number)
	b.Run("floor", func(b *testing.B) { deliverAll(b, listener.Addr().String(), "issues", off) })
	for _, c := range []struct{ name, event, action string }{
		{"foreign label off", "issues", "unlabeled"},
		{"foreign label on", "issues", "labeled"},
		{"issue edited", "issues", "edited"},
		{"comment without a command", "issue_comment", "created"},
		{"event of no handler", "star", "created"},
	} {
		b.Run(c.name, func(b *testing.B) {
			deliverAll(b, address, c.event, w.example(c.event, c.action, id, known.Number))
			w.Quiet()
		})
	}
}

// onlyVerify reads a webhook and checks its signature.
func onlyVerify(w http.ResponseWriter, r *http.Request) {
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	mac := hmac.New(sha256.New, []byte(webhookSecret))
	mac.Write(body)
	given, _ := hex.DecodeString(strings.TrimPrefix(r.Header.Get("X-Hub-Signature-256"), "sha256="))
	if err != nil || !hmac.Equal(mac.Sum(nil), given) {
		w.WriteHeader(http.StatusBadRequest)
	}
}

// example is a webhook as GitHub sends it, of the size that is usual, about an issue without a state in acme/widgets.
func (w *world) example(event, action string, repository int64, issue int) []byte {
	w.t.Helper()
	file, err := os.Open("../handlers/testdata/webhooks-examples.json.gz")
	w.Must(err)
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	w.Must(err)
	var examples []struct {
		Event   string
		Payload map[string]any
	}
	w.Must(json.NewDecoder(unpacked).Decode(&examples))
	for _, e := range examples {
		if e.Event != event || e.Payload["action"] != action {
			continue
		}
		at, _ := e.Payload["repository"].(map[string]any)
		at["id"], at["name"], at["full_name"], at["owner"].(map[string]any)["login"] = repository, "widgets", "acme/widgets", "acme" //nolint:forcetypeassert // GitHub's own
		e.Payload["installation"] = map[string]any{"id": w.Installation, "node_id": "MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9uMQ=="}
		if about, ok := e.Payload["issue"].(map[string]any); ok {
			about["number"] = issue
			about["body"] = ""
			const usual = 12_800
			short, err := json.Marshal(e.Payload)
			w.Must(err)
			about["body"] = strings.Repeat("It does not turn.\n", max(usual-len(short), 0)/len(`It does not turn.\n`))
		}
		body, err := json.Marshal(e.Payload)
		w.Must(err)
		return body
	}
	w.t.Fatalf("no example of %s.%s", event, action)
	return nil
}

// deliverAll sends a webhook again and again over one connection, with another id each time.
func deliverAll(b *testing.B, address, event string, body []byte) {
	b.Helper()
	mac := hmac.New(sha256.New, []byte(webhookSecret))
	mac.Write(body)
	connection, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	defer connection.Close()
	answers := bufio.NewReader(connection)
	head := "POST /api/github/hook HTTP/1.1\r\nHost: colony.example.com\r\nUser-Agent: GitHub-Hookshot/044aadd\r\nContent-Length: %d\r\nAccept: */*\r\n" +
		"Content-Type: application/json\r\nX-GitHub-Delivery: 72d3162e-cc78-11e3-81ab-%012d\r\nX-GitHub-Event: %s\r\nX-GitHub-Hook-ID: 292430182\r\n" +
		"X-GitHub-Hook-Installation-Target-ID: 79929171\r\nX-GitHub-Hook-Installation-Target-Type: integration\r\nX-Hub-Signature-256: sha256=%x\r\n\r\n"
	var request bytes.Buffer
	sum, before := mac.Sum(nil), processorTime(b)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		request.Reset()
		fmt.Fprintf(&request, head, len(body), i, event, sum)
		request.Write(body)
		if _, err := connection.Write(request.Bytes()); err != nil {
			b.Fatal(err)
		}
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			b.Fatal(err)
		}
		if answer.StatusCode >= http.StatusMultipleChoices {
			b.Fatal(answer.Status)
		}
		_ = answer.Body.Close()
	}
	b.StopTimer()
	b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
}
