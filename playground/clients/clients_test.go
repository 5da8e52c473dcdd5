//go:build clients

// Package clients_test runs other people's clients of GitHub against the playground, as they are.
package clients_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/schematest"
)

func TestMain(m *testing.M) { os.Exit(schematest.Run(m)) }

const (
	appID  = 7
	secret = "s3cret"
)

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = 3 * time.Minute

// stage is a playground over TLS or not, with a repository acme/shop and an App that is installed there.
type stage struct {
	*playground.Playground
	t     *testing.T
	base  string
	trust string // the file of the certificate to trust; empty without TLS
	key   string // of the App, PEM
}

func newStage(t *testing.T, secured bool, webhookURL string) *stage {
	t.Helper()
	return newStageFor(t, secured, playground.App{
		Slug: "helper", WebhookURL: webhookURL,
		Permissions: map[string]string{"issues": "write", "contents": "read"}, Events: []string{"issues", "issue_comment"},
	})
}

// newStageFor is a stage for an App with the id, key and secret of these tests.
func newStageFor(t *testing.T, secured bool, app playground.App) *stage {
	t.Helper()
	p := playground.New(playground.Options{})
	s := &stage{Playground: p, t: t}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if asked := p.Unimplemented(); len(asked) > 0 {
			t.Errorf("the client wanted what the playground lacks: %v", asked)
		}
	})
	var err error
	if secured {
		dir := t.TempDir()
		s.base, err = p.StartTLS("127.0.0.1:0", dir)
		s.trust = filepath.Join(dir, playground.CAFile)
	} else {
		s.base, err = p.Start("127.0.0.1:0")
	}
	if err != nil {
		t.Fatal(err)
	}
	p.AddOrganization("acme")
	p.AddUser("mallory")
	p.AddRepository("acme", "shop")
	p.SetPermission("acme", "shop", "alice", "maintain")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s.key = string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	app.ID, app.PublicKey, app.WebhookSecret = appID, &key.PublicKey, secret
	if err := p.RegisterApp(app); err != nil {
		t.Fatal(err)
	}
	return s
}

// alice opens issues over plain HTTP, by the playground's own handler: what is under test are the others.
func (s *stage) alice(method, path, body string) map[string]any {
	s.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "token "+s.Token("alice"))
	answer := &recorder{header: http.Header{}}
	s.Handler().ServeHTTP(answer, request)
	if answer.status >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %d %s", method, path, answer.status, answer.body.String())
	}
	var value map[string]any
	_ = json.Unmarshal(answer.body.Bytes(), &value) // a list is not asked for
	return value
}

type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

// labels are those of issue 1.
func (s *stage) labels() []string {
	s.t.Helper()
	named := []string{}
	for _, l := range s.alice("GET", "/repos/acme/shop/issues/1", "")["labels"].([]any) {
		named = append(named, l.(map[string]any)["name"].(string))
	}
	return named
}

func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is needed: %v", name, err)
	}
	return path
}

// bare is an environment in which nothing of this machine's own GitHub is.
func bare(t *testing.T, variables ...string) []string {
	t.Helper()
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, variables...)
}

func TestGitHubsCommandLine(t *testing.T) {
	gh := program(t, "gh")
	s := newStage(t, true, "")
	for _, title := range []string{"First", "Second", "Third"} {
		s.alice("POST", "/repos/acme/shop/issues", fmt.Sprintf(`{"title":%q}`, title))
	}
	host := strings.TrimPrefix(s.base, "https://")
	run := func(login string, arguments ...string) (string, error) {
		command := exec.CommandContext(context.Background(), gh, append([]string{"api"}, arguments...)...)
		command.Env = bare(t, "GH_HOST="+host, "GH_ENTERPRISE_TOKEN="+s.Token(login), "SSL_CERT_FILE="+s.trust, "GH_NO_UPDATE_NOTIFIER=1")
		var errors strings.Builder
		command.Stderr = &errors
		output, err := command.Output()
		if err != nil {
			return errors.String(), err
		}
		return strings.TrimSpace(string(output)), nil
	}
	for name, test := range map[string]struct {
		arguments []string
		want      string
	}{
		"who am I":    {[]string{"user", "--jq", ".login"}, "alice"},
		"every page":  {[]string{"repos/acme/shop/issues?per_page=1&direction=asc&state=all", "--paginate", "--jq", ".[].title"}, "First\nSecond\nThird"},
		"add a label": {[]string{"repos/acme/shop/issues/1/labels", "-f", "labels[]=bug", "--jq", ".[].name"}, "bug"},
		"comment":     {[]string{"repos/acme/shop/issues/2/comments", "-f", "body=words", "--jq", ".user.login"}, "alice"},
		"close":       {[]string{"-X", "PATCH", "repos/acme/shop/issues/3", "-f", "state=closed", "--jq", ".state_reason"}, "completed"},
		"a header":    {[]string{"repos/acme/shop/contents/README.md", "-H", "Accept: application/vnd.github.raw"}, "# shop"},
		"the limit":   {[]string{"rate_limit", "--jq", ".rate.limit"}, "5000"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := run("alice", test.arguments...); err != nil || got != test.want {
				t.Errorf("gh api %s: %v\n%s", strings.Join(test.arguments, " "), err, cmp.Diff(test.want, got))
			}
		})
	}
	if got, err := run("mallory", "repos/acme/shop/issues/1/labels", "-f", "labels[]=bug"); err == nil || !strings.Contains(got, "Must have admin rights to Repository. (HTTP 403)") {
		t.Errorf("a reader labels: %v %s", err, got)
	}
}

