package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/described"
	"github.com/colony-app/colony/policy"
)

// TestTheAPITellsOneWhatGitHubLetsOneRead asks for everything about an issue of each repository, as everybody.
func TestTheAPITellsOneWhatGitHubLetsOneRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Open("ada")
	tokens := map[string]string{"operator": adminToken, "nobody": "", "wrong": "ghp_" + strings.Repeat("0", 36)}
	for _, login := range []string{"rita", "pat", "mona", "dev"} {
		tokens[login] = w.Token(login)
	}
	readers := map[string][]string{ // who gets an answer
		"acme/widgets": {"rita", "pat", "mona", "dev", "operator"}, "acme/secret": {"rita", "mona", "dev", "operator"}, "acme/hidden": {"dev", "operator"},
		"elsewhere/public": nil, "acme/nothing": nil, "nobody/nothing": nil, "acme/wid%2Fgets": nil, "acme/a%0Ab": nil,
	}
	var nothing string
	for repo, may := range readers {
		for who, token := range tokens {
			for _, path := range []string{"", "/allowed?as=olivia", "/allowed?as=olivia&to=analyzing"} {
				answer := w.asks(token, http.MethodGet, "issues/"+repo+"/1"+path, "")
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
		w.Advance(time.Minute) // for the points, and for what each may ask
	}
}

// TestAccessIsDecidedBeforeAnythingElseIsRead asks for what may not be read: Colony asks GitHub only with the caller's token, so that neither time nor
// budget tells what there is.
func TestAccessIsDecidedBeforeAnythingElseIsRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pat := w.Token("pat")
	reads[inspect.Issue](w, adminToken, "issues/acme/secret/1") // now Colony knows it
	for _, repo := range []string{"acme/secret", "acme/nothing"} {
		w.Advance(access.Kept)
		w.ResetCalls()
		for _, path := range []string{"/1", "/1/allowed?as=mona&to=done", "/999", "/x"} {
			described.Refused(t, w.asks(pat, http.MethodGet, "issues/"+repo+path, ""), http.StatusNotFound, "There is no such issue, or you may not read it")
		}
		var asked []string
		for _, c := range w.Calls() {
			asked = append(asked, c.Actor+" "+c.Method+" "+c.Path)
		}
		if diff := cmp.Diff([]string{"pat GET /user", "pat GET /repos/" + repo + "/issues/1", "pat GET /repos/" + repo + "/issues/999"}, asked); diff != "" {
			t.Errorf("calls for %s (-want +got):\n%s", repo, diff)
		}
	}
}

func TestAnIssueOfTheAPI(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.opened("colony:in-development")
	w.Comment(i, "olivia", "/colony:pause until the freeze is over")
	w.colony.Reconcile(i)
	got := reads[inspect.Issue](w, w.Token("rita"), fmt.Sprintf("issues/Acme/WIDGETS/%d", i))
	if got.Issue != fmt.Sprintf("acme/widgets#%d", i) || got.Title != "A widget that works" || got.State != "paused" || got.Lifecycle != "colony" || got.Mode != "enforce" ||
		got.URL != fmt.Sprintf("%s/acme/widgets/issues/%d", w.URL, i) || got.Since == nil || got.By == nil || got.By.Login != "olivia" || got.Closed {
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
	if len(to) == 0 || len(got.MustAct) != 1 || got.MustAct[0].Kind != "operator" || got.MoveTakes != "triage" || len(got.Limits) == 0 {
		t.Errorf("allowed %v to %s, must act %+v, limits %+v", to, got.MoveTakes, got.MustAct, got.Limits)
	}
	if len(got.Attention) != 1 || got.Attention[0].Need != "paused" || got.Attention[0].Action == nil || got.Attention[0].Action.Command != "/colony:resume" || got.Attention[0].Meaning == "" {
		t.Errorf("attention %+v", got.Attention)
	}
	w.Label(i, "olivia", "colony:needs-human")
	if got := reads[inspect.Issue](w, adminToken, fmt.Sprintf("issues/acme/widgets/%d", i)); len(got.PersonLabels) != 1 || got.PersonLabels[0] != "colony:needs-human" {
		t.Errorf("labels that ask for a person: %v", got.PersonLabels)
	}
}

func TestMayIMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.opened("colony:in-review")
	dev, path := w.Token("dev"), fmt.Sprintf("issues/acme/widgets/%d/allowed", i)
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
		described.Refused(t, w.asks(dev, http.MethodGet, path+"?"+query, ""), http.StatusBadRequest, says)
	}
	w.Has(i, "colony:in-review") // a question moves nothing
}

