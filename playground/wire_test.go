package playground_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// raw makes one call without a client library. header is a list of names and values.
func (w *world) raw(method, path, body string, header ...string) (*http.Response, map[string]any) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, w.base+path, bytes.NewBufferString(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var answer map[string]any
	if json.Unmarshal(text, &answer) != nil {
		answer = map[string]any{"text": string(text)}
	}
	return response, answer
}

func (w *world) auth(login string) string { return "token " + w.Token(login) }

func TestRefusals(t *testing.T) {
	w := newWorld(t)
	w.open("alice", "One")
	w.open("alice", "Two")
	if err := w.DeleteIssue("acme", "shop", 2, "alice"); err != nil {
		t.Fatal(err)
	}
	w.AddRepository("acme", "vault")
	if err := w.SetPrivate("acme", "vault", true); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 101)
	for name, test := range map[string]struct {
		login, method, path, body string
		status                    int
		message                   string
	}{
		"unknown issue":         {"alice", "GET", "/repos/acme/shop/issues/99", "", 404, "Not Found"},
		"deleted issue":         {"alice", "GET", "/repos/acme/shop/issues/2", "", 410, "This issue was deleted"},
		"private repository":    {"mallory", "GET", "/repos/acme/vault", "", 404, "Not Found"},
		"no repository":         {"mallory", "GET", "/repos/acme/nothing", "", 404, "Not Found"},
		"anonymous write":       {"", "POST", "/repos/acme/shop/issues", `{"title":"x"}`, 401, "Requires authentication"},
		"no title":              {"alice", "POST", "/repos/acme/shop/issues", `{}`, 422, "Invalid request.\n\n\"title\" wasn't supplied."},
		"title of a wrong type": {"alice", "POST", "/repos/acme/shop/issues", `{"title":["x"]}`, 422, "Invalid request.\n\nFor 'properties/title', the value is not a string."},
		"body of a wrong type":  {"alice", "POST", "/repos/acme/shop/issues", `{"title":"x","body":7}`, 422, "Invalid request.\n\nFor 'properties/body', number is not a string."},
		"not JSON":              {"alice", "POST", "/repos/acme/shop/issues", `{"title"`, 400, "Problems parsing JSON"},
		"not an object":         {"alice", "POST", "/repos/acme/shop/issues", `[]`, 400, "Body should be a JSON object"},
		"labels of a number":    {"alice", "POST", "/repos/acme/shop/issues/1/labels", `[7]`, 422, "Invalid request.\n\nFor 'items', 7 is not a string."},
		"no label to add":       {"alice", "POST", "/repos/acme/shop/issues/1/labels", `[]`, 422, "Invalid request.\n\nFor 'properties/labels', [] is too short."},
		"label twice":           {"alice", "POST", "/repos/acme/shop/labels", `{"name":"BUG","color":"ffffff"}`, 422, "Validation Failed"},
		"label without a color": {"alice", "POST", "/repos/acme/shop/labels", `{"name":"x","color":"red"}`, 422, "Validation Failed"},
		"long description":      {"alice", "POST", "/repos/acme/shop/labels", `{"name":"x","description":"` + long + `"}`, 422, "Validation Failed"},
		"label by a triager":    {"bob", "POST", "/repos/acme/shop/labels", `{"name":"x"}`, 403, "Must have admin rights to Repository."},
		"close others' issues":  {"mallory", "PATCH", "/repos/acme/shop/issues/1", `{"state":"closed"}`, 403, "Must have admin rights to Repository."},
		"unknown state":         {"alice", "PATCH", "/repos/acme/shop/issues/1", `{"state":"done"}`, 422, "Validation Failed"},
		"permission of no user": {"alice", "GET", "/repos/acme/shop/collaborators/nobody/permission", "", 404, "nobody is not a user"},
		"permission of a bot":   {"alice", "GET", "/repos/acme/shop/collaborators/dev%5Bbot%5D/permission", "", 404, "dev[bot] is not a user"},
		"permission for reader": {"mallory", "GET", "/repos/acme/shop/collaborators/bob/permission", "", 403, "Must have push access to view collaborator permission."},
		"bad since":             {"alice", "GET", "/repos/acme/shop/issues?since=yesterday", "", 422, "The since parameter must be a time in ISO 8601 format"},
		"not built":             {"alice", "GET", "/repos/acme/shop/milestones", "", 501, "The playground does not implement GET /repos/acme/shop/milestones"},
		"field not built":       {"alice", "POST", "/repos/acme/shop/issues", `{"title":"x","milestone":1}`, 501, "The playground does not implement the field milestone of POST /repos/{owner}/{repo}/issues"},
	} {
		t.Run(name, func(t *testing.T) {
			header := []string{}
			if test.login != "" {
				header = append(header, "Authorization", w.auth(test.login))
			}
			response, answer := w.raw(test.method, test.path, test.body, header...)
			if response.StatusCode != test.status || answer["message"] != test.message {
				t.Errorf("%d %v, want %d %s", response.StatusCode, answer, test.status, test.message)
			}
			if answer["documentation_url"] == nil || answer["status"] != fmt.Sprint(test.status) || response.Header.Get("X-GitHub-Request-Id") == "" {
				t.Errorf("the shape of an error: %v %v", answer, response.Header)
			}
		})
	}
	want := []string{"GET /repos/acme/shop/milestones", "POST /repos/{owner}/{repo}/issues with milestone"}
	if diff := cmp.Diff(want, w.Unimplemented()); diff != "" {
		t.Error(diff)
	}
	if response, _ := w.raw("GET", "/user", "", "Authorization", "Bearer nonsense"); response.StatusCode != 401 {
		t.Errorf("bad credentials: %s", response.Status)
	}
}