func TestOctokit(t *testing.T) {
	s := newStage(t, true, "")
	s.Install(appID, "acme")
	for _, title := range []string{"First", "Second", "Third"} {
		s.alice("POST", "/repos/acme/shop/issues", fmt.Sprintf(`{"title":%q}`, title))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, program(t, "node"), "octokit.mjs")
	command.Env = bare(t, "BASE_URL="+s.base, "APP_ID="+fmt.Sprint(appID), "PRIVATE_KEY="+s.key, "USER_TOKEN="+s.Token("mallory"), "NODE_EXTRA_CA_CERTS="+s.trust)
	var errors strings.Builder
	command.Stderr = &errors
	output, err := command.Output()
	if err != nil {
		t.Fatalf("octokit.mjs: %v\n%s", err, errors.String())
	}
	var seen map[string]any
	if err := json.Unmarshal(output, &seen); err != nil {
		t.Fatalf("octokit.mjs said %s", output)
	}
	want := map[string]any{
		"app": "helper", "comment": "helper[bot]",
		"issues": []any{"First", "Second", "Third"}, "labels": []any{"bug", "from octokit"},
		"refused": []any{"403 Must have admin rights to Repository.", "404 Label does not exist", "422 Validation Failed"},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"from octokit"}, s.labels()); diff != "" {
		t.Error(diff)
	}
}

// A Probot App signs in with its key, checks the signature of each webhook, and answers with labels and comments.
func TestProbot(t *testing.T) {
	port := freePort(t)
	receiver := "http://127.0.0.1:" + port + "/api/github/webhooks"
	s := newStage(t, false, receiver)
	startProbot(t, s, port, ".", filepath.Join("node_modules", "probot"), "./labeller.mjs")
	s.Install(appID, "acme")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	until := func(what string, holds func() bool) {
		t.Helper()
		if err := s.Until(ctx, holds); err != nil {
			t.Fatalf("%s: %v; deliveries: %v", what, err, s.Deliveries())
		}
	}
	answered := func() bool {
		calls := s.Calls()
		return slices.ContainsFunc(calls, func(c playground.Call) bool {
			return c.Actor == "helper[bot]" && c.Route == "/repos/{owner}/{repo}/issues/{issue_number}/comments" && c.Status == http.StatusCreated
		})
	}
	s.alice("POST", "/repos/acme/shop/issues", `{"title":"Broken","body":"It does not start."}`) // probot-commands wants a body
	until("it greets", answered)
	if diff := cmp.Diff([]string{"question"}, s.labels()); diff != "" {
		t.Error(diff)
	}
	s.alice("POST", "/repos/acme/shop/issues/1/comments", `{"body":"/label bug, wontfix"}`)
	until("it labels", func() bool {
		labelled := 0
		for _, c := range s.Calls() {
			if c.Actor == "helper[bot]" && c.Route == "/repos/{owner}/{repo}/issues/{issue_number}/labels" && c.Status == http.StatusOK {
				labelled++
			}
		}
		return labelled == 2
	})
	if diff := cmp.Diff([]string{"question", "bug", "wontfix"}, s.labels()); diff != "" {
		t.Error(diff)
	}
	if err := s.Quiet(ctx); err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Deliveries() {
		if d.StatusCode != http.StatusOK {
			t.Errorf("Probot answered %s.%s with %s", d.Event, d.Action, d.Status)
		}
	}
	if status := forge(t, receiver, s.Deliveries()[0].Payload); status < 400 {
		t.Errorf("Probot took a webhook with a wrong signature: %d", status)
	}
}

