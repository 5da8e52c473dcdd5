//go:build cluster

package cluster_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

const (
	appID  = 4242
	secret = "only for these tests"
	owner  = "acme"
	self   = "colony[bot]"
)

// These accounts act on the issues. Everybody but the reader may edit labels.
const (
	olivia, tara, mona, rita = "olivia", "tara", "mona", "rita"
	devBot, reviewBot        = "dev[bot]", "reviewer[bot]"
)

var repositories = []string{"widgets", "gadgets", "gizmos"}

// stage is a GitHub in this process, on which Colony is installed, with people and bots.
type stage struct {
	*playground.Playground
	t       *testing.T
	url     string
	secrets []string // Colony's environment
	journal *journal
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{Playground: playground.New(playground.Options{}), t: t, journal: &journal{}}
	var err error
	if s.url, err = s.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if odd := s.Unimplemented(); len(odd) > 0 {
			t.Errorf("the playground was asked for what it does not have: %v", odd)
		}
	})
	s.SetRateLimit(1 << 30)
	s.AddOrganization(owner)
	for _, name := range repositories {
		s.AddRepository(owner, name)
		if err := s.SetFile(owner, name, ".github/colony.yml", "mode: enforce\n"); err != nil { // so that bots find all labels
			t.Fatal(err)
		}
		for login, role := range map[string]string{olivia: "write", tara: "triage", mona: "maintain", rita: "read"} {
			s.SetPermission(owner, name, login, role)
		}
	}
	s.AddBot("dev")
	s.AddBot("reviewer")
	if err := s.RegisterApp(playground.App{
		ID: appID, Slug: "colony", PublicKey: &apptest.Key().PublicKey, WebhookSecret: secret,
		Permissions: map[string]string{"issues": "write", "contents": "read", "pull_requests": "read", "checks": "read", "statuses": "read", "metadata": "read"},
		Events:      []string{"check_run", "check_suite", "issue_comment", "issue_dependencies", "issues", "label", "pull_request", "pull_request_review", "push", "repository", "status", "sub_issues"},
	}); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	files := map[string][]byte{"private-key": []byte(apptest.PEM(apptest.Key())), "webhook-secret": []byte(secret + "\n")}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.secrets = []string{
		"COLONY_MODE=enforce",
		"COLONY_GITHUB_APP_INTEGRATION_ID=" + strconv.Itoa(appID),
		"COLONY_GITHUB_APP_PRIVATE_KEY_FILE=" + filepath.Join(folder, "private-key"),
		"COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE=" + filepath.Join(folder, "webhook-secret"),
	}
	return s
}

// configuration writes Colony's settings for a test. Nothing but labels and commands moves an issue here. With no time between sweeps, one comes at the start only, so that
// it cannot find by chance what was to be found without. The breaker and sweep.max_refusals have tests of their own; here they would hide what is lost.
func (s *stage) configuration(betweenSweeps time.Duration) (path string) {
	s.t.Helper()
	text := fmt.Sprintf("follow: []\nclose: false\nsweep: {interval: %s, max_refusals: 100000}\nbreaker: {rejections: 100000}\njudging: {settle: 1s}\ngithub: {budget: {points: 0}}\n", betweenSweeps)
	path = filepath.Join(s.t.TempDir(), "config.yml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// door is an address of the playground for one replica, whose calls the journal distinguishes from others'.
func (s *stage) door(name string) (address string) {
	s.t.Helper()
	handler := s.Handler()
	return serve(s.t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		end := s.journal.begin(name, r.Method, r.URL.Path)
		defer end()
		handler.ServeHTTP(w, r)
	}))
}

// serve listens on a port of this machine until the test ends.
func serve(t *testing.T, h http.Handler) (address string) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + l.Addr().String()
}

// as returns a client that acts for somebody.
func (s *stage) as(login string) *github.Client {
	s.t.Helper()
	client := github.NewClient(nil).WithAuthToken(s.Token(login))
	base, err := url.Parse(s.url + "/api/v3/")
	if err != nil {
		s.t.Fatal(err)
	}
	client.BaseURL = base
	return client
}

// delivered waits until every webhook was answered.
func (s *stage) delivered() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	if err := s.Quiet(ctx); err != nil {
		s.t.Fatalf("wait for the webhooks: %v", err)
	}
}

// call is one call of a replica about one issue. Begin and end are numbers of one sequence.
type call struct {
	replica, method, path string
	begin, end            int
}

// journal keeps the calls about issues in the order of their beginnings. It is safe for concurrent use.
type journal struct {
	mu    sync.Mutex
	clock int
	calls []*call
	waits []*wait
}

// wait is somebody who waits for a number of calls.
type wait struct {
	matches func(call) bool
	left    int
	over    chan struct{}
}

// after returns a channel that is closed when the n-th call from now on that matches has begun.
func (j *journal) after(n int, matches func(call) bool) <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	w := &wait{matches: matches, left: n, over: make(chan struct{})}
	j.waits = append(j.waits, w)
	return w.over
}

func (j *journal) wake(c call) {
	for _, w := range j.waits {
		if w.left == 0 || !w.matches(c) {
			continue
		}
		w.left--
		if w.left == 0 {
			close(w.over)
		}
	}
}

func (j *journal) begin(replica, method, path string) (end func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.clock++
	c := &call{replica: replica, method: method, path: path, begin: j.clock}
	j.calls = append(j.calls, c)
	j.wake(*c)
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.clock++
		c.end = j.clock
	}
}

func (j *journal) list() []call {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := make([]call, len(j.calls))
	for i, c := range j.calls {
		list[i] = *c
	}
	return list
}

var (
	issuePath   = regexp.MustCompile(`^/api/v3/repos/[^/]+/([^/]+)/issues/(\d+)(/.*)?$`)
	commentPath = regexp.MustCompile(`^/api/v3/repos/[^/]+/([^/]+)/issues/comments/(\d+)/`)
)

// about names the issue that a call is about, as "repository#number"; empty if it is about none. Comments belong to issues
// as given.
func (c call) about(comments map[int64]string) string {
	if m := commentPath.FindStringSubmatch(c.path); m != nil {
		id, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			return ""
		}
		return comments[id]
	}
	if m := issuePath.FindStringSubmatch(c.path); m != nil {
		return m[1] + "#" + m[2]
	}
	return ""
}

func (c call) writes() bool { return c.method != http.MethodGet }

// loads reports whether a reconciliation began with the call: it reads the issue itself.
func (c call) loads() bool {
	m := issuePath.FindStringSubmatch(c.path)
	return c.method == http.MethodGet && m != nil && m[3] == ""
}

// interleaved finds writes of one replica to an issue that lie between another one's reading of it and writing to it.
func interleaved(calls []call, comments map[int64]string) []string {
	type key struct{ issue, replica string }
	loaded := map[key]call{}
	written := map[string][]call{} // by issue
	var found []string
	for _, c := range calls {
		issue := c.about(comments)
		if issue == "" {
			continue
		}
		if c.loads() {
			loaded[key{issue, c.replica}] = c
		}
		if !c.writes() {
			continue
		}
		read := loaded[key{issue, c.replica}]
		for _, other := range written[issue] {
			if other.replica != c.replica && (other.end == 0 || other.end > read.begin) {
				found = append(found, fmt.Sprintf("%s: %s %s by %s, which had read the issue before %s %s by %s",
					issue, c.method, c.path, c.replica, other.method, other.path, other.replica))
			}
		}
		written[issue] = append(written[issue], c)
	}
	return found
}
