package page_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/page"
)

// world is a playground with its page, and a browser that keeps cookies and follows redirects.
//
// acme/shop: alice maintains, bob triages, rita reads; dev[bot] is a bot; issue 1 is rita's.
type world struct {
	*playground.Playground
	t       *testing.T
	base    string
	browser *http.Client
}

var key = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

func newWorld(t *testing.T) *world {
	t.Helper()
	clock := clockwork.NewFakeClock()
	p := playground.New(playground.Options{Clock: clock})
	p.SetPage(page.New(p, page.Options{Title: "Try <it>", Notice: "Swap `colony:new` <b>now</b>", ActAs: "alice", Glyphs: map[string]string{"colony:done": "<✓>"}, Clock: clock}))
	server := httptest.NewServer(p.Handler())
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Playground: p, t: t, base: server.URL, browser: &http.Client{Jar: jar}}
	t.Cleanup(func() {
		if err := p.Quiet(context.Background()); err != nil {
			t.Error(err)
		}
		receiver.Close()
		server.Close()
	})
	p.AddOrganization("acme")
	p.AddRepository("acme", "shop")
	p.SetPermission("acme", "shop", "alice", "maintain")
	p.SetPermission("acme", "shop", "bob", "triage")
	p.AddUser("rita")
	p.AddBot("dev")
	if err := p.RegisterApp(playground.App{
		ID: 7, Slug: "colony", PublicKey: &key().PublicKey, WebhookURL: receiver.URL, WebhookSecret: "s3cret",
		Permissions: map[string]string{"issues": "write"}, Events: []string{"issues", "issue_comment", "label"},
	}); err != nil {
		t.Fatal(err)
	}
	p.Install(7, "acme")
	w.issue("rita", "It squeaks", "When *turned*.")
	return w
}

// as is a client of the REST API, over the network.
func (w *world) as(login string) *github.Client {
	client := github.NewClient(nil).WithAuthToken(w.Token(login))
	base, err := url.Parse(w.base + "/api/v3/")
	if err != nil {
		w.t.Fatal(err)
	}
	client.BaseURL = base
	return client
}

func (w *world) issue(by, title, body string) int {
	w.t.Helper()
	made, _, err := w.as(by).Issues.Create(w.t.Context(), "acme", "shop", &github.IssueRequest{Title: &title, Body: &body})
	if err != nil {
		w.t.Fatal(err)
	}
	return made.GetNumber()
}

func (w *world) label(name, color, description string) {
	w.t.Helper()
	if _, _, err := w.as("alice").Issues.CreateLabel(w.t.Context(), "acme", "shop", &github.Label{Name: &name, Color: &color, Description: &description}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) comment(by, body string) int64 {
	w.t.Helper()
	made, _, err := w.as(by).Issues.CreateComment(w.t.Context(), "acme", "shop", 1, &github.IssueComment{Body: &body})
	if err != nil {
		w.t.Fatal(err)
	}
	return made.GetID()
}

// answer is a page as the browser got it, after redirects.
type answer struct {
	status int
	path   string
	header http.Header
	text   string
}

func (w *world) do(r *http.Request) answer {
	w.t.Helper()
	response, err := w.browser.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Request.URL.RequestURI(), response.Header, string(text)}
}

func (w *world) get(path string) answer {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.base+path, http.NoBody)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.do(r)
}

// post sends a form as a browser does from the same origin. values are names and values in turn.
func (w *world) post(path string, values ...string) answer {
	w.t.Helper()
	return w.postFrom("same-origin", w.base, path, values...)
}

func (w *world) postFrom(site, origin, path string, values ...string) answer {
	w.t.Helper()
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Add(values[i], values[i+1])
	}
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if site != "" {
		r.Header.Set("Sec-Fetch-Site", site)
	}
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	return w.do(r)
}

func (w *world) actAs(login string) {
	w.t.Helper()
	if got := w.post("/-/act-as", "login", login, "back", "/"); got.status != http.StatusOK {
		w.t.Fatalf("act as %s: %d", login, got.status)
	}
}

// events are the label events of issue 1, as "actor event label".
func (w *world) events() []string {
	w.t.Helper()
	listed, _, err := w.as("alice").Issues.ListIssueEvents(w.t.Context(), "acme", "shop", 1, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	told := []string{}
	for _, e := range listed {
		told = append(told, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.GetActor().GetLogin(), e.GetEvent(), e.GetLabel().GetName())))
	}
	return told
}

