package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

// walk is a platform engineer on the way from an empty folder. All that is typed stands in a message from before.
type walk struct {
	t       *testing.T
	p       *playground.Playground
	base    string
	folder  string
	browser *browser
	olivia  *gogithub.Client
	webhook atomic.Pointer[url.URL] // where a Colony listens
	// environment is what this machine needs, and not the person: a free port.
	environment []string
	colony      *server
	read        string // all that the person was told
}

func (w *walk) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// told asserts that a message says each of some words, or matches them.
func (w *walk) told(message string, words ...string) {
	w.t.Helper()
	for _, want := range words {
		if !strings.Contains(message, want) {
			w.t.Errorf("this does not say %q:\n%s", want, message)
		}
	}
}

// notTold asserts that a message says none of some words.
func (w *walk) notTold(message string, words ...string) {
	w.t.Helper()
	for _, not := range words {
		if strings.Contains(message, not) {
			w.t.Errorf("this says %q:\n%s", not, message)
		}
	}
}

// hint asserts that a message so far led to what is done next.
func (w *walk) hint(words string) {
	w.t.Helper()
	if !strings.Contains(w.read, words) {
		w.t.Errorf("nothing led to %q:\n%s", words, w.read)
	}
}

// runs runs "colony" in the folder, and returns all that it prints.
func (w *walk) runs(status int, args ...string) string {
	w.t.Helper()
	command := exec.CommandContext(w.t.Context(), "colony", args...)
	command.Dir, command.Env = w.folder, append(os.Environ(), w.environment...)
	out, err := command.CombinedOutput()
	if got := command.ProcessState.ExitCode(); got != status {
		w.t.Errorf("colony %s exits with %d, not with %d: %v\n%s", strings.Join(args, " "), got, status, err, out)
	}
	w.read += "$ colony " + strings.Join(args, " ") + "\n" + string(out) + "\n"
	return string(out)
}

// server is a Colony that runs.
type server struct {
	*process
	w       *walk
	address string
	mu      sync.Mutex
	log     strings.Builder
	more    chan struct{} // closed when there is more in the log
	ended   chan error
}

func (w *walk) serves(config string) *server {
	w.t.Helper()
	w.hint("colony serve --config " + config)
	s := &server{w: w, process: &process{Cmd: exec.CommandContext(w.t.Context(), "colony", "serve", "--config", config)}, more: make(chan struct{}), ended: make(chan error, 1)}
	s.Dir, s.Env = w.folder, append(os.Environ(), w.environment...)
	pipe, err := s.StderrPipe()
	w.must(err)
	w.must(s.Start())
	w.t.Cleanup(func() { _ = s.Process.Kill() }) // fails if it has ended, as it should have
	s.lines = bufio.NewScanner(pipe)
	s.address = s.listening(w.t)
	at, err := url.Parse(s.address)
	w.must(err)
	w.webhook.Store(at)
	go func() {
		for s.lines.Scan() {
			s.mu.Lock()
			s.log.WriteString(s.lines.Text() + "\n")
			close(s.more)
			s.more = make(chan struct{})
			s.mu.Unlock()
		}
		s.ended <- s.Wait()
	}()
	return s
}

func (s *server) stops() {
	s.w.t.Helper()
	s.signal(s.w.t, os.Interrupt)
	if err := <-s.ended; err != nil {
		s.w.t.Error(err)
	}
	s.w.webhook.Store(nil)
}

// logs waits until the log has as many lines with some words.
func (s *server) logs(n int, words ...string) {
	s.w.t.Helper()
	patience, cancel := context.WithTimeout(s.w.t.Context(), walkPatience)
	defer cancel()
	for {
		s.mu.Lock()
		log, more := s.log.String(), s.more
		s.mu.Unlock()
		found := 0
		for line := range strings.Lines(log) {
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
				found++
			}
		}
		if found >= n {
			return
		}
		select {
		case <-more:
		case <-patience.Done():
			s.w.t.Fatalf("the log does not say %q %d times:\n%s", words, n, log)
		}
	}
}

