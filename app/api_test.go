package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/playground"
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
		_, _, err := w.as("mona").Issues.Create(ctx, owner, repo, &github.IssueRequest{Title: new("Of " + name)})
		w.must(err)
	}
	w.must(w.github.SetPrivate("acme", "secret", true))
	w.must(w.github.SetPrivate("acme", "hidden", true))
	w.github.SetPermission("acme", "secret", "rita", "read")
	w.github.SetPermission("acme", "hidden", "mona", "none")
	w.settle()
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
		w.isDescribed(httptest.NewRequest(method, "/api/v1/"+path, http.NoBody), answer)
	}
	return answer
}

// reads asks the API for something and expects it.
func reads[A any](w *world, token, path string) A {
	w.t.Helper()
	var a A
	answer := w.asksAPI(token, http.MethodGet, path, "")
	if answer.Code != http.StatusOK {
		w.t.Fatalf("%s: %d %s", path, answer.Code, answer.Body)
	}
	w.must(json.Unmarshal(answer.Body.Bytes(), &a))
	return a
}

// refusedBy expects a status and a sentence.
func (w *world) refusedBy(answer *httptest.ResponseRecorder, status int, says string) {
	w.t.Helper()
	var e api.Error
	if err := json.Unmarshal(answer.Body.Bytes(), &e); err != nil || answer.Code != status || !strings.Contains(e.Error, says) || !strings.HasSuffix(e.Error, ".") {
		w.t.Errorf("answered %d %s, not %d with %q", answer.Code, answer.Body, status, says)
	}
	if kind := answer.Header().Get("Content-Type"); kind != "application/json" {
		w.t.Errorf("an error is %s", kind)
	}
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

// TestTheAPITellsOneWhatGitHubLetsOneRead asks for everything about an issue of each repository, as everybody.
func TestTheAPITellsOneWhatGitHubLetsOneRead(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	w.open("ada", "")
	w.settle()
	tokens := map[string]string{"operator": adminToken, "nobody": "", "wrong": "ghp_" + strings.Repeat("0", 36)}
	for _, login := range []string{"rita", "pat", "mona", "dev"} {
		tokens[login] = w.github.Token(login)
	}
	readers := map[string][]string{ // who gets an answer
		"acme/widgets": {"rita", "pat", "mona", "dev", "operator"}, "acme/secret": {"rita", "mona", "dev", "operator"}, "acme/hidden": {"dev", "operator"},
		"elsewhere/public": nil, "acme/nothing": nil, "nobody/nothing": nil, "acme/wid%2Fgets": nil, "acme/a%0Ab": nil,
	}
	var nothing string
	for repo, may := range readers {
		for who, token := range tokens {
			for _, path := range []string{"", "/allowed?as=olivia", "/allowed?as=olivia&to=analyzing"} {
				answer := w.asksAPI(token, http.MethodGet, "issues/"+repo+"/1"+path, "")
				what := fmt.Sprintf("%s, as %s, of %s%s", answer.Body, who, repo, path)
				want := http.StatusNotFound
				for _, reader := range may {
					if reader == who {
						want = http.StatusOK
					}
				}
				if who == "nobody" || who == "wrong" {
					want = http.StatusUnauthorized
				}
				if answer.Code != want {
					t.Errorf("%d, not %d: %s", answer.Code, want, what)
				}
				if answer.Code == http.StatusNotFound {
					if nothing == "" {
						nothing = fmt.Sprint(answer.Body, answer.Header())
					}
					if got := fmt.Sprint(answer.Body, answer.Header()); got != nothing {
						t.Errorf("what may not be read is told from what is not there: %s, not %s", got, nothing)
					}
				}
				if want != http.StatusOK && strings.Contains(answer.Body.String(), "Of ") {
					t.Errorf("it tells: %s", what)
				}
			}
		}
		w.clock.Advance(time.Minute) // for the points, and for what each may ask
	}
}

// TestAccessIsDecidedBeforeAnythingElseIsRead asks for what may not be read: Colony asks GitHub only with the caller's token, so that neither time nor
// budget tells what there is.
func TestAccessIsDecidedBeforeAnythingElseIsRead(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	pat := w.github.Token("pat")
	reads[inspect.Issue](w, adminToken, "issues/acme/secret/1") // now Colony knows it
	for _, repo := range []string{"acme/secret", "acme/nothing"} {
		w.clock.Advance(access.Kept)
		w.github.ResetCalls()
		for _, path := range []string{"/1", "/1/allowed?as=mona&to=done", "/999", "/x"} {
			w.refusedBy(w.asksAPI(pat, http.MethodGet, "issues/"+repo+path, ""), http.StatusNotFound, "There is no such issue, or you may not read it")
		}
		var asked []string
		for _, c := range w.github.Calls() {
			asked = append(asked, c.Actor+" "+c.Method+" "+c.Path)
		}
		if diff := cmp.Diff([]string{"pat GET /user", "pat GET /repos/" + repo + "/issues/1", "pat GET /repos/" + repo + "/issues/999"}, asked); diff != "" {
			t.Errorf("calls for %s (-want +got):\n%s", repo, diff)
		}
	}
}

func TestAnIssueOfTheAPI(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	i.comment("olivia", "/colony:pause until the freeze is over")
	w.settle()
	i.colonyReacts(i.allComments()[0].GetID(), "+1")
	got := reads[inspect.Issue](w, w.github.Token("rita"), fmt.Sprintf("issues/Acme/WIDGETS/%d", i.number))
	if got.Issue != fmt.Sprintf("acme/widgets#%d", i.number) || got.Title != "A widget that works" || got.State != "paused" || got.Lifecycle != "colony" || got.Mode != "enforce" ||
		got.URL != fmt.Sprintf("%s/acme/widgets/issues/%d", w.url, i.number) || got.Since == nil || got.By == nil || got.By.Login != "olivia" || got.Closed {
		t.Errorf("%+v", got)
	}
	if len(got.Trail) != 2 {
		t.Fatalf("trail %+v", got.Trail)
	}
	if m := got.Trail[1]; m.From != "in-development" || m.To != "paused" || m.By.Login != "olivia" || m.Command != "pause" || m.Reason != "until the freeze is over" ||
		!strings.HasPrefix(m.URL, got.URL+"#issuecomment-") || !m.At.Equal(*got.Since) {
		t.Errorf("move %+v", m)
	}
	var to []string
	for _, n := range got.Allowed {
		to = append(to, n.To)
	}
	if len(to) == 0 || len(got.MustAct) != 1 || got.MustAct[0].Kind != "operator" || len(got.Limits) == 0 {
		t.Errorf("allowed %v, must act %+v, limits %+v", to, got.MustAct, got.Limits)
	}
	if len(got.Attention) != 1 || got.Attention[0].Need != "paused" || got.Attention[0].Action == nil || got.Attention[0].Action.Command != "/colony:resume" || got.Attention[0].Meaning == "" {
		t.Errorf("attention %+v", got.Attention)
	}
	i.label("olivia", "colony:needs-human")
	if got := reads[inspect.Issue](w, adminToken, fmt.Sprintf("issues/acme/widgets/%d", i.number)); len(got.PersonLabels) != 1 || got.PersonLabels[0] != "colony:needs-human" {
		t.Errorf("labels that ask for a person: %v", got.PersonLabels)
	}
	w.settle()
}

func TestTheAPITellsWhyColonyMovedAnIssue(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, follows)
	i := w.open("ada", "Paint it.")
	pull := i.fixed()
	i.through("colony", "in-review")
	w.settle()
	w.clock.Advance(time.Hour)
	w.must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	w.settle()
	i.has("colony:done")
	got := reads[inspect.Issue](w, w.github.Token("rita"), fmt.Sprintf("issues/acme/widgets/%d", i.number))
	last := got.Trail[len(got.Trail)-1]
	if last.To != "done" || last.By.Kind != "colony" || last.Why != "The pull request was merged" || last.About != fmt.Sprintf("#%d", pull) ||
		last.Link != fmt.Sprintf("%s/acme/widgets/issues/%d", w.url, pull) {
		t.Errorf("%+v", last)
	}
	if !got.Closed || len(got.MustAct) != 0 || len(got.Attention) != 0 || len(got.Allowed) != 0 {
		t.Errorf("%+v", got)
	}
	i.trail()
}

