package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/bench/subject"
	"github.com/colony-app/colony/playground"
)

// The subjects.
const (
	Floor   = "floor"   // net/http, and the check of the signature
	Append  = "append"  // the same, and the webhook appended to a file and synced
	Handler = "handler" // a minimal handler on go-githubapp: it works before it answers, and keeps and checks nothing
	Colony  = "colony"  // colony serve, as it is
)

// process is a subject that runs.
type process struct {
	name    string
	url     string // of its webhook
	address string
	command *exec.Cmd
	ended   chan struct{}
	files   string        // its folder
	start   time.Duration // from the start of the process until it was ready
	config  string        // the file of its configuration
	log     *os.File
}

// world is where subjects run: a GitHub, and a folder for their files.
type world struct {
	github     *github
	executable string
	folder     string
	profile    string // folder of profiles; empty: none
	scenario   string // that is measured
}

// startWait is how long a subject may take until it is ready.
const startWait = 30 * time.Second

// launch starts a subject, and returns once it is ready.
func (w *world) launch(ctx context.Context, name string, settings func(config object)) (*process, error) {
	folder, err := os.MkdirTemp(w.folder, name+"-")
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &process{name: name, files: folder}
	if p.address, err = freeAddress(ctx); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p.url = "http://" + p.address + subject.Hook
	if p.config, err = w.configure(p, settings); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return p, w.run(ctx, p)
}

// run starts the process of a subject, for the first time or again.
func (w *world) run(ctx context.Context, p *process) error {
	arguments := []string{"bench-subject", p.name, "--config", p.config, "--file", filepath.Join(p.files, "webhooks")}
	switch {
	case p.name == Colony && w.profile != "":
		arguments = append(arguments, "--profile", filepath.Join(w.profile, w.scenario))
	case p.name == Colony:
		arguments = []string{"serve", "--config", p.config}
	}
	log, err := os.OpenFile(filepath.Join(p.files, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.log = log
	p.command = exec.Command(w.executable, arguments...) //nolint:gosec,noctx // this program itself; stop ends it
	p.command.Stdout, p.command.Stderr = log, log
	p.command.Env = environment()
	begun := time.Now()
	if err := p.command.Start(); err != nil {
		return errors.Join(fmt.Errorf("start %s: %w", p.name, err), log.Close())
	}
	p.ended = make(chan struct{})
	go func() {
		_ = p.command.Wait() // how it ended is of no interest
		close(p.ended)
	}()
	if err := p.ready(ctx); err != nil {
		return errors.Join(err, p.stop())
	}
	p.start = time.Since(begun)
	return nil
}

// environment is this process's own, without settings of Colony: the file has all of them.
func environment() (kept []string) {
	for _, variable := range os.Environ() {
		if len(variable) < len("COLONY_") || variable[:len("COLONY_")] != "COLONY_" {
			kept = append(kept, variable)
		}
	}
	return kept
}

// probe asks subjects how they are.
var probe = &http.Client{Timeout: 10 * time.Second}

// ready waits until /readyz answers 200.
func (p *process) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/readyz", http.NoBody)
		if err != nil {
			return fmt.Errorf("ask whether %s is ready: %w", p.name, err)
		}
		response, err := probe.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-time.After(time.Millisecond):
		case <-p.ended:
			return fmt.Errorf("%s ended before it was ready:\n%s", p.name, p.tail())
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready after %s:\n%s", p.name, startWait, p.tail())
		}
	}
}

// tail is the end of what the process wrote.
func (p *process) tail() string {
	text, _ := os.ReadFile(p.log.Name()) // nothing is said if nothing can be read
	return string(text[max(0, len(text)-2000):])
}

// stop ends the process, and waits for that.
func (p *process) stop() error {
	_ = p.command.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(startWait):
		_ = p.command.Process.Kill()
		<-p.ended
	}
	return p.closed()
}

// kill ends the process as a crash does.
func (p *process) kill() error {
	_ = p.command.Process.Kill() // it may have ended
	<-p.ended
	return p.closed()
}

func (p *process) closed() error {
	if err := p.log.Close(); err != nil {
		return fmt.Errorf("close the log of %s: %w", p.name, err)
	}
	return nil
}

func (p *process) pid() int { return p.command.Process.Pid }

type object = map[string]any

// configure writes the file of the configuration, for Colony and for the handler alike.
func (w *world) configure(p *process, settings func(object)) (path string, err error) {
	key := filepath.Join(p.files, "key.pem")
	if err := os.WriteFile(key, playground.PrivateKeyPEM(w.github.key), 0o600); err != nil {
		return "", fmt.Errorf("write the key: %w", err)
	}
	config := object{
		"mode":   "enforce",
		"server": object{"address": p.address},
		"github": object{
			"web_url": w.github.url, "v3_api_url": w.github.url + "/api/v3/",
			"app":    object{"integration_id": appID, "webhook_secret": secret, "private_key_file": key},
			"budget": object{"points": 0}, // this GitHub has no limits
		},
		"queue": object{"dir": filepath.Join(p.files, "queue")},
	}
	if settings != nil {
		settings(config)
	}
	text, err := yaml.Marshal(config)
	if err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	path = filepath.Join(p.files, "config.yml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	return path, nil
}

// freeAddress is an address at which nobody listens. It is on one of Linux's sixteen million loopback addresses, so that nobody who looks
// for one at the same moment is given the same port before the subject listens there.
func freeAddress(ctx context.Context) (string, error) {
	const loopback = "127.%d.%d.%d:0"
	own := fmt.Sprintf(loopback, 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254)) //nolint:gosec // no secret
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", own)
	if err != nil {
		return "", fmt.Errorf("find a free address: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}
