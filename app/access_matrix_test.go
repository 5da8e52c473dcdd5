package app_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/playground"
)

// TestColonyShowsEachTokenWhatGitHubShowsIt asks each route of the API with each kind of token, and each page and stream of the board as each
// visitor, about each place. The measure is what GitHub's REST API answers to the same token: before rights change, a minute after, and where
// no webhook comes.
func TestColonyShowsEachTokenWhatGitHubShowsIt(t *testing.T) {
	t.Parallel()
	w := newAccessWorld(t)
	tokens, visitors := w.credentials(), w.visitors()
	check := func(when string) {
		shown, hidden := map[string]int{}, map[string]int{}
		w.matchesAPI(when, tokens, shown, hidden)
		for _, v := range visitors {
			w.matchesBoard(when, v)
		}
		for _, p := range w.places {
			if p.api == http.StatusOK && shown[p.what] < 2 || hidden[p.what] < 2 {
				t.Errorf("%s, %s: %d tokens see it, and %d do not: it proves nothing", when, p.what, shown[p.what], hidden[p.what])
			}
		}
		for _, path := range []string{"/", "/healthz", "/readyz", "/metrics"} {
			w.tellsNothing(when, path)
		}
		w.clock.Advance(access.Kept)
	}
	keep := func() { // what Colony keeps now must not count after a minute
		for _, c := range tokens {
			for _, p := range w.places {
				w.ask(http.MethodGet, fmt.Sprintf("/api/v1/issues/%s/%d", p.full(), p.number), "Bearer "+c.token, "")
			}
		}
	}
	check("at first")
	keep()
	w.changes()
	w.clock.Advance(access.Kept)
	check("after changes")
	keep()
	w.loses()
	w.clock.Advance(access.Kept)
	check("without webhooks")
}

// tellsNothing expects no name of a private repository in an answer that needs no token.
func (w *accessWorld) tellsNothing(when, path string) {
	w.t.Helper()
	body := w.ask(http.MethodGet, path, "", "").Body.String()
	for _, p := range w.places {
		if _, private := privateTo[p.full()]; private && strings.Contains(body, p.full()) || strings.Contains(body, p.title()) {
			w.t.Errorf("%s, %s tells of %s", when, path, p.what)
		}
	}
}

// asks are the ways to ask a route of the API: what follows its path, and a body.
var asks = map[string]struct {
	query, body string
	open        bool // it needs no token
}{
	"GET /api/v1/issues/{owner}/{repo}/{number}":         {},
	"GET /api/v1/issues/{owner}/{repo}/{number}/allowed": {query: "?as=olivia&to=in-development"},
	"POST /api/v1/simulate":                              {body: `{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[]}`},
	"POST /api/v1/validate":                              {query: "?kind=lifecycle", body: "name: x\n"},
	"GET /api/v1/openapi.json":                           {open: true},
}

// matchesAPI compares the answers of the API to each token with GitHub's. It counts for each place how often it was shown, and how often not.
// A token can ask about each place once a minute.
func (w *accessWorld) matchesAPI(when string, tokens []credential, shown, hidden map[string]int) {
	w.t.Helper()
	says := make([]verdict, len(tokens))
	for i, c := range tokens {
		says[i] = w.judged(c.token, false)
	}
	for _, route := range api.Routes() {
		ask, ok := asks[route.Method+" "+route.Pattern]
		if !ok {
			w.t.Fatalf("%s %s is not in the matrix", route.Method, route.Pattern)
		}
		for i, c := range tokens {
			if strings.Contains(route.Pattern, "{") {
				w.matchesIssues(when, c, says[i], route, ask.query, shown, hidden)
				continue
			}
			want := http.StatusOK
			if !ask.open && !says[i].accepted && c.token != adminToken {
				want = http.StatusUnauthorized
			}
			if answer := w.asksAPI(c.token, route.Method, strings.TrimPrefix(route.Pattern, api.Prefix)+ask.query, ask.body); answer.Code != want {
				w.t.Errorf("%s, %s, %s: %d, want %d", when, c.kind, route.Pattern, answer.Code, want)
			}
		}
		w.clock.Advance(access.Kept)
	}
}

// matchesIssues asks a route about each place. Each refusal has to be the answer about a repository that does not exist.
func (w *accessWorld) matchesIssues(when string, c credential, says verdict, route api.Route, query string, shown, hidden map[string]int) {
	w.t.Helper()
	about := func(p place) string {
		path := strings.NewReplacer("{owner}", p.owner, "{repo}", p.repo, "{number}", strconv.Itoa(p.number)).Replace(route.Pattern)
		return strings.TrimPrefix(path, api.Prefix) + query
	}
	nothing := w.asksAPI(c.token, route.Method, about(*w.at("no repository")), "")
	for i, p := range w.places {
		answer := w.asksAPI(c.token, route.Method, about(p), "")
		want := http.StatusNotFound
		switch {
		case c.token == adminToken, says.accepted && says.issue[i] == http.StatusOK:
			want = p.api
		case !says.accepted:
			want = http.StatusUnauthorized
		}
		what := fmt.Sprintf("%s, %s, %s, %s%s: GitHub %d, Colony %d", when, c.kind, p.what, route.Pattern, query, says.issue[i], answer.Code)
		if answer.Code != want {
			w.t.Errorf("%s, want %d: %s", what, want, answer.Body)
		}
		if answer.Code == http.StatusOK {
			shown[p.what]++
			if body := answer.Body.String(); query == "" && (!strings.Contains(body, p.title()) || !strings.Contains(body, p.reason())) {
				w.t.Errorf("%s: it is another issue: %s", what, body)
			}
			continue
		}
		hidden[p.what]++
		if answer.Code == p.api && p.api == http.StatusServiceUnavailable { // GitHub shows it to the token, and not to Colony
			continue
		}
		if answer.Body.String() != nothing.Body.String() || fmt.Sprint(answer.Header()) != fmt.Sprint(nothing.Header()) {
			w.t.Errorf("%s: unlike what does not exist: %s %v", what, answer.Body, answer.Header())
		}
	}
}

