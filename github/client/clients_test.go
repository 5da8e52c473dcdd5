package client

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// The error for a missing client names the installation once.
func TestInstallationWithoutAClient(t *testing.T) {
	t.Parallel()
	clients := New(Options{App: githubapp.Config{V3APIURL: "https://github.test/api/v3/"}})
	repo := issues.Repository{Installation: 12, Owner: "acme", Name: "widgets"}
	for name, ask := range map[string]func() error{
		"an issue": func() error {
			_, err := issues.NewStore(clients, &issues.Actors{}).Load(t.Context(), issues.Ref{Repository: repo, Number: 1})
			return err
		},
		"the repositories of an installation": func() error {
			return EachRepository(t.Context(), clients, 12, Once, func(issues.Repository) error { return nil })
		},
	} {
		err := ask()
		if err == nil || strings.Count(err.Error(), "make a client for installation 12") != 1 || strings.Count(err.Error(), "installation 12") != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a command may not send, it does not send with a person's token either.
func TestTheClientOfATokenUsesTheTransport(t *testing.T) {
	t.Parallel()
	clock := clockwork.NewRealClock()
	client, err := New(Options{
		App: githubapp.Config{V3APIURL: "https://github.test/api/v3/"}, Token: "x", Timeout: time.Minute, Clock: clock,
		Limiter: ratelimit.NewLimiter(ratelimit.Settings{}, clock), Metrics: NewCallMetrics(prometheus.NewRegistry()),
		Transport: Guard{Reads: func() map[string]string { return nil }, Next: ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
			if got := request.Header.Get("Authorization"); got != "Bearer x" {
				t.Errorf("the call comes with %q", got)
			}
			return an(200, "[]"), nil
		})},
	}).NewInstallationClient(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := client.Issues.ListLabels(t.Context(), "acme", "widgets", nil); err != nil {
		t.Error(err)
	}
	_, err = client.Issues.DeleteLabel(t.Context(), "acme", "widgets", "a")
	if refused := (*UnwrittenError)(nil); !errors.As(err, &refused) {
		t.Errorf("a label is deleted: %v", err)
	}
}