func (w *world) read() *github.Issue {
	w.t.Helper()
	issue, _, err := w.as("alice").Issues.Get(w.t.Context(), "acme", "shop", 1)
	if err != nil {
		w.t.Fatal(err)
	}
	return issue
}

func (a answer) mustHave(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(a.text, part) {
			t.Errorf("%s lacks %q", a.path, part)
		}
	}
	if t.Failed() {
		t.Log(a.text)
	}
}

func (a answer) mustLack(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(a.text, part) {
			t.Errorf("%s has %q", a.path, part)
		}
	}
}

var alertText = regexp.MustCompile(`(?s)data-testid="alert"><p>(.*?)</p>`)

// alert is the message on top.
func (a answer) alert() string {
	found := alertText.FindStringSubmatch(a.text)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

func TestEachPageRenders(t *testing.T) {
	w := newWorld(t)
	w.label("colony:new", "c5def5", "Taken in")
	sent := w.Deliveries()[0].ID
	for path, want := range map[string][]string{
		"/":                           {`href="/acme/shop/issues"`, "alice has maintain", "Try &lt;it&gt;", "<code>colony:new</code> &lt;b&gt;now&lt;/b&gt;"},
		"/acme":                       {`href="/acme/shop/issues"`},
		"/acme/shop":                  {`<a href="/acme/shop/issues/1">It squeaks</a>`, "1 open", "0 closed", `alice" selected>alice · maintain`, "bob · triage", "rita · read", "dev[bot]"},
		"/acme/shop/issues":           {"It squeaks"},
		"/acme/shop/issues?state=all": {"It squeaks"},
		"/acme/shop/labels":           {`data-label="colony:new"`, "Taken in", "--label:#c5def5;--on-label:#000"},
		"/acme/shop/issues/new":       {`name="title"`, `value="colony:new"`},
		"/acme/shop/issues/1":         {"It squeaks", "<em>turned</em>", `data-login="rita"`, `value="colony:new"`, `/acme/shop/issues/1/live`},
		"/acme/shop/issues/1?live":    {`http-equiv="refresh"`},
		"/deliveries":                 {"installation.created", "issues.opened", `href="/acme/shop/issues/1"`},
		"/-/faults":                   {`<select name="actor"><option>colony[bot]</option><option>dev[bot]</option>`},
		"/-/page.css":                 {"--label"},
		"/-/page.js":                  {"fetch("},
		"/-/icon.svg":                 {"<svg"},

		fmt.Sprintf("/deliveries/%d", sent): {`data-testid="payload"`, "&#34;installation&#34;"},
	} {
		t.Run(path, func(t *testing.T) {
			got := w.get(path)
			if got.status != http.StatusOK {
				t.Errorf("status %d", got.status)
			}
			got.mustHave(t, want...)
			if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
				t.Errorf("Content-Security-Policy %q", policy)
			}
		})
	}
	if asked := w.Unimplemented(); len(asked) > 0 {
		t.Errorf("the page asked for what the playground does not have: %v", asked)
	}
}

func TestNothingThere(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{
		"/nobody", "/acme/nothing", "/acme/shop/issues/99", "/acme/shop/issues/0", "/acme/shop/issues/x", "/deliveries/1", "/a/b/c/d",
		"/acme/shop%2Fissues", "/acme/%3Fx", "/acme/..%2f..%2fuser",
	} {
		if got := w.get(path); got.status != http.StatusNotFound || got.alert() == "" {
			t.Errorf("%s: status %d, message %q", path, got.status, got.alert())
		}
	}
	if got := w.get("/acme/shop/issues?state=odd"); got.status != http.StatusUnprocessableEntity || got.alert() == "" {
		t.Errorf("status %d, message %q", got.status, got.alert())
	}
}

func TestWithoutUsers(t *testing.T) {
	p := playground.New(playground.Options{})
	p.SetPage(page.New(p, page.Options{}))
	server := httptest.NewServer(p.Handler())
	defer server.Close()
	for path, want := range map[string]int{"/": http.StatusOK, "/deliveries": http.StatusOK, "/-/faults": http.StatusOK, "/a/b": http.StatusConflict} {
		response, err := server.Client().Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, response.StatusCode, want)
		}
	}
}

