package api_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
	"github.com/colony-app/colony/bench/described"
	"github.com/colony-app/colony/github/ratelimit"
)

const adminToken = "only for operators"

// world is a GitHub with the JSON API beside it, and more repositories: acme/secret is private and rita can read it, acme/hidden is private and
// none of the people can, and elsewhere/public is one where Colony is not installed. Each has an issue 1.
type world struct {
	*acme.GitHub
	t        *testing.T
	colony   *byhand.Colony
	handler  http.Handler
	registry *prometheus.Registry
	starting bool // Colony does not know yet who it is
}

func newWorld(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	w := &world{GitHub: acme.New(t, append(change, func(c *config.Config) { c.Server.AdminToken = adminToken })...), t: t, registry: prometheus.NewRegistry()}
	w.MakeLabels()
	w.AddOrganization("elsewhere")
	w.AddUser("pat")
	for _, name := range []string{"acme/secret", "acme/hidden", "elsewhere/public"} {
		owner, repo, _ := strings.Cut(name, "/")
		w.AddRepository(owner, repo)
		w.SetPermission(owner, repo, "mona", "maintain")
		_, _, err := w.As("mona").Issues.Create(t.Context(), owner, repo, &github.IssueRequest{Title: new("Of " + name)})
		w.Must(err)
	}
	w.Must(w.SetPrivate("acme", "secret", true))
	w.Must(w.SetPrivate("acme", "hidden", true))
	w.SetPermission("acme", "secret", "rita", "read")
	w.SetPermission("acme", "hidden", "mona", "none")
	w.colony = byhand.New(t, w.GitHub)
	w.handler = api.Handler(api.Options{
		Access: w.colony.Access, Inspector: w.colony.Inspector(), Limiter: w.colony.Limiter, Limits: ratelimit.NewLimits(),
		Ready: func() bool { return !w.starting }, Clock: w.Clock, Log: zerolog.Nop(), Metrics: w.registry,
	})
	w.Advance(time.Minute) // for the points that the labels took
	return w
}

// opened opens an issue in a state, and returns its number.
func (w *world) opened(label string) int {
	w.t.Helper()
	number := w.Open("ada")
	w.Label(number, "olivia", label)
	w.colony.Reconcile(number)
	return number
}

// asks sends a request to the API, with a token, and checks that the answer is one that the API's description has.
func (w *world) asks(token, method, path, body string) *httptest.ResponseRecorder {
	w.t.Helper()
	request := httptest.NewRequest(method, "/api/v1/"+path, strings.NewReader(body))
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, request)
	described.Check(w.t, request, answer)
	h := answer.Header()
	if h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Length") != strconv.Itoa(answer.Body.Len()) {
		w.t.Errorf("%s %s: %v", method, path, h)
	}
	return answer
}

// reads asks the API for something and expects it.
func reads[A any](w *world, token, path string) A {
	w.t.Helper()
	return described.Read[A](w.t, w.asks(token, http.MethodGet, path, ""))
}