func TestMayIMove(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	dev, path := w.github.Token("dev"), fmt.Sprintf("issues/acme/widgets/%d/allowed", i.number)
	for query, want := range map[string]string{
		"as=reviewer[bot]&to=changes-requested":                "legal",
		"as=reviewer%5Bbot%5D&to=colony:human-review-ready":    "legal",
		"as=reviewer[bot]&role=reviewer&to=human-review-ready": "legal",
		"as=reviewer[bot]&role=merger&to=human-review-ready":   "not legal",
		"as=olivia&to=analyzing":                               "legal",
		"as=ada&to=merge-pending":                              "not legal",
		"as=olivia&to=new":                                     "not legal",
		"as=olivia":                                            "",
	} {
		got := reads[inspect.Answer](w, dev, path+"?"+query)
		if string(got.Answer) != want || got.From != "in-review" || (got.Why == "") != (want == "") || (want == "" && len(got.Next) == 0) {
			t.Errorf("%s: %+v, not %q", query, got, want)
		}
	}
	for query, says := range map[string]string{
		"":                        "The parameter as is missing",
		"as=":                     "The parameter as is missing",
		"as=no/body":              "The parameter as is no login",
		"as=nobody-there":         `There is no account on GitHub called "nobody-there"`,
		"as=olivia&to=nowhere":    `There is no state of lifecycle colony called "nowhere"; there are: `,
		"as=dev[bot]&role=king":   `There is no role of lifecycle colony called "king"; there are: `,
		"as=olivia&role=reviewer": `There is no role of olivia called "reviewer"`,
		"as=olivia&as=ada":        "The parameter as is there twice",
		"as=olivia&x=1":           `There is no parameter "x"`,
		"as=olivia&to=%00":        "The parameter to is too long, or no text",
		"as=olivia&to=%zz":        "cannot be read",
		"as=olivia&to=" + strings.Repeat("a", 201): "The parameter to is too long, or no text",
	} {
		w.refusedBy(w.asksAPI(dev, http.MethodGet, path+"?"+query, ""), http.StatusBadRequest, says)
	}
	i.has("colony:in-review") // a question moves nothing
}

