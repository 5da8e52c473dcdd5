package api_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bench/described"
	"github.com/colony-app/colony/playground"
)

func TestWhatCannotBeCheckedIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rita := w.Token("rita")
	path := "issues/acme/secret/1"
	down := func(actor, path string) func() {
		return w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Actor: actor, Path: regexp.MustCompile(path)})
	}
	for _, f := range []struct{ actor, path, says string }{
		{"rita", "^/user$", "could not ask GitHub what you may read"},
		{"rita", "^/repos/acme/secret/issues/1$", "could not ask GitHub what you may read"},
		{"", "^/repos/acme/secret/installation$", "could not read from GitHub"},
		{"colony[bot]", "^/repos/acme/secret$", "could not read from GitHub"},
		{"colony[bot]", "^/repos/acme/secret/issues/1$", "could not read from GitHub"},
	} {
		w.Advance(time.Minute)
		cancel := down(f.actor, f.path)
		answer := w.asks(rita, http.MethodGet, path, "")
		described.Refused(t, answer, http.StatusServiceUnavailable, f.says)
		if answer.Header().Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", f.path)
		}
		cancel()
		reads[inspect.Issue](w, rita, path)
	}
}

// What is gone for Colony when the right of the viewer is known is not told from what the viewer cannot read.
func TestARepositoryThatIsGoneForColony(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cancel := w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusNotFound, Actor: "colony[bot]", Path: regexp.MustCompile("^/repos/acme/secret$")})
	described.Refused(t, w.asks(adminToken, http.MethodGet, "issues/acme/secret/1", ""), http.StatusNotFound, "There is no such issue")
	cancel()
	reads[inspect.Issue](w, adminToken, "issues/acme/secret/1")
}

// Before Colony knows who it is, it would take its own moves for somebody else's.
func TestAColonyThatIsStartingAnswersNothingAboutIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.starting = true
	answer := w.asks(adminToken, http.MethodGet, "issues/acme/secret/1", "")
	described.Refused(t, answer, http.StatusServiceUnavailable, "Colony is starting")
	if after := answer.Header().Get("Retry-After"); after != "5" {
		t.Errorf("Retry-After %s", after)
	}
	described.Refused(t, w.asks(w.Token("pat"), http.MethodGet, "issues/acme/secret/1", ""), http.StatusNotFound, "There is no such issue")
	w.asks("", http.MethodGet, "openapi.json", "")
}

func TestLimitsOfGitHubAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rita, path := w.Token("rita"), "issues/acme/secret/1"
	cancel := w.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: 17 * time.Second, Actor: "rita"})
	answer := w.asks(rita, http.MethodGet, path, "")
	described.Refused(t, answer, http.StatusTooManyRequests, "GitHub limits the rate of calls with your token")
	if after := answer.Header().Get("Retry-After"); after != "17" {
		t.Errorf("Retry-After %s", after)
	}
	cancel()
	cancel = w.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: 90 * time.Second, Actor: "colony[bot]"})
	for range 2 {
		answer = w.asks(rita, http.MethodGet, path, "")
		described.Refused(t, answer, http.StatusServiceUnavailable, "leaves the rest of GitHub's limits to people")
		if after := answer.Header().Get("Retry-After"); after != "90" {
			t.Errorf("Retry-After %s", after)
		}
		cancel() // Colony remembers it
	}
	w.Advance(90 * time.Second)
	reads[inspect.Issue](w, rita, path)
}

func TestOneViewerAsksSoMuch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rita, mona := w.Token("rita"), w.Token("mona")
	body := `{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[]}`
	for n := range api.AtOnce {
		if answer := w.asks(rita, http.MethodPost, "simulate", body); answer.Code != http.StatusOK {
			t.Fatalf("request %d: %d %s", n, answer.Code, answer.Body)
		}
	}
	answer := w.asks(rita, http.MethodPost, "simulate", body)
	described.Refused(t, answer, http.StatusTooManyRequests, "You ask too much")
	if answer.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After %s", answer.Header().Get("Retry-After"))
	}
	if answer := w.asks(mona, http.MethodPost, "simulate", body); answer.Code != http.StatusOK {
		t.Errorf("somebody else: %d", answer.Code)
	}
	w.Advance(time.Second)
	if answer := w.asks(rita, http.MethodPost, "simulate", body); answer.Code != http.StatusOK {
		t.Errorf("a second later: %d", answer.Code)
	}
}

func TestTheTokenOfARequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rita := w.Token("rita")
	ask := func(headers ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodGet, "/api/v1/issues/acme/secret/1", http.NoBody)
		for _, h := range headers {
			request.Header.Add("Authorization", h)
		}
		answer := httptest.NewRecorder()
		w.handler.ServeHTTP(answer, request)
		return answer
	}
	for _, header := range []string{"Bearer " + rita, "bearer " + rita, "token " + rita} {
		if answer := ask(header); answer.Code != http.StatusOK {
			t.Errorf("%s…: %d %s", header[:6], answer.Code, answer.Body)
		}
	}
	for _, headers := range [][]string{nil, {""}, {"Bearer"}, {"Bearer "}, {rita}, {"Basic " + rita}, {"Bearer " + rita, "Bearer " + rita}} {
		described.Refused(t, ask(headers...), http.StatusUnauthorized, "Send a GitHub token")
	}
	for _, token := range []string{rita + " ", " " + rita, rita + "\r\nX: y", "\x00", strings.Repeat("a", 30<<10), adminToken + "x", adminToken[1:]} {
		described.Refused(t, ask("Bearer "+token), http.StatusUnauthorized, "GitHub does not accept this token")
	}
}
