package playground_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// checkEvents says of webhooks what they tell of checks.
func checkEvents(webhooks []webhook) []string {
	var told []string
	for _, h := range webhooks {
		switch e := h.payload.(type) {
		case *github.CheckRunEvent:
			told = append(told, fmt.Sprintf("run %s: %s %s %s %d", e.GetAction(), e.CheckRun.GetName(), e.CheckRun.GetStatus(), e.CheckRun.GetConclusion(), len(e.CheckRun.PullRequests)))
		case *github.CheckSuiteEvent:
			told = append(told, fmt.Sprintf("suite %s: %s %s of %s", e.GetAction(), e.CheckSuite.GetStatus(), e.CheckSuite.GetConclusion(), e.CheckSuite.GetHeadBranch()))
		case *github.StatusEvent:
			told = append(told, fmt.Sprintf("status %s %s on %v", e.GetContext(), e.GetState(), len(e.Branches)))
		}
	}
	return told
}

func TestChecks(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.pull("alice", "fix", "")
	sha := w.must("alice", "GET", pullPath(n), "")["head"].(map[string]any)["sha"].(string)
	w.take()
	const runs = "/repos/acme/shop/check-runs"
	unit := w.must("dev", "POST", runs, fmt.Sprintf(`{"name":"unit","head_sha":%q}`, sha))
	lint := w.must("dev", "POST", runs, fmt.Sprintf(`{"name":"lint","head_sha":%q,"status":"in_progress","started_at":"2026-01-02T03:04:05Z","external_id":"7","details_url":"https://ci.test/7"}`, sha))
	of := func(run map[string]any) string { return fmt.Sprintf("%s/%.0f", runs, run["id"]) }
	w.must("dev", "PATCH", of(unit), `{"status":"in_progress"}`)
	w.must("dev", "PATCH", of(lint), `{"conclusion":"success","completed_at":"2026-01-02T03:04:06Z","output":{"title":"Lint","summary":"clean"}}`)
	w.must("dev", "PATCH", of(unit), `{"status":"completed","conclusion":"failure"}`)
	again := w.must("dev", "POST", runs, fmt.Sprintf(`{"name":"unit","head_sha":%q,"conclusion":"success"}`, sha))
	want := []string{
		"run created: unit queued  1", "run created: lint in_progress  1", "run completed: lint completed success 1",
		"run completed: unit completed failure 1", "suite completed: completed failure of fix",
		"run created: unit completed success 1", "run completed: unit completed success 1",
	}
	if diff := cmp.Diff(want, checkEvents(w.take())); diff != "" {
		t.Error(diff)
	}
	if got := w.must("alice", "GET", of(lint), ""); got["completed_at"] != "2026-01-02T03:04:06Z" || got["external_id"] != "7" || got["details_url"] != "https://ci.test/7" {
		t.Errorf("%v", got)
	}

	list := func(path string) string {
		var found []string
		answer := w.must("alice", "GET", "/repos/acme/shop/"+path, "")
		for _, run := range answer["check_runs"].([]any) {
			found = append(found, fmt.Sprint(run.(map[string]any)["name"], " ", run.(map[string]any)["conclusion"]))
		}
		text, err := json.Marshal(found)
		w.check(err)
		return fmt.Sprint(answer["total_count"], string(text))
	}
	suite := fmt.Sprintf("check-suites/%.0f", again["check_suite"].(map[string]any)["id"])
	for path, want := range map[string]string{
		"commits/fix/check-runs":                           `2["unit success","lint success"]`,
		"commits/" + sha + "/check-runs?filter=all":        `3["unit success","lint success","unit failure"]`,
		"commits/" + sha + "/check-runs?check_name=lint":   `1["lint success"]`,
		"commits/" + sha + "/check-runs?status=queued":     `0null`,
		"commits/" + sha + "/check-runs?per_page=1&page=2": `2["lint success"]`,
		"commits/" + sha + "/check-runs?app_id=12":         `0null`,
		"commits/main/check-runs":                          `0null`,
		suite + "/check-runs?filter=all&status=completed":  `3["unit success","lint success","unit failure"]`,
	} {
		if got := list(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	suites := must[*github.ListCheckSuiteResults](t)(w.installed().Checks.ListCheckSuitesForRef(ctx, "acme", "shop", "fix", &github.ListCheckSuiteOptions{CheckName: new("lint")}))
	if suites.GetTotal() != 1 || suites.CheckSuites[0].GetConclusion() != "success" || len(suites.CheckSuites[0].PullRequests) != 1 {
		t.Errorf("%v", suites)
	}
	if got := w.must("alice", "GET", "/repos/acme/shop/"+suite, ""); got["status"] != "completed" || got["latest_check_runs_count"] != 2.0 {
		t.Errorf("%v", got)
	}

	w.AddBot("other")
	for name, test := range map[string]struct {
		login, method, path, body string
		status                    int
		message                   string
	}{
		"a person":               {"alice", "POST", runs, fmt.Sprintf(`{"name":"x","head_sha":%q}`, sha), 403, "You must authenticate via a GitHub App."},
		"another App":            {"other", "PATCH", of(unit), `{"conclusion":"success"}`, 403, ""},
		"no such commit":         {"dev", "POST", runs, `{"name":"x","head_sha":"00"}`, 422, "No commit found for SHA: 00"},
		"completed, but how":     {"dev", "PATCH", of(unit), `{"status":"completed"}`, 422, "Invalid request.\n\n\"conclusion\" wasn't supplied."},
		"no such run":            {"dev", "GET", runs + "/1", "", 404, "Not Found"},
		"no such suite":          {"dev", "GET", "/repos/acme/shop/check-suites/1", "", 404, "Not Found"},
		"runs of no commit":      {"dev", "GET", "/repos/acme/shop/commits/nothing/check-runs", "", 422, "No commit found for SHA: nothing"},
		"an App that is no id":   {"dev", "GET", "/repos/acme/shop/commits/fix/check-suites?app_id=abc", "", 422, "Invalid request.\n\nabc is not an integer."},
		"annotations":            {"dev", "PATCH", of(unit), `{"output":{"title":"x","summary":"y","annotations":[{"path":"a","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"}]}}`, 501, "The playground has neither actions, annotations nor images of check runs"},
		"a state that is none":   {"alice", "POST", "/repos/acme/shop/statuses/" + sha, `{"state":"great"}`, 422, "Validation Failed"},
		"a status of a reader":   {"mallory", "POST", "/repos/acme/shop/statuses/" + sha, `{"state":"success"}`, 403, "Must have admin rights to Repository."},
		"a status of no commit":  {"alice", "POST", "/repos/acme/shop/statuses/00", `{"state":"success"}`, 422, "No commit found for SHA: 00"},
		"the state of no commit": {"alice", "GET", "/repos/acme/shop/commits/nothing/status", "", 404, "Not Found"},
	} {
		response, answer := w.raw(test.method, test.path, test.body, "Authorization", w.auth(test.login))
		if response.StatusCode != test.status || test.message != "" && answer["message"] != test.message {
			t.Errorf("%s: %d %v", name, response.StatusCode, answer)
		}
	}
	if _, r, err := w.installed().Checks.CreateCheckRun(ctx, "acme", "shop", github.CreateCheckRunOptions{Name: "x", HeadSHA: sha}); status(t, r, err) != 403 {
		t.Errorf("without checks: write: %v", err)
	}
}

func TestStatuses(t *testing.T) {
	w := newWorld(t)
	n := w.pull("alice", "fix", "")
	sha := w.must("alice", "GET", pullPath(n), "")["head"].(map[string]any)["sha"].(string)
	w.take()
	combined := func() string {
		answer := w.must("bob", "GET", "/repos/acme/shop/commits/fix/status", "")
		pull := w.must("bob", "GET", pullPath(n), "")
		return fmt.Sprint(answer["state"], " of ", answer["total_count"], ", ", pull["mergeable"], " ", pull["mergeable_state"])
	}
	for _, step := range []struct{ body, want string }{
		{"", "pending of 0, true clean"},
		{`{"state":"pending","context":"ci","description":"soon","target_url":"https://ci.test/1"}`, "pending of 1, true unstable"},
		{`{"state":"error"}`, "failure of 2, true unstable"},
		{`{"state":"success","context":"ci"}`, "failure of 2, true unstable"},
		{`{"state":"success","context":"default"}`, "success of 2, true clean"},
	} {
		if step.body != "" {
			w.must("alice", "POST", "/repos/acme/shop/statuses/"+sha, step.body)
		}
		if got := combined(); got != step.want {
			t.Errorf("after %s: %s, want %s", step.body, got, step.want)
		}
	}
	w.check(w.SetStatus("acme", "shop", "fix", "by hand", "failure", ""))
	want := []string{"status ci pending on 1", "status default error on 1", "status ci success on 1", "status default success on 1", "status by hand failure on 1"}
	if diff := cmp.Diff(want, checkEvents(w.take())); diff != "" {
		t.Error(diff)
	}
	if list := must[[]*github.RepoStatus](t)(w.installed().Repositories.ListStatuses(context.Background(), "acme", "shop", sha, nil)); len(list) != 5 || list[0].GetContext() != "by hand" {
		t.Errorf("%v", list)
	}
}

// Every App that may write checks has a suite of every push, whether it ever runs a check or not.
func TestSuitesAreRequested(t *testing.T) {
	w := newWorld(t)
	w.check(w.RegisterApp(playground.App{
		ID: 8, Slug: "ci", PublicKey: &key().PublicKey, WebhookURL: w.receiver, WebhookSecret: secret,
		Permissions: map[string]string{"checks": "write"}, Events: []string{"check_suite", "check_run"},
	}))
	w.Install(8, "acme")
	n := w.pull("alice", "fix", "")
	w.take()
	sha, err := w.Push("acme", "shop", "fix", "more.txt", "x", "alice")
	w.check(err)
	if diff := cmp.Diff([]string{"suite requested: queued  of fix"}, checkEvents(w.take())); diff != "" {
		t.Error(diff)
	}
	state := func() any { return w.must("alice", "GET", pullPath(n), "")["mergeable_state"] }
	if got := state(); got != "clean" {
		t.Errorf("with an empty suite: %v", got)
	}
	first, err := w.SetCheck("acme", "shop", sha, "ci", "unit", "")
	w.check(err)
	if got := state(); got != "unstable" {
		t.Errorf("with a run under way: %v", got)
	}
	for _, conclusion := range []string{"failure", "success"} {
		id, err := w.SetCheck("acme", "shop", "fix", "ci", "unit", conclusion)
		w.check(err)
		if (id == first) != (conclusion == "failure") {
			t.Errorf("%s is of the run %d", conclusion, id)
		}
	}
	if got := state(); got != "clean" {
		t.Errorf("in the end: %v", got)
	}
	// Both Apps are told of a run, and of a suite that is complete.
	want := []string{
		"run created: unit in_progress  1", "run created: unit in_progress  1",
		"run completed: unit completed failure 1", "run completed: unit completed failure 1",
		"suite completed: completed failure of fix", "suite completed: completed failure of fix",
		"run created: unit completed success 1", "run created: unit completed success 1",
		"run completed: unit completed success 1", "run completed: unit completed success 1",
	}
	got := checkEvents(w.take())
	count := func(list []string) map[string]int {
		counted := map[string]int{}
		for _, line := range list {
			counted[line]++
		}
		return counted
	}
	if diff := cmp.Diff(count(want), count(got)); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []func() error{
		func() error { _, err := w.SetCheck("acme", "shop", "nothing", "ci", "unit", ""); return err },
		func() error { _, err := w.SetCheck("acme", "shop", "fix", "ci", "unit", "great"); return err },
		func() error { _, err := w.SetCheck("acme", "shop", "fix", "nobody", "unit", ""); return err },
		func() error { return w.SetStatus("acme", "shop", "fix", "x", "great", "") },
	} {
		if wrong() == nil {
			t.Error("a mistake is taken")
		}
	}
}
