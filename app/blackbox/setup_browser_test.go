//go:build browser

package blackbox_test

import (
	"bufio"
	"encoding/json"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/page"
)

var (
	setupPage   = regexp.MustCompile(`^\s*(http://127\.0\.0\.1:\d+/)$`)
	installLink = regexp.MustCompile(`(?m)^link (http://\S+)$`)
)

// From "colony setup" to the first move and the sign-in to the board, in Chromium: browser/setup.mjs says what has to be seen.
func TestSetupInBrowser(t *testing.T) {
	p := playground.New(playground.Options{})
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	p.SetPermission("acme", "widgets", "olivia", "write")
	p.SetPage(page.New(p, page.Options{ActAs: "olivia"}))
	if err := p.SetFile("acme", "widgets", ".github/colony.yml", "lifecycle: colony\n"); err != nil {
		t.Fatal(err)
	}
	var colony atomic.Pointer[url.URL]
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(colony.Load()) }})
	t.Cleanup(proxy.Close)

	program, folder := built(t), filepath.Join(t.TempDir(), "app")
	setup := exec.Command(program, "setup", "--github", base, "--output", folder)
	told := stderrOf(t, setup)
	address := ""
	for address == "" && told.Scan() {
		if found := setupPage.FindStringSubmatch(told.Text()); found != nil {
			address = found[1]
		}
	}
	said := inBrowser(t, "setup.mjs", "create", address, t.ArtifactDir(), proxy.URL)
	link := installLink.FindStringSubmatch(said)
	if link == nil {
		t.Fatal("the page has no link that installs the App")
	}
	for told.Scan() { // Wait closes the pipe
	}
	if err := setup.Wait(); err != nil {
		t.Fatalf("the setup ended: %v", err)
	}

	serve := exec.Command(program, "serve", "--config", filepath.Join(folder, "config.yml"), "--address", "127.0.0.1:0", "--queue-dir", t.TempDir())
	serve.Env = append(os.Environ(), "COLONY_BOARD_ENABLED=true")
	log := stderrOf(t, serve)
	for colony.Load() == nil && log.Scan() {
		var line struct{ Message, Address string }
		if json.Unmarshal(log.Bytes(), &line) == nil && strings.HasPrefix(line.Message, "Colony is listening") {
			colony.Store(&url.URL{Scheme: "http", Host: line.Address})
		}
	}
	ended := make(chan error, 1)
	go func() {
		for log.Scan() { // it must not wait for anyone to read its log
		}
		ended <- serve.Wait()
	}()
	inBrowser(t, "setup.mjs", "move", link[1], t.ArtifactDir())
	inBrowser(t, "setup.mjs", "board", proxy.URL, t.ArtifactDir())
	if err := serve.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Colony ended: %v", err)
	}
}

// stderrOf starts a program that ends with the test, and returns the lines of its standard error.
func stderrOf(t *testing.T, command *exec.Cmd) *bufio.Scanner {
	t.Helper()
	pipe, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() }) // fails if it has ended, as it should have
	return bufio.NewScanner(pipe)
}
