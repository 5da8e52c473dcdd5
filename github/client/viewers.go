package client

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/ratelimit"
)

// Viewers makes the clients that act with the tokens of people and programs who ask Colony something. Nothing that GitHub answers to a
// token is kept for conditional requests, so that it cannot reach another one; and no call follows a redirect: a repository that was
// renamed has another name now.
type Viewers struct {
	base *url.URL
	http *http.Client
}

// NewViewers makes the clients for the options, of which the App and its limiter are not used: the calls are the viewers' own.
func NewViewers(o Options) (*Viewers, error) {
	base, err := url.Parse(o.App.V3APIURL)
	if err != nil {
		return nil, fmt.Errorf("github.v3_api_url: %w", err)
	}
	base = base.JoinPath("/") // go-github wants the slash
	transport := ratelimit.Refuse(o.Clock)(wholeAnswers{o.Transport, o.Timeout})
	return &Viewers{base: base, http: &http.Client{
		Transport:     o.Metrics.middleware(transport),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Of returns the client that acts with a token.
func (v *Viewers) Of(token string) *github.Client {
	client := github.NewClient(v.http).WithAuthToken(token)
	client.BaseURL, client.UserAgent = v.base, userAgent
	return client
}
