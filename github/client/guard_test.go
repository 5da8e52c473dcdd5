package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

func TestWhatOnlyReadsChangesNoRepository(t *testing.T) {
	t.Parallel()
	sent := 0
	transport := client.Guard{Next: ratelimit.RoundTripperFunc(func(*http.Request) (*http.Response, error) {
		sent++
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}), MayWrite: func(context.Context, string, string) bool { return true }}
	call := func(ctx context.Context, method, path string) error {
		request, err := http.NewRequestWithContext(ctx, method, "https://api.github.com"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := transport.RoundTrip(request)
		if err == nil {
			err = response.Body.Close()
		}
		return err
	}
	reading := client.OnlyReading(t.Context())
	for _, method := range []string{http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete} {
		unwritten := (*client.UnwrittenError)(nil)
		if err := call(reading, method, "/repos/acme/widgets/issues/1/labels"); !errors.As(err, &unwritten) || sent != 0 {
			t.Errorf("%s is sent: %v", method, err)
		}
	}
	for _, one := range []struct {
		ctx          context.Context
		method, path string
	}{
		{reading, http.MethodGet, "/repos/acme/widgets/issues/1"},
		{reading, http.MethodPost, "/app/installations/1/access_tokens"},
		{t.Context(), http.MethodPost, "/repos/acme/widgets/issues/1/labels"},
	} {
		before := sent
		if err := call(one.ctx, one.method, one.path); err != nil || sent != before+1 {
			t.Errorf("%s %s is not sent: %v", one.method, one.path, err)
		}
	}
}

// What a command that only reads can send: a write does not reach the server, whatever path it goes to, and no token may write.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = append(got, r.Method+" "+r.URL.Path+" "+string(body))
	}))
	defer server.Close()
	guard := client.Guard{Next: server.Client().Transport, Reads: func() map[string]string { return map[string]string{"issues": "write", "contents": "read"} }}
	query := func(document string) string {
		text, err := json.Marshal(map[string]string{"query": document})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct {
		method, path, body string
		sent               string // empty: it is refused
	}{
		{"GET", "/repos/acme/widgets/issues/1", "", "GET /repos/acme/widgets/issues/1 "},
		{"HEAD", "/meta", "", "HEAD /meta "},
		{"POST", "/repos/acme/widgets/issues/1/labels", `{"labels":["colony:new"]}`, ""},
		{"DELETE", "/repos/acme/widgets/issues/1/labels/colony:new", "", ""},
		{"PATCH", "/repos/acme/widgets/issues/1", "{}", ""},
		{"PUT", "/repos/acme/widgets/issues/1/labels", "{}", ""},
		{"POST", "/repos/acme/widgets/issues/1/comments", `{"body":"access_tokens"}`, ""},
		{"POST", "/repos/acme/access_tokens/issues", "{}", ""},
		{"DELETE", "/app/installations/7/access_tokens", "", ""},
		{"POST", "/app/installations/7/access_tokens", "", `POST /app/installations/7/access_tokens {"permissions":{"contents":"read","issues":"read"}}`},
		{"POST", "/api/v3/app/installations/7/access_tokens", `{"permissions":{"issues":"write"}}`, `POST /api/v3/app/installations/7/access_tokens {"permissions":{"contents":"read","issues":"read"}}`},
		{"POST", "/graphql", query("query($n: Int!) { a { b(x: $n) } }"), "POST /graphql " + query("query($n: Int!) { a { b(x: $n) } }")},
	} {
		got = nil
		request, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := (&http.Client{Transport: guard}).Do(request)
		if response != nil {
			_ = response.Body.Close()
		}
		refused := (*client.UnwrittenError)(nil)
		switch {
		case c.sent == "" && (!errors.As(err, &refused) || len(got) > 0):
			t.Errorf("%s %s %s: %v, and the server got %q", c.method, c.path, c.body, err, got)
		case c.sent != "" && (err != nil || len(got) != 1 || got[0] != c.sent):
			t.Errorf("%s %s %s: %v, and the server got %q", c.method, c.path, c.body, err, got)
		}
	}

	got = nil
	clock := clockwork.NewFakeClock()
	store := issues.NewStore(client.New(client.Options{
		App: githubapp.Config{V3APIURL: server.URL + "/"}, Token: "token", Timeout: time.Minute, Transport: guard, Clock: clock,
		Limiter: ratelimit.NewLimiter(ratelimit.Settings{}, clock), Metrics: client.NewCallMetrics(prometheus.NewRegistry()),
	}), &issues.Actors{})
	refused := (*client.UnwrittenError)(nil)
	pinned := issues.Dashboard{Ref: issues.Ref{Repository: issues.Repository{Owner: "acme", Name: "widgets"}, Number: 1}, NodeID: "I1"}
	if _, err := store.PinDashboard(t.Context(), pinned, true); !errors.As(err, &refused) || len(got) > 0 {
		t.Errorf("a mutation by GraphQL: %v, and the server got %q", err, got)
	}
}