func TestWhatIsNoIssueIsNotFound(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	for _, number := range []string{"0", "-1", "x", "999", "99999999999999999999", "1.5", "%31%00"} {
		w.refusedBy(w.asksAPI(adminToken, http.MethodGet, "issues/acme/widgets/"+number, ""), http.StatusNotFound, "There is no such issue")
	}
	w.refusedBy(w.asksAPI(adminToken, http.MethodGet, "nothing", ""), http.StatusNotFound, "There is nothing at this address")
	answer := w.asksAPI(adminToken, http.MethodDelete, "issues/acme/widgets/1", "")
	w.refusedBy(answer, http.StatusMethodNotAllowed, "does not have this method")
	if answer.Header().Get("Allow") != http.MethodGet {
		t.Errorf("Allow: %s", answer.Header().Get("Allow"))
	}
}

func TestTheAPIKnowsNothingWhereColonyDoesNotWork(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, func(c *config.Config) { c.Repositories.Exclude = []string{"acme/secret"} })
	i := w.open("ada", "")
	path := fmt.Sprintf("issues/acme/widgets/%d", i.number)
	w.refusedBy(w.asksAPI(adminToken, http.MethodGet, "issues/acme/secret/1", ""), http.StatusNotFound, "Colony does not work there")
	reads[inspect.Issue](w, adminToken, path)
	w.must(w.github.Suspend(w.installation))
	w.refusedBy(w.asksAPI(adminToken, http.MethodGet, path, ""), http.StatusNotFound, "Colony does not work there")
	w.clock.Advance(time.Minute)
	w.refusedBy(w.asksAPI(adminToken, http.MethodGet, path, ""), http.StatusNotFound, "Colony does not work there")
	w.must(w.github.Unsuspend(w.installation))
	w.must(w.github.SetFile("acme", "widgets", ".github/colony.yml", "mode: off\n"))
	w.settle()
	w.clock.Advance(time.Minute)
	w.refusedBy(w.asksAPI(adminToken, http.MethodGet, path, ""), http.StatusNotFound, "Colony does not work there")
}

func TestARightThatIsTakenAwayHoldsForAMinuteAtMost(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	rita := w.github.Token("rita")
	reads[inspect.Issue](w, rita, "issues/acme/secret/1")
	w.github.SetPermission("acme", "secret", "rita", "none")
	w.clock.Advance(access.Kept)
	w.refusedBy(w.asksAPI(rita, http.MethodGet, "issues/acme/secret/1", ""), http.StatusNotFound, "There is no such issue")
	reads[inspect.Issue](w, adminToken, "issues/acme/secret/1")
	w.must(w.github.DeleteUser("rita"))
	w.clock.Advance(access.Kept)
	answer := w.asksAPI(rita, http.MethodGet, "issues/acme/secret/1", "")
	w.refusedBy(answer, http.StatusUnauthorized, "GitHub does not accept this token")
	if answer.Header().Get("WWW-Authenticate") == "" {
		t.Error("401 does not say how")
	}
}

func TestWhatCannotBeCheckedIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	rita := w.github.Token("rita")
	path := "issues/acme/secret/1"
	down := func(actor, path string) func() {
		return w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Actor: actor, Path: regexp.MustCompile(path)})
	}
	for _, f := range []struct{ actor, path, says string }{
		{"rita", "^/user$", "could not ask GitHub what you may read"},
		{"rita", "^/repos/acme/secret/issues/1$", "could not ask GitHub what you may read"},
		{"", "^/repos/acme/secret/installation$", "could not read from GitHub"},
		{"colony[bot]", "^/repos/acme/secret/issues/1$", "could not read from GitHub"},
	} {
		w.clock.Advance(time.Minute)
		cancel := down(f.actor, f.path)
		answer := w.asksAPI(rita, http.MethodGet, path, "")
		w.refusedBy(answer, http.StatusServiceUnavailable, f.says)
		if answer.Header().Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", f.path)
		}
		cancel()
		reads[inspect.Issue](w, rita, path)
	}
}

func TestLimitsOfGitHubAreTold(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	rita, path := w.github.Token("rita"), "issues/acme/secret/1"
	cancel := w.github.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: 17 * time.Second, Actor: "rita"})
	answer := w.asksAPI(rita, http.MethodGet, path, "")
	w.refusedBy(answer, http.StatusTooManyRequests, "GitHub limits the rate of calls with your token")
	if after := answer.Header().Get("Retry-After"); after != "17" {
		t.Errorf("Retry-After %s", after)
	}
	cancel()
	cancel = w.github.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: 90 * time.Second, Actor: "colony[bot]"})
	for range 2 {
		answer = w.asksAPI(rita, http.MethodGet, path, "")
		w.refusedBy(answer, http.StatusServiceUnavailable, "leaves the rest of GitHub's limits to people")
		if after := answer.Header().Get("Retry-After"); after != "90" {
			t.Errorf("Retry-After %s", after)
		}
		cancel() // Colony remembers it
	}
	w.clock.Advance(90 * time.Second)
	reads[inspect.Issue](w, rita, path)
}

// TestTheAPILeavesPointsToPeople asks until the API has no more points: then people's edits are still answered.
func TestTheAPILeavesPointsToPeople(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, func(c *config.Config) { c.GitHub.Pace.Points = 300 })
	w.clock.Advance(time.Minute)
	w.quiet()
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	w.clock.Advance(time.Minute)
	refused := false
	for range 50 {
		answer := w.asksAPI(adminToken, http.MethodGet, fmt.Sprintf("issues/acme/widgets/%d/allowed?as=olivia&to=merge-pending", i.number), "")
		if refused = answer.Code == http.StatusServiceUnavailable; refused {
			w.refusedBy(answer, http.StatusServiceUnavailable, "leaves the rest of GitHub's limits to people")
			break
		}
	}
	if !refused {
		t.Fatal("the API uses all points there are")
	}
	i.label("olivia", "colony:merge-pending")
	w.quiet() // at once: no time passes
	i.has("colony:merge-pending")
}

func TestOneViewerAsksSoMuch(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	rita, mona := w.github.Token("rita"), w.github.Token("mona")
	body := `{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[]}`
	for n := range api.AtOnce {
		if answer := w.asksAPI(rita, http.MethodPost, "simulate", body); answer.Code != http.StatusOK {
			t.Fatalf("request %d: %d %s", n, answer.Code, answer.Body)
		}
	}
	answer := w.asksAPI(rita, http.MethodPost, "simulate", body)
	w.refusedBy(answer, http.StatusTooManyRequests, "You ask too much")
	if answer.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After %s", answer.Header().Get("Retry-After"))
	}
	if answer := w.asksAPI(mona, http.MethodPost, "simulate", body); answer.Code != http.StatusOK {
		t.Errorf("somebody else: %d", answer.Code)
	}
	w.clock.Advance(time.Second)
	if answer := w.asksAPI(rita, http.MethodPost, "simulate", body); answer.Code != http.StatusOK {
		t.Errorf("a second later: %d", answer.Code)
	}
}

