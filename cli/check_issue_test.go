package cli

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gh "github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/playground"
)

// A lifecycle with a guard that the log answers, one that GitHub has to be asked about, a limit, and a move that needs a reason.
const guardedLifecycle = `name: steps
summary: Three steps, one after the other.
initial: untouched
bad-request: failed
states:
  - {name: untouched, type: active, meaning: Nobody has begun.}
  - {name: state-a, type: active, label: "colony:a", color: c5def5, description: It waits., meaning: It waits.}
  - {name: state-b, type: active, label: "colony:b", color: c5def5, description: It is made., meaning: It is made.}
  - {name: state-c, type: active, label: "colony:c", color: c5def5, description: It is tried., meaning: It is tried.}
  - {name: failed, type: blocked, recovery: manual, label: "colony:failed", color: c5def5, description: It failed., meaning: It failed.}
  - {name: ended, type: terminal, label: "colony:ended", color: c5def5, description: It is over., meaning: It is over.}
transitions:
  - kind: forward
    source: this test
    pairs:
      - {from: untouched, to: [state-a, state-b, state-c], why: It begins.}
      - {from: state-a, to: [state-b], why: It goes on.}
      - {from: state-b, to: [state-c, state-a, failed], why: It goes on.}
      - {from: state-c, to: [state-b, ended], why: It goes on.}
      - {from: failed, to: [state-a], why: It begins anew.}
      - {from: state-a, to: [ended], why: It is given up., reason: required}
executors:
  - {role: maker, works-in: state-b, requests: [state-c, state-a]}
  - {role: starter, claims: [{from: state-a, to: state-b}]}
commands:
  - {verb: drop, help: gives the issue up, from: state-a, to: ended, reason: required}
limits:
  - {count: returns, to: state-a, from: state-b, at-most: 1, instead: failed, why: It came back too often}
guards:
  - name: leads
    why: A maintainer has to approve.
    link: https://wiki.example.com/leads
    from: state-c
    to: ended
    requires:
      - permission: maintain
  - name: tested
    why: It has to be marked as tested.
    of: executors
    from: state-b
    to: state-c
    requires:
      - label: tested
`

// asked is a GitHub with an issue in a state.
type asked struct {
	t           *testing.T
	p           *playground.Playground
	environment []string
	clock       *clockwork.FakeClock
}

func newAsked(t *testing.T, lifecycle string) *asked {
	t.Helper()
	clock := clockwork.NewFakeClockAt(time.Now().Add(-time.Hour).Truncate(time.Second))
	p, environment := githubWith(t, playground.Options{Clock: clock, AuthClock: clockwork.NewRealClock()})
	a := &asked{t, p, append(environment, "GITHUB_TOKEN="), clock}
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	for login, role := range map[string]string{"mona": "maintain", "tara": "triage", "rita": "read"} {
		p.AddUser(login)
		p.SetPermission("acme", "widgets", login, role)
	}
	p.AddBot("dev")
	p.AddBot("start")
	a.must(p.SetFile("acme", "widgets", ".github/colony-lifecycle.yml", lifecycle))
	a.must(p.SetFile("acme", "widgets", ".github/colony.yml", "executors:\n  logins:\n    \"dev[bot]\": [maker]\n    \"start[bot]\": [starter]\n"))
	a.must(p.SetInstallationPermissions(p.Install(7, "acme"), permissions.All()))
	return a
}

func (a *asked) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *asked) as(login string) *gh.Client {
	client := gh.NewClient(nil).WithAuthToken(a.p.Token(login))
	for _, e := range a.environment {
		if address, ok := strings.CutPrefix(e, "COLONY_GITHUB_V3_API_URL="); ok {
			base, err := url.Parse(address)
			a.must(err)
			client.BaseURL = base
		}
	}
	return client
}

// open opens an issue with labels, as mona.
func (a *asked) open(labels ...string) {
	a.t.Helper()
	_, _, err := a.as("mona").Issues.Create(a.t.Context(), "acme", "widgets", &gh.IssueRequest{Title: new("A widget"), Labels: &labels})
	a.must(err)
	a.clock.Advance(time.Minute)
}

// ask asks, and checks that nothing is written.
func (a *asked) ask(args ...string) (out string, status int) {
	a.t.Helper()
	a.p.ResetCalls()
	out, status = run(a.t, a.environment, append([]string{"check"}, args...)...)
	for _, call := range a.p.Calls() {
		if call.Method != http.MethodGet && !strings.HasSuffix(call.Path, "/access_tokens") && !strings.HasSuffix(call.Path, "/graphql") {
			a.t.Errorf("%q changes something: %s %s", args, call.Method, call.Path)
		}
	}
	return out, status
}

