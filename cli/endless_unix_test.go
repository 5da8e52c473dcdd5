//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// endless is an input that has no end for who reads a bounded part of it. It ends at last, so a command that reads all of it fails its test
// and not the machine.
type endless struct{ sent atomic.Int64 }

// enough is more than a command reads of an input, with what the pipe and this test keep of it.
const enough = 1 << 20

func (e *endless) Read(into []byte) (int, error) {
	if e.sent.Add(int64(len(into))) > 64*enough {
		return 0, errors.New("a command read all of it")
	}
	for i := range into {
		into[i] = '['
	}
	return len(into), nil
}

// file makes a named pipe that sends e to who reads it. What is returned ends the sending.
func (e *endless) file(t *testing.T, path string) (end func()) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer pipe.Close()
		_, _ = pipe.ReadFrom(e) // until nobody reads it
	}()
	return func() {
		if reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil { // nobody may have opened it
			_ = reader.Close()
		}
		<-done
	}
}

// Whatever a command reads, it has the bound that a server has for the same, and says so.
func TestAnEndlessInputIsRefused(t *testing.T) {
	t.Parallel()
	const asks = " --repo acme/widgets"
	for name, c := range map[string]struct {
		args     string // @ is the pipe
		variable string // names the pipe
		pipe     string // where it is; "pipe" unless it says
		status   int
		quiet    bool // "colony lint" of that file says what is wrong with it
	}{
		"lint":                            {args: "lint @", status: 1},
		"lint of the standard input":      {args: "lint -", status: 1},
		"lint of settings":                {args: "lint --kind repository @", status: 1},
		"lint of a configuration":         {args: "lint --kind server @", status: 1},
		"lint beside a lifecycle":         {args: "lint settings/.github/colony.yml", pipe: "settings/.github/colony-lifecycle.yml", quiet: true},
		"lint by a lifecycle":             {args: "lint --kind repository --lifecycle ./@ settings/.github/colony.yml", status: 2},
		"lifecycle":                       {args: "lifecycle ./@", status: 2},
		"lifecycle of the standard input": {args: "lifecycle -", status: 2},
		"check":                           {args: "check done new --lifecycle ./@", status: 2},
		"check on GitHub":                 {args: "check done --repo acme/widgets#1 --as ada --config @", status: 2},
		"simulate a lifecycle":            {args: "simulate --lifecycle ./@" + asks, status: 2},
		"simulate the standard input":     {args: "simulate --lifecycle -" + asks, status: 2},
		"simulate settings":               {args: "simulate --settings @" + asks, status: 2},
		"simulate with a configuration":   {args: "simulate --config @" + asks, status: 2},
		"labels apply":                    {args: "labels apply --dry-run --lifecycle ./@", status: 2},
		"labels list":                     {args: "labels list --config @", status: 2},
		"doctor":                          {args: "doctor --config @", status: 2},
		"audit":                           {args: "audit --config @", status: 2},
		"status":                          {args: "status --config @", status: 2},
		"uninstall":                       {args: "uninstall --config @" + asks, status: 2},
		"playground":                      {args: "playground --app-id 7 --private-key @", status: 2},
		"playground, standard input":      {args: "playground --app-id 7 --private-key -", status: 2},
		"serve":                           {args: "serve --config @", status: 2},
		"a private key":                   {args: "serve", variable: "COLONY_GITHUB_APP_PRIVATE_KEY_FILE", status: 2},
		"a webhook secret":                {args: "serve", variable: "COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE", status: 2},
		"a client secret":                 {args: "serve", variable: "COLONY_GITHUB_OAUTH_CLIENT_SECRET_FILE", status: 2},
		"an admin token":                  {args: "serve", variable: "COLONY_SERVER_ADMIN_TOKEN_FILE", status: 2},
		"setup":                           {args: "setup --code -", status: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, input := t.TempDir(), &endless{}
			if err := os.MkdirAll(filepath.Join(folder, "settings", ".github"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "settings", ".github", "colony.yml"), []byte("lifecycle: colony\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			command := exec.CommandContext(t.Context(), "colony", strings.Fields(strings.ReplaceAll(c.args, "@", "pipe"))...)
			command.Dir, command.Env = folder, os.Environ()
			if slices.Contains(command.Args, "-") {
				command.Stdin = input
			}
			pipe := "pipe"
			if c.pipe != "" {
				pipe = c.pipe
			}
			if c.variable != "" {
				command.Env = append(command.Env, c.variable+"="+pipe)
			}
			end := input.file(t, filepath.Join(folder, pipe))
			said, _ := command.CombinedOutput() // the status says what came of it
			end()
			if status := command.ProcessState.ExitCode(); status != c.status {
				t.Errorf("it exits with %d, not with %d", status, c.status)
			}
			if tells := strings.Contains(string(said), "more than 65536 bytes") && strings.Contains(string(said), " -> "); tells == c.quiet || len(said) > 2000 {
				t.Errorf("it does not say what is too large, and what to do:\n%.2000s", said)
			}
			if sent := input.sent.Load(); sent == 0 || sent > enough {
				t.Errorf("it took %d bytes", sent)
			}
		})
	}
}

// A small file can take gigabytes of the decoders: no command gives them one that does.
func TestASmallFileTakesLittleMemory(t *testing.T) {
	t.Parallel()
	const mostMemory = 1 << 20 // KiB; that of this test's process counts too
	nested := func(open, end string, n int) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	for name, text := range map[string]string{
		"brackets":             strings.Repeat("[", 60_000),
		"lists within lists":   "states: " + nested("[", "]", 30_000),
		"maps within maps":     "states: " + nested("{a: ", "}", 12_000),
		"lists in block style": strings.Repeat("- ", 30_000),
		"anchors":              "states: [" + strings.Repeat("&a x, ", 9_000) + "]",
		"aliases of aliases": "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
			"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
		"aliases of a long text": "mode: &a " + strings.Repeat("x", 30_000) + "\nrepositories: {include: [" + strings.Repeat("*a,", 9_000) + "]}\n",
	} {
		for _, line := range []string{
			"lint file.yml", "lint --kind repository file.yml", "lint --kind server file.yml", "lifecycle ./file.yml",
			"check done new --lifecycle ./file.yml", "simulate --repo acme/widgets --lifecycle ./file.yml", "serve --config file.yml",
		} {
			t.Run(name+"/"+line, func(t *testing.T) {
				t.Parallel()
				command := exec.CommandContext(t.Context(), "colony", strings.Fields(line)...)
				command.Dir = t.TempDir()
				if err := os.WriteFile(filepath.Join(command.Dir, "file.yml"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				said, _ := command.CombinedOutput() // the status says what came of it
				if status := command.ProcessState.ExitCode(); status != 1 && status != 2 || !strings.Contains(string(said), "file.yml:") {
					t.Errorf("it exits with %d:\n%.1000s", status, said)
				}
				if used, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" && used.Maxrss > mostMemory {
					t.Errorf("it took %d KiB", used.Maxrss)
				}
			})
		}
	}
}
