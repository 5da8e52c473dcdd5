package client_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/colony-app/colony/github/client"
)

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
	only := &http.Client{Transport: client.ReadOnly(http.DefaultTransport)}
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
		{"POST", "/graphql", query("{ a } fragment F on X { b }"), "POST /graphql " + query("{ a } fragment F on X { b }")},
		{"POST", "/graphql", query("mutation { a }"), ""},
		{"POST", "/graphql", query("query Q { a } mutation M { b }"), ""},
		{"POST", "/graphql", query("{ a } mutation($x: Y) { b }"), ""},
		{"POST", "/graphql", query("# {\nmutation { b }"), ""},
		{"POST", "/graphql", query(`{ a(x: "}") } mutation { b }`), ""},
		{"POST", "/graphql", query("subscription { a }"), ""},
		{"POST", "/graphql", query(""), ""},
		{"POST", "/graphql", `{"query":"{ a }","query":"mutation { b }"}`, ""},
		{"POST", "/graphql", `{"query":"mutation { b }","query":"{ a }"}`, ""},
		{"POST", "/graphql", `{"query":"mutation { b }","QUERY":"{ a }"}`, ""},
		{"POST", "/graphql", `{"query":"\u006dutation { b }"}`, ""},
		{"POST", "/graphql", "mutation { a }", ""},
	} {
		got = nil
		request, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := only.Do(request)
		if response != nil {
			_ = response.Body.Close()
		}
		refused := (*client.ReadOnlyError)(nil)
		switch {
		case c.sent == "" && (!errors.As(err, &refused) || len(got) > 0):
			t.Errorf("%s %s %s: %v, and the server got %q", c.method, c.path, c.body, err, got)
		case c.sent != "" && (err != nil || len(got) != 1 || got[0] != c.sent):
			t.Errorf("%s %s %s: %v, and the server got %q", c.method, c.path, c.body, err, got)
		}
	}
}
