package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/playground"
)

// What there is on the GitHub of a measurement.
const (
	owner      = "acme"
	repository = "widgets"
	person     = "olivia" // an administrator of the repository, who opens all issues
	reader     = "rita"   // somebody else
	appID      = 7
	secret     = "only for measurements" // of webhooks

	unlimited = 1 << 30 // a rate limit that no measurement reaches
	// textLength is how long an issue's text is, so that a webhook is about as long as GitHub's, 12.8 KB.
	textLength = 3200
)

// weather says how GitHub behaves.
type weather struct {
	latency time.Duration // of each call
	// limitEvery makes one of so many calls about issues fail with 403 and Retry-After: 1; 0: none.
	limitEvery int
}

// stats counts what the App called.
type stats struct {
	calls, writes, unmodified, limited, repeated, inFlight int
	bytes                                                  int64
	limitedFor                                             time.Duration // how long an installation had to wait that heeds Retry-After
}

// outcome is what became of an issue.
type outcome struct {
	Labels                       []string // sorted
	Changes, Comments, Reactions int      // of the App; a change is a label that it added or removed
}

// webhook is one that is ready to be sent.
type webhook struct {
	header http.Header
	body   []byte
}

// github is the GitHub of a measurement: a playground with one repository, and a count of the App's calls in front. What people do
// comes before the measurement, so that it takes nothing of it. A GitHub that answered from templates gave the same figures: on two busy
// processors a burst of 10,000 moves was acknowledged in 20 seconds with either, and took Colony 0.85 ms each (here 0.81).
type github struct {
	url     string
	key     *rsa.PrivateKey
	server  *http.Server
	behind  *playground.Playground
	clock   *pastClock
	handler http.Handler // of the playground

	mu           sync.Mutex
	weather      weather
	stats        stats
	asked        int // calls about issues
	inFlight     int
	limitedUntil time.Time
	issues       []outcome
	commented    map[string]int // the issue of a comment
	webhooks     []webhook
	changed      chan struct{} // closed after the next write
}

// pastClock is the real clock, or one that is behind by a while.
type pastClock struct {
	clockwork.Clock
	behind atomic.Int64
}

// Now implements clockwork.Clock.
func (c *pastClock) Now() time.Time { return c.Clock.Now().Add(-time.Duration(c.behind.Load())) }

// appKey is the App's key, one for all measurements of a process, because making one takes long.
var appKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// startGitHub starts a GitHub whose repository has no issues yet.
func startGitHub(ctx context.Context) (*github, error) {
	key, err := appKey()
	if err != nil {
		return nil, fmt.Errorf("make the App's key: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start a GitHub: %w", err)
	}
	g := &github{url: "http://" + listener.Addr().String(), key: key, clock: &pastClock{Clock: clockwork.NewRealClock()}, commented: map[string]int{}, changed: make(chan struct{})}
	p := playground.New(playground.Options{BaseURL: g.url, Clock: g.clock, AuthClock: clockwork.NewRealClock(), Webhooks: g})
	g.behind, g.handler = p, p.Handler()
	p.AddOrganization(owner)
	p.AddUser(person)
	p.AddUser(reader)
	p.AddRepository(owner, repository)
	p.SetPermission(owner, repository, person, "admin")
	p.SetRateLimit(unlimited)
	err = p.RegisterApp(playground.App{
		ID: appID, Slug: "colony", Name: "Colony", PublicKey: &key.PublicKey, WebhookSecret: secret,
		Permissions: permissions.All(), Events: permissions.Subscriptions(),
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start a GitHub: %w", err), listener.Close())
	}
	p.Install(appID, owner)
	g.server = &http.Server{Handler: g, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = g.server.Serve(listener) }() // until close
	return g, nil
}

func (g *github) close() error {
	if err := errors.Join(g.server.Close(), g.behind.Close()); err != nil {
		return fmt.Errorf("close the GitHub: %w", err)
	}
	return nil
}

func (g *github) behave(w weather) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.weather = w
}

func (g *github) counted() stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stats
}

