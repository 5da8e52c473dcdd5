//go:build examples

package workflows

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/playground"
)

// tokenless is whose token GITHUB_TOKEN is. What it does starts no workflow:
// https://docs.github.com/actions/concepts/security/github_token#when-github_token-triggers-workflow-runs.
const tokenless = "github-actions"

// actions stands for GitHub Actions in the playground's repository: it receives the label events, starts the workflows whose `if` holds,
// and runs their jobs one after the other.
type actions struct {
	t         *testing.T
	world     *demo.World
	workflows map[string]workflow
	// bots are the Apps of the workflows, by workflow.
	bots map[string]string
	// commands are what stands for the users' own: scripts, by workflow. Before one runs, while is called.
	commands map[string]string
	while    func(workflow string)
	// waits are the seconds between two reads of an issue whose move Colony has not finished yet.
	waits string

	telling sync.Mutex
	told    []labeled

	ran  []string     // the workflows that did not skip, in their order
	said bytes.Buffer // what the scripts wrote
}

// labeled is what Actions reads of a webhook.
type labeled struct {
	Action string
	Label  struct{ Name string }
	Issue  struct {
		Number int
		Title  string
		Body   string
	}
	Sender struct{ Login string }
}

// actionsApp is the id under which Actions listens.
const actionsApp = 90

