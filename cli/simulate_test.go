package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	gh "github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/simulate"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/reconcile/replay"
)

// Two lifecycles: with the second, c may go back to a, and a may not skip b.
const (
	presentLifecycle = `name: steps
summary: Three steps, one after the other.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has begun.}
  - {name: state-a, type: active, label: "colony:a", color: c5def5, description: It waits., meaning: It waits.}
  - {name: state-b, type: active, label: "colony:b", color: c5def5, description: It is made., meaning: It is made.}
  - {name: state-c, type: active, label: "colony:c", color: c5def5, description: It is tried., meaning: It is tried.}
transitions:
  - kind: forward
    source: this test
    pairs:
      - {from: untouched, to: [state-a, state-b, state-c], why: It begins.}
      - {from: state-a, to: [state-b, state-c], why: It goes on.}
      - {from: state-b, to: [state-c], why: It goes on.}
      - {from: state-c, to: [state-b], why: It failed.}
triggers:
  - {on: pull-request-merged, in: state-b, to: state-c, why: It was merged}
`
)

var changedLifecycle = strings.Replace(presentLifecycle, "{from: state-a, to: [state-b, state-c]", "{from: state-c, to: [state-a], why: It begins anew.}\n      - {from: state-a, to: [state-b]", 1)

// recorded is a GitHub on which people and bots edited labels, without Colony.
func recorded(t *testing.T) (p *playground.Playground, environment []string, as func(login string) *gh.Client) {
	t.Helper()
	clock := clockwork.NewFakeClockAt(time.Now().Add(-time.Hour).Truncate(time.Second)) // so that what is one edit is in one second
	p, environment = githubWith(t, playground.Options{Clock: clock, AuthClock: clockwork.NewRealClock()})
	environment = append(environment, "GITHUB_TOKEN=")
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	for login, role := range map[string]string{"olivia": "write", "rita": "read"} {
		p.AddUser(login)
		p.SetPermission("acme", "widgets", login, role)
	}
	p.AddBot("dev")
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(p.SetFile("acme", "widgets", ".github/colony-lifecycle.yml", presentLifecycle))
	as = func(login string) *gh.Client {
		client := gh.NewClient(nil).WithAuthToken(p.Token(login))
		for _, e := range environment {
			if address, ok := strings.CutPrefix(e, "COLONY_GITHUB_V3_API_URL="); ok {
				base, err := url.Parse(address)
				must(err)
				client.BaseURL = base
			}
		}
		return client
	}
	open := func(label string) int {
		opened, _, err := as("olivia").Issues.Create(t.Context(), "acme", "widgets", &gh.IssueRequest{Title: new("A widget"), Labels: &[]string{label}})
		must(err)
		return opened.GetNumber()
	}
	swap := func(by string, number int, from, to string) {
		clock.Advance(time.Minute)
		_, _, err := as(by).Issues.AddLabelsToIssue(t.Context(), "acme", "widgets", number, []string{to})
		must(err)
		_, err = as(by).Issues.RemoveLabelForIssue(t.Context(), "acme", "widgets", number, url.PathEscape(from))
		must(err)
	}
	swap("olivia", open("colony:c"), "colony:c", "colony:a")   // only the second lifecycle has this
	swap("olivia", open("colony:a"), "colony:a", "colony:c")   // and this only the first
	swap("olivia", open("colony:a"), "colony:a", "colony:b")   // this is legal, and a pull request may move it on
	swap("dev[bot]", open("colony:b"), "colony:b", "colony:a") // this is not
	for who, says := range map[string]string{"rita": "/colony:move state-b", "olivia": "/colony:move state-d"} {
		_, _, err := as(who).Issues.CreateComment(t.Context(), "acme", "widgets", 3, &gh.IssueComment{Body: &says})
		must(err)
	}
	return p, environment, as
}

func install(t *testing.T, p *playground.Playground) (id int64) {
	t.Helper()
	id = p.Install(7, "acme")
	if err := p.SetInstallationPermissions(id, map[string]string{"issues": "write", "contents": "read"}); err != nil {
		t.Fatal(err)
	}
	return id
}

// without takes out of an output what differs each time.
func without(environment []string, out string) string {
	for _, e := range environment {
		if web, ok := strings.CutPrefix(e, "COLONY_GITHUB_WEB_URL="); ok {
			out = strings.ReplaceAll(out, web, "https://github.test")
		}
	}
	out = regexp.MustCompile(`\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ| \d\d:\d\d UTC)`).ReplaceAllString(out, "THEN")
	return regexp.MustCompile(`(event|issuecomment)-\d+`).ReplaceAllString(out, "$1-N")
}

