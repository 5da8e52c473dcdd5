package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-github/v62/github"
)

// EndToken ends a token that a person has of the App: https://docs.github.com/rest/apps/oauth-applications#delete-an-app-token. The client's id
// and secret are those of the App's settings.
func EndToken(ctx context.Context, by *http.Client, api, id, secret, token string) error {
	client, err := anonymous(by, api)
	if err != nil {
		return err
	}
	request, err := client.NewRequest(http.MethodDelete, fmt.Sprintf("applications/%s/token", url.PathEscape(id)), map[string]string{"access_token": token})
	if err == nil {
		request.SetBasicAuth(id, secret)
		_, err = client.Do(ctx, request, nil)
	}
	if err != nil {
		return fmt.Errorf("end a token: %w", err)
	}
	return nil
}

// Made is an App that GitHub made of a manifest, with the credentials that it shows once.
type Made struct {
	ID                     int64
	Slug, Name             string
	Page                   string // of the App on GitHub
	Key                    string // PEM
	WebhookSecret          string
	URL                    string // the homepage that the manifest said
	ClientID, ClientSecret string
}

// CompleteManifest exchanges the code of a manifest for the App: https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest.
func CompleteManifest(ctx context.Context, by *http.Client, api, code string) (Made, error) {
	client, err := anonymous(by, api)
	if err != nil {
		return Made{}, err
	}
	is, _, err := client.Apps.CompleteAppManifest(ctx, url.PathEscape(code))
	if err != nil {
		return Made{}, err //nolint:wrapcheck // its address has the code in it, so who asks says what is told
	}
	return Made{
		is.GetID(), is.GetSlug(), is.GetName(), is.GetHTMLURL(), is.GetPEM(), is.GetWebhookSecret(), is.GetExternalURL(), is.GetClientID(), is.GetClientSecret(),
	}, nil
}

func anonymous(by *http.Client, api string) (*github.Client, error) {
	base, err := url.Parse(api)
	if err != nil {
		return nil, fmt.Errorf("read the address of GitHub's API: %w", err)
	}
	client := github.NewClient(by)
	client.BaseURL, client.UserAgent = base.JoinPath("/"), userAgent
	return client, nil
}
