package cli

import (
	"context"
	"encoding/json"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/app/setup"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/page"
)

// organization is a playground with its page, the organization acme, its repository widgets, and olivia, who may write there.
func organization(t *testing.T) (p *playground.Playground, base string) {
	t.Helper()
	p = playground.New(playground.Options{})
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
	p.AddUser("olivia")
	p.AddRepository("acme", "widgets")
	p.SetPermission("acme", "widgets", "olivia", "write")
	p.SetPage(page.New(p, page.Options{ActAs: "olivia"}))
	return p, base
}

// browser sends forms as a person does: it fills in some fields, and leaves the others as they are.
type browser struct {
	t      *testing.T
	client http.Client
	at     *url.URL
	body   string
	leads  string // where the answer leads, if redirects are not followed
}

func (b *browser) open(address string) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		b.t.Fatal(err)
	}
	b.send(request)
}

func (b *browser) send(request *http.Request) {
	b.t.Helper()
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.at, b.body, b.leads = response.Request.URL, string(text), response.Header.Get("Location")
	if response.StatusCode != http.StatusOK && b.leads == "" {
		b.t.Fatalf("%s %s: %s\n%s", request.Method, request.URL, response.Status, text)
	}
}

var (
	formTag  = regexp.MustCompile(`(?s)<form[^>]* method="post" action="([^"]*)"[^>]*>(.*?)</form>`)
	inputTag = regexp.MustCompile(`<input[^>]*>`)
	tagValue = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// submit sends the form whose action has these words.
func (b *browser) submit(action string, filled url.Values) {
	b.t.Helper()
	for _, form := range formTag.FindAllStringSubmatch(b.body, -1) {
		to, err := b.at.Parse(html.UnescapeString(form[1]))
		if err != nil {
			b.t.Fatal(err)
		}
		if !strings.Contains(to.String(), action) {
			continue
		}
		values := url.Values{}
		for _, tag := range inputTag.FindAllString(form[2], -1) {
			with := map[string]string{}
			for _, pair := range tagValue.FindAllStringSubmatch(tag, -1) {
				with[pair[1]] = html.UnescapeString(pair[2])
			}
			if checkable := with["type"] == "checkbox" || with["type"] == "radio"; !checkable || strings.Contains(tag, " checked") {
				values.Set(with["name"], with["value"])
			}
		}
		maps.Copy(values, filled)
		request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, to.String(), strings.NewReader(values.Encode()))
		if err != nil {
			b.t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", b.at.Scheme+"://"+b.at.Host)
		b.send(request)
		return
	}
	b.t.Fatalf("no form leads to %s:\n%s", action, b.body)
}

// From an empty folder to the first move: a person creates the App on the page, installs it, and changes a label.
func TestSetupToTheFirstMove(t *testing.T) {
	p, base := organization(t)
	var colony atomic.Pointer[url.URL]
	proxy := apptest.Serve(t, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(colony.Load()) }})
	folder := filepath.Join(t.TempDir(), "kept")

	creating := start(t, false, nil, "setup", "--github", base, "--output", folder)
	b := &browser{t: t}
	b.open(strings.TrimSpace(creating.until(t, "http://")))
	b.submit("/", url.Values{"organization": {"acme"}, "name": {"Colony of Acme"}, "webhook-url": {proxy}})
	b.submit(base+"/organizations/acme/settings/apps/new?state=", nil)
	b.submit("/-/apps", nil)
	if !strings.Contains(b.body, "Colony has its App") {
		t.Fatalf("the page says:\n%s", b.body)
	}
	link := base + "/apps/colony-of-acme/installations/new"
	if !strings.Contains(b.body, `href="`+link+`"`) {
		t.Errorf("the page has no link to %s:\n%s", link, b.body)
	}
	var told []string
	for creating.lines.Scan() {
		told = append(told, creating.lines.Text())
	}
	if err := creating.exits(); err != nil {
		t.Fatalf("the setup ends: %v", err)
	}
	if all := strings.Join(told, "\n"); !strings.Contains(all, link) || !strings.Contains(all, "colony doctor --config "+folder) {
		t.Errorf("the terminal says:\n%s", all)
	}

	file := filepath.Join(folder, "config.yml")
	c, err := config.Load(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Errorf("the configuration cannot be used: %v", err)
	}
	for _, secret := range []string{c.GitHub.App.WebhookSecret, "PRIVATE KEY"} {
		if strings.Contains(b.body+strings.Join(told, "\n"), secret) {
			t.Error("a secret was shown")
		}
	}
	for _, name := range []string{"private-key.pem", "webhook-secret", "config.yml"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}

	server := start(t, false, []string{"COLONY_SERVER_ADDRESS=127.0.0.1:0", "COLONY_QUEUE_DIR=" + t.TempDir()}, "serve", "--config", file)
	address := server.listening(t)
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	colony.Store(at)
	ended := make(chan error, 1)
	go func() { ended <- server.exits() }() // it must not wait for anyone to read its log

	b.open(link)
	b.submit("/-/installations", url.Values{"account": {"acme"}})
	if err := p.SetFile("acme", "widgets", ".github/colony.yml", "lifecycle: colony\n"); err != nil {
		t.Fatal(err)
	}
	olivia := gogithub.NewClient(nil).WithAuthToken(p.Token("olivia"))
	if olivia.BaseURL, err = url.Parse(base + "/api/v3/"); err != nil {
		t.Fatal(err)
	}
	patience, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	judges := func() bool { // what happens before that second is left as it is
		_, _, err := olivia.Issues.GetLabel(t.Context(), "acme", "widgets", "colony:forced")
		return err == nil
	}
	if err := p.Until(patience, judges); err != nil {
		t.Fatalf("Colony does not begin: %v", err)
	}
	issue, _, err := olivia.Issues.Create(t.Context(), "acme", "widgets", &gogithub.IssueRequest{Title: new("It squeaks")})
	if err != nil {
		t.Fatal(err)
	}
	number := issue.GetNumber()
	has := func() []string {
		on, _, err := olivia.Issues.ListLabelsByIssue(t.Context(), "acme", "widgets", number, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, l := range on {
			names = append(names, l.GetName())
		}
		return names
	}
	for _, label := range []string{"colony:new", "colony:analyzing"} {
		if err := p.Quiet(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := olivia.Issues.AddLabelsToIssue(t.Context(), "acme", "widgets", number, []string{label}); err != nil {
			t.Fatal(err)
		}
		if err := p.Until(patience, func() bool { return slices.Equal(has(), []string{label}) }); err != nil {
			t.Fatalf("after %s the issue has %v: %v", label, has(), err)
		}
	}

	// Everything that "doctor" can check is in order, once Colony has made the other labels.
	var out []byte
	queue := t.TempDir()
	if p.Until(patience, func() bool {
		command := exec.CommandContext(t.Context(), "colony", "doctor", "--config", file, "--server", address)
		command.Env = append(os.Environ(), "COLONY_SERVER_ADDRESS="+at.Host, "COLONY_QUEUE_DIR="+queue)
		out, err = command.CombinedOutput()
		return err == nil
	}) != nil {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	app, _, err := olivia.Apps.Get(t.Context(), "colony-of-acme")
	if err != nil {
		t.Fatal(err)
	}
	granted := map[string]string{}
	if text, err := json.Marshal(app.GetPermissions()); err != nil || json.Unmarshal(text, &granted) != nil {
		t.Fatal(err)
	}
	if more, less, silent := permissions.Beyond(granted), permissions.Missing(granted), permissions.Unheard(app.Events); len(more)+len(less)+len(silent) > 0 {
		t.Errorf("the App has too much (%v) or too little (%v, %v)", more, less, silent)
	}
	server.signal(t, os.Interrupt)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// handOver creates an App as a browser elsewhere does, of the page that "colony setup --no-browser" prints. It returns the address to
// which GitHub led that browser.
func handOver(t *testing.T, base, name string, more ...string) string {
	t.Helper()
	args := []string{"setup", "--no-browser", "--github", base, "--organization", "acme", "--name", name, "--webhook-url", "http://127.0.0.1:1"}
	form, status := run(t, nil, append(args, more...)...)
	if status != 0 {
		t.Fatalf("exits with %d", status)
	}
	file := apptest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, form) }))
	b := &browser{t: t}
	b.open(file)
	b.submit(base+"/organizations/acme/settings/apps/new", nil)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	b.submit("/-/apps", nil)
	if !strings.HasPrefix(b.leads, setup.Elsewhere+"?code=") {
		t.Fatalf("GitHub leads to %s", b.leads)
	}
	return b.leads
}