func TestSimulateAndValidate(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	rita := w.github.Token("rita")
	w.github.ResetCalls()
	post := func(path, body string) *httptest.ResponseRecorder {
		t.Helper()
		w.clock.Advance(time.Second)
		return w.asksAPI(rita, http.MethodPost, path, body)
	}
	var simulated inspect.Simulated
	answer := post("simulate", `{"lifecycle":"colony","state":"in-review","actor":{"kind":"executor","roles":["reviewer"]},"labels":["colony:human-review-ready","colony:done"]}`)
	w.must(json.Unmarshal(answer.Body.Bytes(), &simulated))
	if answer.Code != http.StatusOK || len(simulated.Verdicts) != 2 || simulated.Verdicts[0].Verdict != "legal" || simulated.Verdicts[1].Verdict != "not-for-role" || simulated.To != "human-review-ready" {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
	for body, says := range map[string]string{
		"":    "The body is not what this address takes",
		"{}":  "one of lifecycle and file",
		"[1]": "is no struct",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[],"more":1}`:                            "there is no field",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[]} {}`:                                  "there is more behind it",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"king"},"labels":[]}`:                                         "The kind of the actor",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator","roles":["merger"]},"labels":[]}`:                  "Only an executor has roles",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"executor","roles":["king"]},"labels":[]}`:                    `has no role "king"`,
		`{"lifecycle":"colony","state":"nowhere","actor":{"kind":"operator"},"labels":[]}`:                                 `called "nowhere"; there are`,
		`{"lifecycle":"nothing","state":"new","actor":{"kind":"operator"},"labels":[]}`:                                    `No lifecycle is called "nothing"; there are: `,
		`{"lifecycle":"../colony","state":"new","actor":{"kind":"operator"},"labels":[]}`:                                  "No lifecycle is called",
		`{"lifecycle":"colony","file":"name: x","state":"new","actor":{"kind":"operator"},"labels":[]}`:                    "one of lifecycle and file",
		`{"file":"name: [","state":"new","actor":{"kind":"operator"},"labels":[]}`:                                         "The lifecycle file cannot be used: line ",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":["a\u0000"]}`:                            "or no text",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[""]}`:                                   "A label is empty",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":["` + strings.Repeat(`a","`, 51) + `"]}`: "more than 50 labels",
		`{"file":"` + strings.Repeat("[", 60<<10) + `","state":"new","actor":{"kind":"operator"},"labels":[]}`:             "The lifecycle file cannot be used: line ",
	} {
		w.refusedBy(post("simulate", body), http.StatusBadRequest, says)
	}
	for _, v := range []struct {
		query, file, says string
		valid             bool
	}{
		{"kind=repository", "mode: enforce\n", "", true},
		{"kind=repository", "mode: enforce\nlimit: 3\n", "limit", false},
		{"kind=repository&lifecycle=prp", "dispatch:\n  - {from: [planned], to: researching, at-most: 2}\n", "", true},
		{"kind=repository", "dispatch:\n  - {from: [planned], to: researching, at-most: 2}\n", "researching", false},
		{"kind=lifecycle", "name: x\n", "", false},
		{"kind=lifecycle", "", "", false},
		{"kind=lifecycle", "\xff\xfe\x00", "", false},
		{"kind=lifecycle", strings.Repeat("{", 60<<10), "", false},
		{"kind=repository", strings.Repeat("a", 100<<10), "bytes", false},
	} {
		answer := post("validate?"+v.query, v.file)
		var got api.Validation
		w.must(json.Unmarshal(answer.Body.Bytes(), &got))
		if answer.Code != http.StatusOK || got.Valid != v.valid || (len(got.Problems) == 0) != v.valid {
			t.Errorf("%s %.40q: %d %s", v.query, v.file, answer.Code, answer.Body)
			continue
		}
		if !v.valid && (got.Problems[0].Line < 1 || got.Problems[0].Column < 1 || !strings.Contains(got.Problems[0].Message, v.says)) {
			t.Errorf("%s %.40q: %+v", v.query, v.file, got.Problems)
		}
	}
	for query, says := range map[string]string{
		"":                                "The parameter kind is missing",
		"?kind=server":                    "The parameter kind is none of lifecycle, repository",
		"?kind=lifecycle&lifecycle=prp":   "goes with kind=repository only",
		"?kind=repository&lifecycle=none": "No lifecycle is called",
	} {
		w.refusedBy(post("validate"+query, "name: x"), http.StatusBadRequest, says)
	}
	w.refusedBy(post("validate?kind=lifecycle", strings.Repeat("a", 200<<10)), http.StatusRequestEntityTooLarge, "The body has more than")
	w.refusedBy(w.asksAPI("", http.MethodPost, "validate?kind=lifecycle", "name: x"), http.StatusUnauthorized, "Send a GitHub token")
	for _, c := range w.github.Calls() {
		if c.Path != "/user" {
			t.Errorf("it asked GitHub: %+v", c)
		}
	}
}

