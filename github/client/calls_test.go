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
	"runtime/pprof"
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
	clients, connections := servingAll(t, timeout, answer)
	return installed(t, clients, 1), connections
}

func installed(t *testing.T, clients *Clients, installation int64) *github.Client {
	t.Helper()
	client, err := clients.NewInstallationClient(installation)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// servingAll is serving for any installation. The token of an installation is its number.
func servingAll(t *testing.T, timeout time.Duration, answer http.HandlerFunc) (_ *Clients, connections *atomic.Int64) {
	t.Helper()
	connections = &atomic.Int64{}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /app/installations/{id}/access_tokens", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"token":%q,"expires_at":%q}`, r.PathValue("id"), time.Now().Add(time.Hour).Format(time.RFC3339))
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
	return New(Options{
		App: app, Timeout: timeout, Transport: NewTransport(), Clock: clock,
		Limiter: ratelimit.NewLimiter(ratelimit.Settings{}, clock), Metrics: NewCallMetrics(prometheus.NewRegistry()),
	}), connections
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

// labels returns the names of a repository's labels, as GitHub answers.
func labels(t *testing.T, client *github.Client) string {
	t.Helper()
	list, _, err := client.Issues.ListLabels(t.Context(), "acme", "widgets", nil)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(list))
	for i, l := range list {
		names[i] = l.GetName()
	}
	return strings.Join(names, " ")
}

// GitHub lets an answer be used for a minute. What Colony reads after it wrote is as it wrote it all the same; and what did not change comes
// without its text.
func TestAReadAfterAnOwnWriteIsFresh(t *testing.T) {
	t.Parallel()
	name, whole := "a", 0
	client, _ := serving(t, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		tag := fmt.Sprintf("W/%q", name)
		w.Header().Set("Etag", tag)
		w.Header().Set("Cache-Control", "private, max-age=60, s-maxage=60")
		w.Header().Set("Vary", "Accept, Authorization")
		switch {
		case r.Method == http.MethodPatch:
			name = "b"
			_, _ = fmt.Fprintf(w, `{"name":%q}`, name)
		case r.Header.Get("If-None-Match") == tag:
			w.WriteHeader(http.StatusNotModified)
		default:
			whole++
			_, _ = fmt.Fprintf(w, `[{"name":%q}]`, name)
		}
	})
	for round := range 3 {
		if got := labels(t, client); got != "a" {
			t.Errorf("read %d: %q", round, got)
		}
	}
	if _, _, err := client.Issues.EditLabel(t.Context(), "acme", "widgets", "a", &github.Label{Name: new("b")}); err != nil {
		t.Fatal(err)
	}
	if got := labels(t, client); got != "b" {
		t.Errorf("after the write %q is read", got)
	}
	if whole != 2 {
		t.Errorf("the text came %d times, want twice: before the write and after it", whole)
	}
}

// An installation gets what GitHub answers to itself, also from a server whose tags are the same for all and which does not say that an answer
// depends on the token.
func TestNoAnswerReachesAnotherInstallation(t *testing.T) {
	t.Parallel()
	clients, _ := servingAll(t, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Etag", `"same"`)
		w.Header().Set("Cache-Control", "public, max-age=60")
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = fmt.Fprintf(w, `[{"name":"of %s"}]`, strings.TrimPrefix(r.Header.Get("Authorization"), "token "))
	})
	for range 2 {
		for installation := range int64(3) {
			if got, want := labels(t, installed(t, clients, 11+installation)), fmt.Sprintf("of %d", 11+installation); got != want {
				t.Errorf("installation %d reads the label %q", 11+installation, got)
			}
		}
	}
}

// A call that GitHub refuses, or answers with "not modified", leaves nothing running until its time would be over.
func TestACallThatIsRefusedIsOver(t *testing.T) {
	t.Parallel()
	client, _ := serving(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	for range 5 {
		if _, _, err := client.Issues.ListLabels(t.Context(), "acme", "widgets", nil); err == nil {
			t.Fatal("it is not refused")
		}
	}
	var running strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&running, 1); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(running.String(), "setRequestCancel") {
		t.Error("a timer is left of a call")
	}
}