// walkPatience bounds each wait, so that a failure says what it waited for.
const walkPatience = 2 * time.Minute

// until waits until something holds.
func (w *walk) until(what string, holds func() bool) {
	w.t.Helper()
	patience, cancel := context.WithTimeout(w.t.Context(), walkPatience)
	defer cancel()
	if err := w.p.Until(patience, holds); err != nil {
		log := ""
		if w.colony != nil {
			w.colony.mu.Lock()
			defer w.colony.mu.Unlock()
			log = w.colony.log.String()
		}
		w.t.Fatalf("%s: %v\n%s", what, err, log)
	}
}

// later lets the second end: GitHub dates events in seconds, and what was done in the second in which Colony began to judge is settled. The
// processes here have no clock that a test could set.
func (w *walk) later() {
	w.t.Helper()
	w.must(w.p.Quiet(w.t.Context()))
	<-time.After(time.Until(time.Now().Truncate(time.Second).Add(2 * time.Second)))
}

// writes lists what Colony wrote to repositories since the journal was cleared.
func (w *walk) writes() (calls []string) {
	for _, c := range w.p.Calls() {
		if c.Method != "GET" && strings.HasPrefix(c.Path, "/repos/") && c.Actor == "colony-of-acme[bot]" {
			calls = append(calls, c.Method+" "+c.Path)
		}
	}
	return calls
}

func (w *walk) unwritten() {
	w.t.Helper()
	w.must(w.p.Quiet(w.t.Context()))
	if calls := w.writes(); len(calls) > 0 {
		w.t.Errorf("Colony wrote: %v", calls)
	}
}

func (w *walk) opens(repo string) int {
	w.t.Helper()
	is, _, err := w.olivia.Issues.Create(w.t.Context(), "acme", repo, &gogithub.IssueRequest{Title: new("It squeaks")})
	w.must(err)
	return is.GetNumber()
}

func (w *walk) labels(repo string, issue int, label string) {
	w.t.Helper()
	_, _, err := w.olivia.Issues.AddLabelsToIssue(w.t.Context(), "acme", repo, issue, []string{label})
	w.must(err)
}

func (w *walk) commits(repo, path, text string) {
	w.t.Helper()
	w.must(w.p.SetFile("acme", repo, path, text))
}

// becomes waits until an issue has these labels.
func (w *walk) becomes(repo string, issue int, want ...string) {
	w.t.Helper()
	w.until(fmt.Sprintf("%s#%d does not have %v", repo, issue, want), func() bool {
		on, _, err := w.olivia.Issues.ListLabelsByIssue(w.t.Context(), "acme", repo, issue, nil)
		w.must(err)
		var has []string
		for _, l := range on {
			has = append(has, l.GetName())
		}
		return slices.Equal(has, want)
	})
}

// has counts the labels of a repository that are Colony's.
func (w *walk) has(repo string) (n int) {
	w.t.Helper()
	all, _, err := w.olivia.Issues.ListLabels(w.t.Context(), "acme", repo, &gogithub.ListOptions{PerPage: 100})
	w.must(err)
	for _, l := range all {
		if strings.HasPrefix(l.GetName(), "colony:") {
			n++
		}
	}
	return n
}