func TestPickerSendsOneEventForEachChange(t *testing.T) {
	w := newWorld(t)
	odd := "a/b #1?%"
	w.label(odd, "c5def5", "")
	w.post("/acme/shop/issues/1/labels", "label", "bug", "label", odd)
	w.post("/acme/shop/issues/1/labels", "was", "bug", "was", odd, "label", "bug", "label", "question")
	want := []string{"alice labeled bug", "alice labeled " + odd, "alice labeled question", "alice unlabeled " + odd}
	if diff := cmp.Diff(want, w.events()); diff != "" {
		t.Error(diff)
	}
	got := w.get("/acme/shop/issues/1")
	got.mustHave(t, `data-event="unlabeled" data-by="alice"`, `name="was" value="question"`)
	got.mustLack(t, `name="was" value="a/b`)
}

// What somebody else changed while the form was open stays as it is.
func TestPickerLeavesAloneWhatItDidNotShow(t *testing.T) {
	w := newWorld(t)
	if _, _, err := w.as("bob").Issues.AddLabelsToIssue(t.Context(), "acme", "shop", 1, []string{"wontfix"}); err != nil {
		t.Fatal(err)
	}
	got := w.post("/acme/shop/issues/1/labels", "was", "invalid", "label", "bug")
	if got.status != http.StatusOK || got.path != "/acme/shop/issues/1" {
		t.Errorf("%d %s %s", got.status, got.path, got.alert())
	}
	if diff := cmp.Diff([]string{"bob labeled wontfix", "alice labeled bug"}, w.events()); diff != "" {
		t.Error(diff)
	}
}

func TestActsAsWhomTheCookieSays(t *testing.T) {
	w := newWorld(t)
	for _, login := range []string{"bob", "dev[bot]"} {
		w.actAs(login)
		w.get("/acme/shop/issues/1").mustHave(t, fmt.Sprintf(`<option value="%s" selected>`, login))
		w.post("/acme/shop/issues/1/talk", "body", "from "+login)
	}
	w.get("/acme/shop/issues/1").mustHave(t, `data-testid="comment" data-by="bob"`, `data-testid="comment" data-by="dev[bot]"`, `title="dev[bot] is a GitHub App">bot<`)
	if err := w.DeleteUser("bob"); err != nil {
		t.Fatal(err)
	}
	w.get("/acme/shop/issues/1").mustHave(t, `data-by="ghost"`)
}

func TestNobodyCanActAsAnApp(t *testing.T) {
	w := newWorld(t)
	for _, login := range []string{"colony[bot]", "acme", "nobody", ""} {
		if got := w.post("/-/act-as", "login", login); got.status != http.StatusBadRequest || got.alert() == "" {
			t.Errorf("%q: status %d, message %q", login, got.status, got.alert())
		}
	}
	w.get("/").mustLack(t, `<option value="colony[bot]"`, `<option value="colony-owner"`, `<option value="acme"`)
}

func TestBackLeadsToThisPageOnly(t *testing.T) {
	w := newWorld(t)
	w.browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for back, want := range map[string]string{
		"/acme/shop/issues?state=closed": "/acme/shop/issues?state=closed", "https://evil.example/x": "/x", "//evil.example/x": "/x", "": "/",
		`/\evil.example`: "/evil.example", `\\evil.example`: "/evil.example", "javascript:alert(1)": "/", "/..//evil.example": "/evil.example", "\r\nX: y": "/",
	} {
		if got := w.post("/-/act-as", "login", "bob", "back", back).header.Get("Location"); got != want {
			t.Errorf("back %q leads to %q, want %q", back, got, want)
		}
	}
}

