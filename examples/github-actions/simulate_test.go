//go:build examples

package workflows

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// A lifecycle of two states, and one in which the way back is gone.
const (
	thereAndBack = `name: pair
summary: Two states, and the way there and back.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has begun.}
  - {name: open, type: active, label: "colony:open", color: c5def5, description: It waits., meaning: It waits.}
  - {name: shut, type: active, label: "colony:shut", color: c5def5, description: It is made., meaning: It is made.}
  - {name: over, type: terminal, label: "colony:over", color: c5def5, description: It is over., meaning: It is over.}
transitions:
  - kind: forward
    source: this test
    pairs:
      - {from: untouched, to: [open], why: It begins.}
      - {from: open, to: [shut], why: It goes on.}
      - {from: shut, to: [open, over], why: It goes on.}
`
)

// The workflow for pull requests that change a lifecycle: its script says what the change would have done, with a token that only reads,
// and fails for a file that Colony cannot use.
func TestSimulateWorkflow(t *testing.T) {
	t.Parallel()
	p := playground.New(playground.Options{})
	address, err := p.Start("127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { must(t, p.Close()) })
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	p.AddUser("olivia")
	p.SetPermission("acme", "widgets", "olivia", "write")
	must(t, p.SetFile("acme", "widgets", ".github/colony-lifecycle.yml", thereAndBack))
	olivia := github.NewClient(nil).WithAuthToken(p.Token("olivia"))
	olivia.BaseURL, err = url.Parse(address + "/api/v3/")
	must(t, err)
	_, _, err = olivia.Issues.Create(t.Context(), "acme", "widgets", &github.IssueRequest{Title: new("A widget"), Labels: &[]string{"colony:open"}})
	must(t, err)
	for _, swap := range [][2]string{{"colony:open", "colony:shut"}, {"colony:shut", "colony:open"}} {
		_, _, err = olivia.Issues.AddLabelsToIssue(t.Context(), "acme", "widgets", 1, []string{swap[1]})
		must(t, err)
		_, err = olivia.Issues.RemoveLabelForIssue(t.Context(), "acme", "widgets", 1, url.PathEscape(swap[0]))
		must(t, err)
	}

	w := read(t, "simulate")
	job := w.Jobs["simulate"]
	for permission, level := range job.Permissions {
		if level != "read" {
			t.Errorf("GITHUB_TOKEN may %s %s", level, permission)
		}
	}
	if w.Permissions == nil || len(w.Permissions) > 0 || job.TimeOut == 0 {
		t.Errorf("GITHUB_TOKEN may %v everywhere, for %d minutes", w.Permissions, job.TimeOut)
	}
	script := job.Steps[len(job.Steps)-1]
	if between.MatchString(script.Run) {
		t.Errorf("the script has an expression in it: %s", between.FindString(script.Run))
	}

	runner := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(runner, "colony"), "../..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		name, file, settings string
		fails                bool
		says                 []string
	}{
		{"without the way back", strings.Replace(thereAndBack, "to: [open, over]", "to: [over]", 1), "", false, []string{
			"The change makes a difference to 1 issue.", "#### Only with the change", "refused `shut -> open`: the lifecycle has no such move (a person; 1 issue)", address + "/acme/widgets/issues/1#event-",
		}},
		{"the same", thereAndBack, "", false, []string{"The change makes no difference to what happened."}},
		{"with settings", thereAndBack, "lifecycle: prp\n", true, nil},
		{"broken", "name: pair\n", "", true, nil},
		{"no file", "", "", false, []string{"The change removes both files"}},
	} {
		folder := t.TempDir()
		must(t, os.Mkdir(filepath.Join(folder, ".github"), 0o700))
		for name, text := range map[string]string{"colony-lifecycle.yml": c.file, "colony.yml": c.settings} {
			if text != "" {
				must(t, os.WriteFile(filepath.Join(folder, ".github", name), []byte(text), 0o600))
			}
		}
		p.ResetCalls()
		summary := filepath.Join(folder, "summary.md")
		command := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script.Run)
		command.Dir = folder
		command.Env = append(os.Environ(), "GITHUB_TOKEN="+p.Token("olivia"), "SINCE="+script.Env["SINCE"], "GITHUB_REPOSITORY=acme/widgets",
			"GITHUB_API_URL="+address+"/api/v3", "GITHUB_SERVER_URL="+address, "GITHUB_STEP_SUMMARY="+summary, "RUNNER_TEMP="+runner)
		out, err := command.CombinedOutput()
		if (err != nil) != c.fails {
			t.Errorf("%s: %v\n%s", c.name, err, out)
			continue
		}
		said, err := os.ReadFile(summary)
		if err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
		for _, words := range c.says {
			if !strings.Contains(string(said), words) {
				t.Errorf("%s: the summary does not say %q:\n%s\n%s", c.name, words, said, out)
			}
		}
		for _, call := range p.Calls() {
			if call.Method != "GET" {
				t.Errorf("%s: the workflow changes something: %s %s", c.name, call.Method, call.Path)
			}
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