// TestWalkFromAnEmptyFolder goes the way of a platform engineer, from an empty folder to a repository without a trace: each message leads
// to the next step.
func TestWalkFromAnEmptyFolder(t *testing.T) {
	p, base := organization(t)
	p.SetRateLimit(1 << 30) // also of the person who asks all the time whether it is done
	w := &walk{t: t, p: p, base: base, folder: t.TempDir(), browser: &browser{t: t}, environment: []string{"COLONY_SERVER_ADDRESS=127.0.0.1:0", "COLONY_LOG_LEVEL=debug"}}
	for _, name := range []string{"gadgets", "sprockets"} {
		p.AddRepository("acme", name)
		p.SetPermission("acme", name, "olivia", "write")
	}
	w.olivia = gogithub.NewClient(nil).WithAuthToken(p.Token("olivia"))
	var err error
	w.olivia.BaseURL, err = url.Parse(base + "/api/v3/")
	w.must(err)
	proxy := apptest.Serve(t, &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			if to := w.webhook.Load(); to != nil {
				r.SetURL(to)
			}
		},
		ErrorHandler: func(answer http.ResponseWriter, _ *http.Request, _ error) { answer.WriteHeader(http.StatusBadGateway) },
	})

	w.creates(proxy)
	const config = "colony-app/config.yml"
	doctor := []string{"doctor", "--config", config}

	// The playground limits nobody, and a test has no time for GitHub's pace.
	file, err := os.OpenFile(filepath.Join(w.folder, config), os.O_APPEND|os.O_WRONLY, 0)
	w.must(err)
	_, err = file.WriteString("  budget: {points: 0}\n")
	w.must(errors.Join(err, file.Close()))

	// The doctor, before anything else was done, and a simulation without a repository.
	said := w.runs(1, doctor...)
	w.told(said, "it does not reach a Colony -> start Colony (colony serve)", "not installed anywhere", "-> install it on an organisation or account: "+w.link())
	w.told(w.runs(0, "simulate", "--config", config), "The App sees no repository: install it on one, then run this again")

	// Colony runs, and GitHub has it on all repositories. Some of them were moved by hand before.
	old := w.opens("widgets")
	w.labels("widgets", old, "colony:done")
	w.labels("widgets", old, "colony:new")
	colony := w.serves(config)
	w.colony = colony
	w.browser.open(w.link())
	w.browser.submit("/-/installations", url.Values{"account": {"acme"}})
	colony.logs(3, `"mode":"observe"`, "the mode of a repository")
	w.environment[0] = "COLONY_SERVER_ADDRESS=" + strings.TrimPrefix(colony.address, "http://")
	doctor = append(doctor, "--server", colony.address)
	said = w.runs(0, doctor...)
	w.told(said, "3 repositories can be read; Colony writes to none of them", "mode observe in 3 repositories -> to opt in with a repository, commit .github/colony.yml", "it is ready; mode observe in 3 repositories")
	w.notTold(said, "with all labels")

	// It observes: what people do stands, and nothing is written.
	w.later()
	watched := w.opens("sprockets")
	w.labels("sprockets", watched, "colony:done")
	colony.logs(1, "what Colony would do", "acme/sprockets")
	w.labels("sprockets", watched, "colony:new")
	colony.logs(1, "what Colony would do", `"verdict":"refused"`, "acme/sprockets")
	w.unwritten()
	w.told(w.runs(0, "labels", "list", "--config", config), `mode       observe (nobody names a mode, and neither the repository nor its owner has a file for Colony), so Colony makes no label here -> commit .github/colony.yml with "mode: warn" or "mode: enforce"`)

	// What would it have done?
	w.hint("colony simulate --config " + config)
	said = w.runs(0, "simulate", "--config", config)
	w.told(said, "Simulated 2 issues of 3 repositories", "     2  refused", "acme/sprockets#1", "acme/widgets#1", `To have this in a repository, commit .github/colony.yml with "mode: enforce"`)
	w.told(w.runs(0, "simulate", "--config", config, "--mode", "warn"), "as if Colony had warned there", `commit .github/colony.yml with "mode: warn"`)
	w.told(w.runs(1, "labels", "apply", "--config", config, "--repo", "acme/widgets", "--dry-run"), "note    acme/widgets: its mode is observe", "create  acme/widgets: colony:planning")
	w.told(w.runs(2, "labels", "apply", "--config", config, "--repo", "acme/widgets"), "Colony writes nothing in acme/widgets: its mode is observe", "commit .github/colony.yml")
	w.told(w.runs(0, "labels", "apply", "--config", config), "note    acme/widgets: nothing is written: its mode is observe")
	w.unwritten()

	// Two repositories opt in, one of them carefully.
	w.hint(`commit .github/colony.yml to that repository, first with the line "mode: warn", later with "mode: enforce"`)
	w.commits("widgets", ".github/colony.yml", "mode: enforce\n")
	w.commits("gadgets", ".github/colony.yml", "mode: warn\n")
	colony.logs(1, `"mode":"enforce"`, `"decided_by":"acme/widgets/.github/colony.yml"`)
	colony.logs(1, `"mode":"warn"`, `"decided_by":"acme/gadgets/.github/colony.yml"`)
	w.until("those that opt in get their labels", func() bool { return w.has("widgets") == 17 && w.has("gadgets") == 17 })
	w.later()
	said = w.runs(0, doctor...)
	w.told(said, "3 repositories can be read, with all labels", "mode observe in 1 repository, warn in 1 repository, enforce in 1 repository -> colony doctor --repo OWNER/NAME says why")
	said = w.runs(0, append(slices.Clone(doctor), "--repo", "acme/gadgets", "--repo", "acme/sprockets")...)
	w.told(said, "repository acme/gadgets: mode warn: acme/gadgets/.github/colony.yml -> for another mode, change mode in acme/gadgets/.github/colony.yml",
		"repository acme/sprockets: mode observe: nobody names a mode", `-> for another mode, commit .github/colony.yml with`)
	w.becomes("widgets", old, "colony:done", "colony:new") // what stood is settled
	moved, warned := w.opens("widgets"), w.opens("gadgets")
	w.labels("widgets", moved, "colony:new")
	w.labels("gadgets", warned, "colony:done")
	w.must(p.Quiet(t.Context()))
	w.labels("widgets", moved, "colony:analyzing")
	w.becomes("widgets", moved, "colony:analyzing")
	w.labels("gadgets", warned, "colony:new")
	w.comments("gadgets", warned, "This repository only warns")
	w.becomes("gadgets", warned, "colony:done", "colony:new")

	// It enforces there, too.
	w.commits("gadgets", ".github/colony.yml", "mode: enforce\n")
	colony.logs(1, `"mode":"enforce"`, `"decided_by":"acme/gadgets/.github/colony.yml"`)
	w.told(w.runs(0, doctor...), "mode observe in 1 repository, enforce in 2 repositories")
	w.later()
	judged := w.opens("gadgets")
	w.labels("gadgets", judged, "colony:done")
	w.must(p.Quiet(t.Context()))
	w.labels("gadgets", judged, "colony:new")
	w.comments("gadgets", judged, "Colony undid this move")

	kept := w.opens("gadgets")
	w.labels("gadgets", kept, "colony:new")
	w.must(p.Quiet(t.Context()))

	// Another lifecycle: what is to become of the labels?
	w.told(w.runs(1, "labels", "apply", "--config", config, "--repo", "acme/gadgets", "--lifecycle", "prp", "--dry-run"), "create  acme/gadgets: colony:researching", "to create")
	w.commits("gadgets", ".github/colony.yml", "mode: enforce\nlifecycle: prp\n")
	colony.logs(1, `"lifecycle":"prp"`, "these rules are in force")
	w.until("the labels of the other lifecycle", func() bool { return w.has("gadgets") == 17+7 })
	w.must(p.Quiet(t.Context()))
	said = w.runs(1, doctor...)
	w.told(said, "repository acme/gadgets: its lifecycle is prp", "15 labels are left over from another lifecycle", "-> colony labels prune --repo acme/gadgets")
	prune := []string{"labels", "prune", "--repo", "acme/gadgets", "--config", config}
	w.told(w.runs(1, append(slices.Clone(prune), "--dry-run")...), "14 to delete, 1 to keep", "Nothing was written (--dry-run)")
	said = w.runs(1, prune...)
	w.told(said, "14 deleted, 1 kept", "keep    acme/gadgets: colony:new, because it is on 1 open issue", "which may need a label of the lifecycle in force instead: "+base+"/acme/gadgets/issues?q=")
	_, err = w.olivia.Issues.RemoveLabelForIssue(t.Context(), "acme", "gadgets", kept, "colony:new")
	w.must(err)
	w.labels("gadgets", kept, "colony:planned")
	w.must(p.Quiet(t.Context()))
	w.told(w.runs(0, prune...), "1 label: 1 deleted")
	w.told(w.runs(0, doctor...), "with all labels")

	// It leaves.
	said = w.runs(2, "uninstall")
	w.told(said, "--repo", `Run "colony uninstall --help"`)
	leave := []string{"uninstall", "--config", config, "--repo", "acme/widgets", "--repo", "acme/gadgets"}
	said = w.runs(2, append(slices.Clone(leave), "--yes")...)
	w.told(said, "a Colony works there: the App is installed (", "stop that Colony and run this before you uninstall the App")
	settings := regexp.MustCompile(`the App is installed \((\S+)\)`).FindStringSubmatch(said)
	if settings == nil {
		t.Fatal("nothing says where the App is uninstalled")
	}
	colony.stops()
	w.told(w.runs(1, append(slices.Clone(leave), "--dry-run")...), "delete  acme/widgets: colony:analyzing, which is on 1 open issue", "Nothing was written (--dry-run)")
	said = w.runs(0, append(slices.Clone(leave), "--yes")...)
	w.told(said, "note    acme/widgets: the App is installed there, and no Colony answers", "uninstall the App ("+settings[1]+") before a Colony runs again", "delete them with a commit")
	if n := w.has("widgets") + w.has("gadgets"); n > 0 {
		t.Errorf("%d labels are left", n)
	}
	w.must(p.Uninstall(w.installation()))
	w.told(w.runs(2, leave...), "the App is not installed there", "--token-env")
	w.environment = append(w.environment, "GITHUB_TOKEN="+p.Token("olivia"))
	w.told(w.runs(0, append(slices.Clone(leave), "--token-env", "GITHUB_TOKEN")...), "None of Colony's labels is there.")
}

