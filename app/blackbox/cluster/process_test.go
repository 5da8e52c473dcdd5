//go:build cluster

package cluster_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = 3 * time.Minute

const tick = 100 * time.Millisecond

// programs builds a program of this module once for all tests.
var programs = struct {
	sync.Mutex
	folder string
	built  map[string]string
}{built: map[string]string{}}

func TestMain(m *testing.M) {
	code := m.Run()
	if programs.folder != "" {
		_ = os.RemoveAll(programs.folder)
	}
	os.Exit(code)
}

func build(t *testing.T, name, source string) string {
	t.Helper()
	programs.Lock()
	defer programs.Unlock()
	if path, ok := programs.built[name]; ok {
		return path
	}
	if programs.folder == "" {
		folder, err := os.MkdirTemp("", "colony-cluster-") //nolint:usetesting // it outlives the test
		if err != nil {
			t.Fatal(err)
		}
		programs.folder = folder
	}
	path := filepath.Join(programs.folder, name)
	out, err := exec.CommandContext(t.Context(), "go", "build", "-tags", "cluster", "-o", path, source).CombinedOutput()
	if err != nil {
		t.Fatalf("build %s: %v\n%s", source, err, out)
	}
	programs.built[name] = path
	return path
}

func colonyProgram(t *testing.T) string { t.Helper(); return build(t, "colony", "../../..") }

func natsProgram(t *testing.T) string { t.Helper(); return build(t, "nats", "./nats") }

// process is one program that can be killed and started again. Its runs share a log.
type process struct {
	name, program string
	args, env     []string
	log           string // path

	cmd   *exec.Cmd
	ended chan error
	spent usage // by runs that have ended
}

// usage is what processes took of the machine.
type usage struct {
	cpu    time.Duration
	memory int64 // bytes, at most at once
}

func (p *process) start(t *testing.T) {
	t.Helper()
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), p.program, p.args...)
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.ended = make(chan error, 1)
	go func(cmd *exec.Cmd, ended chan<- error) { ended <- cmd.Wait() }(p.cmd, p.ended)
}

// run starts the process and kills it with the test.
func (p *process) run(t *testing.T) {
	t.Helper()
	p.start(t)
	t.Cleanup(func() {
		if p.running() {
			p.kill(t)
		}
		if t.Failed() {
			t.Logf("the end of the log of %s:\n%s", p.name, tail(p.log))
		}
	})
}

// logOf returns the lines of the log about an issue.
func (p *process) logOf(w *worked) string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	var about strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, fmt.Sprintf(`"repo":"%s/%s"`, owner, w.repo)) && strings.Contains(line, fmt.Sprintf(`"issue":%d,`, w.number)) {
			about.WriteString(line)
		}
	}
	return about.String()
}

func (p *process) running() bool { return p.cmd != nil }

// kill ends the process as a machine does that loses its power, files on the disk excepted.
func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Errorf("kill %s, which had already ended: %v", p.name, err)
	}
	_ = p.wait(t) // says "signal: killed"
}

// stop asks the process to end and returns how it did.
func (p *process) stop(t *testing.T) error {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("stop %s: %v", p.name, err)
	}
	return p.wait(t)
}

func (p *process) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-p.ended:
		p.spent.add(p.cmd.ProcessState)
		p.cmd = nil
		return err
	case <-time.After(patience):
		t.Fatalf("%s does not end", p.name)
		return nil
	}
}

func (u *usage) add(s *os.ProcessState) {
	u.cpu += s.UserTime() + s.SystemTime()
	if r, ok := s.SysUsage().(*syscall.Rusage); ok {
		u.memory = max(u.memory, r.Maxrss<<10)
	}
}

func tail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-25):], "\n")
}

// given are the ports that freePort has returned.
var given = map[int]bool{}

// freePort returns a port that was free a moment ago, each once. Processes need to know their ports before they start,
// because they start again with the same.
func freePort(t *testing.T) int {
	t.Helper()
	for {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if !given[port] {
			given[port] = true
			return port
		}
	}
}

