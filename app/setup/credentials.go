package setup

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
)

// Credentials are what GitHub hands out, once, for an App that it made of a manifest. Its URL is where browsers reach Colony; people sign in to
// the board there, with the client's id and secret.
type Credentials struct {
	Server
	client.Made
}

// InstallURL is where a person installs the App.
func (c Credentials) InstallURL() string { return c.Page + "/installations/new" }

var (
	// ErrCode is a code that GitHub does not take.
	ErrCode = errors.New("GitHub does not know the code: it is good once, and for an hour -> create the App again; delete the first one on GitHub, in Settings, Developer settings, GitHub Apps")
	// ErrIncomplete is an answer that lacks a credential.
	ErrIncomplete = errors.New("GitHub's answer has no usable id, key, webhook secret or client secret -> make them in the App's settings on GitHub, General, as the installation guide says")
)

// conversionTimeout bounds the exchange.
const conversionTimeout = time.Minute

// largestAnswer is the most bytes of the answer with the credentials.
const largestAnswer = 1 << 20

var code = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// CodeOf finds the code in what a person copied: the code alone, or the address to which GitHub led the browser.
func CodeOf(text string) (string, error) {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err == nil && u.Query().Has("code") {
		text = u.Query().Get("code")
	}
	if !code.MatchString(text) {
		return "", errors.New("there is no code in it: copy the whole address from the browser, with code=… in it")
	}
	return text, nil
}

// Convert exchanges the code for the credentials: https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest. Errors do not
// tell the code. Nothing interrupts it before its time is up, because GitHub answers once.
func Convert(ctx context.Context, server Server, code string) (Credentials, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), conversionTimeout)
	defer cancel()
	made, err := client.CompleteManifest(ctx, &http.Client{
		Transport:     bounded.Answers(http.DefaultTransport, largestAnswer),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, server.API, code)
	switch status, says := issues.Answer(err); {
	case status == http.StatusNotFound:
		return Credentials{}, ErrCode
	case status != 0:
		return Credentials{}, fmt.Errorf("GitHub answers %d %s: %s", status, http.StatusText(status), says)
	case err != nil:
		failed := (*url.Error)(nil)
		if errors.As(err, &failed) { // whose address has the code in it
			err = failed.Err
		}
		return Credentials{}, fmt.Errorf("ask %s for the App's credentials: %w", server.API, err)
	}
	made.Page, made.URL = strings.TrimSuffix(made.Page, "/"), strings.TrimSuffix(made.URL, "/")
	c := Credentials{server, made}
	if _, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(c.Key)); err != nil || c.ID <= 0 || c.WebhookSecret == "" || c.ClientID == "" || c.ClientSecret == "" {
		return c, ErrIncomplete
	}
	return c, nil
}
