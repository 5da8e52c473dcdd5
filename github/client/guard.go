package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// UnwrittenError says that a call was not sent because Colony writes nothing to its repository.
type UnwrittenError struct{ Method, Path string }

func (e *UnwrittenError) Error() string {
	return fmt.Sprintf("%s %s was not sent: Colony writes nothing there (mode)", e.Method, e.Path)
}

type onlyReading struct{}

// OnlyReading makes the calls of a context change no repository: Guard sends none of them that would.
func OnlyReading(ctx context.Context) context.Context {
	return context.WithValue(ctx, onlyReading{}, true)
}

// OnlyAsking makes the calls of a context, which read what somebody wants to see, change no repository, and leave the points of the
// installation to the issues that need them.
func OnlyAsking(ctx context.Context, installation int64) context.Context {
	return OnlyReading(ratelimit.WithCaller(ctx, ratelimit.Caller{Installation: installation, Background: true}))
}

// Guard returns a transport that sends what would change a repository only if it may be written to. Everything else it sends.
func Guard(next http.RoundTripper, mayWrite func(ctx context.Context, owner, name string) bool) http.RoundTripper {
	return ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		if request.Method != http.MethodGet && request.Method != http.MethodHead {
			reads := request.Context().Value(onlyReading{}) != nil
			if owner, name, some := changed(request); some && (reads || !mayWrite(request.Context(), owner, name)) {
				if request.Body != nil {
					_ = request.Body.Close()
				}
				return nil, &UnwrittenError{request.Method, request.URL.Path}
			}
		}
		return next.RoundTrip(request)
	})
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