func (g *github) resetStats() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stats = stats{}
}

func (g *github) outcome(issue int) outcome {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.issues[issue-1]
}

// until returns when a condition holds, which it asks again after each write, or when ctx ends.
func (g *github) until(ctx context.Context, holds func() bool) {
	for {
		g.mu.Lock()
		changed := g.changed
		g.mu.Unlock()
		if holds() {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// open opens so many issues with labels, as long ago as no sweep looks back, and returns the number of the first. The log of each
// has so many events at least.
func (g *github) open(count, events int, labels ...string) (first int, err error) {
	g.clock.behind.Store(int64(30 * 24 * time.Hour))
	defer g.clock.behind.Store(0)
	g.mu.Lock()
	first = len(g.issues) + 1
	g.mu.Unlock()
	const sentence = "When the handle is turned to the left, the widget stops, and the lamp goes on as it should. "
	text := strings.Repeat(sentence, textLength/len(sentence)+1)[:textLength]
	for n := first; n < first+count; n++ {
		g.mu.Lock()
		g.issues = append(g.issues, outcome{Labels: slices.Sorted(slices.Values(labels))})
		g.mu.Unlock()
		if _, err := g.call(person, "POST", "", object{"title": "Widget " + strconv.Itoa(n), "body": text, "labels": labels}); err != nil {
			return first, err
		}
		for had := len(labels); had < events; had += 2 {
			if err := errors.Join(g.relabel(person, n, "area: handles", true), g.relabel(person, n, "area: handles", false)); err != nil {
				return first, err
			}
		}
	}
	return first, nil
}

// call calls the REST API about the repository's issues as a person.
func (g *github) call(login, method, path string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	request, err := http.NewRequest(method, g.url+"/repos/"+owner+"/"+repository+"/issues"+path, bytes.NewReader(text)) //nolint:noctx // in this process
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	request.Header.Set("Authorization", "Bearer "+g.behind.Token(login))
	var a answer
	g.handler.ServeHTTP(&a, request)
	if a.status >= http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s is answered with %d: %.300s", method, path, a.status, a.body.Bytes())
	}
	return a.body.Bytes(), nil
}

func (g *github) relabel(login string, issue int, label string, on bool) error {
	path := fmt.Sprintf("/%d/labels", issue)
	if on {
		_, err := g.call(login, "POST", path, object{"labels": []string{label}})
		return err
	}
	_, err := g.call(login, "DELETE", path+"/"+url.PathEscape(label), nil)
	return err
}

// acts lets people do something at so many issues, and returns the webhooks that tell of it, one for each.
func (g *github) acts(ctx context.Context, does edit, first, count int) ([]webhook, error) {
	g.behind.SetWebhookURL(appID, g.url)
	defer g.behind.SetWebhookURL(appID, "") // what the App does itself needs no webhooks
	for n := first; n < first+count; n++ {
		if err := does.act(g, n); err != nil {
			return nil, err
		}
	}
	if err := g.behind.Quiet(ctx); err != nil {
		return nil, fmt.Errorf("wait for the webhooks: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	made := g.webhooks
	g.webhooks = nil
	if len(made) != count {
		return nil, fmt.Errorf("%d acts made %d webhooks", count, len(made))
	}
	return made, nil
}

// RoundTrip keeps a webhook that the playground sends. It implements http.RoundTripper.
func (g *github) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read a webhook: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Header.Get("X-GitHub-Event") != "label" { // the first use of a label makes it
		g.webhooks = append(g.webhooks, webhook{r.Header.Clone(), body})
	}
	return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// put changes a label of an issue as a person.
func put(label string, on bool) func(*github, int) error {
	return func(g *github, issue int) error {
		g.mu.Lock()
		i := &g.issues[issue-1]
		i.Labels = slices.DeleteFunc(slices.Clone(i.Labels), func(name string) bool { return name == label })
		if on {
			i.Labels = append(i.Labels, label)
			slices.Sort(i.Labels)
		}
		g.mu.Unlock()
		return g.relabel(person, issue, label, on)
	}
}

// say comments on an issue.
func say(text, login string) func(*github, int) error {
	return func(g *github, issue int) error {
		made, err := g.call(login, "POST", fmt.Sprintf("/%d/comments", issue), object{"body": text})
		if err != nil {
			return err
		}
		var comment struct{ ID json.Number }
		if err := json.Unmarshal(made, &comment); err != nil {
			return fmt.Errorf("read a comment: %w", err)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.commented[comment.ID.String()] = issue
		return nil
	}
}

// answer keeps what a handler answers. It implements http.ResponseWriter.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) } //nolint:wrapcheck // a buffer does not fail

const issuesPath = "/api/v3/repos/" + owner + "/" + repository + "/issues"

// ServeHTTP lets the playground answer a call of the App, and counts it.
func (g *github) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.inFlight++
	g.stats.inFlight = max(g.stats.inFlight, g.inFlight)
	weather := g.weather
	g.mu.Unlock()
	if weather.latency > 0 {
		select {
		case <-time.After(weather.latency):
		case <-r.Context().Done():
		}
	}
	var a answer
	path, ofIssues := strings.CutPrefix(r.URL.Path, issuesPath)
	if !ofIssues || !g.limits(&a, weather.limitEvery) {
		g.handler.ServeHTTP(&a, r)
	}
	g.count(r.Method, strings.Split(path, "/"), ofIssues, &a)
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes()) // the client may be gone
}

// limits refuses a call if its turn has come, and reports whether it did.
func (g *github) limits(a *answer, every int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++ // not the number of calls: of those under way at once each would see the same
	if every == 0 || g.asked%every != 0 {
		return false
	}
	now := time.Now()
	until := now.Add(time.Second)
	if now.After(g.limitedUntil) {
		g.limitedUntil = now
	}
	g.stats.limited++
	g.stats.limitedFor += until.Sub(g.limitedUntil)
	g.limitedUntil = until
	a.Header().Set("Retry-After", "1")
	a.WriteHeader(http.StatusForbidden)
	_, _ = a.Write([]byte(`{"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}`))
	return true
}

// count counts an answered call, and what it did to which issue.
func (g *github) count(method string, path []string, ofIssues bool, a *answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inFlight--
	g.stats.calls++
	g.stats.bytes += int64(a.body.Len())
	if method == http.MethodGet {
		if a.status == http.StatusNotModified {
			g.stats.unmodified++
		}
		return
	}
	g.stats.writes++
	if ofIssues {
		g.change(path[1:], a)
	}
	close(g.changed)
	g.changed = make(chan struct{})
}

// change notes what a write did. The path is that below issues. The caller holds the lock.
func (g *github) change(path []string, a *answer) {
	if len(path) < 2 {
		return
	}
	number, err := strconv.Atoi(path[0])
	if path[0] == "comments" {
		number, err = g.commented[path[1]], nil
	}
	if err != nil || number < 1 || number > len(g.issues) {
		return
	}
	i := &g.issues[number-1]
	switch what := path[len(path)-1]; {
	case path[1] == "labels":
		g.relabelled(i, a)
	case what == "comments" && a.status == http.StatusCreated:
		i.Comments++
	case what == "reactions" && a.status == http.StatusCreated:
		i.Reactions++
	case what == "reactions":
		g.stats.repeated++
	}
}

// relabelled notes the labels that an issue has after a write. The caller holds the lock.
func (g *github) relabelled(i *outcome, a *answer) {
	var now []struct{ Name string }
	if a.status == http.StatusNotFound {
		g.stats.repeated++
	}
	if a.status != http.StatusOK || json.Unmarshal(a.body.Bytes(), &now) != nil {
		return
	}
	labels := make([]string, 0, len(now))
	for _, l := range now {
		labels = append(labels, l.Name)
	}
	slices.Sort(labels)
	switch {
	case slices.Equal(labels, i.Labels):
		g.stats.repeated++
	case len(labels) == len(i.Labels):
		i.Changes += 2
	default:
		i.Changes++
	}
	i.Labels = labels
}