func TestRefusalsAreTold(t *testing.T) {
	w := newWorld(t)
	w.AddRepository("acme", "vault")
	if err := w.SetPrivate("acme", "vault", true); err != nil {
		t.Fatal(err)
	}
	w.actAs("rita")
	got := w.post("/acme/shop/issues/1/labels", "label", "bug")
	if got.status != http.StatusForbidden || got.alert() != "rita could not add the label bug: Must have admin rights to Repository. (403)" {
		t.Errorf("%d %q", got.status, got.alert())
	}
	got.mustHave(t, "It squeaks", `name="back" value="/acme/shop/issues/1"`)
	if diff := cmp.Diff([]string{}, w.events()); diff != "" {
		t.Error(diff)
	}
	if got := w.get("/acme/vault"); got.status != http.StatusNotFound || got.alert() == "" {
		t.Errorf("%d %q", got.status, got.alert())
	}
	w.get("/").mustLack(t, "vault")
	w.SetPermission("acme", "vault", "alice", "admin")
	w.get("/acme/vault").mustHave(t, "alice · admin", "bob · no access", `rita" selected>rita · no access`)
	w.get("/acme/nothing").mustLack(t, "no access")

	if got := w.post("/acme/shop/issues/1/talk", "body", "  "); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.alert(), "Body cannot be blank") {
		t.Errorf("%d %q", got.status, got.alert())
	}
	long := strings.Repeat("x", 65537)
	if got := w.post("/acme/shop/issues/1/talk", "body", long); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text, long) {
		t.Errorf("%d %q: what was written is lost", got.status, got.alert())
	}
	got = w.post("/acme/shop/issues", "title", " ", "body", "kept", "label", "bug")
	if got.status != http.StatusUnprocessableEntity || got.alert() == "" {
		t.Errorf("%d %q", got.status, got.alert())
	}
	got.mustHave(t, ">kept</textarea>", `value="bug" checked`)

	w.actAs("bob")
	if got := w.post("/acme/shop/issues/1/talk", "state", "odd"); got.status != http.StatusNotFound {
		t.Errorf("status %d", got.status)
	}
}

func TestFaultsOfTheAPIAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		fault playground.Fault
		want  int
	}{
		"status":    {playground.Fault{Kind: playground.FaultStatus, Status: 502}, 502},
		"cut":       {playground.Fault{Kind: playground.FaultCut}, 502},
		"primary":   {playground.Fault{Kind: playground.FaultPrimaryLimit}, 403},
		"secondary": {playground.Fault{Kind: playground.FaultSecondaryLimit}, 403},
		"429":       {playground.Fault{Kind: playground.FaultSecondaryLimit, Status: 429}, 429},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			cancel := w.Fault(c.fault)
			if got := w.get("/acme/shop/issues/1"); got.status != c.want || got.alert() == "" {
				t.Errorf("status %d, message %q", got.status, got.alert())
			}
			cancel()
			if got := w.get("/acme/shop/issues/1"); got.status != http.StatusOK {
				t.Errorf("status %d once the fault is over: %s", got.status, got.alert())
			}
		})
	}
}

func TestCommentCloseReopen(t *testing.T) {
	w := newWorld(t)
	if got := w.post("/acme/shop/issues/1/talk", "body", "Enough.", "state", "not_planned"); got.status != http.StatusOK {
		t.Fatalf("%d %s", got.status, got.alert())
	}
	if issue := w.read(); issue.GetState() != "closed" || issue.GetStateReason() != "not_planned" || issue.GetComments() != 1 {
		t.Errorf("%s, %s, %d comments", issue.GetState(), issue.GetStateReason(), issue.GetComments())
	}
	w.get("/acme/shop/issues/1").mustHave(t, "Closed as not planned", "Enough.", `data-testid="reopen"`)
	w.get("/acme/shop/issues?state=closed").mustHave(t, "It squeaks")
	w.get("/acme/shop/issues").mustLack(t, "It squeaks")
	w.post("/acme/shop/issues/1/talk", "body", "", "state", "reopened")
	if issue := w.read(); issue.GetState() != "open" || issue.GetComments() != 1 {
		t.Errorf("%s, %d comments", issue.GetState(), issue.GetComments())
	}
	if diff := cmp.Diff([]string{"alice closed", "alice reopened"}, w.events()); diff != "" {
		t.Error(diff)
	}
}

func TestNewIssue(t *testing.T) {
	w := newWorld(t)
	got := w.post("/acme/shop/issues", "title", "Another", "body", "- [x] done", "label", "bug", "label", "question")
	if got.path != "/acme/shop/issues/2" {
		t.Fatalf("%d %s %s", got.status, got.path, got.alert())
	}
	got.mustHave(t, `checked="" disabled="" type="checkbox"`, `name="was" value="bug"`, `name="was" value="question"`)
	listed := w.get("/acme/shop/issues?label=question")
	listed.mustHave(t, "Another")
	listed.mustLack(t, "It squeaks")
}