// visitor is somebody with a browser.
type visitor struct {
	who     string
	browser *browser
	// token is that of the session; empty without one.
	token string
	// streams are open.
	streams []io.ReadCloser
}

func (w *accessWorld) visitors() (all []*visitor) {
	w.t.Helper()
	for _, login := range []string{"rita", "pat", "mona", "ada"} {
		v := &visitor{who: login, browser: w.browser().signsIn(login, "/board")}
		v.token = w.asked.token()
		all = append(all, v)
	}
	w.github.RevokeToken(all[3].token)
	w.clock.Advance(access.Kept)
	return append(all, &visitor{who: "nobody", browser: w.browser()})
}

// subject is what an address of the board is about.
type subject int

const (
	anything subject = iota // that the visitor can read
	aList
	anIssue
)

// looks are the addresses of the board, by pattern. Pages of signing in and assets are the same for all.
var looks = map[string]map[string]subject{
	"GET /board":                     {"/board": anything},
	"GET /board/{owner}/{repo}":      {"/board/{owner}/{repo}": aList},
	"GET /board/{owner}/{repo}/flow": {"/board/{owner}/{repo}/flow": aList},
	"GET /board/{owner}/{repo}/{n}":  {"/board/{owner}/{repo}/{n}": anIssue},
	"GET /board/-/changes":           {"/board/-/changes": anything, "/board/-/changes?in={owner}/{repo}": aList, "/board/-/changes?in={owner}/{repo}&issue={n}": anIssue},
	"GET /board/-/sign-in":           nil, "GET /board/-/callback": nil, "POST /board/-/sign-out": nil,
	"GET /board/-/board.css": nil, "GET /board/-/board.js": nil, "GET /board/-/icon.svg": nil,
}

// matchesBoard compares each page and stream of the board with GitHub's answers.
func (w *accessWorld) matchesBoard(when string, v *visitor) {
	w.t.Helper()
	says := w.judged(v.token, true)
	for _, pattern := range board.Patterns() {
		paths, ok := looks[pattern]
		if !ok {
			w.t.Fatalf("%s is not in the matrix", pattern)
		}
		for path, of := range paths {
			if of == anything {
				w.matchesOverview(when, v, says, path)
			} else {
				w.matchesPages(when, v, says, path, of)
			}
		}
	}
	w.endStreams(v)
}

// matchesOverview looks at what is about all repositories.
func (w *accessWorld) matchesOverview(when string, v *visitor, says verdict, path string) {
	w.t.Helper()
	want := http.StatusOK
	if !says.accepted {
		want = http.StatusUnauthorized
	}
	w.looks(v, path)
	if v.browser.last.StatusCode != want {
		w.t.Errorf("%s, %s, %s: %d, want %d", when, v.who, path, v.browser.last.StatusCode, want)
	}
	w.tellsOfShown(fmt.Sprintf("%s, %s, %s", when, v.who, path), v.browser.body, says, true)
	if path != board.Root {
		return
	}
	for i, p := range w.places {
		lists := says.accepted && says.list[i] == http.StatusOK && p.listed
		if got := strings.Contains(v.browser.body, fmt.Sprintf(`"/board/%s"`, strings.ToLower(p.full()))); got != lists {
			w.t.Errorf("%s, %s, %s: the first page has the repository: %t, GitHub %d", when, v.who, p.what, got, says.list[i])
		}
		if lists && p.paged && says.issue[i] == http.StatusOK && !strings.Contains(v.browser.body, p.title()) {
			w.t.Errorf("%s, %s, %s: the first page does not have the title", when, v.who, p.what)
		}
	}
}