// withCode runs "colony setup --code -", which reads an address.
func withCode(t *testing.T, base, address string, change func(*exec.Cmd), args ...string) (stdout, stderr string, status int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "colony", append([]string{"setup", "--code", "-", "--github", base}, args...)...)
	var out, told strings.Builder
	command.Dir, command.Stdin, command.Stdout, command.Stderr = t.TempDir(), strings.NewReader(address+"\n"), &out, &told
	if change != nil {
		change(command)
	}
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), told.String(), command.ProcessState.ExitCode()
}

func TestSetupElsewhere(t *testing.T) {
	_, base := organization(t)
	address := handOver(t, base, "Helper")
	folder := filepath.Join(t.TempDir(), "kept")
	out, told, status := withCode(t, base, address, nil, "--output", folder)
	if status != 0 || out != "" || !strings.Contains(told, base+"/apps/helper/installations/new") {
		t.Fatalf("exits with %d\n%s\n%s", status, out, told)
	}
	if c, err := config.Load(filepath.Join(folder, "config.yml"), nil); err != nil || c.Validate() != nil {
		t.Errorf("%v %v", err, c.Validate())
	}
	_, told, status = withCode(t, base, address, nil)
	if code := address[strings.LastIndex(address, "=")+1:]; status != 1 || !strings.Contains(told, "GitHub does not know the code") || strings.Contains(told, code) {
		t.Errorf("a code that was used: exits with %d\n%s", status, told)
	}

	out, told, status = withCode(t, base, handOver(t, base, "Printed"), nil, "--format", "kubernetes")
	if status != 0 || !strings.HasPrefix(out, "apiVersion: v1\nkind: Secret\n") || strings.Contains(told, "PRIVATE KEY") || !strings.Contains(told, "kubectl set env deployment/colony COLONY_GITHUB_WEB_URL="+base) {
		t.Errorf("exits with %d\n%s\n%s", status, out, told)
	}
}