// A bot learns what an issue waits for before it claims it.
func TestABotLearnsWhatAnIssueWaitsFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, other := w.opened("colony:new"), w.Open("ada")
	asks := func(as string) inspect.Answer {
		return reads[inspect.Answer](w, w.Token("dev"), fmt.Sprintf("issues/acme/widgets/%d/allowed?as=%s&to=analyzing", i, as))
	}
	if got := asks("analyzer[bot]"); got.Answer != inspect.Legal {
		t.Errorf("%+v", got)
	}
	w.Must(w.SetBlockedBy("acme", "widgets", i, "", other, true, "mona"))
	w.Advance(time.Minute)
	if got, want := asks("analyzer[bot]"), fmt.Sprintf("Not yet: waits for #%d.", other); got.Answer != inspect.NotLegal || got.Why != want {
		t.Errorf("%+v, want %q", got, want)
	}
	if got := asks("olivia"); got.Answer != inspect.Legal {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsNoIssueIsNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, number := range []string{"0", "-1", "x", "999", "99999999999999999999", "1.5", "%31%00"} {
		described.Refused(t, w.asks(adminToken, http.MethodGet, "issues/acme/widgets/"+number, ""), http.StatusNotFound, "There is no such issue")
	}
	described.Refused(t, w.asks(adminToken, http.MethodGet, "nothing", ""), http.StatusNotFound, "There is nothing at this address")
	answer := w.asks(adminToken, http.MethodDelete, "issues/acme/widgets/1", "")
	described.Refused(t, answer, http.StatusMethodNotAllowed, "does not have this method")
	if answer.Header().Get("Allow") != http.MethodGet {
		t.Errorf("Allow: %s", answer.Header().Get("Allow"))
	}
}

func TestTheAPIKnowsNothingWhereColonyDoesNotWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Repositories.Exclude = []string{"acme/secret"} })
	i := w.Open("ada")
	path := fmt.Sprintf("issues/acme/widgets/%d", i)
	described.Refused(t, w.asks(adminToken, http.MethodGet, "issues/acme/secret/1", ""), http.StatusNotFound, "Colony does not work there")
	reads[inspect.Issue](w, adminToken, path)
	w.Must(w.Suspend(w.Installation))
	described.Refused(t, w.asks(adminToken, http.MethodGet, path, ""), http.StatusNotFound, "Colony does not work there")
	w.Advance(time.Minute)
	described.Refused(t, w.asks(adminToken, http.MethodGet, path, ""), http.StatusNotFound, "Colony does not work there")
	w.Must(w.Unsuspend(w.Installation))
	w.Commit("widgets", policy.SettingsFile, "mode: off\n")
	w.colony.ReadPolicy()
	w.Advance(time.Minute)
	described.Refused(t, w.asks(adminToken, http.MethodGet, path, ""), http.StatusNotFound, "Colony does not work there")
}

func TestARightThatIsTakenAwayHoldsForAMinuteAtMost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rita := w.Token("rita")
	reads[inspect.Issue](w, rita, "issues/acme/secret/1")
	w.SetPermission("acme", "secret", "rita", "none")
	w.Advance(access.Kept)
	described.Refused(t, w.asks(rita, http.MethodGet, "issues/acme/secret/1", ""), http.StatusNotFound, "There is no such issue")
	reads[inspect.Issue](w, adminToken, "issues/acme/secret/1")
	w.Must(w.DeleteUser("rita"))
	w.Advance(access.Kept)
	answer := w.asks(rita, http.MethodGet, "issues/acme/secret/1", "")
	described.Refused(t, answer, http.StatusUnauthorized, "GitHub does not accept this token")
	if answer.Header().Get("WWW-Authenticate") == "" {
		t.Error("401 does not say how")
	}
}

// TestWhatAnAnswerCosts counts the calls for questions about one issue after the other.
func TestWhatAnAnswerCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 2 {
		w.opened("colony:in-review")
	}
	rita := w.Token("rita")
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
		w.ResetCalls()
		reads[map[string]any](w, rita, q.path)
		got := map[string]int{}
		for _, c := range w.Calls() {
			got[c.Actor]++
		}
		if got["rita"] != q.token || got[""] != q.app || got["colony[bot]"] != q.ofInstallation {
			t.Errorf("%s: calls %v, not %d, %d and %d", q.path, got, q.token, q.app, q.ofInstallation)
		}
	}
}