// creates goes through "colony setup" in a browser.
func (w *walk) creates(webhook string) {
	w.t.Helper()
	command := exec.CommandContext(w.t.Context(), "colony", "setup", "--github", w.base)
	command.Dir = w.folder
	pipe, err := command.StderrPipe()
	w.must(err)
	w.must(command.Start())
	setup := &process{Cmd: command, lines: bufio.NewScanner(pipe)}
	w.browser.open(strings.TrimSpace(setup.until(w.t, "http://")))
	w.browser.submit("/", url.Values{"organization": {"acme"}, "name": {"Colony of Acme"}, "webhook-url": {webhook}})
	w.browser.submit(w.base+"/organizations/acme/settings/apps/new?state=", nil)
	w.browser.submit("/-/apps", nil)
	for setup.lines.Scan() {
		w.read += setup.lines.Text() + "\n"
	}
	w.must(setup.Wait())
	w.hint(w.link())
	w.hint("colony doctor --config colony-app/config.yml")
}

// link is where the App is installed.
func (w *walk) link() string { return w.base + "/apps/colony-of-acme/installations/new" }

// installation is the App's on the organization.
func (w *walk) installation() int64 {
	w.t.Helper()
	found := regexp.MustCompile(`installation (\d+) on acme`).FindStringSubmatch(w.read)
	if found == nil {
		w.t.Fatal("nobody said which installation it is")
	}
	var id int64
	_, err := fmt.Sscan(found[1], &id)
	w.must(err)
	return id
}

// comments waits until Colony says something on an issue.
func (w *walk) comments(repo string, issue int, words string) {
	w.t.Helper()
	w.until(fmt.Sprintf("nobody says %q on %s#%d", words, repo, issue), func() bool {
		all, _, err := w.olivia.Issues.ListComments(w.t.Context(), "acme", repo, issue, nil)
		w.must(err)
		return slices.ContainsFunc(all, func(c *gogithub.IssueComment) bool { return strings.Contains(c.GetBody(), words) })
	})
}
