package setup_test

import (
	"context"
	"errors"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/setup"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/playground"
)

// session is one that runs, on a playground with the organization acme.
type session struct {
	*setup.Session
	t      *testing.T
	p      *playground.Playground
	github string
	base   string
	clock  *clockwork.FakeClock
	stop   context.CancelFunc
	ended  chan error
	kept   []setup.Credentials
	fails  error // what keeping them fails with
}

func newSession(t *testing.T) *session {
	t.Helper()
	s := &session{t: t, p: playground.New(playground.Options{}), clock: clockwork.NewFakeClock(), ended: make(chan error, 1)}
	var err error
	if s.github, err = s.p.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.p.Close(); err != nil {
			t.Error(err)
		}
	})
	s.p.AddOrganization("acme")
	s.Session = &setup.Session{
		Request: setup.Request{GitHub: s.github, Organization: "acme", Name: `<Colony> "of" acme`}, Clock: s.clock,
		Keep: func(c setup.Credentials) (string, []setup.Step, error) {
			s.kept = append(s.kept, c)
			return "They are kept.", setup.Steps(c, setup.Files, "here"), s.fails
		},
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.base = "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	go func() { s.ended <- s.Run(ctx, listener) }()
	t.Cleanup(stop)
	return s
}

// ask makes a request; header is a list of names and values. The name Host is the address that is called.
func (s *session) ask(method, path string, form url.Values, header ...string) (*http.Response, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, string(text)
}

func (s *session) form() url.Values {
	return url.Values{"github": {s.github}, "organization": {"acme"}, "name": {"Colony of acme"}, "webhook-url": {"http://127.0.0.1:1"}}
}

var (
	action   = regexp.MustCompile(`<form method="post" action="([^"]*)"`)
	manifest = regexp.MustCompile(`name="manifest" value="([^"]*)"`)
)

// confirmed sends the form, and returns the state and the manifest that the next page would bring to GitHub.
func (s *session) confirmed() (state, text string) {
	s.t.Helper()
	response, body := s.ask("POST", "/", s.form())
	to, brought := action.FindStringSubmatch(body), manifest.FindStringSubmatch(body)
	if response.StatusCode != http.StatusOK || to == nil || brought == nil {
		s.t.Fatalf("%s\n%s", response.Status, body)
	}
	u, err := url.Parse(html.UnescapeString(to[1]))
	if err != nil || !strings.HasPrefix(u.String(), s.github+"/organizations/acme/settings/apps/new?state=") {
		s.t.Fatalf("the form leads to %s", to[1])
	}
	return u.Query().Get("state"), html.UnescapeString(brought[1])
}

// created is the path to which GitHub leads the browser after a person confirmed.
func (s *session) created() string {
	s.t.Helper()
	state, text := s.confirmed()
	code, err := s.p.RegisterManifest("acme", text, "Colony of acme")
	if err != nil {
		s.t.Fatal(err)
	}
	return "/created?" + url.Values{"code": {code}, "state": {state}}.Encode()
}

func (s *session) runsOn() {
	s.t.Helper()
	select {
	case err := <-s.ended:
		s.t.Fatalf("it ended: %v", err)
	default:
	}
	if len(s.kept) > 0 {
		s.t.Fatalf("it kept %v", s.kept)
	}
}

