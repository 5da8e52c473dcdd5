package cli

import (
	"bufio"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

// process is a copy of this program that runs beside the test.
type process struct {
	*exec.Cmd
	lines *bufio.Scanner // of the stream that is read: its standard error or its standard output
	begun time.Time
}

// start runs the program. The test reads one of its streams, and the other goes to the test's own.
func start(t *testing.T, readStdout bool, environment []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), "colony", args...)} // TestMain puts it into the PATH
	p.Env = append(os.Environ(), environment...)
	p.Dir = t.TempDir()
	pipe, other := p.StderrPipe, &p.Stdout
	if readStdout {
		pipe, other = p.StdoutPipe, &p.Stderr
	}
	*other = os.Stderr
	stream, err := pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewScanner(stream)
	p.begun = time.Now()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() }) // fails if it has ended, as it should have
	return p
}

// run runs "colony" with arguments in an empty folder, and returns what it prints and its exit status.
func run(t *testing.T, environment []string, args ...string) (stdout string, status int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "colony", args...)
	command.Env = append(os.Environ(), environment...)
	command.Dir = t.TempDir()
	command.Stderr = os.Stderr
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

// until reads to the line that has these words.
func (p *process) until(t *testing.T, words string) string {
	t.Helper()
	var read []string
	for p.lines.Scan() {
		read = append(read, p.lines.Text())
		if strings.Contains(p.lines.Text(), words) {
			return p.lines.Text()
		}
	}
	t.Fatalf("%v ended without the words %q: %v\n%s", p.Args, words, p.lines.Err(), strings.Join(read, "\n"))
	return ""
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// exits reads on to the end, and returns how the process ended.
func (p *process) exits() error {
	for p.lines.Scan() {
	}
	return p.Wait()
}

const testSecret = "s3cret-of-the-webhooks"

// github is a playground in the test on which the App 7 is registered, and the environment with which Colony reaches it.
func github(t *testing.T) (p *playground.Playground, environment []string) {
	t.Helper()
	return githubWith(t, playground.Options{})
}

func githubWith(t *testing.T, options playground.Options) (p *playground.Playground, environment []string) {
	t.Helper()
	block, _ := pem.Decode(newKey())
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	p = playground.New(options)
	url, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := p.RegisterApp(playground.App{ID: 7, Slug: "colony", PublicKey: &key.PublicKey}); err != nil {
		t.Fatal(err)
	}
	return p, []string{
		"COLONY_GITHUB_WEB_URL=" + url, "COLONY_GITHUB_V3_API_URL=" + url + "/api/v3/", "COLONY_GITHUB_APP_INTEGRATION_ID=7", "COLONY_MODE=enforce",
		"COLONY_GITHUB_APP_WEBHOOK_SECRET=" + testSecret, "COLONY_SERVER_ADDRESS=127.0.0.1:0",
		"COLONY_GITHUB_APP_PRIVATE_KEY=" + strings.ReplaceAll(string(newKey()), "\n", `\n`),
	}
}

// listening returns the address that a Colony listens at, from its log.
func (p *process) listening(t *testing.T) string {
	t.Helper()
	var line struct{ Address string }
	if err := json.Unmarshal([]byte(p.until(t, "Colony is listening")), &line); err != nil {
		t.Fatal(err)
	}
	return "http://" + line.Address
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	return getWith(t, url, "")
}

// getWith asks with a token; with none if it is empty.
func getWith(t *testing.T, url, token string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestServeRunsUntilItIsAskedToStop(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			_, environment := github(t)
			colony := start(t, false, environment, "serve")
			url := colony.listening(t)
			colony.until(t, "GitHub knows this App")
			for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 200, "/api/github/hook": 405, "/": 404} {
				if status, body := get(t, url+path); status != want {
					t.Errorf("%s answers %d: %s", path, status, body)
				}
			}
			colony.signal(t, signal)
			if err := colony.exits(); err != nil {
				t.Errorf("it ended with %v", err)
			}
			if _, err := os.Stat(filepath.Join(colony.Dir, "data", "queue")); err != nil {
				t.Errorf("the queue is not where the defaults say: %v", err)
			}
		})
	}
}

