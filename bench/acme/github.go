// Package acme is the GitHub of tests that need no running server: a playground with the repository acme/widgets, its people, and the App.
package acme

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Widgets is the repository, and AppID the App that its owner can install.
const (
	Widgets = "acme/widgets"
	AppID   = apptest.ID
)

// GitHub is a playground with people.
type GitHub struct {
	*playground.Playground
	URL string
	// Config is for a Colony of this GitHub.
	Config config.Config
	// Clock is nil where a test cannot move it.
	Clock *clockwork.FakeClock
	// Installation is the App's, on acme; 0 before Install.
	Installation int64
	receiver     atomic.Pointer[Receiver]

	t testing.TB
	// Wire carries requests to this GitHub without a network.
	Wire http.RoundTripper
}

// New starts a GitHub with a clock of its own, on which the App is installed.
func New(t testing.TB, change ...func(*config.Config)) *GitHub {
	t.Helper()
	g := At(t, Today())
	g.Configure(change...)
	g.Install("acme")
	t.Cleanup(func() {
		if odd := g.Unimplemented(); len(odd) > 0 {
			t.Errorf("the playground was asked for what it does not have: %v", odd)
		}
	})
	return g
}

// At starts a GitHub at a clock. The App is not installed.
func At(t testing.TB, clock clockwork.Clock) *GitHub {
	t.Helper()
	g := newGitHub(t, playground.Options{Clock: clock})
	base, err := g.Start("127.0.0.1:0")
	g.Must(err)
	g.settle(base)
	return g
}

// Within is a GitHub without a network: Colony calls it through Wire, and gets its webhooks through a Receiver. The App is not installed.
func Within(t testing.TB, clock clockwork.Clock) *GitHub {
	t.Helper()
	const base = "http://github.test"
	var g *GitHub
	g = newGitHub(t, playground.Options{Clock: clock, BaseURL: base, Webhooks: ratelimit.RoundTripperFunc(func(r *http.Request) (*http.Response, error) { return g.deliver(r) })})
	g.settle(base)
	g.SetWebhookURL(AppID, "http://colony.test")
	return g
}

func newGitHub(t testing.TB, o playground.Options) *GitHub {
	t.Helper()
	o.AuthClock = clockwork.NewRealClock()
	g := &GitHub{Playground: playground.New(o), t: t}
	g.Clock, _ = o.Clock.(*clockwork.FakeClock)
	g.Wire = Direct(g.Handler())
	t.Cleanup(func() {
		g.Must(g.Close())
		*g = GitHub{t: t} // package testing keeps what a cleanup refers to until all tests have ended
	})
	return g
}

// settle lets the people and the App in.
func (g *GitHub) settle(base string) {
	g.t.Helper()
	g.URL = base
	g.AddOrganization("acme")
	g.AddRepository("acme", "widgets")
	for login, role := range map[string]string{"olivia": "write", "tara": "triage", "mona": "maintain", "rita": "read", "ada": "read"} {
		g.AddUser(login)
		g.SetPermission("acme", "widgets", login, role)
	}
	for _, bot := range []string{"analyzer", "dev", "reviewer"} {
		g.AddBot(bot)
	}
	g.Must(g.RegisterApp(apptest.App(apptest.ShortKey())))
	g.Config = apptest.ConfigAt(base, apptest.ShortKey())
	g.Config.Follow = nil // most tests are about labels and commands
}

// Direct carries requests to a handler without a network.
func Direct(handler http.Handler) ratelimit.RoundTripperFunc {
	return func(request *http.Request) (response *http.Response, err error) {
		recorder := httptest.NewRecorder()
		defer func() {
			if v := recover(); v != nil {
				if v != http.ErrAbortHandler { //nolint:errorlint // a value that is panicked with
					panic(v)
				}
				response, err = nil, io.ErrUnexpectedEOF
			}
		}()
		served := request.Clone(request.Context())
		if served.Body == nil {
			served.Body = http.NoBody
		}
		if served.UserAgent() == "" { // GitHub refuses programs without a name, and net/http sends one
			served.Header.Set("User-Agent", "Go-http-client/1.1")
		}
		handler.ServeHTTP(recorder, served)
		response = recorder.Result()
		response.Request = request
		return response, nil
	}
}