func TestPageIsStrict(t *testing.T) {
	s := newSession(t)
	response, body := s.ask("GET", "/", nil)
	if response.StatusCode != http.StatusOK || !strings.Contains(body, html.EscapeString(s.Request.Name)) || strings.Contains(body, "<Colony>") {
		t.Errorf("%s\n%s", response.Status, body)
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": "form-action 'self'; frame-ancestors 'none'; base-uri 'none'", "Cache-Control": "no-store",
		"Referrer-Policy": "strict-origin", "X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if got := response.Header.Get(name); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, elsewhere := range regexp.MustCompile(`(?:src|href|action)="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if to := elsewhere[1]; to != "/" && to != "data:," {
			t.Errorf("the page has %s", to)
		}
	}
	response, _ = s.ask("POST", "/", s.form())
	if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' "+s.github+";") {
		t.Errorf("the form may not lead to GitHub: %s", policy)
	}
	if _, body := s.ask("GET", "/", nil); !strings.Contains(body, `value="http://127.0.0.1:1/api/github/hook"`) {
		t.Errorf("what was filled in is lost:\n%s", body)
	}
	bad := s.form()
	bad.Set("name", "")
	bad.Set("github", "http://github.example.com")
	response, body = s.ask("POST", "/", bad)
	if response.StatusCode != http.StatusUnprocessableEntity || strings.Count(body, `aria-invalid="true"`) != 2 || !strings.Contains(body, `value="http://github.example.com"`) {
		t.Errorf("%s\n%s", response.Status, body)
	}
	if response, _ := s.ask("GET", "/x", nil); response.StatusCode != http.StatusNotFound {
		t.Error(response.Status)
	}
	s.runsOn()
}

func TestOthersAreRefused(t *testing.T) {
	s := newSession(t)
	for _, host := range []string{"evil.example.com", "127.0.0.1.example.com", "10.0.0.1:80"} {
		if response, _ := s.ask("GET", "/", nil, "Host", host); response.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%s is answered %s", host, response.Status)
		}
	}
	for _, host := range []string{"localhost:1", "127.0.0.1", "[::1]:7"} {
		if response, _ := s.ask("GET", "/", nil, "Host", host); response.StatusCode != http.StatusOK {
			t.Errorf("%s is answered %s", host, response.Status)
		}
	}
	for _, site := range []string{"cross-site", "same-site"} {
		if response, _ := s.ask("POST", "/", s.form(), "Sec-Fetch-Site", site); response.StatusCode != http.StatusForbidden {
			t.Errorf("a form of another page (%s) is answered %s", site, response.Status)
		}
	}
	path := s.created()
	good, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, query := range map[string]url.Values{
		"no state":        {"code": good.Query()["code"]},
		"another's state": {"code": good.Query()["code"], "state": {"x"}},
		"no code":         {"state": good.Query()["state"]},
		"a path as code":  {"state": good.Query()["state"], "code": {"../../user"}},
	} {
		if response, body := s.ask("GET", "/created?"+query.Encode(), nil); response.StatusCode != http.StatusBadRequest || !strings.Contains(body, "Nothing was done") {
			t.Errorf("%s: %s\n%s", name, response.Status, body)
		}
	}
	if response, _ := s.ask("HEAD", path, nil); response.StatusCode == http.StatusOK {
		t.Error("HEAD uses the code")
	}
	s.runsOn()
	for _, call := range s.p.Calls() {
		if strings.Contains(call.Path, "app-manifests") {
			t.Errorf("%s was asked", call.Path)
		}
	}
}

// The session ends with the first App.
func TestSessionEndsWithTheApp(t *testing.T) {
	s := newSession(t)
	path := s.created()
	s.confirmed() // in another tab
	response, body := s.ask("GET", path, nil)
	if response.StatusCode != http.StatusOK || !strings.Contains(body, "They are kept.") || !strings.Contains(body, s.github+"/apps/colony-of-acme/installations/new") {
		t.Errorf("%s\n%s", response.Status, body)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	if len(s.kept) != 1 || s.kept[0].Slug != "colony-of-acme" || s.kept[0].API != s.github+"/api/v3/" {
		t.Fatalf("it kept %v", s.kept)
	}
	for _, secret := range []string{s.kept[0].Key[40:80], s.kept[0].WebhookSecret} {
		if strings.Contains(body, secret) {
			t.Error("the page shows a secret")
		}
	}
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://")); err == nil {
		t.Error("it still listens")
	}
}