func TestServeThatWaitsForItsQueueStopsWhenAsked(t *testing.T) {
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	_, environment := github(t)
	colony := start(t, false, environment, "serve", "--queue-url", "nats://"+free.Addr().String())
	colony.until(t, "NATS is not ready")
	colony.signal(t, syscall.SIGTERM)
	if line := colony.until(t, "Colony is stopping before it has begun"); !strings.Contains(line, `"level":"info"`) {
		t.Errorf("%s", line)
	}
	if err := colony.exits(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// A request whose body never comes holds up the drain for 20 s. A second signal ends the process also where a shell without job
// control started it, which has it ignore SIGINT.
func TestASecondSignalEndsServeAtOnce(t *testing.T) {
	for name, interrupt := range map[string]func(){"by default": func() {}, "ignored by the parent": func() { signal.Ignore(os.Interrupt) }} {
		t.Run(name, func(t *testing.T) {
			interrupt()
			defer signal.Reset(os.Interrupt)
			endsAtTheSecondSignal(t)
		})
	}
}

func endsAtTheSecondSignal(t *testing.T) {
	t.Helper()
	_, environment := github(t)
	colony := start(t, false, environment, "serve")
	client, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(colony.listening(t), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	fmt.Fprintf(client, "POST /api/github/hook HTTP/1.1\r\nHost: colony\r\nX-GitHub-Event: ping\r\nContent-Type: application/json\r\n"+
		"X-Hub-Signature-256: sha256=%064d\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n", 0)
	if answer, err := bufio.NewReader(client).ReadString('\n'); !strings.Contains(answer, "100 Continue") {
		t.Fatalf("it does not read the body: %q, %v", answer, err)
	}
	colony.signal(t, os.Interrupt)
	colony.until(t, "A second signal ends the process immediately")
	colony.signal(t, os.Interrupt)
	err = colony.exits()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 128+int(syscall.SIGINT) {
		t.Errorf("it ended with %v", err)
	}
}

func TestServeSaysWhenGitHubRefusesTheApp(t *testing.T) {
	anothers := apptest.PEM(apptest.NewKey(2048))
	for name, c := range map[string]struct{ override, want string }{
		"there is no such App":     {"COLONY_GITHUB_APP_INTEGRATION_ID=8", "github.app.integration_id"},
		"the key is another App's": {"COLONY_GITHUB_APP_PRIVATE_KEY=" + anothers, "github.app.private_key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, environment := github(t)
			colony := start(t, false, append(environment, c.override), "serve")
			colony.until(t, "Colony does not start")
			colony.until(t, c.want)
			var exit *exec.ExitError
			if err := colony.exits(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// The key, once it was read, and the secret are in no line of the log, whatever the level.
func TestServeLogsNoSecret(t *testing.T) {
	_, environment := github(t)
	colony := start(t, false, environment, "serve", "--log-level", "trace")
	colony.until(t, "GitHub knows this App")
	colony.signal(t, os.Interrupt)
	for colony.lines.Scan() {
		if line := colony.lines.Text(); strings.Contains(line, testSecret) || strings.Contains(line, "PRIVATE KEY") {
			t.Errorf("logged: %s", line)
		}
	}
	if err := colony.Wait(); err != nil {
		t.Error(err)
	}
}

func TestTheConsoleLogIsForPeople(t *testing.T) {
	_, environment := github(t)
	file := filepath.Join(t.TempDir(), "config.yml")
	if err := os.WriteFile(file, []byte("log: {format: console}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	colony := start(t, false, environment, "serve", "--config", file)
	if line := colony.until(t, "GitHub knows this App"); !regexp.MustCompile(`^\d\d:\d\d:\d\d INF GitHub knows this App app=colony app_id=7$`).MatchString(line) {
		t.Errorf("%q", line)
	}
	colony.signal(t, os.Interrupt)
	if err := colony.exits(); err != nil {
		t.Error(err)
	}
}

// The figures depend on the machine, so they are printed (go test -v -run Figures) and not judged.
func TestFiguresOfServe(t *testing.T) {
	_, environment := github(t)
	colony := start(t, false, environment, "serve")
	url := colony.listening(t)
	listening := time.Since(colony.begun)
	colony.until(t, "GitHub knows this App")
	status, body := get(t, url+"/readyz")
	if status != http.StatusOK {
		t.Fatalf("/readyz answers %d: %s", status, body)
	}
	t.Logf("listening after %d ms, /readyz answers 200 after %d ms", listening.Milliseconds(), time.Since(colony.begun).Milliseconds())
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", colony.Process.Pid))
	if err != nil {
		t.Skipf("no figures of memory here: %v", err)
	}
	for _, figure := range regexp.MustCompile(`(?m)^(VmHWM|VmRSS|RssAnon|RssFile|Threads):.*$`).FindAllString(string(text), -1) {
		t.Log(figure)
	}
	colony.signal(t, os.Interrupt)
	if err := colony.exits(); err != nil {
		t.Error(err)
	}
}