// Each kind of answer, for a person and for a bot.
func TestCheckOnGitHub(t *testing.T) {
	t.Parallel()
	a := newAsked(t, guardedLifecycle)
	a.open("colony:c")           // 1
	a.open("colony:b")           // 2
	a.open("colony:b", "tested") // 3
	a.open("colony:a")           // 4
	a.open("colony:ended")       // 5
	_, _, err := a.as("mona").Issues.Edit(t.Context(), "acme", "widgets", 5, &gh.IssueRequest{State: new("closed")})
	a.must(err)
	for _, c := range []struct {
		issue, as, to string
		status        int
		says          []string
	}{
		{"1", "mona", "ended", 0, []string{"legal: acme/widgets#1: state-c -> ended, as mona (operator)", "why:   It goes on.", "guard: leads: A maintainer has to approve, see https://wiki.example.com/leads", "next:  nothing is legal from ended"}},
		{"1", "tara", "colony:ENDED", 1, []string{"not legal: acme/widgets#1: state-c -> ended, as tara (operator)", "a guard refuses it", "guard: leads: A maintainer has to approve, see https://wiki", "then:  Colony would undo it.", "Legal from state-c, as tara:\n  state-b "}},
		{"1", "rita", "state-b", 1, []string{"as rita (author)", "rita may neither edit labels in the repository nor move issues by command"}},
		{"2", "dev[bot]", "state-c", 1, []string{"as dev[bot] (executor: maker)", "guard: tested: It has to be marked as tested."}},
		{"3", "dev[bot]", "state-c", 0, []string{"guard: tested: It has to be marked as tested."}},
		{"2", "tara", "state-c", 0, []string{"legal: "}},
		{"2", "dev[bot]", "state-a", 0, []string{"but:   at most once since a person last moved the issue (returns), then failed."}},
		{"2", "dev[bot]", "ended", 1, []string{"no such move, for anyone", "then:  Colony would move the issue to failed."}},
		{"4", "dev[bot]", "state-b", 1, []string{"not for this role", "then:  Colony would undo it."}},
		{"4", "tara", "ended", 1, []string{"needs a reason", "note:  A command may ask for it: /colony:move ended REASON."}},
		{"4", "tara", "state-a", 1, []string{"The issue is there already."}},
		{"5", "mona", "state-a", 1, []string{"ended is terminal", "note:  The issue is closed."}},
	} {
		out, status := a.ask(c.to, "--repo", "acme/widgets#"+c.issue, "--as", c.as)
		if status != c.status {
			t.Errorf("%s as %s to %s: exits with %d and not %d:\n%s", c.issue, c.as, c.to, status, c.status, out)
		}
		for _, says := range c.says {
			if !strings.Contains(out, says) {
				t.Errorf("%s as %s to %s does not say %q:\n%s", c.issue, c.as, c.to, says, out)
			}
		}
	}
	for _, args := range [][]string{
		{"ended", "--repo", "acme/widgets#1", "--as", "nobody"},
		{"endd", "--repo", "acme/widgets#1", "--as", "mona"},
		{"ended", "--repo", "acme/widgets#99", "--as", "mona"},
		{"ended", "--repo", "acme/gadgets#1", "--as", "mona"},
	} {
		if out, status := a.ask(args...); status != 2 || out != "" {
			t.Errorf("%q exits with %d and prints %q", args, status, out)
		}
	}
}

// A limit counts what the log has.
func TestCheckOnGitHubCountsMoves(t *testing.T) {
	t.Parallel()
	a := newAsked(t, guardedLifecycle)
	a.open("colony:b")
	swap := func(by, from, to string) {
		_, _, err := a.as(by).Issues.AddLabelsToIssue(t.Context(), "acme", "widgets", 1, []string{to})
		a.must(err)
		_, err = a.as(by).Issues.RemoveLabelForIssue(t.Context(), "acme", "widgets", 1, url.PathEscape(from))
		a.must(err)
		a.clock.Advance(time.Minute)
	}
	if out, status := run(t, a.environment, "labels", "apply", "--repo", "acme/widgets"); status != 0 { // from now on it is judged
		t.Fatalf("exits with %d:\n%s", status, out)
	}
	a.clock.Advance(time.Hour + time.Minute)
	swap("dev[bot]", "colony:b", "colony:a")
	swap("start[bot]", "colony:a", "colony:b")
	out, status := a.ask("state-a", "--repo", "acme/widgets#1", "--as", "dev[bot]")
	if status != 1 || !strings.Contains(out, "The limit returns is reached") || !strings.Contains(out, "then:  Colony would move the issue to failed.") {
		t.Errorf("exits with %d:\n%s", status, out)
	}
}

// What a guard needs and cannot be read is no answer, with a status of its own.
func TestCheckOnGitHubDoesNotKnow(t *testing.T) {
	t.Parallel()
	a := newAsked(t, strings.Replace(guardedLifecycle, "permission: maintain", "team: acme/leads", 1))
	a.open("colony:c")
	a.p.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Path: regexp.MustCompile(`/teams/`)})
	out, status := a.ask("ended", "--repo", "acme/widgets#1", "--as", "mona", "--format", "json")
	var answer inspect.Answer
	a.must(json.Unmarshal([]byte(out), &answer))
	if status != 3 || answer.Answer != inspect.NotKnown || len(answer.Guards) != 1 || answer.Guards[0].Name != "leads" || !strings.Contains(answer.Why, "Colony cannot read what a guard needs: ") {
		t.Errorf("exits with %d:\n%s", status, out)
	}
	a.p.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Path: regexp.MustCompile(`/permission$`)})
	if out, status := a.ask("ended", "--repo", "acme/widgets#1", "--as", "mona"); status != 3 || !strings.Contains(out, "which permission mona has") {
		t.Errorf("exits with %d:\n%s", status, out)
	}
}

// In the mode warn what is not legal stands; a token sees the same as the App.
func TestCheckOnGitHubWhereItStands(t *testing.T) {
	t.Parallel()
	a := newAsked(t, guardedLifecycle)
	a.open("colony:c")
	a.environment = slices.Concat(a.environment, []string{"COLONY_MODE=warn", "COLONY_GITHUB_APP_INTEGRATION_ID=0", "COLONY_GITHUB_APP_PRIVATE_KEY=", "GITHUB_TOKEN=" + a.p.Token("mona")})
	out, status := a.ask("ended", "--repo", "acme/widgets#1", "--as", "tara")
	if status != 1 || !strings.Contains(out, "a guard refuses it") || !strings.Contains(out, "then:  It would stand and not be undone: the mode is warn") {
		t.Errorf("exits with %d:\n%s", status, out)
	}
}
