//go:build browser

package blackbox_test

import (
	"bufio"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "replace README's picture in docs/pictures by what the demo shows")

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

// README's picture shows what the demo shows now. Pixels differ between versions of Chromium and of fonts, so that the texts are compared.
func TestPictureOfReadme(t *testing.T) {
	const pictures = "../../docs/pictures"
	drawn := t.ArtifactDir()
	inBrowser(t, "picture.mjs", startDemo(t), drawn)
	if t.Failed() {
		return
	}
	shows, err := os.ReadFile(filepath.Join(drawn, "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"refused.txt": shows}
	for _, name := range []string{"refused-light.png", "refused-dark.png"} {
		files[name] = compact(t, filepath.Join(drawn, name))
		if size := len(files[name]); size > 150_000 {
			t.Errorf("%s has %d bytes, which is too much for a page", name, size)
		}
	}
	if *update {
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(pictures, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	was, err := os.ReadFile(filepath.Join(pictures, "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(was), string(shows)); diff != "" {
		t.Errorf("README's picture is not what the demo shows: go test -tags browser -run TestPictureOfReadme ./app/blackbox -update (-picture +demo):\n%s", diff)
	}
}