// matchesPages looks at what is about each place. What is hidden has to look like what does not exist, and cost Colony the same calls.
func (w *accessWorld) matchesPages(when string, v *visitor, says verdict, path string, of subject) {
	w.t.Helper()
	at := func(p place) string {
		return strings.NewReplacer("{owner}", p.owner, "{repo}", p.repo, "{n}", strconv.Itoa(p.number)).Replace(path)
	}
	nothing := w.looks(v, at(*w.at("no repository")))
	for i, p := range w.places {
		w.github.ResetCalls()
		answer := w.looks(v, at(p))
		calls := slices.DeleteFunc(w.github.Calls(), func(c playground.Call) bool { return c.Path == "/user" })
		want, github := http.StatusNotFound, says.list[i]
		if of == anIssue {
			github = says.issue[i]
		}
		switch {
		case !says.accepted:
			want = http.StatusUnauthorized
		case github == http.StatusOK && (strings.Contains(path, "changes") || of == aList && p.listed || p.paged):
			want = http.StatusOK
		}
		got := v.browser.last.StatusCode
		what := fmt.Sprintf("%s, %s, %s, %s: GitHub %d, Colony %d", when, v.who, p.what, path, github, got)
		if got != want {
			w.t.Errorf("%s, want %d", what, want)
		}
		w.tellsOfShown(what, v.browser.body, says, of == aList)
		if got == http.StatusNotFound && answer != nothing {
			w.t.Errorf("%s: unlike what does not exist: %s", what, answer)
		}
		if github != http.StatusOK && (len(calls) > 1 || len(calls) == 1 && (calls[0].Actor != v.who || !strings.HasPrefix(calls[0].Path, "/repos/"+p.full()+"/issues"))) {
			w.t.Errorf("%s: Colony asks GitHub for %+v", what, calls)
		}
		if got == http.StatusOK && path == "/board/{owner}/{repo}/{n}" && (!strings.Contains(answer, p.title()) || !strings.Contains(answer, p.reason())) {
			w.t.Errorf("%s: it is another issue", what)
		}
	}
}

// tellsOfShown expects titles and reasons of those issues only that GitHub shows; in lists, also of issues whose end no webhook reported.
func (w *accessWorld) tellsOfShown(what, text string, says verdict, list bool) {
	w.t.Helper()
	shown := map[string]bool{}
	for i, p := range w.places {
		if says.accepted && (says.issue[i] == http.StatusOK || list && p.unnoticed && says.list[i] == http.StatusOK) {
			shown[p.name()] = true
		}
	}
	for _, p := range w.places {
		if !shown[p.name()] && (strings.Contains(text, p.title()) || strings.Contains(text, p.reason())) {
			w.t.Errorf("%s: it tells of %s", what, p.what)
		}
	}
}

var times = regexp.MustCompile(`<time [^>]*>[^<]*</time>`)

// looks is all that a visitor gets of an answer, but for the time. A stream stays open after its first event.
func (w *accessWorld) looks(v *visitor, path string) string {
	w.t.Helper()
	const first = "retry: 1000\nevent: change\ndata: \n\n"
	v.browser.sends(w.t.Context(), http.MethodGet, path, nil)
	last := v.browser.last
	header := last.Header.Clone()
	header.Del("Date")
	if strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") {
		event := make([]byte, len(first))
		_, err := io.ReadFull(last.Body, event)
		w.Must(err)
		v.browser.body = string(event)
		if v.streams = append(v.streams, last.Body); len(v.streams) == 16 {
			w.endStreams(v)
		}
	} else {
		text, err := io.ReadAll(last.Body)
		w.Must(err)
		w.Must(last.Body.Close())
		v.browser.body = string(text)
	}
	return fmt.Sprint(last.StatusCode, header, times.ReplaceAllString(v.browser.body, ""))
}

// endStreams waits for the end of a visitor's streams, which are as many as one person can have. Nothing changed, so they tell nothing more.
func (w *accessWorld) endStreams(v *visitor) {
	w.t.Helper()
	w.clock.Advance(access.Kept)
	for _, s := range v.streams {
		rest, err := io.ReadAll(s)
		w.Must(err)
		w.Must(s.Close())
		if len(rest) > 0 {
			w.t.Errorf("a stream of %s tells %q", v.who, rest)
		}
	}
	v.streams = nil
}

// A stream that opened with an answer of GitHub's from before tells of nothing after a minute.
func TestAStreamTellsNothingAfterARightIsGone(t *testing.T) {
	t.Parallel()
	w := newSignInWorld(t)
	w.github.SetPermission("acme", "secret", "mona", "write")
	v := w.browser().signsIn("rita", "/board")
	v.gets("/board/acme/secret").sees(http.StatusOK)
	w.github.SetPermission("acme", "secret", "rita", "none")
	w.clock.Advance(access.Kept - time.Second)
	streaming, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var streams []io.ReadCloser
	for _, path := range []string{"/board/-/changes", "/board/-/changes?in=acme/secret", "/board/-/changes?in=acme/secret&issue=1"} {
		v.sends(streaming, http.MethodGet, path, nil)
		streams = append(streams, v.last.Body)
	}
	w.clock.Advance(2 * time.Second)
	_, _, err := w.As("mona").Issues.AddLabelsToIssue(ctx, "acme", "secret", 1, []string{"colony:awaiting-human"})
	w.Must(err)
	w.Settle()
	w.clock.Advance(time.Minute)
	for _, s := range streams {
		text, err := io.ReadAll(s)
		w.Must(err)
		w.Must(s.Close())
		if n := strings.Count(string(text), "event: change"); n > 1 {
			t.Errorf("%d events: %s", n, text)
		}
	}
}
