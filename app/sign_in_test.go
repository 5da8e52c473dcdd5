package app_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"golang.org/x/net/html"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

// boardURL is where browsers reach Colony, behind a proxy that speaks TLS.
const boardURL = "https://colony.example.com"

func withSignIn(c *config.Config) {
	c.Board.Enabled, c.Board.URL = true, boardURL
	c.GitHub.OAuth.ClientID, c.GitHub.OAuth.ClientSecret = playground.App{ID: apptest.ID}.ClientID(), apptest.ClientSecret
}

// newSignInWorld is a world with a board for those who sign in. Of private repositories acme/secret is rita's to read, and acme/hidden
// mona's; each has an issue that Colony saw, as acme/widgets has.
func newSignInWorld(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldWithoutColony(t, append(change, withSignIn)...)
	for repo, reader := range map[string]string{"secret": "rita", "hidden": "mona"} {
		w.github.AddRepository("acme", repo)
		w.Must(w.github.SetPrivate("acme", repo, true))
		for login := range map[string]bool{"olivia": true, "tara": true, "mona": true, "rita": true, "ada": true} {
			w.github.SetPermission("acme", repo, login, "none")
		}
		w.github.SetPermission("acme", repo, reader, "write")
	}
	w.makeLabels()
	w.start()
	w.install()
	for repo, by := range map[string]string{"widgets": "olivia", "secret": "rita", "hidden": "mona"} {
		opened, _, err := w.As(by).Issues.Create(ctx, "acme", repo, &github.IssueRequest{Title: new("Of " + repo)})
		w.Must(err)
		for _, label := range []string{"colony:new", "colony:needs-clarification"} {
			_, _, err := w.As(by).Issues.AddLabelsToIssue(ctx, "acme", repo, opened.GetNumber(), []string{label})
			w.Must(err)
			w.Settle()
		}
	}
	return w
}

// browser is somebody's, with cookies, and follows no redirect by itself. It reaches Colony as through a proxy.
type browser struct {
	w    *world
	jar  http.CookieJar
	last *http.Response
	body string
	// address is where the proxy sees the browser; empty: it does not say.
	address string
}

func (w *world) browser() *browser {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	w.Must(err)
	return &browser{w: w, jar: jar}
}