// TestWhatAnAnswerCosts counts the calls for questions about one issue after the other.
func TestWhatAnAnswerCosts(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	for range 2 {
		w.open("ada", "").label("olivia", "colony:in-review")
	}
	w.settle()
	rita := w.github.Token("rita")
	for _, q := range []struct {
		path                       string
		token, app, ofInstallation int
	}{
		{"issues/acme/widgets/1", 2, 1, 5},
		{"issues/acme/widgets/1", 0, 0, 4},
		{"issues/acme/widgets/2", 1, 0, 4},
		{"issues/acme/widgets/2/allowed?as=tara&to=merge-pending", 0, 0, 5},
		{"issues/acme/widgets/2/allowed?as=tara", 0, 0, 5},
	} {
		w.github.ResetCalls()
		reads[map[string]any](w, rita, q.path)
		got := map[string]int{}
		for _, c := range w.github.Calls() {
			got[c.Actor]++
		}
		if got["rita"] != q.token || got[""] != q.app || got["colony[bot]"] != q.ofInstallation {
			t.Errorf("%s: calls %v, not %d, %d and %d", q.path, got, q.token, q.app, q.ofInstallation)
		}
	}
}

// TestQuestionsAndReconciliationsDoNotMeet asks about an issue while Colony works on it.
func TestQuestionsAndReconciliationsDoNotMeet(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, func(c *config.Config) { c.GitHub.Pace.Points = 0 })
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	w.clock.Advance(time.Minute)
	var asking sync.WaitGroup
	for n := range 4 {
		asking.Go(func() {
			path := fmt.Sprintf("issues/acme/widgets/%d%s", i.number, []string{"", "/allowed?as=olivia&to=done"}[n%2])
			for range 5 {
				if answer := w.asksAPI(adminToken, http.MethodGet, path, ""); answer.Code != http.StatusOK {
					t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
				}
			}
		})
	}
	for _, state := range []string{"in-review", "changes-requested", "in-development", "in-review"} {
		i.label("olivia", "colony:"+state)
		w.quiet()
	}
	asking.Wait()
	w.settle()
	i.has("colony:in-review")
	if got := reads[inspect.Issue](w, adminToken, fmt.Sprintf("issues/acme/widgets/%d", i.number)); got.State != "in-review" || len(got.Trail) != 5 {
		t.Errorf("%+v", got)
	}
}

func TestTheTokenOfARequest(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	rita := w.github.Token("rita")
	ask := func(headers ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodGet, "/api/v1/issues/acme/secret/1", http.NoBody)
		for _, h := range headers {
			request.Header.Add("Authorization", h)
		}
		answer := httptest.NewRecorder()
		w.colony.server.Handler().ServeHTTP(answer, request)
		return answer
	}
	for _, header := range []string{"Bearer " + rita, "bearer " + rita, "token " + rita} {
		if answer := ask(header); answer.Code != http.StatusOK {
			t.Errorf("%s…: %d %s", header[:6], answer.Code, answer.Body)
		}
	}
	for _, headers := range [][]string{nil, {""}, {"Bearer"}, {"Bearer "}, {rita}, {"Basic " + rita}, {"Bearer " + rita, "Bearer " + rita}} {
		w.refusedBy(ask(headers...), http.StatusUnauthorized, "Send a GitHub token")
	}
	for _, token := range []string{rita + " ", " " + rita, rita + "\r\nX: y", "\x00", strings.Repeat("a", 30<<10), adminToken + "x", adminToken[1:]} {
		w.refusedBy(ask("Bearer "+token), http.StatusUnauthorized, "GitHub does not accept this token")
	}
}