func TestAppTokens(t *testing.T) {
	w := newWorld(t)
	now := time.Now()
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
		text, err := jwt.NewWithClaims(method, claims).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	good := func(change func(jwt.MapClaims)) jwt.MapClaims {
		claims := jwt.MapClaims{"iss": fmt.Sprint(appID), "iat": now.Unix(), "exp": now.Add(9 * time.Minute).Unix()}
		change(claims)
		return claims
	}
	_, about := w.raw("GET", "/apps/colony", "")
	clientID, _ := about["client_id"].(string)
	for name, test := range map[string]struct {
		token  string
		status int
	}{
		"good":             {sign(jwt.SigningMethodRS256, key(), good(func(jwt.MapClaims) {})), 200},
		"client id":        {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { c["iss"] = clientID })), 200},
		"no client id":     {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { c["iss"] = "Iv1.ffffffffffffffff" })), 404},
		"numeric issuer":   {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { c["iss"] = appID })), 200},
		"unknown App":      {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { c["iss"] = 8 })), 404},
		"another key":      {sign(jwt.SigningMethodRS256, stranger, good(func(jwt.MapClaims) {})), 401},
		"another method":   {sign(jwt.SigningMethodHS256, []byte("x"), good(func(jwt.MapClaims) {})), 401},
		"expired":          {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { c["exp"] = now.Add(-time.Second).Unix() })), 401},
		"too long":         {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { c["exp"] = now.Add(time.Hour).Unix() })), 401},
		"from the future":  {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { c["iat"] = now.Add(5 * time.Minute).Unix() })), 401},
		"without a expiry": {sign(jwt.SigningMethodRS256, key(), good(func(c jwt.MapClaims) { delete(c, "exp") })), 401},
	} {
		t.Run(name, func(t *testing.T) {
			if response, answer := w.raw("GET", "/app", "", "Authorization", "Bearer "+test.token); response.StatusCode != test.status {
				t.Errorf("%d %v, want %d", response.StatusCode, answer, test.status)
			}
		})
	}
}

