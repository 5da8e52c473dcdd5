//go:build examples

// Package workflows holds workflows for GitHub Actions with which Colony's executors run there, and their tests: they are
// started by the labels of the playground, with Colony beside it, and their scripts are run as Actions would.
package workflows

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// workflow is what the tests read of a workflow file
// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax).
type workflow struct {
	Name string
	On   struct {
		Issues struct{ Types []string }
	}
	Concurrency struct {
		Group            string
		CancelInProgress bool `yaml:"cancel-in-progress"`
	}
	Permissions map[string]string
	Defaults    struct{ Run struct{ Shell string } }
	Env         map[string]string
	Jobs        map[string]job
}

type job struct {
	If          string
	Needs       words
	TimeOut     int `yaml:"timeout-minutes"`
	Permissions map[string]string
	Outputs     map[string]string
	Steps       []step
}

type step struct {
	Name string
	ID   string
	Uses string
	With map[string]string
	Env  map[string]string
	Run  string
}

// words is one word or a list of them.
type words []string

func (w *words) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*w = words{n.Value}
		return nil
	}
	return n.Decode((*[]string)(w))
}

// files names the workflows with the role of each.
var files = map[string]string{"analyze": "analyzer", "develop": "developer", "review": "reviewer"}

func read(t *testing.T, name string) workflow {
	t.Helper()
	text, err := os.ReadFile(name + ".yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return w
}

// actionlint runs the linter that lint/go.mod pins. Its use of shellcheck is off: not everybody has that.
func actionlint(t *testing.T, paths ...string) (said string, err error) {
	t.Helper()
	arguments := []string{
		"-C", "lint", "tool", "actionlint", "-no-color", "-shellcheck=", "-pyflakes=",
		// What it knows of create-github-app-token is from before 3.1, which took client-id in and made app-id a thing of the past.
		"-ignore", `^input "client-id" is not defined in action "actions/create-github-app-token@v3"`,
		"-ignore", `^missing input "app-id" which is required by action "actions/create-github-app-token@v3"`,
	}
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, absolute)
	}
	out, err := exec.CommandContext(t.Context(), "go", arguments...).CombinedOutput()
	return string(out), err
}

func TestActionlintFindsNothing(t *testing.T) {
	t.Parallel()
	paths := []string{"simulate.yml"}
	for name := range files {
		paths = append(paths, name+".yml")
	}
	if said, err := actionlint(t, paths...); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// So that the test above can fail: an issue's title in a script is code of the issue's author.
func TestActionlintFindsAnInjection(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("analyze.yml")
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.yml")
	injected := strings.Replace(string(text), "run: ./ci/analyze.sh", "run: ./ci/analyze.sh '${{ github.event.issue.title }}'", 1)
	if err := os.WriteFile(bad, []byte(injected), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := actionlint(t, bad); err == nil || !strings.Contains(said, "potentially untrusted") {
		t.Errorf("not found: %v\n%s", err, said)
	}
}

// otherMethod matches what makes curl send neither GET nor POST: labels are only ever added.
var otherMethod = regexp.MustCompile(`--request.*|-X.*`)

func TestWorkflowsAreCareful(t *testing.T) {
	t.Parallel()
	claims := map[string]string{}
	hands := map[string]string{}
	for name := range files {
		w := read(t, name)
		if diff := cmp.Diff([]string{"labeled"}, w.On.Issues.Types); diff != "" {
			t.Errorf("%s starts on: %s", name, diff)
		}
		if w.Permissions == nil || len(w.Permissions) > 0 {
			t.Errorf("%s: GITHUB_TOKEN may %v everywhere", name, w.Permissions)
		}
		if w.Concurrency.CancelInProgress || !strings.Contains(w.Concurrency.Group, "github.event.issue.number") {
			t.Errorf("%s: concurrency %+v", name, w.Concurrency)
		}
		for id, job := range w.Jobs {
			if job.TimeOut == 0 || job.TimeOut > 60 {
				t.Errorf("%s: job %s may take %d minutes; a token is good for an hour", name, id, job.TimeOut)
			}
			for _, level := range job.Permissions {
				if level != "read" {
					t.Errorf("%s: job %s lets GITHUB_TOKEN write", name, id)
				}
			}
			for _, s := range job.Steps {
				if between.MatchString(s.Run) {
					t.Errorf("%s: the script of %q has an expression in it: %s", name, s.Name, between.FindString(s.Run))
				}
				if otherMethod.MatchString(s.Run) {
					t.Errorf("%s: the script of %q does more than read and add: %s", name, s.Name, otherMethod.FindString(s.Run))
				}
			}
		}
		claims[script(t, w, "claim")] = name
		hands[script(t, w, "hand-on")] = name
	}
	if len(claims) != 1 || len(hands) != 1 {
		t.Error("the scripts that claim and hand on differ between the workflows")
	}
}

// script is the last one of a job.
func script(t *testing.T, w workflow, job string) string {
	t.Helper()
	steps := w.Jobs[job].Steps
	if len(steps) == 0 || steps[len(steps)-1].Run == "" {
		t.Fatalf("%s: no script in job %s", w.Name, job)
	}
	return steps[len(steps)-1].Run
}

// A workflow asks for what its role may do.
func TestWorkflowsAskForWhatTheirRoleMay(t *testing.T) {
	t.Parallel()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	state := func(label string) string {
		s, ok := life.StateOf(label)
		if !ok {
			t.Fatalf("%s is no state", label)
		}
		return s.Name
	}
	for name, role := range files {
		env := read(t, name).Env
		works := state(env["WORKS_IN"])
		moves := [][2]string{{works, state(env["FAILURE"])}}
		for from := range strings.FieldsSeq(env["CLAIMS"]) {
			moves = append(moves, [2]string{state(from), works})
		}
		for to := range strings.FieldsSeq(env["MAY"]) {
			moves = append(moves, [2]string{works, to})
		}
		for _, m := range moves {
			if verdict := life.Judge(lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{role}}, m[0], m[1]); verdict != lifecycle.Legal {
				t.Errorf("%s: %s may not move an issue from %s to %s: %s", name, role, m[0], m[1], verdict)
			}
		}
	}
}
