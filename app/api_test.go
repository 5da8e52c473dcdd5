package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/described"
)

func withAPI(c *config.Config) { c.API.Enabled = true }

// newAPIWorld is a world with the JSON API and more repositories: acme/secret is private and rita may read it, acme/hidden is private and
// none of the people may, and elsewhere/public is one where Colony is not installed. Each has an issue 1.
func newAPIWorld(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorld(t, append(change, withAdmin, withAPI)...)
	w.github.AddOrganization("elsewhere")
	w.github.AddUser("pat")
	for _, name := range []string{"acme/secret", "acme/hidden", "elsewhere/public"} {
		owner, repo, _ := strings.Cut(name, "/")
		w.github.AddRepository(owner, repo)
		w.github.SetPermission(owner, repo, "mona", "maintain")
		_, _, err := w.As("mona").Issues.Create(ctx, owner, repo, &github.IssueRequest{Title: new("Of " + name)})
		w.Must(err)
	}
	w.Must(w.github.SetPrivate("acme", "secret", true))
	w.Must(w.github.SetPrivate("acme", "hidden", true))
	w.github.SetPermission("acme", "secret", "rita", "read")
	w.github.SetPermission("acme", "hidden", "mona", "none")
	w.Settle()
	return w
}

// asksAPI sends a request to the API, with a token, and checks that the answer is one that the API's description has.
func (w *world) asksAPI(token, method, path, body string) *httptest.ResponseRecorder {
	w.t.Helper()
	if token != "" {
		token = "Bearer " + token
	}
	answer := w.ask(method, "/api/v1/"+path, token, body)
	if w.config.API.Enabled {
		described.Check(w.t, httptest.NewRequest(method, "/api/v1/"+path, http.NoBody), answer)
	}
	return answer
}

func TestWithoutTheSettingThereIsNoAPI(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	for _, path := range []string{"openapi.json", "issues/acme/widgets/1", ""} {
		if answer := w.asksAPI(adminToken, http.MethodGet, path, ""); answer.Code != http.StatusNotFound || strings.Contains(answer.Body.String(), "error") {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
}

func TestTheAPITellsWhyColonyMovedAnIssue(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	pull := i.Fixed()
	i.Through("colony", "in-review")
	w.Settle()
	w.clock.Advance(time.Hour)
	w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	w.Settle()
	i.Has("colony:done")
	got := described.Read[inspect.Issue](t, w.asksAPI(w.github.Token("rita"), http.MethodGet, fmt.Sprintf("issues/acme/widgets/%d", i.Number), ""))
	last := got.Trail[len(got.Trail)-1]
	if last.To != "done" || last.By.Kind != "colony" || last.Why != "The pull request was merged" || last.About != fmt.Sprintf("#%d", pull) ||
		last.Link != fmt.Sprintf("%s/acme/widgets/issues/%d", w.url, pull) {
		t.Errorf("%+v", last)
	}
	if !got.Closed || len(got.MustAct) != 0 || len(got.Attention) != 0 || len(got.Allowed) != 0 {
		t.Errorf("%+v", got)
	}
	i.Trail()
}

func TestWithoutTheSettingNoRequestIsCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.asksAPI("", http.MethodGet, "openapi.json", "")
	if got, there := w.metrics()["colony_api_requests_total"]; there {
		t.Errorf("there is no API, and its requests are counted: %v", got)
	}
	with := newAPIWorld(t)
	with.asksAPI("", http.MethodGet, "nothing", "")
	got := with.metrics()
	with.boundedAndDocumented(got)
	if n := acme.Value(got, "colony_api_requests_total", "class=4xx", "route=other"); n != 1 {
		t.Errorf("%v requests are counted", n)
	}
}

// TestTheAPILeavesPointsToPeople asks until the API has no more points: then people's edits are still answered.
func TestTheAPILeavesPointsToPeople(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, func(c *config.Config) { c.GitHub.Budget.Points = 300 })
	w.clock.Advance(time.Minute)
	w.Quiet()
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.clock.Advance(time.Minute)
	refused := false
	for range 50 {
		answer := w.asksAPI(adminToken, http.MethodGet, fmt.Sprintf("issues/acme/widgets/%d/allowed?as=olivia&to=merge-pending", i.Number), "")
		if refused = answer.Code == http.StatusServiceUnavailable; refused {
			described.Refused(t, answer, http.StatusServiceUnavailable, "leaves the rest of GitHub's limits to people")
			break
		}
	}
	if !refused {
		t.Fatal("the API uses all points there are")
	}
	i.Label("olivia", "colony:merge-pending")
	w.Quiet() // at once: no time passes
	i.Has("colony:merge-pending")
}

// Where the breaker stopped Colony, a label that is not allowed stays, and the API says so.
func TestAllowedKnowsWhereColonyHasStopped(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, func(c *config.Config) { c.Breaker.Rejections = 1 })
	i := w.open("ada", "")
	for _, state := range []string{"colony:in-review", "colony:paused"} {
		i.Label("olivia", state)
		w.Settle()
	}
	for _, then := range []string{"Colony would undo it.", "The label would stay: Colony undoes no label changes on this issue"} {
		answer := w.asksAPI(adminToken, http.MethodGet, fmt.Sprintf("issues/acme/widgets/%d/allowed?as=dev[bot]&to=in-development", i.Number), "")
		if !strings.Contains(answer.Body.String(), then) {
			t.Errorf("%s does not say %q", answer.Body, then)
		}
		i.Label("dev[bot]", "colony:in-development")
		w.Settle()
		i.Reads()
	}
	i.Has("colony:paused", "colony:in-development", "colony:needs-human")
}

// TestQuestionsAndReconciliationsDoNotMeet asks about an issue while Colony works on it.
func TestQuestionsAndReconciliationsDoNotMeet(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, func(c *config.Config) { c.GitHub.Budget.Points = 0 })
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	w.clock.Advance(time.Minute)
	var asking sync.WaitGroup
	for n := range 4 {
		asking.Go(func() {
			path := fmt.Sprintf("issues/acme/widgets/%d%s", i.Number, []string{"", "/allowed?as=olivia&to=done"}[n%2])
			for range 5 {
				if answer := w.asksAPI(adminToken, http.MethodGet, path, ""); answer.Code != http.StatusOK {
					t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
				}
			}
		})
	}
	for _, state := range []string{"in-review", "changes-requested", "in-development", "in-review"} {
		i.Label("olivia", "colony:"+state)
		w.Quiet()
	}
	asking.Wait()
	w.Settle()
	i.Has("colony:in-review")
	if got := described.Read[inspect.Issue](t, w.asksAPI(adminToken, http.MethodGet, fmt.Sprintf("issues/acme/widgets/%d", i.Number), "")); got.State != "in-review" || len(got.Trail) != 5 {
		t.Errorf("%+v", got)
	}
}