func TestInstallationTokens(t *testing.T) {
	clock := newWorld(t)
	ctx := context.Background()
	clock.AddRepository("acme", "warehouse")
	app := clock.app()
	narrow := must[*github.InstallationToken](t)(app.Apps.CreateInstallationToken(ctx, clock.installation, &github.InstallationTokenOptions{
		Repositories: []string{"warehouse"}, Permissions: &github.InstallationPermissions{Issues: new("read")},
	}))
	client := clock.client(&bearer{narrow.GetToken()})
	if repos := must[*github.ListRepositories](t)(client.Apps.ListRepos(ctx, nil)); len(repos.Repositories) != 1 || repos.Repositories[0].GetName() != "warehouse" {
		t.Errorf("repositories of a narrow token: %v", repos)
	}
	title := "x"
	if _, r, err := client.Issues.Create(ctx, "acme", "warehouse", &github.IssueRequest{Title: &title}); status(t, r, err) != 403 {
		t.Errorf("a write with a read token: %v", err)
	}
	if _, r, err := app.Apps.CreateInstallationToken(ctx, clock.installation, &github.InstallationTokenOptions{Permissions: &github.InstallationPermissions{Administration: new("write")}}); status(t, r, err) != 422 {
		t.Errorf("more than was granted: %v", err)
	}
	if _, r, err := app.Apps.CreateInstallationToken(ctx, clock.installation, &github.InstallationTokenOptions{Repositories: []string{"elsewhere"}}); status(t, r, err) != 422 {
		t.Errorf("a repository that is not there: %v", err)
	}
	if _, err := client.Apps.RevokeInstallationToken(ctx); err != nil {
		t.Fatal(err)
	}
	if _, r, err := client.Apps.ListRepos(ctx, nil); status(t, r, err) != 401 {
		t.Errorf("a revoked token: %v", err)
	}
}

func TestConditionalRequests(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	path := fmt.Sprintf("/api/v3/repos/acme/shop/issues/%d", n)
	alice, bob := w.auth("alice"), w.auth("bob")
	first, _ := w.raw("GET", path, "", "Authorization", alice)
	tag := first.Header.Get("ETag")
	used := first.Header.Get("X-RateLimit-Used")
	same, _ := w.raw("GET", path, "", "Authorization", alice, "If-None-Match", tag)
	if same.StatusCode != 304 || same.Header.Get("X-RateLimit-Used") != used || same.Header.Get("ETag") != tag {
		t.Errorf("unchanged: %s, used %s of %s", same.Status, same.Header.Get("X-RateLimit-Used"), used)
	}
	if other, _ := w.raw("GET", path, "", "Authorization", bob, "If-None-Match", tag); other.StatusCode != 200 {
		t.Errorf("somebody else's tag: %s", other.Status)
	}
	// The credentials are part of a tag, so that it is worth nothing with the next token of the same installation.
	installation := func() string {
		token := must[*github.InstallationToken](t)(w.app().Apps.CreateInstallationToken(context.Background(), w.installation, nil))
		return "token " + token.GetToken()
	}
	before, after := installation(), installation()
	mine, _ := w.raw("GET", path, "", "Authorization", before)
	for token, want := range map[string]int{before: 304, after: 200} {
		if r, _ := w.raw("GET", path, "", "Authorization", token, "If-None-Match", mine.Header.Get("ETag")); r.StatusCode != want {
			t.Errorf("a tag, with the token of before or the next: %s, want %d", r.Status, want)
		}
	}
	// A page stays as it is when another follows it, and "not modified" does not tell that one does.
	for range 2 {
		w.open("alice", "Broken too")
	}
	list := path[:strings.LastIndex(path, "/")] + "?direction=asc&per_page=3"
	full, _ := w.raw("GET", list, "", "Authorization", alice)
	w.open("alice", "Broken as well")
	still, _ := w.raw("GET", list, "", "Authorization", alice, "If-None-Match", full.Header.Get("ETag"))
	more, _ := w.raw("GET", list, "", "Authorization", alice)
	if full.Header.Get("Link") != "" || still.StatusCode != 304 || still.Header.Get("Link") != "" || more.Header.Get("Link") == "" {
		t.Errorf("a full page before %q, unmodified %s %q, and after %q another came", full.Header.Get("Link"), still.Status, still.Header.Get("Link"), more.Header.Get("Link"))
	}
	// Whoever does not say who it is pays for "not modified" as well.
	stranger, _ := w.raw("GET", path, "")
	unchanged, _ := w.raw("GET", path, "", "If-None-Match", stranger.Header.Get("ETag"))
	if unchanged.StatusCode != 304 || unchanged.Header.Get("X-RateLimit-Used") != "2" {
		t.Errorf("unchanged, of nobody: %s, used %s", unchanged.Status, unchanged.Header.Get("X-RateLimit-Used"))
	}
	if err := w.label(n, "bug"); err != nil {
		t.Fatal(err)
	}
	if changed, _ := w.raw("GET", path, "", "Authorization", alice, "If-None-Match", tag); changed.StatusCode != 200 {
		t.Errorf("changed: %s", changed.Status)
	}
}