// What the command prints, in each format, with the App's credentials or a token.
func TestSimulate(t *testing.T) {
	p, environment, _ := recorded(t)
	install(t, p)
	changed := filepath.Join(t.TempDir(), "changed.yml")
	if err := os.WriteFile(changed, []byte(changedLifecycle), 0o600); err != nil {
		t.Fatal(err)
	}
	token := slices.Concat(environment, []string{"COLONY_GITHUB_APP_INTEGRATION_ID=0", "COLONY_GITHUB_APP_PRIVATE_KEY=", "GITHUB_TOKEN=" + p.Token("olivia")})
	for _, c := range []struct {
		golden      string
		environment []string
		args        []string
	}{
		{"simulate.txt", environment, []string{"--repo", "acme/widgets"}},
		{"simulate.txt", environment, nil},
		{"simulate.txt", token, []string{"--repo", "acme/widgets", "--since", "36h"}},
		{"simulate.json", environment, []string{"--format", "json", "--repo", "acme/widgets"}},
		{"simulate_change.txt", environment, []string{"--lifecycle", changed, "--compare"}},
		{"simulate_change.md", token, []string{"--repo", "acme/widgets", "--lifecycle", changed, "--compare", "--format", "markdown"}},
		{"simulate_change.json", token, []string{"--repo", "acme/widgets", "--lifecycle", changed, "--compare", "--format", "json"}},
	} {
		p.ResetCalls()
		out, status := run(t, c.environment, append([]string{"simulate"}, c.args...)...)
		if status != 0 {
			t.Fatalf("%q exits with %d and prints\n%s", c.args, status, out)
		}
		for _, call := range p.Calls() {
			if call.Method != "GET" && !strings.HasSuffix(call.Path, "/access_tokens") {
				t.Errorf("%q changes something: %s %s", c.args, call.Method, call.Path)
			}
		}
		if strings.HasSuffix(c.golden, ".json") && !json.Valid([]byte(out)) {
			t.Errorf("%q prints what is no JSON:\n%s", c.args, out)
		}
		golden := filepath.Join("testdata", c.golden)
		got := without(environment, out)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.args, diff)
		}
	}
}

// Where the installation may not be read with a token that may only read, nothing is sent instead.
func TestSimulateAsksForTokensThatOnlyRead(t *testing.T) {
	p, environment, _ := recorded(t)
	id := install(t, p)
	if _, status := run(t, environment, "simulate"); status != 0 {
		t.Errorf("exits with %d", status)
	}
	if err := p.SetInstallationPermissions(id, map[string]string{"issues": "write"}); err != nil {
		t.Fatal(err)
	}
	if out, status := run(t, environment, "simulate", "--repo", "acme/widgets"); status != 2 || out != "" {
		t.Errorf("exits with %d and prints %q although it may not read the files", status, out)
	}
}

// A rate limit of GitHub's is waited for. An interrupt ends it early: it prints what it has, and says so.
func TestSimulateInterrupted(t *testing.T) {
	p, environment, _ := recorded(t)
	install(t, p)
	p.Fault(playground.Fault{Kind: playground.FaultPrimaryLimit, Method: "GET", Path: regexp.MustCompile(`/issues/4/events$`)})
	var stdout bytes.Buffer
	command := exec.CommandContext(t.Context(), "colony", "simulate", "--at-once", "1", "--format", "json")
	command.Env = append(os.Environ(), environment...)
	command.Stdout = &stdout
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	for _, want := range []string{"Reading 4 issues in 1 repository takes about 8 calls to GitHub.", "Waiting until "} {
		if !said.Scan() || !strings.HasPrefix(said.Text(), want) {
			t.Errorf("it says %q, not %q", said.Text(), want)
		}
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for said.Scan() { // until it ends
	}
	_ = command.Wait() // its status is looked at
	var report simulate.Report
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v in %s", err, &stdout)
	}
	if command.ProcessState.ExitCode() != 1 || report.Complete || report.Stopped == "" || report.Issues != 3 || report.Counts[replay.Refuses] == 0 {
		t.Errorf("exits with %d and reports %+v", command.ProcessState.ExitCode(), report)
	}
}
