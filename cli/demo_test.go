package cli

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground/command"
)

var addressOf = regexp.MustCompile(`http://[0-9.:]+`)

func TestDemoShowsWhereEverythingIsAndEndsCleanly(t *testing.T) {
	folder := t.TempDir()
	demo := start(t, true, []string{"TMPDIR=" + folder}, "demo", "--address", "127.0.0.1:0", "--host", "demo.test")
	github := addressOf.FindString(demo.until(t, "REST API"))
	colony := addressOf.FindString(demo.until(t, "readyz"))
	api := regexp.MustCompile(`http://\S+/api/v1/[\w/]+`).FindString(demo.until(t, "Colony's API"))
	token := regexp.MustCompile(`ghp_\w+`).FindString(demo.until(t, "tara"))
	demo.until(t, "Ctrl-C ends it")
	for _, url := range []string{colony + "/readyz", github + "/api/v3/repos/acme/widgets/issues/6", github + "/acme/widgets/issues/6"} {
		if status, body := get(t, url); status != 200 {
			t.Errorf("%s answers %d: %s", url, status, body)
		}
	}
	for _, url := range []string{colony + "/readyz", colony + "/metrics", github + "/api/v3/repos/acme/widgets/issues/6", github + "/acme/widgets/issues/6", github + "/playground/state"} {
		for host, want := range map[string]int{"evil.example": http.StatusMisdirectedRequest, "localhost": http.StatusOK, "demo.test:7": http.StatusOK} {
			if status := getAs(t, url, host); status != want {
				t.Errorf("%s, called %s, answers %d, want %d", url, host, status, want)
			}
		}
	}
	_, labels := get(t, github+"/api/v3/repos/acme/widgets/labels?per_page=100")
	life, err := lifecycle.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range life.Labels() {
		if !strings.Contains(labels, `"`+want.Label+`"`) || !strings.Contains(labels, want.Description) {
			t.Errorf("%s is not provisioned: %s", want.Label, labels)
		}
	}
	if status, body := getWith(t, api, token); status != 200 || !strings.Contains(body, `"trail"`) {
		t.Errorf("Colony's API answers %d at %s: %s", status, api, body)
	}
	if status, _ := get(t, api); status != http.StatusUnauthorized {
		t.Errorf("Colony's API answers %d to nobody", status)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("the queue is not in the folder for temporary files: %v, %v", left, err)
	}
	demo.signal(t, os.Interrupt)
	if err := demo.exits(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("it left %v behind: %v", left, err)
	}
}

// getAs asks under another name, as a web page does that makes its own name lead to this machine, and returns the status.
func getAs(t *testing.T, url, host string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	return response.StatusCode
}

// A person who presses Ctrl-C before everything is up reads that it ended, and nothing about what could not be finished.
func TestBeginningsThatAreInterruptedEndCleanly(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(key, newKey(), 0o600); err != nil {
		t.Fatal(err)
	}
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	var said bytes.Buffer
	k := &kong.Kong{Stdout: &said, Stderr: &said}
	if err := (demoCommand{Lifecycle: "colony", Address: "127.0.0.1:0"}).Run(interrupted, k); err != nil || said.String() != farewell+"\n" {
		t.Errorf("demo: %v\n%s", err, said.String())
	}
	if err := (playgroundCommand{command.Flags{Address: "127.0.0.1:0", AppID: 7, PrivateKey: key, Slug: "colony"}}).Run(interrupted, k); err != nil {
		t.Errorf("playground: %v", err)
	}
	// A story that did not play to its end did not go well.
	err := demoCommand{Lifecycle: "colony", Headless: true}.Run(interrupted, k)
	if err == nil || err.Error() != "the story was interrupted before its end" {
		t.Errorf("demo --headless: %v", err)
	}
}

func TestPlaygroundRunsAlone(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(key, newKey(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want int // what the repository answers
	}{
		"with people": {nil, 200},
		"empty":       {[]string{"--empty"}, 404},
	} {
		t.Run(name, func(t *testing.T) {
			alone := start(t, true, nil, append([]string{
				"playground", "--address", "127.0.0.1:0", "--webhook-url", "http://127.0.0.1:1/", "--webhook-secret", testSecret,
				"--app-id", "7", "--private-key", key,
			}, c.args...)...)
			url := addressOf.FindString(alone.until(t, "REST API"))
			alone.until(t, "Ctrl-C ends it")
			for path, want := range map[string]int{"/": 200, "/api/v3/apps/colony": 200, "/playground/state": 200, "/api/v3/repos/acme/widgets": c.want} {
				if status, body := get(t, url+path); status != want {
					t.Errorf("%s answers %d: %s", path, status, body)
				}
			}
			alone.signal(t, os.Interrupt)
			if err := alone.exits(); err != nil {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// A key may come on standard input, so that it need not lie on a disk.
func TestPlaygroundReadsTheKeyFromStandardInput(t *testing.T) {
	alone := exec.CommandContext(t.Context(), "colony", "playground", "--address", "127.0.0.1:99999",
		"--webhook-url", "http://127.0.0.1:1/", "--webhook-secret", testSecret, "--app-id", "7", "--private-key", "-")
	alone.Stdin = bytes.NewReader(newKey())
	said, err := alone.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "99999") {
		t.Errorf("it did not come as far as the address: %v\n%s", err, said)
	}
	alone = exec.CommandContext(t.Context(), "colony", alone.Args[1:]...)
	alone.Stdin = strings.NewReader("nonsense")
	said, err = alone.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "--private-key: - holds no RSA private key") {
		t.Errorf("nonsense was taken for a key: %v\n%s", err, said)
	}
}