func TestTimelineIsInOrder(t *testing.T) {
	w := newWorld(t)
	first := w.comment("rita", "first")
	w.post("/acme/shop/issues/1/labels", "label", "bug")
	second := w.comment("dev", "second")
	title := "It squeaks no more"
	if _, _, err := w.as("alice").Issues.Edit(t.Context(), "acme", "shop", 1, &github.IssueRequest{Title: &title}); err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"dev", "rita"} {
		if _, _, err := w.as(by).Reactions.CreateIssueCommentReaction(t.Context(), "acme", "shop", first, "+1"); err != nil {
			t.Fatal(err)
		}
	}
	got := w.get("/acme/shop/issues/1")
	at := -1
	for _, part := range []string{
		fmt.Sprintf("issuecomment-%d", first), `data-reaction="&#43;1" data-by="dev[bot], rita"`, `data-event="labeled"`,
		fmt.Sprintf("issuecomment-%d", second), "<del>It squeaks</del> to <strong>It squeaks no more</strong>",
	} {
		now := strings.Index(got.text, part)
		if now < at || now < 0 {
			t.Errorf("%q is at %d, the one before at %d", part, now, at)
		}
		at = now
	}
	if t.Failed() {
		t.Log(got.text)
	}
}

func TestLongThreadsAreWhole(t *testing.T) {
	w := newWorld(t)
	const many = 130
	for i := range many {
		w.comment("rita", fmt.Sprintf("comment number %d.", i))
	}
	got := w.get("/acme/shop/issues/1")
	if n := strings.Count(got.text, `data-testid="comment" `); n != many {
		t.Errorf("%d comments, want %d", n, many)
	}
}

func TestIssuesComeInPages(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.issue("rita", fmt.Sprintf("Number %d", i), "")
	}
	first := w.get("/acme/shop/issues")
	first.mustHave(t, "41 open", `href="/acme/shop/issues?page=2"`)
	if n := strings.Count(first.text, `data-testid="issue-row"`); n != 30 {
		t.Errorf("%d rows", n)
	}
	w.get("/acme/shop/issues?page=2").mustHave(t, "It squeaks")
}

func TestLive(t *testing.T) {
	w := newWorld(t)
	version := regexp.MustCompile(`data-version="([0-9a-f-]+)"`)
	look := func() string { return version.FindStringSubmatch(w.get("/acme/shop/issues/1").text)[1] }
	before := look()
	if got := w.get("/acme/shop/issues/1/live?version=" + before); got.status != http.StatusNoContent || got.text != "" {
		t.Errorf("status %d: %s", got.status, got.text)
	}
	comment := w.comment("dev", "Here I am.")
	got := w.get("/acme/shop/issues/1/live?version=" + before)
	got.mustHave(t, "Here I am.", `id="picker"`, `id="issue-head"`)
	got.mustLack(t, "<html", `name="body"`)
	between := look()
	if between == before {
		t.Error("a comment leaves the version as it is")
	}
	if _, _, err := w.as("rita").Reactions.CreateIssueCommentReaction(t.Context(), "acme", "shop", comment, "eyes"); err != nil {
		t.Fatal(err)
	}
	if look() == between {
		t.Error("a reaction leaves the version as it is")
	}
	if got := w.get("/acme/shop/issues/99/live"); got.status != http.StatusNotFound {
		t.Errorf("status %d", got.status)
	}
}

// However long somebody looks at an issue: what they may ask an hour is not used up by it.
func TestLookingCostsNoRate(t *testing.T) {
	w := newWorld(t)
	w.get("/acme/shop/issues/1")
	used := func() int {
		limits, _, err := w.as("alice").RateLimit.Get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return limits.GetCore().Limit - limits.GetCore().Remaining
	}
	before := used()
	for range 20 {
		w.get("/acme/shop/issues/1/live")
	}
	if after := used(); after != before {
		t.Errorf("%d calls were charged", after-before)
	}
}