// Counting carries requests on, and fails the test at one about a repository that counts for no installation.
func (g *GitHub) Counting() http.RoundTripper {
	return ratelimit.RoundTripperFunc(func(r *http.Request) (*http.Response, error) {
		about := strings.Contains(r.URL.Path, "/repos/") && !strings.HasSuffix(r.URL.Path, "/installation") || strings.HasSuffix(r.URL.Path, "/graphql")
		if about && ratelimit.InstallationOf(r.Context()) == 0 {
			g.t.Errorf("%s %s counts for no installation", r.Method, r.URL.Path)
		}
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		return g.Wire.RoundTrip(r)
	})
}

// Receiver takes a webhook where Colony has no server.
type Receiver func(event, delivery string, payload []byte) error

// SendTo hands webhooks to a Receiver from now on; nil: no Colony runs.
func (g *GitHub) SendTo(r Receiver) {
	if r == nil {
		g.receiver.Store(nil)
		return
	}
	g.receiver.Store(&r)
}

// deliver hands a webhook to Colony, and answers for it.
func (g *GitHub) deliver(request *http.Request) (*http.Response, error) {
	receive := g.receiver.Load()
	if receive == nil {
		return nil, errors.New("connection refused")
	}
	payload, err := io.ReadAll(request.Body)
	if err == nil {
		err = (*receive)(request.Header.Get("X-GitHub-Event"), request.Header.Get("X-GitHub-Delivery"), payload)
	}
	status := http.StatusOK
	if err != nil {
		status = http.StatusInternalServerError
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Request: request}, nil
}

// Advance lets time pass.
func (g *GitHub) Advance(d time.Duration) { g.Clock.Advance(d) }

// Must ends the test with an error.
func (g *GitHub) Must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// Install installs the App on an owner, and returns the installation. The one on acme is remembered.
func (g *GitHub) Install(owner string) int64 {
	id := g.Playground.Install(AppID, owner)
	if owner == "acme" {
		g.Installation = id
	}
	return id
}

// As returns a client that acts for a person or bot.
func (g *GitHub) As(login string) *github.Client {
	g.t.Helper()
	client := github.NewClient(&http.Client{Transport: g.Wire}).WithAuthToken(g.Token(login))
	base, err := url.Parse(g.URL + "/api/v3/")
	g.Must(err)
	client.BaseURL = base
	return client
}

// Repository adds a repository of acme in which olivia can write.
func (g *GitHub) Repository(name string) {
	g.AddRepository("acme", name)
	g.SetPermission("acme", name, "olivia", "write")
}

// Open opens an issue of acme/widgets, with labels, and returns its number.
func (g *GitHub) Open(by string, labels ...string) int {
	g.t.Helper()
	return g.OpenAt("widgets", by, labels...)
}

// OpenAt opens an issue of a repository of acme.
func (g *GitHub) OpenAt(repo, by string, labels ...string) int {
	g.t.Helper()
	return g.create(repo, by, &github.IssueRequest{Title: new("A widget that works"), Body: new("Do it well."), Labels: &labels})
}

func (g *GitHub) create(repo, by string, issue *github.IssueRequest) int {
	g.t.Helper()
	if issue.Labels != nil && *issue.Labels == nil { // GitHub takes no null
		issue.Labels = nil
	}
	opened, _, err := g.As(by).Issues.Create(context.Background(), "acme", repo, issue)
	g.Must(err)
	return opened.GetNumber()
}

// Change edits an issue of acme/widgets.
func (g *GitHub) Change(by string, number int, to *github.IssueRequest) {
	g.t.Helper()
	_, _, err := g.As(by).Issues.Edit(context.Background(), "acme", "widgets", number, to)
	g.Must(err)
}

// CloseIssue closes an issue.
func (g *GitHub) CloseIssue(number int, by string) {
	g.t.Helper()
	g.Change(by, number, &github.IssueRequest{State: new("closed")})
}

// Label puts labels on an issue, each with a request of its own.
func (g *GitHub) Label(number int, by string, labels ...string) {
	g.t.Helper()
	for _, l := range labels {
		_, _, err := g.As(by).Issues.AddLabelsToIssue(context.Background(), "acme", "widgets", number, []string{l})
		g.Must(err)
	}
}

// Unlabel takes labels off an issue.
func (g *GitHub) Unlabel(number int, by string, labels ...string) {
	g.t.Helper()
	for _, l := range labels {
		_, err := g.As(by).Issues.RemoveLabelForIssue(context.Background(), "acme", "widgets", number, url.PathEscape(l))
		g.Must(err)
	}
}