// GitHub shows credentials once: they are not lost when a file cannot be written, or when nobody reads the output.
func TestSetupLosesNoCredentials(t *testing.T) {
	_, base := organization(t)
	t.Run("a file cannot be written", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "kept")
		address := handOver(t, base, "Unwritten")
		target, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		// Another makes one of the files after the folder was checked.
		proxy := apptest.Serve(t, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			if err := os.WriteFile(filepath.Join(folder, "webhook-secret"), []byte("another"), 0o600); err != nil {
				t.Error(err)
			}
		}})
		out, told, status := withCode(t, proxy, address, nil, "--output", folder)
		if status != 1 || !strings.Contains(told, "webhook-secret: file exists") || !strings.Contains(told, "Save them now") {
			t.Errorf("exits with %d\n%s", status, told)
		}
		var environment []string
		for line := range strings.Lines(out) {
			environment = append(environment, strings.ReplaceAll(strings.TrimSpace(line), "'", ""))
		}
		c, err := config.Load("", environment)
		if err != nil || c.Validate() != nil {
			t.Errorf("%v %v\n%s", err, c.Validate(), out)
		}
	})
	t.Run("nobody reads the output", func(t *testing.T) {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		temporary := t.TempDir()
		reader.Close()
		_, told, status := withCode(t, base, handOver(t, base, "Unread"), func(c *exec.Cmd) {
			c.Stdout, c.Env = writer, append(os.Environ(), "TMPDIR="+temporary)
		}, "--format", "env")
		writer.Close()
		found, err := filepath.Glob(filepath.Join(temporary, "colony-app-*", "config.yml"))
		if err != nil || len(found) != 1 || status != 1 || !strings.Contains(told, filepath.Dir(found[0])) {
			t.Fatalf("exits with %d, and there is %v: %v\n%s", status, found, err, told)
		}
		if c, err := config.Load(found[0], nil); err != nil || c.Validate() != nil {
			t.Errorf("%v %v", err, c.Validate())
		}
	})
}

// An App for a server that lacks events is in order without them.
func TestSetupForAnOlderServer(t *testing.T) {
	p, base := organization(t)
	if err := p.Lack(playground.SubIssues, playground.IssueDependencies); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "kept")
	_, told, status := withCode(t, base, handOver(t, base, "Older", "--leave-out", "sub_issues", "--leave-out", "issue_dependencies"), nil, "--output", folder)
	if status != 0 {
		t.Fatalf("exits with %d\n%s", status, told)
	}
	out, _ := run(t, []string{"COLONY_SERVER_ADDRESS=127.0.0.1:0"}, "doctor", "--config", filepath.Join(folder, "config.yml"))
	if want := "ok       permissions: not subscribed to issue_dependencies, sub_issues, which an older GitHub Enterprise Server does not have\n"; !strings.Contains(out, want) || strings.Contains(out, "problem  permissions") {
		t.Errorf("doctor says\n%s", out)
	}

	// A Colony says once what it does not hear of, and that is no error.
	server := start(t, false, []string{"COLONY_SERVER_ADDRESS=127.0.0.1:0", "COLONY_QUEUE_DIR=" + t.TempDir()}, "serve", "--config", filepath.Join(folder, "config.yml"))
	for _, event := range permissions.Younger {
		said := server.until(t, permissions.WithoutYounger[event])
		if !strings.Contains(said, `"level":"info"`) {
			t.Errorf("the log says %s", said)
		}
	}
	server.signal(t, os.Interrupt)
	for server.lines.Scan() {
		if strings.Contains(server.lines.Text(), `"level":"error"`) {
			t.Errorf("the log says %s", server.lines.Text())
		}
	}
	if err := server.exits(); err != nil {
		t.Error(err)
	}
}
