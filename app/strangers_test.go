package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
)

// behindAProxy lets X-Forwarded-For of this machine, and of the addresses of package httptest, say where a caller is.
func behindAProxy(c *config.Config) {
	c.Server.TrustedProxies = []string{"127.0.0.0/8", "::1/128", "192.0.2.0/24"}
}

// stranger sends wrong credentials through the proxy.
type stranger struct {
	w             *world
	address       string
	cookie, state string
	tokens, codes int
}

// stranger comes with a state of Colony's: anyone can begin to sign in.
func (w *world) stranger(address string) *stranger {
	w.t.Helper()
	s := &stranger{w: w, address: address}
	s.begins()
	return s
}

func (s *stranger) begins() {
	s.w.t.Helper()
	answer := s.sends("/board/-/sign-in", "", "")
	to, err := url.Parse(answer.Header().Get("Location"))
	s.w.Must(err)
	s.cookie, _, _ = strings.Cut(answer.Header().Get("Set-Cookie"), ";")
	if s.state = to.Query().Get("state"); s.state == "" || s.cookie == "" {
		s.w.t.Fatalf("a stranger cannot begin: %d %v", answer.Code, answer.Header())
	}
}

func (s *stranger) sends(path, token, cookie string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, http.NoBody)
	request.Header.Set("X-Forwarded-For", "1.1.1.1, "+s.address)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	answer := httptest.NewRecorder()
	s.w.colony.server.Handler().ServeHTTP(answer, request)
	return answer
}

// wrongCode is answered with 400 if GitHub was asked, and with 429 if not.
func (s *stranger) wrongCode() int {
	s.codes++
	return s.sends(fmt.Sprintf("/board/-/callback?code=%020x&state=%s", s.codes, s.state), "", s.cookie).Code
}

// wrongToken is answered with 401 if GitHub was asked, and with 503 if not.
func (s *stranger) wrongToken() int {
	s.tokens++
	return s.sends("/api/v1/issues/acme/widgets/1", fmt.Sprintf("ghp_%s%010d", s.state, s.tokens), "").Code
}

// exchanges counts the codes that GitHub was asked about.
func (w *world) exchanges() (n int) {
	for _, call := range w.github.Calls() {
		if call.Path == "/login/oauth/access_token" {
			n++
		}
	}
	return n
}

func (w *world) browserAt(address string) *browser {
	w.t.Helper()
	b := w.browser()
	b.address = address
	return b
}

func TestACodeWithoutAStateCostsNoCall(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t)
	w.browser().signsIn("olivia", "/board").sees(http.StatusOK)
	if n := w.exchanges(); n != 1 {
		t.Fatalf("a code costs %d calls", n)
	}
	b := w.browser()
	b.begins("/board")
	b.gets("/board/-/callback?code=x&state=y").sees(http.StatusBadRequest)
	w.browser().gets("/board/-/callback?code=x&state=y").sees(http.StatusBadRequest)
	if n := w.exchanges(); n != 1 {
		t.Errorf("codes without a state cost %d calls", n-1)
	}
}

// Junk codes block none who signed in before, and none elsewhere. They leave GitHub's limit to people:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits.
func TestJunkCodesDoNotBlockSigningIn(t *testing.T) {
	t.Parallel()
	const here, elsewhere = "203.0.113.1", "203.0.113.2"
	w := newSignInWorld(t, behindAProxy)
	known := w.browserAt(here).signsIn("olivia", "/board").sees(http.StatusOK)
	out := w.browserAt(here).signsIn("tara", "/board").sees(http.StatusOK)
	junk := w.stranger(here)
	for range 45 {
		if got := junk.wrongCode(); got != http.StatusBadRequest {
			t.Fatalf("junk code %d is answered with %d", junk.codes, got)
		}
	}
	t.Log("one who comes for the first time")
	w.browserAt(here).signsIn("rita", "/board").sees(http.StatusOK)

	t.Log("more junk than GitHub has to be asked about")
	junk.usesUpTheCodes()
	asked := w.exchanges()
	for range 100 {
		if got := junk.wrongCode(); got != http.StatusTooManyRequests {
			t.Errorf("more junk is answered with %d", got)
		}
	}
	if again := w.exchanges(); again != asked || asked > 500 {
		t.Errorf("GitHub was asked about %d codes, and about %d after the bound", asked, again-asked)
	}
	w.browserAt(elsewhere).signsIn("rita", "/board").sees(http.StatusOK)
	for range 20 {
		known.gets(known.authorizes("olivia", known.beginsAgain())).leadsTo("/board")
	}
	w.clock.Advance(8 * time.Hour)
	junk.begins()
	junk.usesUpTheCodes()
	known.gets(known.authorizes("olivia", known.begins("/board"))).leadsTo("/board")

	t.Log("signing out leaves nothing in the browser")
	out.gets(out.authorizes("tara", out.begins("/board"))).sees(http.StatusSeeOther)
	out.does(http.MethodPost, "/board/-/sign-out", url.Values{}, "Origin", boardURL, "Sec-Fetch-Site", "same-origin").leadsTo("/board")
	out.gets(out.authorizes("tara", out.begins("/board"))).sees(http.StatusTooManyRequests, "Sign in again in ten seconds.")
}