// runNodes runs three NATS nodes with JetStream that know each other, and returns their addresses as queue.url takes them.
func runNodes(t *testing.T) (nodes []*process, address string) {
	t.Helper()
	program, folder := natsProgram(t), t.TempDir()
	var routes, addresses []string
	var clients, peers []int
	for range 3 {
		clients, peers = append(clients, freePort(t)), append(peers, freePort(t))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", peers[len(peers)-1]))
		addresses = append(addresses, fmt.Sprintf("nats://127.0.0.1:%d", clients[len(clients)-1]))
	}
	for n := range 3 {
		name := "nats-" + strconv.Itoa(n)
		file := filepath.Join(folder, name+".conf")
		text := fmt.Sprintf("server_name: %s\nlisten: \"127.0.0.1:%d\"\n"+
			"jetstream { store_dir: %q, sync_interval: always, max_file_store: 4GB }\n"+
			"cluster { name: three, listen: \"127.0.0.1:%d\", routes: [%s] }\n",
			name, clients[n], filepath.Join(folder, name), peers[n], strings.Join(routes, ", "))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, &process{name: name, program: program, args: []string{file}, log: filepath.Join(folder, name+".log")})
	}
	for _, n := range nodes {
		n.run(t)
	}
	return nodes, strings.Join(addresses, ",")
}

// replica is one `colony serve`.
type replica struct {
	process
	url string
}

// newReplica sets up a Colony that reads a configuration file and calls GitHub at an address.
func newReplica(t *testing.T, name, config, github string, env ...string) *replica {
	t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	r := &replica{url: "http://" + address}
	r.process = process{
		name: name, program: colonyProgram(t), args: []string{"serve", "--config", config},
		log: filepath.Join(t.TempDir(), name+".log"),
		env: append([]string{
			"COLONY_SERVER_ADDRESS=" + address,
			"COLONY_GITHUB_WEB_URL=" + github, "COLONY_GITHUB_V3_API_URL=" + github + "/api/v3/",
		}, env...),
	}
	return r
}

// counts is what /readyz shows of the queue, and for what its tasks wait.
type counts struct {
	Waiting, Running, Delayed, Dead int

	why json.RawMessage
}

func (r *replica) ready(ctx context.Context) (counts, error) {
	var answer struct {
		Ready    bool
		HeldBack int `json:"held_back"`
		Waiting  json.RawMessage
		Queue    counts
		Error    string
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/readyz", http.NoBody)
	if err != nil {
		return counts{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return counts{}, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return counts{}, err
	}
	answer.Queue.why = answer.Waiting
	if !answer.Ready {
		return answer.Queue, fmt.Errorf("%s is not ready: %s", r.name, answer.Error)
	}
	if answer.HeldBack > 0 {
		return answer.Queue, fmt.Errorf("%s: a sweep left %d issues alone", r.name, answer.HeldBack)
	}
	return answer.Queue, nil
}

// comesUp waits until the replica is ready.
func (r *replica) comesUp(t *testing.T) {
	t.Helper()
	eventually(t, patience, func() error {
		if len(r.ended) > 0 {
			t.Fatalf("%s has ended", r.name)
		}
		_, err := r.ready(t.Context())
		return err
	})
}

// eventually asks until it is so. Processes do not say what they are doing, so there is nothing else to wait on.
func eventually(t *testing.T, within time.Duration, try func() error) {
	t.Helper()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	end := time.NewTimer(within)
	defer end.Stop()
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-ticker.C:
		case <-end.C:
			t.Fatalf("after %s: %v", within, err)
		}
	}
}

// drained waits until a queue has nothing left to do, delayed requests included. For a moment a request that falls due is
// counted in neither place, so drained asks several times.
func (r *replica) drained(t *testing.T, within time.Duration) {
	t.Helper()
	calm := 0
	eventually(t, within, func() error {
		if len(r.ended) > 0 {
			t.Fatalf("%s has ended", r.name)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		c, err := r.ready(ctx)
		if err == nil && c.Waiting+c.Running+c.Delayed == 0 {
			calm++
		} else {
			calm = 0
		}
		switch {
		case err != nil:
			return err
		case c.Dead > 0:
			t.Fatalf("%s: %d requests were given up", r.name, c.Dead)
		case calm < 5:
			return fmt.Errorf("%s still has work: %d wait, %d run, %d are delayed: %s", r.name, c.Waiting, c.Running, c.Delayed, c.why)
		}
		return nil
	})
}
