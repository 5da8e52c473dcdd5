//go:build browser

package blackbox_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// built is the program.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "colony")
	if said, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, said)
	}
	return program
}

var demoPage = regexp.MustCompile(`^\s*page\s+(http://\S+)$`)

// startDemo builds the program and runs its demo until the test ends. It returns the address of the page, as the demo
// prints it.
func startDemo(t *testing.T) string {
	t.Helper()
	demo := exec.Command(built(t), "demo", "--address", "127.0.0.1:0")
	demo.Stderr = os.Stderr
	stdout, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	t.Cleanup(func() {
		if err := demo.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("end the demo: %v", err)
		}
		for lines.Scan() { // Wait closes the pipe; nothing may be left in it
		}
		if err := demo.Wait(); err != nil {
			t.Errorf("the demo ended: %v", err)
		}
	})
	for lines.Scan() {
		if found := demoPage.FindStringSubmatch(lines.Text()); found != nil {
			return found[1]
		}
	}
	t.Fatalf("the demo ended before it named its page: %v", lines.Err())
	return ""
}

// A newcomer's first minutes, in Chromium: browser/page.mjs says what has to be seen. The screenshots are artifacts of
// the test (go test -artifacts).
func TestPageInBrowser(t *testing.T) {
	inBrowser(t, "page.mjs", startDemo(t), t.ArtifactDir())
}

// inBrowser runs a script of the folder browser, and returns what it prints.
func inBrowser(t *testing.T, script string, arguments ...string) string {
	t.Helper()
	node := exec.Command("node", append([]string{script}, arguments...)...)
	node.Dir = "browser"
	said, err := node.CombinedOutput()
	t.Logf("%s\n%s", script, said)
	if err != nil {
		t.Errorf("something was missed (are Node and Chromium there, and was npm ci run in app/blackbox/browser?): %v", err)
	}
	return string(said)
}

// Both tabs of the demo, in Chromium: browser/board.mjs says what has to be seen.
func TestBoardInBrowser(t *testing.T) {
	inBrowser(t, "board.mjs", startDemo(t), t.ArtifactDir())
}