// beginsAgain is begins for one who is signed in.
func (b *browser) beginsAgain() url.Values {
	b.w.t.Helper()
	to, err := url.Parse(b.gets("/board/-/sign-in").leadsTo(b.w.url + "/login/oauth/authorize?"))
	b.w.Must(err)
	return to.Query()
}

// One account cannot use more of GitHub's limit by having signed in before.
func TestCodesOfOneWhoSignedInBeforeAreBounded(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t, behindAProxy)
	b := w.browserAt("203.0.113.1").signsIn("rita", "/board").sees(http.StatusOK)
	w.stranger("203.0.113.1").usesUpTheCodes()
	taken := 0
	for range 20 {
		state := b.beginsAgain().Get("state")
		b.gets("/board/-/callback?code=junk&state=" + state)
		if b.last.StatusCode == http.StatusBadRequest {
			taken++
		}
	}
	if taken != 5 {
		t.Errorf("GitHub was asked about %d of rita's 20 wrong codes", taken)
	}
	b.gets(b.authorizes("rita", b.beginsAgain())).sees(http.StatusTooManyRequests)

	t.Log("an account is known for 90 days")
	w.clock.Advance(90*24*time.Hour - time.Second)
	w.stranger("203.0.113.1").usesUpTheCodes()
	b.gets("/board/-/callback?code=junk&state="+b.beginsAgain().Get("state")).sees(http.StatusBadRequest, "used before, or is too old")
	w.clock.Advance(time.Second)
	b.gets(b.authorizes("rita", b.beginsAgain())).sees(http.StatusTooManyRequests)
}

// usesUpTheCodes sends wrong codes until Colony sends none from this address to GitHub.
func (s *stranger) usesUpTheCodes() {
	s.w.t.Helper()
	for until := s.codes + 2_000; s.wrongCode() != http.StatusTooManyRequests; {
		if s.codes > until {
			s.w.t.Fatal("junk codes have no bound")
		}
	}
}

// 200 strangers send wrong tokens and wrong codes from 50 addresses for ten minutes. Ten people sign in, read board and API and are renewed;
// half of them share the addresses of strangers, and signed in before.
func TestStrangersLockNobodyOut(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t, behindAProxy, withAPI)
	type person struct {
		*browser
		login, token string
		comes        int // in which second
	}
	var people []*person
	for i := range 10 {
		login := fmt.Sprintf("person%d", i)
		w.github.AddUser(login)
		token, err := w.github.AddPersonalToken(playground.PersonalToken{Login: login, Scopes: []string{"repo"}})
		w.Must(err)
		p := &person{w.browserAt(fmt.Sprintf("198.51.100.%d", i)), login, token, 40 * i}
		if i < 5 {
			p.address, p.comes = strangersAt(i), -1
		}
		people = append(people, p)
	}
	asks := func(p *person, second int) {
		t.Helper()
		p.gets("/board").sees(http.StatusOK, p.login, "acme/widgets")
		p.gets("/board/acme/widgets/1").sees(http.StatusOK)
		p.does(http.MethodGet, "/api/v1/issues/acme/widgets/1", nil, "Authorization", "Bearer "+p.token).sees(http.StatusOK)
		if t.Failed() {
			t.Fatalf("%s at %s waits after %d s", p.login, p.address, second)
		}
	}
	for _, p := range people[:5] {
		p.signsIn(p.login, "/board")
		asks(p, p.comes)
	}
	var strangers []*stranger
	for i := range 200 {
		strangers = append(strangers, w.stranger(strangersAt(i%50)))
	}
	w.github.ResetCalls()
	answers := map[int]int{}
	for second := range 600 {
		for i, s := range strangers {
			if (second+i)%4 == 0 {
				answers[s.wrongCode()]++
			}
			if (second+i)%2 == 0 {
				answers[s.wrongToken()]++
			}
		}
		for _, p := range people {
			switch since := second - p.comes; {
			case since < 0:
			case since == 0:
				p.signsIn(p.login, "/board")
				asks(p, second)
			case since == 200:
				p.gets(p.authorizes(p.login, p.beginsAgain())).leadsTo("/board")
				asks(p, second)
			case since%20 == 0:
				asks(p, second)
			}
		}
		w.clock.Advance(time.Second)
	}
	t.Logf("strangers were answered %v; GitHub was asked about %d codes", answers, w.exchanges())
	if answers[http.StatusUnauthorized] == 0 || answers[http.StatusServiceUnavailable] == 0 || answers[http.StatusBadRequest] == 0 || answers[http.StatusTooManyRequests] == 0 || len(answers) != 4 {
		t.Errorf("strangers were answered %v", answers)
	}
	if asked := w.exchanges(); asked > 1_000 {
		t.Errorf("GitHub was asked about %d codes, half of what it allows in an hour", asked)
	}
}