func TestHostileTextIsEscaped(t *testing.T) {
	for name, c := range map[string]struct{ text, markdown string }{
		"script":           {`<script>alert(1)</script>`, "<p>"},
		"attribute":        {`" onmouseover="alert(1)`, ""},
		"single quote":     {`' onfocus='alert(1)`, ""},
		"image":            {`<img src=x onerror=alert(1)>`, ""},
		"template":         {`{{.}} ${alert(1)} alert(1)`, ""},
		"javascript link":  {`[x](javascript:alert(1))`, `<a href="">x</a>`},
		"data link":        {`[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`, `<a href="">x</a>`},
		"entity link":      {`[x](javascript&#58;alert(1))`, `<a href="">x</a>`},
		"autolink":         {`<javascript:alert(1)>`, ""},
		"javascript image": {`![x](javascript:alert(1))`, ""},
		"outside image":    {`![x](https://evil.example/pixel.gif)`, `<a class="image" href="https://evil.example/pixel.gif">`},
		"image quote":      {`![x](<https://evil.example/"onload="alert(1)>)`, ""},
		"closing tags":     {"</textarea></title></style><svg onload=alert(1)>", ""},
		"comment":          {"<!-- alert(1) --> --> <!--", ""},
		"style":            {"</style>;background:url(https://evil.example)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			login := "m" + c.text
			w.AddUser(login)
			labelName := c.text
			if len(labelName) > 50 {
				labelName = labelName[:50]
			}
			w.label(labelName, "ff0000", c.text)
			number := w.issue(login, c.text, c.text)
			if _, _, err := w.as("alice").Issues.AddLabelsToIssue(t.Context(), "acme", "shop", number, []string{labelName}); err != nil {
				t.Fatal(err)
			}
			body := c.text
			if _, _, err := w.as(login).Issues.CreateComment(t.Context(), "acme", "shop", number, &github.IssueComment{Body: &body}); err != nil {
				t.Fatal(err)
			}
			w.actAs(login)
			for _, path := range []string{
				"/", "/acme/shop", "/acme/shop/issues/2", "/acme/shop/issues/2/live", "/acme/shop/labels", "/acme/shop/issues/new", "/deliveries",
				"/acme/shop/issues?label=" + url.QueryEscape(c.text), "/acme/" + url.PathEscape(c.text), "/acme/shop/issues?state=" + url.QueryEscape(c.text),
			} {
				harmless(t, w.get(path))
			}
			harmless(t, w.post("/acme/shop/issues/2/labels", "label", "new "+labelName[:10]))
			harmless(t, w.post("/acme/shop/issues", "title", "", "body", c.text))
			if c.markdown != "" {
				w.get("/acme/shop/issues/2").mustHave(t, c.markdown)
			}
		})
	}
}

// harmless reads the page as a browser does: no element, attribute or address may come from what people wrote.
func harmless(t *testing.T, a answer) {
	t.Helper()
	for _, tag := range regexp.MustCompile(`<[a-zA-Z!/][^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>`).FindAllString(a.text, -1) {
		name := strings.ToLower(regexp.MustCompile(`^<[!/]?[a-zA-Z-]*`).FindString(tag))
		outside := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, "")
		switch {
		case slices.Contains([]string{"<img", "<iframe", "<object", "<embed", "<base"}, name):
		case name == "<!" && !strings.EqualFold(tag, "<!DOCTYPE html>"):
		case strings.Contains(outside, " on"):
		case name == "<script" && tag != `<script src="/-/page.js" defer>`:
		case regexp.MustCompile(`(?i)(href|src|action)="\s*(javascript|data|vbscript):`).MatchString(tag):
		default:
			continue
		}
		t.Errorf("%s has %s", a.path, tag)
	}
}

func TestOnlyOwnFormsAreTaken(t *testing.T) {
	w := newWorld(t)
	for _, from := range []struct{ site, origin string }{
		{"cross-site", "https://evil.example"},
		{"same-site", "http://evil.localhost"},
		{"", "https://evil.example"},
		{"", "null"},
	} {
		for _, path := range []string{
			"/acme/shop/issues/1/labels", "/acme/shop/issues/1/talk", "/acme/shop/issues", "/-/act-as", "/deliveries/hold", "/deliveries/drop",
			"/-/faults", "/-/lag",
		} {
			got := w.postFrom(from.site, from.origin, path, "label", "bug", "title", "x", "body", "x", "login", "bob")
			if got.status != http.StatusForbidden || got.alert() == "" {
				t.Errorf("%v %s: status %d, message %q", from, path, got.status, got.alert())
			}
		}
	}
	if issue := w.read(); len(issue.Labels) != 0 || issue.GetComments() != 0 {
		t.Errorf("%d labels, %d comments", len(issue.Labels), issue.GetComments())
	}
}