// RoundTrip is the proxy.
func (b *browser) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme+"://"+r.URL.Host == boardURL {
		inside := r.Clone(r.Context())
		to, err := url.Parse(b.w.colony.address)
		if err != nil {
			return nil, err
		}
		inside.URL.Scheme, inside.URL.Host = to.Scheme, to.Host
		r = inside
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (b *browser) does(method, address string, form url.Values, headers ...string) *browser {
	b.w.t.Helper()
	ctx, cancel := context.WithTimeout(b.w.t.Context(), patience)
	defer cancel()
	b.sends(ctx, method, address, form, headers...)
	defer func() { b.w.Must(b.last.Body.Close()) }()
	if strings.HasPrefix(b.last.Header.Get("Content-Type"), "text/event-stream") {
		var err error
		b.body, err = bufio.NewReader(b.last.Body).ReadString('\n')
		b.w.Must(err)
		return b
	}
	text, err := io.ReadAll(b.last.Body)
	b.w.Must(err)
	b.body = string(text)
	return b
}

// sends sends a request, and leaves the body of the answer open.
func (b *browser) sends(ctx context.Context, method, address string, form url.Values, headers ...string) {
	b.w.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = boardURL + address
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	b.w.Must(err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if b.address != "" {
		request.Header.Set("X-Forwarded-For", b.address)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{Jar: b.jar, Transport: b, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	b.last, err = client.Do(request)
	b.w.Must(err)
}

func (b *browser) gets(address string) *browser {
	b.w.t.Helper()
	return b.does(http.MethodGet, address, nil)
}

// sees expects a status, and words of the page.
func (b *browser) sees(status int, words ...string) *browser {
	b.w.t.Helper()
	if b.last.StatusCode != status {
		b.w.t.Errorf("%s answers %d, want %d: %s", b.last.Request.URL, b.last.StatusCode, status, b.text())
	}
	for _, word := range words {
		if !strings.Contains(b.text(), word) {
			b.w.t.Errorf("%s does not say %q: %s", b.last.Request.URL, word, b.text())
		}
	}
	return b
}

func (b *browser) text() string {
	root, err := html.Parse(strings.NewReader(b.body))
	b.w.Must(err)
	return textOf(root)
}

// leadsTo expects a redirect, and returns where to.
func (b *browser) leadsTo(prefix string) string {
	b.w.t.Helper()
	to := b.last.Header.Get("Location")
	if b.last.StatusCode/100 != 3 || !strings.HasPrefix(to, prefix) {
		b.w.t.Fatalf("%s answers %d and leads to %q, not %q: %s", b.last.Request.URL, b.last.StatusCode, to, prefix, b.text())
	}
	return to
}

var signInLink = regexp.MustCompile(`href="([^"]*/board/-/sign-in[^"]*)"`)

// begins asks for a page, follows the link to sign in, and returns what GitHub is asked for.
func (b *browser) begins(page string) url.Values {
	b.w.t.Helper()
	b.gets(page).sees(http.StatusUnauthorized, "Sign in with GitHub")
	link := signInLink.FindStringSubmatch(b.body)
	if link == nil {
		b.w.t.Fatalf("there is no link to sign in: %s", b.body)
	}
	to, err := url.Parse(b.gets(html.UnescapeString(link[1])).leadsTo(b.w.url + "/login/oauth/authorize?"))
	b.w.Must(err)
	return to.Query()
}

// authorizes presses the button on GitHub, and returns where the browser is sent.
func (b *browser) authorizes(login string, asked url.Values) string {
	b.w.t.Helper()
	address, err := b.w.github.Authorize(playground.ReadAuthorizationRequest(asked), login)
	b.w.Must(err)
	return address
}

// signsIn comes to a page for the first time and signs in.
func (b *browser) signsIn(login, page string) *browser {
	b.w.t.Helper()
	back := b.authorizes(login, b.begins(page))
	return b.gets(b.gets(back).leadsTo(strings.ReplaceAll(page, boardURL, "")))
}

func TestSigningInToTheBoard(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t, onDisk(t))
	b := w.browser().signsIn("olivia", "/board/acme/widgets/1?x=1").sees(http.StatusOK, "needs-clarification", "olivia", "Sign out")
	for _, name := range []string{"Content-Security-Policy", "X-Frame-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy"} {
		if b.last.Header.Get(name) == "" {
			t.Errorf("the page has no %s", name)
		}
	}
	b.gets("/board").sees(http.StatusOK, "acme/widgets#1")
	if strings.Contains(b.text(), "secret") || strings.Contains(b.text(), "hidden") {
		t.Errorf("olivia sees too much: %s", b.text())
	}
	address, err := url.Parse(boardURL)
	w.Must(err)
	cookies := b.jar.Cookies(address)
	if len(cookies) != 2 || cookies[0].Name != "__Host-colony-session" || cookies[1].Name != "__Host-colony-returning" || strings.Contains(cookies[0].Value, "ghu_") {
		t.Errorf("the browser has %v", cookies)
	}

	t.Log("another process, or the same after a restart, knows the session")
	w.stopColony()
	w.start()
	w.Quiet()
	b.gets("/board").sees(http.StatusOK, "olivia")

	t.Log("a page elsewhere cannot sign anybody out")
	b.does(http.MethodPost, "/board/-/sign-out", url.Values{}, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site").sees(http.StatusForbidden)
	b.gets("/board").sees(http.StatusOK)
	copied := w.browser()
	copied.jar.SetCookies(address, []*http.Cookie{{Name: cookies[0].Name, Value: cookies[0].Value, Path: "/", Secure: true}})
	copied.gets("/board").sees(http.StatusOK)
	b.does(http.MethodPost, "/board/-/sign-out", url.Values{}, "Origin", boardURL, "Sec-Fetch-Site", "same-origin").leadsTo("/board")
	if left := b.jar.Cookies(address); len(left) > 0 {
		t.Errorf("the browser still has %v", left)
	}
	b.gets("/board").sees(http.StatusUnauthorized, "Sign in")
	copied.gets("/board").sees(http.StatusUnauthorized, "GitHub does not accept your session any more.")
}

// The cookies are for Colony's host, over https, and no script's.
func TestTheCookiesOfTheBoard(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t)
	b := w.browser()
	asked := b.begins("/board")
	given := b.last.Header.Values("Set-Cookie")
	b.gets(b.authorizes("olivia", asked))
	given = append(given, b.last.Header.Values("Set-Cookie")...)
	if len(given) != 4 { // one to begin, its end, the session, and one for the next sign-in
		t.Errorf("the cookies are %q", given)
	}
	for _, cookie := range given {
		for _, want := range []string{"__Host-", "Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age="} {
			if !strings.Contains(cookie, want) || strings.Contains(cookie, "Domain") {
				t.Errorf("a cookie lacks %s: %s", want, cookie)
			}
		}
	}
	if asked.Get("code_challenge_method") != "S256" || len(asked.Get("code_challenge")) != 43 || asked.Get("redirect_uri") != boardURL+"/board/-/callback" || asked.Get("scope") != "" {
		t.Errorf("GitHub is asked for %v", asked)
	}
}

// What an answer that does not come from GitHub, or not to this browser, leads to.
func TestAnswersThatSignNobodyIn(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t)
	signedIn := func(b *browser) bool { return b.gets("/board").last.StatusCode == http.StatusOK }
	for _, test := range []struct {
		name   string
		does   func(b *browser)
		status int
		says   string
	}{
		{"nobody began", func(b *browser) { b.gets("/board/-/callback?code=x&state=y") }, http.StatusBadRequest, "Sign in again"},
		{"another state", func(b *browser) {
			back := b.authorizes("olivia", b.begins("/board"))
			b.gets(strings.Replace(back, "state=", "state=x", 1))
		}, http.StatusBadRequest, "began in another browser"},
		{"somebody else's code in this browser", func(b *browser) {
			thief := w.browser()
			back := thief.authorizes("mona", thief.begins("/board"))
			b.begins("/board")
			b.gets(back)
		}, http.StatusBadRequest, "began in another browser"},
		{"this browser's state with a stolen code", func(b *browser) {
			victim := w.browser()
			stolen, err := url.Parse(victim.authorizes("mona", victim.begins("/board")))
			w.Must(err)
			asked := b.begins("/board")
			b.gets("/board/-/callback?" + url.Values{"code": {stolen.Query().Get("code")}, "state": {asked.Get("state")}}.Encode())
		}, http.StatusBadRequest, "used before, or is too old"}, // the proof is another's
		{"no code", func(b *browser) { b.gets("/board/-/callback?state=" + b.begins("/board").Get("state")) }, http.StatusBadRequest, "used before, or is too old"},
		{"the person cancels", func(b *browser) {
			b.gets("/board/-/callback?error=access_denied&error_description=%3Cscript%3E&state=" + b.begins("/board").Get("state"))
		}, http.StatusForbidden, "GitHub did not let Colony know who you are"},
		{"too late", func(b *browser) {
			back := b.authorizes("olivia", b.begins("/board"))
			w.clock.Advance(10 * time.Minute)
			b.gets(back)
		}, http.StatusBadRequest, "more than ten minutes"},
		{"a forged cookie", func(b *browser) {
			b.does(http.MethodGet, "/board", nil, "Cookie", "__Host-colony-session="+strings.Repeat("A", 200))
		}, http.StatusUnauthorized, "Sign in"},
	} {
		b := w.browser()
		test.does(b)
		b.sees(test.status, test.says)
		if strings.Contains(b.body, "script&gt;") || signedIn(b) {
			t.Errorf("%s: it is taken: %s", test.name, b.body)
		}
	}

	t.Log("an answer is good once")
	b := w.browser()
	back := b.authorizes("olivia", b.begins("/board"))
	b.gets(back).leadsTo("/board")
	b.gets(back).sees(http.StatusBadRequest, "Sign in again")
	if !signedIn(b) {
		t.Error("the session is over")
	}
}

// Nobody is sent elsewhere after signing in.
func TestSigningInLeadsToTheBoardOnly(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t)
	for to, want := range map[string]string{
		"/board/acme/widgets": "/board/acme/widgets", "/board/acme/widgets/flow?x=1": "/board/acme/widgets/flow?x=1",
		"": "/board", "https://evil.example/board": "/board", "//evil.example/board": "/board", `/\evil.example`: "/board", `/board/\evil`: "/board",
		"/board/../api/v1": "/board", "/boarding": "/board", "/api/dead-letters": "/board", "/board/-/sign-out": "/board", "javascript:alert(1)": "/board",
		"/board/%2e%2e/x": "/board", "/board\r\nX: y": "/board",
	} {
		b := w.browser()
		asked, err := url.Parse(b.gets("/board/-/sign-in?" + url.Values{"to": {to}}.Encode()).leadsTo(w.url))
		w.Must(err)
		if got := b.gets(b.authorizes("olivia", asked.Query())).leadsTo("/"); got != want {
			t.Errorf("%q leads to %q, want %q", to, got, want)
		}
	}
}

// A session ends when its time is over, when GitHub's token ends, and what one may see ends when GitHub ends it.
func TestHowLongASessionLasts(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t)
	b := w.browser().signsIn("rita", "/board/acme/secret/1").sees(http.StatusOK)
	w.github.SetPermission("acme", "secret", "rita", "none")
	w.clock.Advance(access.Kept)
	b.gets("/board/acme/secret/1").sees(http.StatusNotFound)
	b.gets("/board").sees(http.StatusOK, "acme/widgets")
	if strings.Contains(b.text(), "secret") {
		t.Errorf("rita still sees it: %s", b.text())
	}
	w.clock.Advance(8*time.Hour - 10*time.Minute) // GitHub's token ends by the clock that is not the test's
	b.gets("/board").sees(http.StatusOK)
	w.clock.Advance(9 * time.Minute)
	b.gets("/board").sees(http.StatusUnauthorized, "Sign in")
}

