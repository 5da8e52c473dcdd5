package cli

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/colony-app/colony/lifecycle"
)

// Each failure that needs no GitHub, with the status that --help says.
func TestExitStatusesAreThoseOfTheHelp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, broken := write("good.yml", mustLifecycle(t)), write("broken.yml", "states: 3\n")
	key := write("key.pem", string(newKey()))
	taken := listenSomewhere(t)
	for _, c := range []struct {
		arguments []string
		status    int
	}{
		{[]string{"init", "--output", filepath.Join(folder, "new", "colony.yml")}, 0},
		{[]string{"init", "--output", good}, 2},
		{[]string{"init", "--output", filepath.Join(good, "colony.yml")}, 2},
		{[]string{"serve"}, 2},
		{[]string{"serve", "--config", "nowhere.yml"}, 2},
		{[]string{"serve", "--config", broken}, 2},
		{[]string{"serve", "--frobnicate"}, 2},
		{[]string{"doctor"}, 2},
		{[]string{"doctor", "--config", "nowhere.yml"}, 2},
		{[]string{"doctor", "nonsense"}, 2},
		{[]string{"audit"}, 2},
		{[]string{"audit", "--format", "xml"}, 2},
		{[]string{"simulate", "--since", "never"}, 2},
		{[]string{"labels"}, 2},
		{[]string{"uninstall"}, 2},
		{[]string{"uninstall", "--repo", "acme/widgets", "--yes"}, 2},
		{[]string{"uninstall", "--repo", "acme/widgets", "--yes", "--token-env", "COLONYS_NO_SUCH_TOKEN"}, 2},
		{[]string{"labels", "list"}, 2},
		{[]string{"labels", "apply", "--dry-run"}, 2},
		{[]string{"labels", "prune", "--former", "kanban"}, 2},
		{[]string{"demo", "--lifecycle", "kanban"}, 2},
		{[]string{"demo", "--address", taken}, 2},
		{[]string{"playground", "--app-id", "7"}, 2},
		{[]string{"playground", "--app-id", "7", "--private-key", "nowhere.pem"}, 2},
		{[]string{"playground", "--app-id", "7", "--private-key", key, "--address", taken}, 2},
		{[]string{"bench", "--scenario", "nonsense"}, 2},
		{[]string{"lifecycle"}, 0},
		{[]string{"lifecycle", "kanban"}, 2},
		{[]string{"lifecycle", broken}, 2},
		{[]string{"check", "new", "planning"}, 0},
		{[]string{"check", "done", "new"}, 1},
		{[]string{"check", "nwe", "planning"}, 2},
		{[]string{"check", "new"}, 2},
		{[]string{"lint", good}, 0},
		{[]string{"lint", broken}, 1},
		{[]string{"lint", good, "nowhere.yml"}, 2},
		{[]string{"schema", "lifecycle"}, 0},
		{[]string{"schema", "nonsense"}, 2},
		{[]string{"version"}, 0},
		{[]string{"version", "nonsense"}, 2},
		{[]string{"frobnicate"}, 2},
		{nil, 2},
	} {
		t.Run(strings.ReplaceAll(strings.Join(c.arguments, " "), "/", "-"), func(t *testing.T) {
			t.Parallel()
			if _, status := run(t, nil, c.arguments...); status != c.status {
				t.Errorf("exits with %d, not with %d", status, c.status)
			}
		})
	}
}

func TestAnOutputThatTakesNothingIsNoAnswer(t *testing.T) {
	t.Parallel()
	good := filepath.Join(t.TempDir(), "good.yml")
	if err := os.WriteFile(good, []byte(mustLifecycle(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	for subcommand, status := range map[string]int{"lifecycle": 1, "schema lifecycle": 1, "version": 1, "lint " + good: 2} {
		if got := runIntoFull(t, strings.Fields(subcommand)...); got != status {
			t.Errorf("%s exits with %d, not with %d", subcommand, got, status)
		}
	}
}

func TestEverySubcommandSaysHowItExits(t *testing.T) {
	t.Parallel()
	parser := newParser()
	for _, subcommand := range parser.Model.Leaves(true) {
		name := strings.TrimPrefix(subcommand.FullPath(), parser.Model.Name+" ")
		e, known := exitStatuses[name]
		if !known {
			t.Errorf("exitStatuses has no row for %s: add one, and {{exits .}} to its text in help.tmpl", name)
		}
		for status, when := range e {
			if when == "" {
				t.Errorf("%s does not say when it exits with %s", name, strconv.Itoa(status))
			}
		}
		if !strings.Contains(subcommand.Detail, exitsOf(name)) {
			t.Errorf("colony %s --help does not say: %s", name, exitsOf(name))
		}
	}
}

func mustLifecycle(t *testing.T) string {
	t.Helper()
	text, err := lifecycle.ShippedFile("prp")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func listenSomewhere(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String()
}

// runIntoFull runs "colony" with an output on which nothing fits, and returns its exit status.
func runIntoFull(t *testing.T, args ...string) int {
	t.Helper()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	command := exec.CommandContext(t.Context(), "colony", args...)
	command.Stdout = full
	_ = command.Run() // its status is what matters
	return command.ProcessState.ExitCode()
}
