package client

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/ratelimit"
)

// TokenClients speak for the holder of one token, whichever installation is asked for: for work that is left when there is none any more.
type TokenClients struct{ client *github.Client }

// NewTokenClients makes clients of a token.
func NewTokenClients(o Options, token string) (TokenClients, error) {
	base, err := url.Parse(strings.TrimSuffix(o.App.V3APIURL, "/") + "/")
	if err != nil {
		return TokenClients{}, fmt.Errorf("github.v3_api_url: %w", err)
	}
	client := github.NewClient(&http.Client{Transport: ratelimit.Refuse(o.Clock)(wholeAnswers{o.Transport, o.Timeout})}).WithAuthToken(token)
	client.BaseURL, client.UserAgent = base, userAgent
	return TokenClients{client}, nil
}

// NewInstallationClient implements issues.Clients.
func (c TokenClients) NewInstallationClient(int64) (*github.Client, error) { return c.client, nil }