// A known viewer stays signed in while GitHub cannot be asked, for access.Prolonged. After that the pages say what is wrong, and show nothing.
func TestTheBoardWithoutGitHub(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t)
	b := w.browser().signsIn("olivia", "/board")
	w.clock.Advance(access.Kept)
	heals := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Path: regexp.MustCompile(`/user$`)})
	b.gets("/board").sees(http.StatusOK, "widgets")
	w.clock.Advance(access.Prolonged)
	b.gets("/board").sees(http.StatusBadGateway, "Colony could not ask GitHub who you are")
	if strings.Contains(b.text(), "widgets") {
		t.Errorf("it shows something: %s", b.text())
	}
	heals()
	b.gets("/board").sees(http.StatusOK, "widgets")
}

// Where the board is not enabled there is none, and a secret that GitHub does not take is named in the log and not on the page.
func TestTheBoardThatIsNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"/board", "/board/-/sign-in", "/board/-/callback"} {
		if status, _, _ := w.page(path); status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
}

func TestASecretThatGitHubDoesNotTake(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, withSignIn, func(c *config.Config) { c.GitHub.OAuth.ClientSecret = "another" })
	w.journal = &journal{}
	w.start()
	w.install()
	b := w.browser()
	b.gets(b.authorizes("olivia", b.begins("/board"))).sees(http.StatusBadGateway, "GitHub refuses this Colony")
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	if log := w.journal.text.String(); !strings.Contains(log, "incorrect_client_credentials") || !strings.Contains(log, "github.oauth") || strings.Contains(log, "another") {
		t.Errorf("the log: %s", log)
	}
}