// strangersAt is one of the strangers' addresses.
func strangersAt(i int) string { return fmt.Sprintf("203.0.113.%d", i) }

// A session that Colony sealed is proof that GitHub accepted its token. So it is outside of the bound, in a process that does not know it, too.
func TestASessionOutlivesARestartAmongStrangers(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t, behindAProxy, withAPI, onDisk(t))
	b := w.browserAt("203.0.113.1").signsIn("olivia", "/board").sees(http.StatusOK)
	w.stopColony()
	w.start()
	w.Quiet()
	junk := w.stranger("203.0.113.1")
	for junk.wrongToken() != http.StatusServiceUnavailable {
		if junk.tokens > 100 {
			t.Fatal("wrong tokens have no bound")
		}
	}
	b.gets("/board").sees(http.StatusOK, "olivia")
	w.clock.Advance(access.Kept)
	b.gets("/board").sees(http.StatusOK, "olivia")
}

// Which address counts is seen by the bound: the eleventh wrong token of an address waits.
func TestWhichHopIsTheCaller(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		peer      string
		trusted   []string
		forwarded string // of wrong tokens, one after the other; %d is another number in each
		other     string // what a caller at another address sends
		from      string // its peer; empty: the same
		waits     bool   // that caller waits too
	}{
		"an untrusted peer forges": {peer: "198.51.100.1:9", trusted: []string{"10.0.0.0/8"}, forwarded: "203.0.113.%d", other: "192.0.2.7", waits: true},
		"no proxy is trusted":      {peer: "198.51.100.1:9", forwarded: "203.0.113.%d", other: "192.0.2.7", waits: true},
		"an untrusted peer names one that is trusted": {
			peer: "198.51.100.1:9", trusted: []string{"10.0.0.0/8"}, forwarded: "203.0.113.%d, 10.0.0.1", other: "192.0.2.7", waits: true,
		},
		"a forger does not block whom it names": {
			peer: "198.51.100.1:9", trusted: []string{"10.0.0.0/8"}, forwarded: "203.0.113.9", other: "203.0.113.9", from: "10.0.0.1:9",
		},
		"two proxies, what the caller wrote": {
			peer: "10.0.0.1:9", trusted: []string{"10.0.0.0/8"}, forwarded: "192.0.2.%d, 203.0.113.9, 10.2.0.1", other: "1.2.3.4, 203.0.113.9, 10.2.0.1", waits: true,
		},
		"two proxies, another caller": {peer: "10.0.0.1:9", trusted: []string{"10.0.0.0/8"}, forwarded: "203.0.113.9, 10.2.0.1", other: "203.0.113.10, 10.2.0.1"},
		"two proxies of two networks": {
			peer: "10.0.0.1:9", trusted: []string{"10.0.0.0/8", "172.16.0.0/12"}, forwarded: "192.0.2.%d, 203.0.113.9, 172.16.0.1", other: "203.0.113.9, 172.16.0.2", waits: true,
		},
		"the outer proxy is not trusted": {
			peer: "10.0.0.1:9", trusted: []string{"10.0.0.0/8"}, forwarded: "203.0.113.%d, 172.16.0.1", other: "203.0.113.200, 172.16.0.1", waits: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, withAPI, func(c *config.Config) { c.Server.TrustedProxies = test.trusted })
			asks := func(peer, forwarded, token string) int {
				request := httptest.NewRequest(http.MethodGet, "/api/v1/issues/acme/widgets/1", http.NoBody)
				request.RemoteAddr = peer
				request.Header.Set("X-Forwarded-For", forwarded)
				request.Header.Set("Authorization", "Bearer "+token)
				answer := httptest.NewRecorder()
				w.colony.server.Handler().ServeHTTP(answer, request)
				return answer.Code
			}
			var codes []int
			for i := range 12 {
				forwarded := test.forwarded
				if strings.Contains(forwarded, "%d") {
					forwarded = fmt.Sprintf(forwarded, i)
				}
				codes = append(codes, asks(test.peer, forwarded, fmt.Sprintf("ghp_%036d", i)))
			}
			if want := append(slices.Repeat([]int{http.StatusUnauthorized}, 10), http.StatusServiceUnavailable, http.StatusServiceUnavailable); !slices.Equal(codes, want) {
				t.Errorf("wrong tokens are answered with %v", codes)
			}
			from := test.from
			if from == "" {
				from = test.peer
			}
			want := http.StatusUnauthorized
			if test.waits {
				want = http.StatusServiceUnavailable
			}
			if got := asks(from, test.other, fmt.Sprintf("ghp_%036d", 99)); got != want {
				t.Errorf("a caller at %s (%s) is answered with %d, not %d", from, test.other, got, want)
			}
		})
	}
}
