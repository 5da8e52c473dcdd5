//go:build clients

package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/playground"
)

// exchange is a recorded request, with what GitHub answered.
type exchange struct {
	Scope, Method, Path string
	Body                any
	Status              int
	Response            any
	Reqheaders, Headers map[string]any
}

// explanation is a difference between the recordings and the playground, with its reason.
type explanation struct {
	difference *regexp.Regexp
	why        string
}

// explained are the differences there may be. A row that explains nothing fails.
var explained = []explanation{
	{regexp.MustCompile(`: status 501, recorded as \d+$`), "docs/playground.md says what the playground does not have"},
	{regexp.MustCompile(` author_association: COLLABORATOR, recorded as MEMBER$`), "the playground has no members of organizations"},
	{regexp.MustCompile(`create-file/.* commit parents: .*, recorded as 0 items$`), "the playground has no empty repositories: each begins with a commit"},
	{regexp.MustCompile(`: https://github\.com/.*/raw/.*, recorded as https://raw\.githubusercontent\.com/`), "files are on the playground's own host, as on GitHub Enterprise Server"},
	{regexp.MustCompile(`/hello-world.*main.*, recorded as .*master`), "the recorded repository is older than the default branch main"},
	{regexp.MustCompile(` topics: \[\], recorded as 3 items$`), "the playground has no topics"},
	{regexp.MustCompile(` documentation_url: https://docs\.github\.com/rest/.*, recorded as https://docs\.github\.com/(v3|rest/reference)/`), "GitHub's documentation has moved since"},
}

// Every scenario of @octokit/fixtures is replayed: recordings of GitHub's answers to other programs' requests.
func TestRecordedScenarios(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("node_modules", "@octokit", "fixtures", "scenarios", "*", "*", "normalized-fixture.json"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d scenarios: %v", len(files), err)
	}
	used := map[int]bool{}
	for _, file := range files {
		scenario := filepath.Base(filepath.Dir(file))
		t.Run(scenario, func(t *testing.T) {
			for _, difference := range replay(t, scenario, file) {
				row := slices.IndexFunc(explained, func(e explanation) bool { return e.difference.MatchString(difference) })
				if row < 0 {
					t.Error(difference)
				}
				used[row] = true
			}
		})
	}
	for row, e := range explained {
		if !used[row] {
			t.Errorf("%s explains nothing", e.difference)
		}
	}
}

const (
	fixtureOrganization = "octokit-fixture-org"
	fixtureUser         = "octokit-fixture-user-a"
)

// recording is a scenario on a playground of its own.
type recording struct {
	*playground.Playground
	t          *testing.T
	base, name string // of the playground, and of the scenario's repository
	repository int64
	commits    []string // that the recording calls by the numbers 1, 2, …
}

// staged makes what a scenario finds there, as the recorders of @octokit/fixtures do before they record.
var staged = map[string]func(*recording){
	"create-status": func(r *recording) { r.push("README.md") },
	"get-content": func(r *recording) {
		r.check(r.SetFile(fixtureOrganization, "hello-world", "README.md", "# hello-world"))
	},
	"git-refs":        func(r *recording) { r.push("1.md"); r.push("2.md") },
	"lock-issue":      func(r *recording) { r.open(1) },
	"paginate-issues": func(r *recording) { r.open(13) },
}

// replay sends the requests of a scenario, and says where the answers are not as recorded.
func replay(t *testing.T, scenario, file string) (differences []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var exchanges []exchange
	if err := json.Unmarshal(text, &exchanges); err != nil {
		t.Fatal(err)
	}
	r := &recording{Playground: playground.New(playground.Options{}), t: t, name: scenario}
	t.Cleanup(func() { r.check(r.Close()) })
	if r.base, err = r.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(exchanges[0].Path, "/repos/"+fixtureOrganization+"/hello-world") {
		r.name = "hello-world"
	}
	r.AddOrganization(fixtureOrganization)
	r.repository = r.AddRepository(fixtureOrganization, r.name)
	r.SetPermission(fixtureOrganization, r.name, fixtureUser, "admin")
	if stage := staged[scenario]; stage != nil {
		stage(r)
	}
	for _, e := range exchanges {
		request := strings.ToUpper(e.Method) + " " + e.Path
		if e.Scope != "https://api.github.com:443" {
			continue // where an answer leads to: no part of the API
		}
		status, header, answer := r.ask(e)
		if status != e.Status {
			differences = append(differences, fmt.Sprintf("%s: status %d, recorded as %d", request, status, e.Status))
			continue
		}
		for _, name := range []string{"Location", "Link"} {
			was, _ := e.Headers[strings.ToLower(name)].(string) // none is empty
			differences = append(differences, r.compare(request+" "+name, was, header.Get(name))...)
		}
		differences = append(differences, r.compare(request, e.Response, answer)...)
	}
	return differences
}

