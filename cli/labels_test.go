package cli

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

// transcript runs "colony" several times on a playground, and compares what it prints with a golden file.
type transcript struct {
	t           *testing.T
	environment []string
	folder      string
	told        strings.Builder
}

// runs runs "colony" with arguments, and an answer to what it may ask.
func (s *transcript) runs(want int, answer string, args ...string) {
	s.t.Helper()
	command := exec.CommandContext(s.t.Context(), "colony", args...)
	command.Env, command.Dir, command.Stdin = append(os.Environ(), s.environment...), s.folder, strings.NewReader(answer)
	out, err := command.CombinedOutput()
	if status := command.ProcessState.ExitCode(); status != want {
		s.t.Errorf("colony %s exits with %d, not with %d: %v", strings.Join(args, " "), status, want, err)
	}
	out = regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAll(out, []byte("HOST"))
	out = regexp.MustCompile(`installations/\d+`).ReplaceAll(out, []byte("installations/N"))
	s.told.WriteString("$ colony " + strings.Join(args, " ") + "\n" + string(out) + "\n")
}

// configure writes config.yml.
func (s *transcript) configure(text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, "config.yml"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.told.WriteString("$ cat config.yml\n" + text + "\n")
}

func (s *transcript) is(name string) {
	s.t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(golden, []byte(s.told.String()), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), s.told.String()); diff != "" {
		s.t.Errorf("-want +got:\n%s", diff)
	}
}

// A platform engineer makes the labels of a lifecycle, changes the lifecycle, and cleans up.
func TestLabelsFromTheFirstToAnotherLifecycle(t *testing.T) {
	p, environment, _ := githubWithWidgets(t)
	s := &transcript{t: t, environment: environment, folder: t.TempDir()}
	s.configure("lifecycle: prp\n")
	s.runs(1, "", "labels", "list", "--config", "config.yml")
	s.runs(1, "", "labels", "apply", "--config", "config.yml", "--dry-run")
	s.runs(0, "", "labels", "apply", "--config", "config.yml")
	s.runs(0, "", "labels", "apply", "--config", "config.yml")
	s.runs(0, "", "labels", "list", "--config", "config.yml")
	openIssue(t, p, environment, "colony:researching")
	s.configure("lifecycle: autoralph\n")
	s.runs(0, "", "labels", "apply", "--config", "config.yml", "--repo", "acme/widgets")
	s.runs(1, "", "labels", "list", "--config", "config.yml", "--repo", "acme/widgets")
	s.runs(1, "", "labels", "list", "--config", "config.yml", "--format", "json")
	s.runs(1, "", "labels", "prune", "--config", "config.yml", "--repo", "acme/widgets", "--dry-run")
	s.runs(1, "", "labels", "prune", "--config", "config.yml", "--repo", "acme/widgets")
	s.runs(2, "", "labels", "prune", "--config", "config.yml", "--repo", "acme/gadgets")
	s.is("labels.txt")
}

// hadLabels is a lifecycle for a repository that had labels of its own.
const hadLabels = `name: review
summary: Changes on their way through a review.
initial: in-review
states:
  - name: in-review
    type: active
    label: In review
    previously: ["status: in review", needs review]
    color: 006b75
    description: Somebody reviews it.
    meaning: Somebody reviews it.
  - name: done
    type: terminal
    label: "status: done"
    color: 0b6623
    description: It is done.
    meaning: It is done.
forward:
  - {order: [in-review, done]}
`

// A repository that had labels of its own keeps them, as the guide says.
func TestLabelsThatARepositoryHadBefore(t *testing.T) {
	p, environment, _ := githubWithWidgets(t)
	s := &transcript{t: t, environment: environment, folder: t.TempDir()}
	s.configure("lifecycle: prp\n")
	if err := os.WriteFile(filepath.Join(s.folder, "review.yml"), []byte(hadLabels), 0o600); err != nil {
		t.Fatal(err)
	}
	openIssue(t, p, environment, "status: in review", "bug")
	openIssue(t, p, environment, "needs review")
	openIssue(t, p, environment, "status: done")
	s.runs(0, "", "lint", "review.yml")
	s.runs(2, "", "labels", "apply", "--config", "config.yml", "--lifecycle", "review.yml")
	s.runs(1, "", "labels", "apply", "--config", "config.yml", "--repo", "acme/widgets", "--dry-run", "--lifecycle", "review.yml")
	if err := p.SetFile("acme", "widgets", ".github/colony-lifecycle.yml", hadLabels); err != nil {
		t.Fatal(err)
	}
	s.runs(1, "", "labels", "list", "--config", "config.yml", "--repo", "acme/widgets")
	s.runs(1, "", "labels", "apply", "--config", "config.yml", "--repo", "acme/widgets", "--dry-run")
	s.runs(0, "", "labels", "apply", "--config", "config.yml", "--repo", "acme/widgets")
	s.runs(0, "", "labels", "apply", "--config", "config.yml", "--repo", "acme/widgets")
	s.runs(0, "", "labels", "list", "--config", "config.yml", "--repo", "acme/widgets")
	s.is("labels-before.txt")
}

// githubWithWidgets is a playground on which the App is installed on acme/widgets, where olivia may write.
func githubWithWidgets(t *testing.T) (p *playground.Playground, environment []string, installation int64) {
	t.Helper()
	p, environment = github(t)
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	p.AddUser("olivia")
	p.SetPermission("acme", "widgets", "olivia", "write")
	installation = p.Install(7, "acme")
	if err := p.SetInstallationPermissions(installation, permissions.All()); err != nil {
		t.Fatal(err)
	}
	return p, environment, installation
}

// A platform engineer leaves without a trace.
func TestUninstallLeavesNoLabel(t *testing.T) {
	p, environment, installation := githubWithWidgets(t)
	colony := apptest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) }))
	s := &transcript{t: t, environment: environment, folder: t.TempDir()}
	s.configure("lifecycle: prp\n")
	s.runs(0, "", "labels", "apply", "--config", "config.yml")
	openIssue(t, p, environment, "colony:researching", "colony:needs-human", "bug")
	p.SetWebhookURL(7, colony+"/api/github/hook")
	s.runs(2, "", "uninstall", "--config", "config.yml", "--repo", "acme/widgets", "--yes")
	if err := p.Uninstall(installation); err != nil {
		t.Fatal(err)
	}
	s.runs(2, "", "uninstall", "--config", "config.yml", "--repo", "acme/widgets", "--yes")
	s.environment = append(s.environment, "GITHUB_TOKEN="+p.Token("olivia"))
	args := []string{"uninstall", "--config", "config.yml", "--repo", "acme/widgets", "--token-env", "GITHUB_TOKEN"}
	s.runs(1, "", append(args, "--dry-run")...)
	s.runs(1, "", args...)
	s.runs(1, "no\n", args...)
	s.runs(0, "yes\n", args...)
	s.runs(0, "", append(args, "--yes")...)
	s.is("uninstall.txt")
}
