package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/permissions"
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
	p, environment := github(t)
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	p.AddUser("olivia")
	p.SetPermission("acme", "widgets", "olivia", "write")
	id := p.Install(7, "acme")
	if err := p.SetInstallationPermissions(id, permissions.All()); err != nil {
		t.Fatal(err)
	}
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