// What is wrong with a label is said in two ways: where it is made by itself, and where an issue's labels name it.
func TestRefusalsOfTexts(t *testing.T) {
	w := newWorld(t)
	w.open("alice", "Broken")
	name, body := strings.Repeat("x", 51), strings.Repeat("x", 65537)
	for path, test := range map[string]struct {
		body string
		want map[string]any
	}{
		"/repos/acme/shop/labels": {`{"name":"` + name + `"}`, map[string]any{
			"resource": "Label", "code": "custom", "field": "name", "message": "name is too long (maximum is 50 characters)",
		}},
		"/repos/acme/shop/issues/1/labels": {`["` + name + `"]`, map[string]any{
			"resource": "Label", "code": "invalid", "field": "name", "value": name,
		}},
		"/repos/acme/shop/issues": {`{"title":"x","body":"` + body + `"}`, map[string]any{
			"resource": "Issue", "code": "custom", "field": "body", "message": "body is too long (maximum is 65536 characters)",
		}},
		"/repos/acme/shop/issues/1/comments": {`{"body":"` + body + `"}`, map[string]any{
			"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body is too long (maximum is 65536 characters)",
		}},
	} {
		response, answer := w.raw("POST", path, test.body, "Authorization", w.auth("alice"))
		if diff := cmp.Diff([]any{test.want}, answer["errors"]); response.StatusCode != 422 || diff != "" {
			t.Errorf("%s: %s\n%s", path, response.Status, diff)
		}
	}
	if response, _ := w.raw("POST", "/repos/acme/shop/labels", `{"name":" BUG "}`, "Authorization", w.auth("alice")); response.StatusCode != 422 {
		t.Errorf("a label that is there, with white space around it: %s", response.Status)
	}
}

func TestNamelessProgramsAreRefused(t *testing.T) {
	w := newWorld(t)
	if response, _ := w.raw("GET", "/rate_limit", "", "User-Agent", ""); response.StatusCode != 403 || response.Header.Get("Content-Type") != "text/html" {
		t.Errorf("%s %s", response.Status, response.Header)
	}
}

func TestRateLimitWindow(t *testing.T) {
	w := newWorld(t)
	w.SetRateLimit(2)
	alice := w.auth("alice")
	for i, want := range []int{200, 200, 403} {
		response, answer := w.raw("GET", "/repos/acme/shop", "", "Authorization", alice)
		if response.StatusCode != want || response.Header.Get("X-RateLimit-Remaining") != []string{"1", "0", "0"}[i] {
			t.Errorf("call %d: %s %v", i, response.Status, answer["message"])
		}
	}
	if response, _ := w.raw("GET", "/rate_limit", "", "Authorization", alice); response.StatusCode != 200 {
		t.Errorf("asking for the limit: %s", response.Status)
	}
	w.clock.Advance(time.Hour)
	if response, _ := w.raw("GET", "/repos/acme/shop", "", "Authorization", alice); response.StatusCode != 200 {
		t.Errorf("an hour later: %s", response.Status)
	}
}

