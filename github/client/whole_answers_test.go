package client

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
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/ratelimit"
)

// serving returns a client of installation 1 for a GitHub that answers so, and counts its connections.
func serving(t *testing.T, timeout time.Duration, answer http.HandlerFunc) (_ *github.Client, connections *atomic.Int64) {
	t.Helper()
	connections = &atomic.Int64{}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /app/installations/1/access_tokens", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"token":"x","expires_at":%q}`, time.Now().Add(time.Hour).Format(time.RFC3339))
	})
	routes.HandleFunc("/", answer)
	server := httptest.NewUnstartedServer(routes)
	server.Config.ConnState = func(_ net.Conn, is http.ConnState) {
		if is == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	app := githubapp.Config{V3APIURL: server.URL}
	app.App.IntegrationID = 7
	app.App.PrivateKey = string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	clock := clockwork.NewRealClock()
	client, err := New(Options{
		App: app, Timeout: timeout, Transport: NewTransport(), Clock: clock,
		Limiter: ratelimit.NewLimiter(ratelimit.Settings{}, clock), Metrics: NewCallMetrics(prometheus.NewRegistry()),
	}).NewInstallationClient(1)
	if err != nil {
		t.Fatal(err)
	}
	return client, connections
}

// An answer that nobody reads, such as that to the removal of a label, does not end its connection.
func TestCallsShareAConnection(t *testing.T) {
	t.Parallel()
	client, connections := serving(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `[{"name":%q}]`, strings.Repeat("x", 10_000))
	})
	for range 5 {
		if _, err := client.Issues.RemoveLabelForIssue(t.Context(), "acme", "widgets", 1, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("5 calls took %d connections", n)
	}
}

// As many calls as GitHub allows at once find the connections of those before them.
func TestManyCallsShareTheirConnections(t *testing.T) {
	t.Parallel()
	const atOnce = 90
	var arrived sync.WaitGroup
	client, connections := serving(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		arrived.Done()
		arrived.Wait()
		_, _ = fmt.Fprint(w, "[]")
	})
	for range 3 {
		arrived.Add(atOnce)
		var calls errgroup.Group
		for range atOnce {
			calls.Go(func() error {
				_, err := client.Issues.RemoveLabelForIssue(t.Context(), "acme", "widgets", 1, "a")
				return err
			})
		}
		if err := calls.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if n := connections.Load(); n > atOnce+1 { // one more asked for the token
		t.Errorf("3 times %d calls took %d connections", atOnce, n)
	}
}

// A call whose answer does not come, or does not end, ends when its time is over.
func TestCallsThatTakeTooLong(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{"no answer": "", "an answer that does not end": "[1,"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, _ := serving(t, 50*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
				if begin != "" {
					_, _ = fmt.Fprint(w, begin)
					_ = http.NewResponseController(w).Flush()
				}
				<-r.Context().Done()
			})
			if _, _, err := client.Issues.ListLabels(t.Context(), "acme", "widgets", nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the call ends with %v", err)
			}
		})
	}
}

// A GitHub, or a proxy before it, that answers without end takes no more memory than the largest answer.
func TestAnEndlessAnswerIsRefused(t *testing.T) {
	t.Parallel()
	sent := make(chan int, 1)
	client, _ := serving(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		n, piece := 0, []byte(strings.Repeat(" ", 1<<20))
		for n < 4*largestAnswer {
			written, err := w.Write(piece)
			if n += written; err != nil {
				break
			}
		}
		sent <- n
	})
	_, _, err := client.Issues.ListLabels(t.Context(), "acme", "widgets", nil)
	if tooLarge, ok := errors.AsType[*bounded.TooLargeError](err); !ok || tooLarge.Most != largestAnswer {
		t.Errorf("the call ends with %v", err)
	}
	if n := <-sent; n >= 4*largestAnswer { // what is in the buffers of both ends was sent, and not all
		t.Errorf("%d bytes were sent", n)
	}
}
