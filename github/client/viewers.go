package client

import (
	"context"
	"net/http"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// Viewers makes the clients that act with the tokens of people and programs who ask Colony something. Nothing that GitHub answers to a
// token is kept for conditional requests, so that it cannot reach another one; and no call follows a redirect: a repository that was
// renamed has another name now.
type Viewers struct{ anonymous *github.Client }

// NewViewers makes the clients for the options. The App and its limiter are not used: the calls are the viewers' own.
func NewViewers(o Options) (*Viewers, error) {
	client, err := anonymous(&http.Client{
		Transport:     o.Metrics.middleware(ratelimit.Refuse(o.Clock)(wholeAnswers{o.Transport, o.Timeout})),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, o.App.V3APIURL)
	return &Viewers{client}, err
}

// Of returns what acts with a token.
func (v *Viewers) Of(token string) Viewer { return Viewer{v.anonymous.WithAuthToken(token)} }

// Viewer asks GitHub with one token. Its errors are GitHub's, for issues.Answer.
type Viewer struct{ github *github.Client }

// Login returns whose token it is.
func (v Viewer) Login(ctx context.Context) (string, error) {
	user, _, err := v.github.Users.Get(ctx, "")
	return user.GetLogin(), err
}

// Sees asks for an address of the API, and for an answer that differs from the one with a tag, if there is one. It returns the tag of the
// answer.
func (v Viewer) Sees(ctx context.Context, path, before string) (tag string, err error) {
	request, err := v.github.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return "", err //nolint:wrapcheck // who asks says what for
	}
	if before != "" {
		request.Header.Set("If-None-Match", before)
	}
	response, err := v.github.Do(ctx, request, nil)
	if err != nil {
		return "", err //nolint:wrapcheck // who asks says what for
	}
	return response.Header.Get("ETag"), nil
}

// GraphQL asks a question, and reads the answer into a struct.
func (v Viewer) GraphQL(ctx context.Context, query string, into any) error {
	request, err := issues.GraphQLRequest(v.github, query, nil)
	if err != nil {
		return err
	}
	_, err = v.github.Do(ctx, request, into)
	return err //nolint:wrapcheck // who asks says what for
}