// key is of the App under which Actions listens. Nobody signs with it.
var key = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// open opens a world with Colony in it, the executors of colony.yml, and Actions.
func open(t *testing.T) *actions {
	t.Helper()
	production, err := demo.Of("colony")
	if err != nil {
		t.Fatal(err)
	}
	world, err := demo.Open(t.Context(), demo.Options{
		Production: production, Address: "127.0.0.1:0", Log: zerolog.New(zerolog.NewTestWriter(t)).Level(zerolog.WarnLevel), SweepOnce: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := world.Close(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	a := &actions{
		t: t, world: world, workflows: map[string]workflow{}, bots: map[string]string{}, commands: map[string]string{},
		waits: "0.1 0.2 0.5 1 2 4 8",
	}
	listener := httptest.NewServer(http.HandlerFunc(a.listen))
	t.Cleanup(listener.Close)

	p := world.Playground
	p.AddBot(tokenless)
	for name, role := range files {
		a.workflows[name] = read(t, name)
		a.bots[name] = "acme-" + role
		p.AddBot("acme-" + role)
	}
	text, err := os.ReadFile("colony.yml")
	if err == nil {
		err = p.SetFile(demo.Owner, demo.Repository, ".github/colony.yml", string(text))
	}
	if err == nil {
		err = p.RegisterApp(playground.App{
			ID: actionsApp, Slug: "actions-listener", PublicKey: &key().PublicKey, WebhookURL: listener.URL, WebhookSecret: "s",
			Permissions: map[string]string{"issues": "read"}, Events: []string{"issues"},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	world.Install()
	a.rest()
	p.Install(actionsApp, demo.Owner)
	return a
}

func (a *actions) rest() {
	a.t.Helper()
	if err := a.world.Rest(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

func (a *actions) listen(_ http.ResponseWriter, r *http.Request) {
	var l labeled
	if err := json.NewDecoder(r.Body).Decode(&l); err != nil {
		a.t.Errorf("a webhook: %v", err)
		return
	}
	if r.Header.Get("X-GitHub-Event") == "issues" && l.Action == "labeled" && l.Sender.Login != tokenless+"[bot]" {
		a.telling.Lock()
		a.told = append(a.told, l)
		a.telling.Unlock()
	}
}

func (a *actions) next() (l labeled, ok bool) {
	a.rest()
	a.telling.Lock()
	defer a.telling.Unlock()
	if len(a.told) == 0 {
		return labeled{}, false
	}
	l, a.told = a.told[0], a.told[1:]
	return l, true
}

// run runs what labels start, and what those start, until there is nothing more.
func (a *actions) run() {
	a.t.Helper()
	for {
		l, ok := a.next()
		if !ok {
			return
		}
		for _, name := range []string{"analyze", "develop", "review"} {
			a.start(name, l)
		}
	}
}

// start runs one workflow for one event.
func (a *actions) start(name string, l labeled) {
	a.t.Helper()
	w := a.workflows[name]
	known := values{
		"github.event.issue.number": fmt.Sprint(l.Issue.Number),
		"github.event.issue.title":  l.Issue.Title,
		"github.event.issue.body":   l.Issue.Body,
		"github.event.label.name":   l.Label.Name,
		"github.event.sender.login": l.Sender.Login,
		"github.token":              a.world.Playground.Token(tokenless),
		"github.run_id":             "4711",
	}
	for workflow, role := range files {
		known["vars.COLONY_"+strings.ToUpper(role)+"_LOGIN"] = a.bots[workflow] + "[bot]"
		known["vars.COLONY_"+strings.ToUpper(role)+"_CLIENT_ID"] = workflow
		known["secrets.COLONY_"+strings.ToUpper(role)+"_PRIVATE_KEY"] = "the key of " + a.bots[workflow]
	}
	group, err := known.fill(w.Concurrency.Group)
	if err != nil {
		a.t.Fatal(err)
	}
	done := map[string]bool{}
	for len(done) < len(w.Jobs) {
		id, ok := ready(w, done)
		if !ok {
			a.t.Fatalf("%s: jobs wait for each other", name)
		}
		done[id] = true
		result := a.runJob(name, id, known)
		known["needs."+id+".result"] = result
		if id == "claim" {
			if waits := strings.HasSuffix(group, "-work"); result != "skipped" && !waits {
				a.t.Errorf("%s runs in the group %s, which keeps nobody out", name, group)
			}
			if result != "skipped" {
				a.ran = append(a.ran, name)
			}
		}
	}
}

func ready(w workflow, done map[string]bool) (id string, ok bool) {
	for id, j := range w.Jobs {
		if !done[id] && !slices.ContainsFunc(j.Needs, func(n string) bool { return !done[n] }) {
			return id, true
		}
	}
	return "", false
}

// runJob runs a job and returns its result; its outputs are in known afterwards.
func (a *actions) runJob(name, id string, known values) (result string) {
	a.t.Helper()
	w := a.workflows[name]
	j := w.Jobs[id]
	condition := j.If
	if condition == "" {
		a.t.Fatalf("%s: job %s has no if", name, id)
	}
	for output := range j.Outputs {
		known["needs."+id+".outputs."+output] = ""
	}
	holds, err := known.holds(condition)
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	for _, need := range j.Needs { // "success()" is there unless the condition says otherwise
		if known["needs."+need+".result"] != "success" && !strings.Contains(condition, "always()") {
			holds = false
		}
	}
	if !holds {
		return "skipped"
	}
	for _, s := range j.Steps {
		outputs, ok := a.runStep(name, w, s, known)
		for output, value := range outputs {
			known["steps."+s.ID+".outputs."+output] = value
		}
		if !ok {
			return "failure"
		}
	}
	for output, expression := range j.Outputs {
		known[strings.Trim(expression, "${ }")] += "" // what a step did not say is empty
		value, err := known.fill(expression)
		if err != nil {
			a.t.Fatalf("%s: %v", name, err)
		}
		known["needs."+id+".outputs."+output] = value
	}
	return "success"
}

// runStep runs a step and returns its outputs, and whether it succeeded.
func (a *actions) runStep(name string, w workflow, s step, known values) (outputs map[string]string, ok bool) {
	a.t.Helper()
	action, _, _ := strings.Cut(s.Uses, "@")
	switch action {
	case "":
		return a.runScript(name, w, s, known)
	case "actions/checkout":
		return nil, true
	case "actions/create-github-app-token":
		app, err := known.fill(s.With["client-id"])
		if err != nil {
			a.t.Fatal(err)
		}
		key, err := known.fill(s.With["private-key"])
		if err != nil || key != "the key of "+a.bots[app] {
			a.t.Fatalf("%s: %s and %s are not of one App: %v", name, s.With["client-id"], s.With["private-key"], err)
		}
		return map[string]string{"token": a.world.Playground.Token(a.bots[app])}, true
	}
	a.t.Fatalf("%s: nobody knows what %s does", name, s.Uses)
	return nil, false
}

func (a *actions) runScript(name string, w workflow, s step, known values) (outputs map[string]string, ok bool) {
	a.t.Helper()
	if w.Defaults.Run.Shell != "bash" {
		a.t.Fatalf("%s: the shell is %q", name, w.Defaults.Run.Shell)
	}
	folder := a.t.TempDir()
	if strings.HasPrefix(s.Run, "./ci/") {
		if a.while != nil {
			a.while(name)
		}
		write(a.t, filepath.Join(folder, s.Run), "#!/bin/sh\n"+a.commands[name]+"\n")
	}
	output := filepath.Join(folder, "output")
	write(a.t, output, "")
	script := filepath.Join(folder, "script")
	write(a.t, script, s.Run)
	command := exec.CommandContext(a.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	command.Dir = folder
	command.Env = []string{
		"PATH=" + os.Getenv("PATH"), "GITHUB_API_URL=" + a.world.GitHubURL + "/api/v3", "GITHUB_SERVER_URL=" + a.world.GitHubURL,
		"GITHUB_REPOSITORY=" + demo.Owner + "/" + demo.Repository, "GITHUB_RUN_ID=" + known["github.run_id"], "GITHUB_OUTPUT=" + output,
		"WAITS=" + a.waits,
	}
	for _, env := range []map[string]string{w.Env, s.Env} {
		for variable, expression := range env {
			value, err := known.fill(expression)
			if err != nil {
				a.t.Fatalf("%s, %q: %v", name, s.Name, err)
			}
			command.Env = append(command.Env, variable+"="+value)
		}
	}
	said, err := command.CombinedOutput()
	a.t.Logf("%s #%s, %s: %v\n%s", name, known["github.event.issue.number"], s.Name, err, said)
	a.said.Write(said)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		a.t.Fatal(err)
	}
	return readOutputs(a.t, output), err == nil
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// readOutputs reads a step's outputs: name=value, or name<<END and lines until END
// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#setting-an-output-parameter).
func readOutputs(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{}
	for rest := string(text); rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if name, end, ok := strings.Cut(line, "<<"); ok {
			outputs[name], rest, _ = strings.Cut(rest, "\n"+end+"\n")
		} else if name, value, ok := strings.Cut(line, "="); ok {
			outputs[name] = value
		}
	}
	return outputs
}

// client acts as somebody on the playground.
func (a *actions) client(login string) *github.Client {
	a.t.Helper()
	api := a.world.GitHubURL + "/api/v3/"
	client, err := github.NewClient(nil).WithAuthToken(a.world.Playground.Token(login)).WithEnterpriseURLs(api, api)
	if err != nil {
		a.t.Fatal(err)
	}
	return client
}

// puts puts a label on an issue.
func (a *actions) puts(login string, issue int, label string) {
	a.t.Helper()
	if _, _, err := a.client(login).Issues.AddLabelsToIssue(a.t.Context(), demo.Owner, demo.Repository, issue, []string{label}); err != nil {
		a.t.Fatal(err)
	}
}

// labels are Colony's labels on an issue, without "colony:".
func (a *actions) labels(issue int) []string {
	a.t.Helper()
	is, _, err := a.client(demo.Maintainer).Issues.Get(a.t.Context(), demo.Owner, demo.Repository, issue)
	if err != nil {
		a.t.Fatal(err)
	}
	var names []string
	for _, l := range is.Labels {
		if name, ok := strings.CutPrefix(l.GetName(), "colony:"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// trail lists who put which of Colony's labels on an issue, beginning with an event.
func (a *actions) trail(issue int) []string {
	a.t.Helper()
	events, _, err := a.client(demo.Maintainer).Issues.ListIssueEvents(a.t.Context(), demo.Owner, demo.Repository, issue, &github.ListOptions{PerPage: 100})
	if err != nil {
		a.t.Fatal(err)
	}
	var trail []string
	for _, e := range events {
		if name, ok := strings.CutPrefix(e.GetLabel().GetName(), "colony:"); ok && e.GetEvent() == "labeled" {
			trail = append(trail, name+" by "+e.GetActor().GetLogin())
		}
	}
	return trail
}

// comments are what somebody wrote on an issue.
func (a *actions) comments(issue int, login string) []string {
	a.t.Helper()
	all, _, err := a.client(demo.Maintainer).Issues.ListComments(a.t.Context(), demo.Owner, demo.Repository, issue, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	var texts []string
	for _, c := range all {
		if c.GetUser().GetLogin() == login {
			texts = append(texts, c.GetBody())
		}
	}
	return texts
}

func (a *actions) closes(issue int) {
	a.t.Helper()
	if _, _, err := a.client(demo.Maintainer).Issues.Edit(a.t.Context(), demo.Owner, demo.Repository, issue, &github.IssueRequest{State: new("closed")}); err != nil {
		a.t.Fatal(err)
	}
}

func newIssue(title string) *github.IssueRequest { return &github.IssueRequest{Title: &title} }

func newComment(text string) *github.IssueComment { return &github.IssueComment{Body: &text} }