func TestDeliveriesAreControlled(t *testing.T) {
	w := newWorld(t)
	quiet := func() {
		t.Helper()
		if err := w.Quiet(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	last := func() playground.Delivery { all := w.Deliveries(); return all[len(all)-1] }

	w.post("/deliveries/hold").mustHave(t, "held back from now on")
	w.comment("rita", "held")
	w.get("/deliveries").mustHave(t, `data-event="issue_comment.created" data-outcome="held"`, "1 held")
	w.post("/deliveries/release")
	quiet()
	if d := last(); d.Held || d.StatusCode != http.StatusOK {
		t.Errorf("%+v", d)
	}

	w.post("/deliveries/drop")
	w.comment("rita", "lost")
	lost := last()
	if !lost.Dropped {
		t.Errorf("%+v", lost)
	}
	w.get("/deliveries").mustHave(t, `data-outcome="dropped"`)
	w.post(fmt.Sprintf("/deliveries/%d/redeliver", lost.ID)).mustHave(t, "same GUID")
	quiet()
	if d := last(); d.GUID != lost.GUID || !d.Redelivery || d.StatusCode != http.StatusOK {
		t.Errorf("%+v", d)
	}

	w.post("/deliveries/double")
	w.comment("rita", "twice")
	quiet()
	all := w.Deliveries()
	if a, b := all[len(all)-1], all[len(all)-2]; a.GUID != b.GUID {
		t.Errorf("%s and %s", a.GUID, b.GUID)
	}

	for _, path := range []string{"/deliveries/odd", "/deliveries/1/redeliver", "/deliveries/x/redeliver"} {
		if got := w.post(path); got.status != http.StatusNotFound {
			t.Errorf("%s: status %d", path, got.status)
		}
	}
}

func TestFaultsAreAddedAndCancelled(t *testing.T) {
	w := newWorld(t)
	comment := func() int {
		body := "hello"
		_, response, err := w.as("dev").Issues.CreateComment(t.Context(), "acme", "shop", 1, &github.IssueComment{Body: &body})
		if response == nil {
			t.Fatal(err)
		}
		return response.StatusCode
	}
	w.post("/-/faults", "actor", "dev[bot]", "times", "1", "kind", "status").mustHave(t, "The next 1 calls of dev[bot]: answer 502")
	if got := []int{comment(), comment()}; !cmp.Equal(got, []int{502, 201}) {
		t.Errorf("%v", got)
	}
	got := w.post("/-/faults", "actor", "dev[bot]", "times", "5", "kind", "status-after")
	paths := regexp.MustCompile(`/-/faults/\d+/cancel`).FindAllString(got.text, -1)
	if len(paths) != 2 {
		t.Fatalf("%v", paths)
	}
	before := w.read().GetComments()
	if status := comment(); status != http.StatusBadGateway || w.read().GetComments() != before+1 {
		t.Errorf("status %d, %d comments before, %d after", status, before, w.read().GetComments())
	}
	for _, path := range paths {
		w.post(path)
	}
	if status := comment(); status != http.StatusCreated {
		t.Errorf("status %d after the fault was cancelled", status)
	}
	for _, form := range [][]string{{}, {"actor", "dev[bot]", "times", "0", "kind", "cut"}, {"actor", "", "times", "1", "kind", "cut"}} {
		if got := w.post("/-/faults", form...); got.status != http.StatusBadRequest || got.alert() == "" {
			t.Errorf("%v: status %d, message %q", form, got.status, got.alert())
		}
	}
	w.post("/-/lag", "for", "3s").mustHave(t, "3s after they happened")
	w.post("/acme/shop/issues/1/labels", "label", "bug").mustLack(t, `data-event="labeled"`)
	if got := w.post("/-/lag", "for", "soon"); got.status != http.StatusBadRequest || got.alert() == "" {
		t.Errorf("status %d, message %q", got.status, got.alert())
	}
}

// The html_url of what the API tells of leads to this page.
func TestAddressesOfTheAPI(t *testing.T) {
	w := newWorld(t)
	repo, _, err := w.as("alice").Repositories.Get(t.Context(), "acme", "shop")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, err := w.as("alice").Issues.GetComment(t.Context(), "acme", "shop", w.comment("rita", "hello"))
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{repo.GetHTMLURL(), w.read().GetHTMLURL(), w.read().GetUser().GetHTMLURL(), comment.GetHTMLURL()} {
		path, ok := strings.CutPrefix(address, w.base)
		if got := w.get(path); !ok || got.status != http.StatusOK {
			t.Errorf("%s: status %d", address, got.status)
		}
	}
}

func TestMovedIssuesLeadOn(t *testing.T) {
	w := newWorld(t)
	w.AddRepository("acme", "other")
	if _, err := w.TransferIssue("acme", "shop", 1, "other", "alice"); err != nil {
		t.Fatal(err)
	}
	if got := w.get("/acme/shop/issues/1"); got.path != "/acme/other/issues/1" || got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.path)
	}
	if err := w.RenameRepository("acme", "other", "renamed"); err != nil {
		t.Fatal(err)
	}
	if got := w.get("/ACME/other/issues/1"); got.path != "/acme/renamed/issues/1" || got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.path)
	}
}