// Release Drafter is an App that many repositories use, published as a package: nobody wrote it for a playground. Its
// autolabeler reads its configuration from the repository and labels pull requests by their files, branch and title. It
// runs as "npm start" has it, on the Probot that it came with.
func TestReleaseDrafter(t *testing.T) {
	port := freePort(t)
	s := newStageFor(t, false, playground.App{
		Slug: "release-drafter", WebhookURL: "http://127.0.0.1:" + port + "/",
		Permissions: map[string]string{"contents": "write", "pull_requests": "write"}, Events: []string{"pull_request"},
	})
	for path, content := range map[string]string{
		".github/release-drafter.yml": `template: "$CHANGES"
autolabeler:
  - label: documentation
    files: ["*.md"]
  - label: enhancement
    branch: ['/^feature\/.+/']
  - label: bug
    title: ['/fix/i']
  - label: wontfix
    files: ["*.css"]
`,
		"code.js": "work()\n",
	} {
		if err := s.SetFile("acme", "shop", path, content); err != nil {
			t.Fatal(err)
		}
	}
	startProbot(t, s, port, filepath.Join("node_modules", "release-drafter-github-app"), filepath.Join("node_modules", "probot"), "./index.js")
	s.Install(appID, "acme")

	main := s.alice("GET", "/repos/acme/shop/git/ref/heads/main", "")["object"].(map[string]any)["sha"]
	s.alice("POST", "/repos/acme/shop/git/refs", fmt.Sprintf(`{"ref":"refs/heads/feature/sell","sha":%q}`, main))
	s.alice("PUT", "/repos/acme/shop/contents/doc/sell.md", `{"message":"Say how","content":"U2VsbA==","branch":"feature/sell"}`)
	s.alice("POST", "/repos/acme/shop/pulls", `{"title":"Sell","head":"feature/sell","base":"main"}`)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	settled := func() {
		t.Helper()
		if err := s.Quiet(ctx); err != nil {
			t.Fatalf("%v; deliveries: %v", err, s.Deliveries())
		}
	}
	settled()
	if diff := cmp.Diff([]string{"documentation", "enhancement"}, s.labels()); diff != "" {
		t.Error(diff)
	}
	s.alice("PATCH", "/repos/acme/shop/pulls/1", `{"title":"Fix how it sells"}`)
	settled()
	if diff := cmp.Diff([]string{"documentation", "enhancement", "bug"}, s.labels()); diff != "" {
		t.Error(diff)
	}
	for _, d := range s.Deliveries() {
		if d.StatusCode != http.StatusOK {
			t.Errorf("Release Drafter answered %s.%s with %s", d.Event, d.Action, d.Status)
		}
	}
}

// forge sends a webhook that nobody signed.
func forge(t *testing.T, receiver string, payload []byte) int {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, receiver, bytes.NewReader(payload))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-GitHub-Event": "issues", "X-GitHub-Delivery": "0", "X-Hub-Signature-256": "sha256=" + strings.Repeat("0", 64),
	} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// startProbot runs an App in a folder as its users do, with nothing but the base address said otherwise, and waits until it listens.
func startProbot(t *testing.T, s *stage, port, folder, probot, app string) {
	t.Helper()
	command := exec.CommandContext(context.Background(), program(t, "node"), filepath.Join(probot, "bin", "probot.js"), "run", app)
	command.Dir, command.WaitDelay = folder, time.Second // a child of it may hold its output open
	command.Env = bare(t, "APP_ID="+fmt.Sprint(appID), "PRIVATE_KEY="+s.key, "WEBHOOK_SECRET="+secret, "PORT="+port, "HOST=127.0.0.1",
		"GHE_HOST="+strings.TrimPrefix(s.base, "http://"), "GHE_PROTOCOL=http", "NODE_ENV=production", "LOG_FORMAT=json")
	reader, writer := io.Pipe()
	command.Stdout, command.Stderr = writer, writer
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		err := command.Wait()
		writer.CloseWithError(io.EOF)
		ended <- err
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill() // it may have ended by itself
		<-ended
	})
	listening := make(chan bool, 1)
	var said strings.Builder
	go func() {
		lines := bufio.NewScanner(reader)
		for lines.Scan() {
			fmt.Fprintln(&said, lines.Text())
			if strings.Contains(lines.Text(), "Listening on") {
				listening <- true
				_, _ = io.Copy(io.Discard, reader) // until it ends
				return
			}
		}
		listening <- false
	}()
	if !<-listening {
		t.Fatalf("Probot ended before it listened:\n%s", said.String())
	}
}
