package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/colony-app/colony/github/ratelimit"
)

// ReadOnlyError says that a call was not sent because it would have changed something.
type ReadOnlyError struct{ Method, Path string }

func (e *ReadOnlyError) Error() string {
	return fmt.Sprintf("%s %s was not sent: this command only reads", e.Method, e.Path)
}

// readPermissions is what a command that only reads asks of an installation; GitHub adds metadata. A token without a right to write cannot, whatever is sent
// with it: https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app.
var readPermissions = map[string]string{"issues": "read", "contents": "read"}

// ReadOnly returns a transport that sends only what cannot change anything: GET and HEAD, questions by GraphQL, and requests for tokens,
// which it makes ones for tokens that may only read. Everything else fails with a ReadOnlyError.
func ReadOnly(next http.RoundTripper) http.RoundTripper {
	return ReadOnlyWith(next, func() map[string]string { return readPermissions })
}

// ReadOnlyWith is ReadOnly with tokens that may read what the permissions say, whatever the words for how much say: an installation that does
// not grant one of them gets no token.
func ReadOnlyWith(next http.RoundTripper, permissions func() map[string]string) http.RoundTripper {
	return ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		allowed, err := readOnly(request, permissions)
		if request.Body != nil && err != nil {
			_ = request.Body.Close()
		}
		if err != nil {
			return nil, err
		}
		return next.RoundTrip(allowed)
	})
}

// readOnly returns the request to send instead of one.
func readOnly(request *http.Request, permissions func() map[string]string) (*http.Request, error) {
	refused := &ReadOnlyError{request.Method, request.URL.Path}
	path := request.URL.Path
	switch {
	case request.Method == http.MethodGet, request.Method == http.MethodHead:
		return request, nil
	case request.Method != http.MethodPost:
		return nil, refused
	case strings.HasSuffix(path, "/access_tokens") && strings.Contains(path, "/app/installations/"):
		reads := map[string]string{}
		for name := range permissions() {
			reads[name] = "read"
		}
		text, err := json.Marshal(map[string]any{"permissions": reads}, json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("ask for a token that may only read: %w", err)
		}
		return withBody(request, text), nil
	case strings.HasSuffix(path, "/graphql") && request.Body != nil:
		text, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, fmt.Errorf("read a question by GraphQL: %w", err)
		}
		var question struct {
			Query string `json:"query"`
		}
		if err := json.Unmarshal(text, &question); err != nil || !onlyAsks(question.Query) {
			return nil, refused
		}
		return withBody(request, text), nil
	}
	return nil, refused
}

// withBody is a request with another body; the one it is given is left as it is.
func withBody(request *http.Request, text []byte) *http.Request {
	with := request.Clone(request.Context())
	with.Body = io.NopCloser(bytes.NewReader(text))
	with.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	with.ContentLength = int64(len(text))
	with.Header.Set("Content-Type", "application/json")
	return with
}

// onlyAsks reports whether nothing in a GraphQL document changes anything: only these words begin an operation that is no query
// (https://spec.graphql.org/October2021/#OperationType), and nothing that Colony asks for has them in its name.
func onlyAsks(document string) bool {
	return document != "" && !strings.Contains(document, "mutation") && !strings.Contains(document, "subscription")
}
