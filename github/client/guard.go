package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// UnwrittenError says that a call was not sent because it would have changed something.
type UnwrittenError struct{ Method, Path, Why string }

func (e *UnwrittenError) Error() string {
	return fmt.Sprintf("%s %s was not sent: %s", e.Method, e.Path, e.Why)
}

type onlyReading struct{}

// OnlyReading makes the calls of a context change no repository: Guard sends none of them that would.
func OnlyReading(ctx context.Context) context.Context {
	return context.WithValue(ctx, onlyReading{}, true)
}

// OnlyAsking is for calls that read what someone wants to see. It makes the calls of a context change no repository, and leave the points of the
// installation to the issues that need them.
func OnlyAsking(ctx context.Context, installation int64) context.Context {
	return OnlyReading(ratelimit.WithCaller(ctx, ratelimit.Caller{Installation: installation, Class: ratelimit.Questions}))
}

// Guard is a transport that sends what changes nothing, and what is allowed to change something. Everything else fails with an UnwrittenError.
type Guard struct {
	Next http.RoundTripper
	// MayWrite reports whether Colony is allowed to change a repository.
	MayWrite func(ctx context.Context, owner, name string) bool
	// Reads returns the permissions, by name, that the tokens of a process have which changes nothing, no matter which level is given: a token without
	// a right to write cannot, no matter what is sent with it. An installation that does not grant one of them gets no token:
	// https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app. nil: the process can change what MayWrite allows.
	Reads func() map[string]string
}

// RoundTrip implements http.RoundTripper.
func (g Guard) RoundTrip(request *http.Request) (*http.Response, error) {
	sent, err := request, error(nil)
	switch {
	case asks(request):
	case g.Reads != nil && wantsToken(request):
		sent, err = g.reading(request)
	default:
		err = g.refusal(request)
	}
	if err != nil {
		if request.Body != nil {
			_ = request.Body.Close()
		}
		return nil, err
	}
	return g.Next.RoundTrip(sent) //nolint:wrapcheck // a round tripper returns what it got
}

// asks reports whether a call changes nothing. A mutation by GraphQL has the repository that it changes in its context.
func asks(request *http.Request) bool {
	_, changes := issues.RepositoryOf(request.Context())
	return request.Method == http.MethodGet || request.Method == http.MethodHead ||
		request.Method == http.MethodPost && strings.HasSuffix(request.URL.Path, "/graphql") && !changes
}

func wantsToken(request *http.Request) bool {
	path := request.URL.Path
	return request.Method == http.MethodPost && strings.HasSuffix(path, "/access_tokens") && strings.Contains(path, "/app/installations/")
}

// reading returns the request for a token that can only read, to send instead of another one.
func (g Guard) reading(request *http.Request) (*http.Request, error) {
	reads := map[string]string{}
	for name := range g.Reads() {
		reads[name] = "read"
	}
	text, err := json.Marshal(map[string]any{"permissions": reads}, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("ask for a token that may only read: %w", err)
	}
	with := request.Clone(request.Context())
	with.Body, with.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	with.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	with.Header.Set("Content-Type", "application/json")
	return with, nil
}

// refusal is why a call that changes something is not sent; nil if it is.
func (g Guard) refusal(request *http.Request) error {
	if g.Reads != nil {
		return &UnwrittenError{request.Method, request.URL.Path, "this command only reads"}
	}
	owner, name, some := changed(request)
	if some && (request.Context().Value(onlyReading{}) != nil || !g.MayWrite(request.Context(), owner, name)) {
		return &UnwrittenError{request.Method, request.URL.Path, "Colony writes nothing there (mode)"}
	}
	return nil
}

// changed is the repository that a call would change: by its address, or by what is said about a mutation by GraphQL.
func changed(request *http.Request) (owner, name string, some bool) {
	if repo, ok := issues.RepositoryOf(request.Context()); ok {
		return repo.Owner, repo.Name, true
	}
	_, repo, _ := strings.Cut(request.URL.Path, "/repos/")
	if parts := strings.SplitN(repo, "/", 3); len(parts) == 3 {
		return parts[0], parts[1], true
	}
	return "", "", false
}