func (r *recording) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *recording) push(path string) {
	r.t.Helper()
	sha, err := r.Push(fixtureOrganization, r.name, "main", path, path, fixtureUser)
	r.check(err)
	r.commits = append(r.commits, sha)
}

func (r *recording) open(n int) {
	for i := 1; i <= n; i++ {
		r.ask(exchange{Method: "POST", Path: "/repos/" + fixtureOrganization + "/" + r.name + "/issues", Body: map[string]any{"title": fmt.Sprint("Test issue ", i)}})
	}
}

// ask sends a recorded request in the name of the recorded user.
func (r *recording) ask(e exchange) (status int, header http.Header, answer any) {
	r.t.Helper()
	body, err := json.Marshal(e.Body)
	r.check(err)
	if text, ok := e.Body.(string); ok {
		body = []byte(text)
	}
	path := strings.ReplaceAll(e.Path, "/repositories/1000", fmt.Sprint("/repositories/", r.repository))
	for i, sha := range r.commits {
		recorded := fmt.Sprintf("%040d", i+1)
		path, body = strings.ReplaceAll(path, recorded, sha), bytes.ReplaceAll(body, []byte(recorded), []byte(sha))
	}
	request, err := http.NewRequestWithContext(context.Background(), strings.ToUpper(e.Method), r.base+"/api/v3"+path, bytes.NewReader(body))
	r.check(err)
	request.Header.Set("Authorization", "token "+r.Token(fixtureUser))
	if accept, ok := e.Reqheaders["accept"].(string); ok {
		request.Header.Set("Accept", accept)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	r.check(err)
	text, err := io.ReadAll(response.Body)
	r.check(errors.Join(err, response.Body.Close()))
	if json.Unmarshal(text, &answer) != nil {
		answer = string(text)
	}
	return response.StatusCode, response.Header, answer
}

// compare says how an answer differs from the recorded one. Fields that it has beyond those are newer than the recording, which the
// check against GitHub's descriptions has seen (package schematest).
func (r *recording) compare(where string, recorded, answered any) (differences []string) {
	switch recorded := recorded.(type) {
	case map[string]any:
		fields, ok := answered.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: %v, recorded as an object", where, answered)}
		}
		for _, name := range slices.Sorted(maps.Keys(recorded)) {
			field, there := fields[name]
			switch {
			case !there:
				differences = append(differences, fmt.Sprintf("%s: no %s, recorded as %v", where, name, recorded[name]))
			case name != "id" && name != "node_id": // numbers of the recorder's own
				differences = append(differences, r.compare(where+" "+name, recorded[name], field)...)
			}
		}
		return differences
	case []any:
		items, ok := answered.([]any)
		if !ok || len(items) != len(recorded) {
			return []string{fmt.Sprintf("%s: %v, recorded as %d items", where, answered, len(recorded))}
		}
		for i := range recorded {
			differences = append(differences, r.compare(fmt.Sprint(where, " ", i), recorded[i], items[i])...)
		}
		return differences
	case float64:
		if _, ok := answered.(float64); ok && recorded == 42 { // in the place of any count
			return nil
		}
	}
	if was, is := r.normalized(recorded), r.normalized(answered); was != is {
		return []string{fmt.Sprintf("%s: %v, recorded as %v", where, is, was)}
	}
	return nil
}

var placeholders = []struct {
	volatile *regexp.Regexp
	as       string
}{
	{regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`), "TIME"},
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "COMMIT"},
	{regexp.MustCompile(`/repositories/\d+`), "/repositories/N"},
	{regexp.MustCompile(`^\d+\+`), "N+"},                        // an address for mail
	{regexp.MustCompile(`tmp-scenario-(.+?)-\d{17}-\w+`), "$1"}, // the recorder's name of the repository
	{regexp.MustCompile(`(https://github\.com/avatars|https://avatars\.githubusercontent\.com)/u/\d+`), "AVATAR"},
}

// normalized is a value without what is another one in each run.
func (r *recording) normalized(value any) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	text = strings.ReplaceAll(text, r.base+"/api/v3", "https://api.github.com")
	text = strings.ReplaceAll(text, r.base, "https://github.com")
	text = strings.ReplaceAll(text, strings.TrimPrefix(r.base, "http://"), "github.com")
	text = strings.ReplaceAll(text, "git@127.0.0.1:", "git@github.com:")
	for _, p := range placeholders {
		text = p.volatile.ReplaceAllString(text, p.as)
	}
	return text
}