func TestPaging(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("alice", "Busy").GetNumber()
	for i := range 55 {
		name := fmt.Sprintf("label %d", i)
		if err := w.label(n, name); err != nil {
			t.Fatal(err)
		}
		if _, err := w.as("alice").Issues.RemoveLabelForIssue(ctx, "acme", "shop", n, name); err != nil {
			t.Fatal(err)
		}
	}
	var ids []int64
	options := &github.ListOptions{PerPage: 100}
	for {
		events, response, err := w.installed().Issues.ListIssueEvents(ctx, "acme", "shop", n, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			ids = append(ids, e.GetID())
		}
		if options.Page == 0 && (response.LastPage != 2 || response.NextPage != 2) || options.Page == 2 && (response.PrevPage != 1 || response.FirstPage != 1) {
			t.Errorf("page %d links to %+v", options.Page, response)
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	if len(ids) != 110 {
		t.Errorf("%d events", len(ids))
	}
	for i := 1; i < len(ids); i++ {
		if ids[i] <= ids[i-1] {
			t.Fatal("the events are not in order")
		}
	}
}

func TestControlsOverHTTP(t *testing.T) {
	w := newWorld(t)
	issue, pull := w.open("alice", "Broken").GetNumber(), w.pull("alice", "fix", "")
	w.ResetCalls()
	for _, step := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/playground/users", `{"login":"eve"}`, 204},
		{"POST", "/playground/users", `{"logn":"eve"}`, 400},
		{"POST", "/playground/bots", `{"login":"reviewer"}`, 204},
		{"POST", "/playground/tokens", `{"login":"eve"}`, 200},
		{"POST", "/playground/tokens", `{"login":"nobody"}`, 400},
		{"POST", "/playground/repositories", `{"owner":"acme","name":"lab"}`, 200},
		{"PUT", "/playground/permissions", `{"owner":"acme","name":"lab","login":"eve","role":"triage"}`, 204},
		{"PUT", "/playground/permissions", `{"owner":"acme","name":"lab","login":"eve","role":"king"}`, 400},
		{"PUT", "/playground/files", `{"owner":"acme","name":"lab","path":"a/b.yml","content":"x: 1"}`, 204},
		{"POST", "/playground/deliveries/hold", ``, 204},
		{"POST", "/playground/deliveries/release", `{"order":"sideways"}`, 400},
		{"POST", "/playground/deliveries/release", `{"order":"reversed"}`, 204},
		{"POST", "/playground/quiet", ``, 204},
		{"GET", "/playground/deliveries", ``, 200},
		{"POST", "/playground/faults", `{"kind":"status","status":500,"path":"/user$","times":1}`, 200},
		{"POST", "/playground/faults", `{"kind":"earthquake"}`, 400},
		{"GET", "/user", ``, 500},
		{"DELETE", "/playground/faults/12", ``, 400},
		{"PUT", "/playground/lag", `{"for":"2s"}`, 204},
		{"PUT", "/playground/lag/mergeability", `{"for":"2s"}`, 204},
		{"PUT", "/playground/lag/mergeability", `{"for":"long"}`, 400},
		{"PUT", "/playground/pulls/draft", fmt.Sprintf(`{"owner":"acme","name":"shop","number":%d,"draft":true,"by":"alice"}`, pull), 204},
		{"PUT", "/playground/pulls/draft", `{"owner":"acme","name":"shop","number":99}`, 400},
		{"PUT", "/playground/pulls/link", fmt.Sprintf(`{"owner":"acme","name":"shop","number":%d,"pull":%d,"linked":true}`, issue, pull), 204},
		{"PUT", "/playground/pulls/link", fmt.Sprintf(`{"owner":"acme","name":"shop","number":%d,"pull":%d,"linked":true}`, pull, issue), 400},
		{"POST", "/playground/pulls/conflict", fmt.Sprintf(`{"owner":"acme","name":"shop","number":%d}`, pull), 204},
		{"POST", "/playground/pulls/conflict", fmt.Sprintf(`{"owner":"acme","name":"shop","number":%d}`, issue), 400},
		{"PUT", "/playground/checks", `{"owner":"acme","name":"shop","ref":"fix","app":"dev","check":"unit","conclusion":"failure"}`, 200},
		{"PUT", "/playground/checks", `{"owner":"acme","name":"shop","ref":"fix","app":"dev","check":"unit","conclusion":"great"}`, 400},
		{"GET", "/playground/calls", ``, 200},
		{"DELETE", "/playground/calls", ``, 204},
		{"GET", "/playground/unimplemented", ``, 200},
		{"GET", "/playground/state", ``, 200},
		{"GET", "/playground/nonsense", ``, 404},
	} {
		if response, answer := w.raw(step.method, step.path, step.body); response.StatusCode != step.status {
			t.Errorf("%s %s %s: %s %v, want %d", step.method, step.path, step.body, response.Status, answer, step.status)
		}
	}
	if len(w.Calls()) != 0 {
		t.Errorf("controls are in the journal: %v", w.Calls())
	}
}

func TestEveryRouteHasItsPlaceInTheDocumentation(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range playground.Routes() {
		if r.Docs == "" || r.Audience == "" || seen[r.Method+r.Pattern] {
			t.Errorf("%s %s", r.Method, r.Pattern)
		}
		seen[r.Method+r.Pattern] = true
	}
}