// Comment writes a comment and returns its id.
func (g *GitHub) Comment(number int, by, body string) int64 {
	g.t.Helper()
	c, _, err := g.As(by).Issues.CreateComment(context.Background(), "acme", "widgets", number, &github.IssueComment{Body: &body})
	g.Must(err)
	return c.GetID()
}

// LabelsOf are the labels of an issue, sorted.
func (g *GitHub) LabelsOf(number int) (names []string) {
	g.t.Helper()
	is, _, err := g.As("mona").Issues.Get(context.Background(), "acme", "widgets", number)
	g.Must(err)
	for _, l := range is.Labels {
		names = append(names, l.GetName())
	}
	slices.Sort(names)
	return names
}

// Has asserts the labels of an issue, in any order.
func (g *GitHub) Has(number int, labels ...string) {
	g.t.Helper()
	want := slices.Sorted(slices.Values(labels))
	if is := g.LabelsOf(number); !slices.Equal(is, want) {
		g.t.Fatalf("#%d has %q, want %q", number, is, want)
	}
}

// Said are the comments of Colony on an issue.
func (g *GitHub) Said(number int) (bodies []string) {
	g.t.Helper()
	all, _, err := g.As("mona").Issues.ListComments(context.Background(), "acme", "widgets", number, &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}})
	g.Must(err)
	for _, c := range all {
		if c.GetUser().GetLogin() == apptest.Login {
			bodies = append(bodies, c.GetBody())
		}
	}
	return bodies
}

// RepositoryLabels are the names of all labels of acme/widgets.
func (g *GitHub) RepositoryLabels() (names []string) {
	g.t.Helper()
	all, _, err := g.As("mona").Issues.ListLabels(context.Background(), "acme", "widgets", &github.ListOptions{PerPage: 100})
	g.Must(err)
	for _, l := range all {
		names = append(names, l.GetName())
	}
	return names
}

// RepositoryLabel is a label of acme/widgets.
func (g *GitHub) RepositoryLabel(name string) *github.Label {
	g.t.Helper()
	l, _, err := g.As("mona").Issues.GetLabel(context.Background(), "acme", "widgets", url.PathEscape(name))
	g.Must(err)
	return l
}

// MakeLabel makes a gray label in acme/widgets.
func (g *GitHub) MakeLabel(name, description string) {
	g.t.Helper()
	_, _, err := g.As("olivia").Issues.CreateLabel(context.Background(), "acme", "widgets", &github.Label{Name: &name, Color: new("ededed"), Description: &description})
	g.Must(err)
}

// MakeLabels makes the labels of the lifecycle in acme/widgets, as "colony labels apply" does: in a repository without a file, Colony makes
// a label when it is needed.
func (g *GitHub) MakeLabels() {
	g.t.Helper()
	life, err := statemachine.Shipped(g.Config.Lifecycle)
	if err != nil {
		return // of a file of the test's
	}
	rules := policy.New(life, nil, "")
	rules.Intake = g.Config.Intake
	for _, m := range rules.Table().Marks {
		if m.Label != lifecycle.Forced {
			_, _, err := g.As("mona").Issues.CreateLabel(context.Background(), "acme", "widgets", &github.Label{Name: &m.Label, Color: &m.Color, Description: &m.Description})
			g.Must(err)
		}
	}
}

// RenameLabel renames a label of acme/widgets.
func (g *GitHub) RenameLabel(from, to string) {
	g.t.Helper()
	_, _, err := g.As("olivia").Issues.EditLabel(context.Background(), "acme", "widgets", from, &github.Label{Name: &to})
	g.Must(err)
}

// Commit writes a file of a repository of acme.
func (g *GitHub) Commit(repo, path, text string) {
	g.t.Helper()
	g.Must(g.SetFile("acme", repo, path, text))
}

// OptsIn commits the settings file of a repository of acme.
func (g *GitHub) OptsIn(repo string) { g.Commit(repo, policy.SettingsFile, "close: true\n") }

// Writes are the calls since the last ResetCalls that changed something, apart from requests for tokens.
func (g *GitHub) Writes() (calls []string) {
	for _, c := range g.Calls() {
		if c.Method != http.MethodGet && !strings.HasSuffix(c.Path, "/access_tokens") && !strings.HasSuffix(c.Path, "/graphql") {
			calls = append(calls, c.Method+" "+c.Path)
		}
	}
	return calls
}