// A code that GitHub does not take leads back to the beginning; one that GitHub could not answer is good for another try.
func TestGitHubRefusesOrFails(t *testing.T) {
	s := newSession(t)
	state, _ := s.confirmed()
	response, body := s.ask("GET", "/created?code=unknown&state="+state, nil)
	if response.StatusCode != http.StatusBadGateway || !strings.Contains(body, "GitHub does not know the code") || !strings.Contains(body, `<a href="/">`) {
		t.Errorf("%s\n%s", response.Status, body)
	}
	path := s.created()
	cancel := s.p.Fault(playground.Fault{Kind: playground.FaultCut, Path: regexp.MustCompile("^/app-manifests/")})
	response, body = s.ask("GET", path, nil)
	cancel()
	code, _, _ := strings.Cut(strings.TrimPrefix(path, "/created?code="), "&")
	if response.StatusCode != http.StatusBadGateway || !strings.Contains(body, "load this page again") || strings.Contains(body, code) {
		t.Errorf("%s\n%s", response.Status, body)
	}
	s.runsOn()
	if response, body = s.ask("GET", path, nil); response.StatusCode != http.StatusOK {
		t.Errorf("%s\n%s", response.Status, body)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

func TestKeepingFails(t *testing.T) {
	s := newSession(t)
	s.fails = errors.New("the disk is full")
	if response, body := s.ask("GET", s.created(), nil); response.StatusCode != http.StatusOK || !strings.Contains(body, "the disk is full") || !strings.Contains(body, "GitHub does not show them again") {
		t.Errorf("%s\n%s", response.Status, body)
	}
	if err := <-s.ended; !errors.Is(err, s.fails) {
		t.Error(err)
	}
}

func TestSessionEndsAfterAnHour(t *testing.T) {
	s := newSession(t)
	if err := s.clock.BlockUntilContext(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(setup.Patience)
	if err := <-s.ended; !errors.Is(err, setup.ErrNobody) {
		t.Error(err)
	}
}

// A signal while GitHub answers loses no credentials: GitHub answers once.
func TestCredentialsOutliveTheSignal(t *testing.T) {
	s := newSession(t)
	path := s.created()
	arrived, answer := make(chan struct{}), make(chan struct{})
	slow := newProxy(t, s.github, func() { close(arrived); <-answer })
	s.github = slow
	state, _ := s.confirmed()
	u, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan string, 1)
	go func() {
		request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, s.base+"/created?state="+state+"&code="+u.Query().Get("code"), http.NoBody)
		if err != nil {
			seen <- err.Error()
			return
		}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			seen <- err.Error()
			return
		}
		defer response.Body.Close()
		seen <- response.Status
	}()
	<-arrived
	s.stop()
	close(answer)
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	if status := <-seen; status != "200 OK" || len(s.kept) != 1 {
		t.Errorf("%s, and it kept %d", status, len(s.kept))
	}
}

// newProxy is a GitHub that waits before it answers.
func newProxy(t *testing.T, github string, wait func()) string {
	t.Helper()
	target, err := url.Parse(github)
	if err != nil {
		t.Fatal(err)
	}
	through := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait()
		through.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A browser that leaves, or a signal, does not cut off the one answer.
func TestConversionIsNotInterrupted(t *testing.T) {
	s := newSession(t)
	u, err := url.Parse(s.created())
	if err != nil {
		t.Fatal(err)
	}
	server, err := setup.ServerAt(s.github)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if made, err := setup.Convert(ctx, server, u.Query().Get("code")); err != nil || made.Slug != "colony-of-acme" {
		t.Errorf("%v %v", made.Slug, err)
	}
}

func TestAnEndlessAnswerIsNoCredentials(t *testing.T) {
	t.Parallel()
	sent := make(chan int, 1)
	github := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n, piece := 0, make([]byte, 1<<20)
		for i := range piece {
			piece[i] = ' '
		}
		for n < 64<<20 {
			written, err := w.Write(piece)
			if n += written; err != nil {
				break
			}
		}
		sent <- n
	}))
	t.Cleanup(github.Close)
	_, err := setup.Convert(t.Context(), setup.Server{API: github.URL + "/"}, "x")
	if _, ok := errors.AsType[*bounded.TooLargeError](err); !ok {
		t.Errorf("it ends with %v", err)
	}
	if n := <-sent; n > 32<<20 { // with what both ends hold in their buffers
		t.Errorf("%d bytes were sent", n)
	}
}