func TestNotice(t *testing.T) {
	clock := clockwork.NewFakeClock()
	p := playground.New(playground.Options{Clock: clock})
	p.SetPage(page.New(p, page.Options{Clock: clock, Notice: "Try `this`:\nput `bug` on #1 & <see>, or #x\nan odd ` one"}))
	p.AddRepository("acme", "shop")
	p.AddUser("alice")
	server := httptest.NewServer(p.Handler())
	defer server.Close()
	w := &world{Playground: p, t: t, base: server.URL, browser: server.Client()}
	w.get("/").mustHave(t, " open><summary>Try <code>this</code>:</summary>", "<li>put <code>bug</code> on #1 &amp; &lt;see&gt;, or #x</li>", "<li>an odd ` one</li>")
	w.get("/acme/shop").mustHave(t, `on <a href="/acme/shop/issues/1">#1</a> &amp; &lt;see&gt;, or #x`)
	w.get("/deliveries").mustHave(t, `data-testid="notice"><summary>`)
}

// The log keeps a label as it was: the page shows it as it is.
func TestEventsShowLabelsAsTheyAreNow(t *testing.T) {
	w := newWorld(t)
	w.label("colony:new", "ededed", "")
	w.post("/acme/shop/issues/1/labels", "label", "colony:new")
	color, description := "c5def5", "Taken in"
	if _, _, err := w.as("alice").Issues.EditLabel(t.Context(), "acme", "shop", "colony:new", &github.Label{Color: &color, Description: &description}); err != nil {
		t.Fatal(err)
	}
	_, timeline, _ := strings.Cut(w.get("/acme/shop/issues/1").text, `id="timeline"`)
	timeline, _, _ = strings.Cut(timeline, `</form>`)
	if !strings.Contains(timeline, `style="--label:#c5def5;--on-label:#000" title="Taken in"`) {
		t.Error(timeline)
	}
}

// A sign stands before a label wherever the label is shown, and is no part of its name.
func TestLabelsHaveTheirSigns(t *testing.T) {
	w := newWorld(t)
	w.label("Colony:done", "0b6623", "The end")
	w.post("/acme/shop/issues/1/labels", "label", "Colony:done")
	const sign = ` data-glyph="&lt;✓&gt;"`
	for path, times := range map[string]int{
		"/acme/shop/issues/1": 3, // the issue, its picker, its timeline
		"/acme/shop/labels":   1, "/acme/shop/issues/new": 1,
	} {
		text := w.get(path).text
		if n := strings.Count(text, sign); n != times || strings.Contains(text, `✓&gt;</`) {
			t.Errorf("%s shows %d signs", path, n)
		}
		if strings.Contains(text, `data-label="bug" data-glyph`) {
			t.Errorf("%s shows a sign before another label", path)
		}
	}
	w.get("/acme/shop").mustHave(t, `data-label="Colony:done"`+sign)
}

func TestLiveDeliveries(t *testing.T) {
	w := newWorld(t)
	if err := w.Quiet(t.Context()); err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`data-version="([0-9-]+)"`).FindStringSubmatch(w.get("/deliveries").text)[1]
	if got := w.get("/deliveries/live?version=" + version); got.status != http.StatusNoContent {
		t.Errorf("status %d: %s", got.status, got.text)
	}
	w.HoldDeliveries()
	w.comment("rita", "hello")
	got := w.get("/deliveries/live?version=" + version)
	got.mustHave(t, `data-event="issue_comment.created" data-outcome="held"`)
	got.mustLack(t, "<html")
	w.ReleaseDeliveries(nil)
}
