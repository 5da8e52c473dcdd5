package playground_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground"
)

// id is an issue's, by which others name it.
func (w *world) id(repo string, number int) int64 {
	w.t.Helper()
	return int64(w.must("alice", "GET", fmt.Sprintf("/repos/acme/%s/issues/%d", repo, number), "")["id"].(float64))
}

// listed are the issues of a list, as "repository#number".
func (w *world) listed(login, path string) string {
	w.t.Helper()
	request, err := w.as(login).NewRequest("GET", strings.TrimPrefix(path, "/"), nil)
	w.check(err)
	var list []struct {
		Number     int
		Repository struct{ Name string }
	}
	_, err = w.as(login).Do(context.Background(), request, &list)
	w.check(err)
	var found []string
	for _, i := range list {
		found = append(found, fmt.Sprintf("%s#%d", i.Repository.Name, i.Number))
	}
	return strings.Join(found, " ")
}

// summary is one of the summaries of an issue.
func (w *world) summary(number int, name string) string {
	w.t.Helper()
	text, err := json.Marshal(w.must("alice", "GET", fmt.Sprintf("/repos/acme/shop/issues/%d", number), "")[name])
	w.check(err)
	return string(text)
}

// relations are the events of relations in an issue's log.
func (w *world) relations(number int) []string {
	var found []string
	for _, e := range w.events(number) {
		if strings.Contains(e, "_issue_") || strings.Contains(e, "block") {
			found = append(found, strings.TrimSpace(e))
		}
	}
	return found
}

func issuePath(number int) string { return fmt.Sprintf("/repos/acme/shop/issues/%d", number) }

func TestDependencies(t *testing.T) {
	w := newWorld(t)
	w.AddRepository("acme", "vault")
	w.check(w.SetPrivate("acme", "vault", true))
	w.SetPermission("acme", "vault", "alice", "write")
	w.must("alice", "POST", "/repos/acme/vault/issues", `{"title":"Secret"}`)
	for _, title := range []string{"One", "Two", "Three"} {
		w.open("alice", title)
	}
	pull := w.pull("alice", "fix", "")
	w.take()
	blockedBy := issuePath(1) + "/dependencies/blocked_by"
	add := func(id int64) map[string]any {
		return w.must("alice", "POST", blockedBy, fmt.Sprintf(`{"issue_id":%d}`, id))
	}
	if added := add(w.id("shop", 2)); added["number"] != 2.0 {
		t.Errorf("the answer is not the blocker: %v", added["number"])
	}
	if diff := cmp.Diff([]string{"issue_dependencies.blocked_by_added", "issue_dependencies.blocking_added"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	add(w.id("vault", 1))
	w.check(w.SetBlockedBy("acme", "shop", 1, "", 3, true, "bob"))
	w.must("alice", "PATCH", issuePath(3), `{"state":"closed"}`)
	if got := w.listed("alice", blockedBy); got != "shop#2 vault#1 shop#3" {
		t.Errorf("blocked by %s", got)
	}
	if got := w.listed("bob", blockedBy); got != "shop#2 shop#3" {
		t.Errorf("a stranger to the vault reads %s", got)
	}
	if got := w.listed("bob", issuePath(2)+"/dependencies/blocking"); got != "shop#1" {
		t.Errorf("blocking %s", got)
	}
	if got := w.summary(1, "issue_dependencies_summary"); got != `{"blocked_by":2,"blocking":0,"total_blocked_by":3,"total_blocking":0}` {
		t.Errorf("the blocked: %s", got)
	}
	if got := w.summary(3, "issue_dependencies_summary"); got != `{"blocked_by":0,"blocking":1,"total_blocked_by":0,"total_blocking":1}` {
		t.Errorf("the blocker: %s", got)
	}
	w.check(w.SetBlockedBy("acme", "shop", 2, "", 1, true, "")) // a circle
	w.AddRepository("acme", "lab")
	if _, err := w.TransferIssue("acme", "shop", 3, "lab", ""); err != nil {
		t.Fatal(err)
	}
	if got := w.listed("alice", blockedBy); got != "shop#2 vault#1 lab#1" {
		t.Errorf("after a transfer: %s", got)
	}
	w.take()
	w.must("alice", "DELETE", fmt.Sprintf("%s/%d", blockedBy, w.id("shop", 2)), "")
	w.check(w.SetBlockedBy("acme", "shop", 2, "", 1, false, ""))
	want := []string{
		"issue_dependencies.blocked_by_removed", "issue_dependencies.blocking_removed",
		"issue_dependencies.blocked_by_removed", "issue_dependencies.blocking_removed",
	}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
	want = []string{
		"alice blocked_by_added", "alice blocked_by_added", "bob blocked_by_added", "acme blocking_added", "alice blocked_by_removed",
		"acme blocking_removed",
	}
	if diff := cmp.Diff(want, w.relations(1)); diff != "" {
		t.Error(diff)
	}

	for name, test := range map[string]struct {
		login, method, path, body string
		status                    int
	}{
		"by itself":             {"alice", "POST", blockedBy, fmt.Sprintf(`{"issue_id":%d}`, w.id("shop", 1)), 422},
		"twice":                 {"alice", "POST", blockedBy, fmt.Sprintf(`{"issue_id":%d}`, w.id("vault", 1)), 422},
		"by a pull request":     {"alice", "POST", blockedBy, fmt.Sprintf(`{"issue_id":%d}`, w.id("shop", pull)), 404},
		"by nothing":            {"alice", "POST", blockedBy, `{"issue_id":1}`, 404},
		"by what one can't see": {"bob", "POST", issuePath(2) + "/dependencies/blocked_by", fmt.Sprintf(`{"issue_id":%d}`, w.id("vault", 1)), 404},
		"as a reader":           {"mallory", "POST", blockedBy, fmt.Sprintf(`{"issue_id":%d}`, w.id("shop", 2)), 403},
		"a pull request":        {"alice", "POST", issuePath(pull) + "/dependencies/blocked_by", fmt.Sprintf(`{"issue_id":%d}`, w.id("shop", 2)), 404},
		"of a pull request":     {"alice", "GET", issuePath(pull) + "/dependencies/blocking", "", 404},
		"remove what is not":    {"alice", "DELETE", fmt.Sprintf("%s/%d", blockedBy, w.id("shop", 2)), "", 404},
	} {
		if response, answer := w.raw(test.method, test.path, test.body, "Authorization", w.auth(test.login)); response.StatusCode != test.status {
			t.Errorf("%s: %d %v", name, response.StatusCode, answer)
		}
	}
}

func TestSubIssues(t *testing.T) {
	w := newWorld(t)
	for n := range 6 {
		w.open("alice", fmt.Sprint("Issue ", n+1))
	}
	w.take()
	subs := issuePath(1) + "/sub_issues"
	for _, n := range []int{2, 3, 4} {
		w.must("alice", "POST", subs, fmt.Sprintf(`{"sub_issue_id":%d}`, w.id("shop", n)))
	}
	if diff := cmp.Diff([]string{"sub_issues.sub_issue_added", "sub_issues.parent_issue_added"}, names(w.take())[:2]); diff != "" {
		t.Error(diff)
	}
	w.must("alice", "PATCH", issuePath(3), `{"state":"closed"}`)
	if got := w.summary(1, "sub_issues_summary"); got != `{"completed":1,"percent_completed":33,"total":3}` {
		t.Error(got)
	}
	for _, step := range []struct {
		sub         int
		field       string
		neighbour   int
		order       string
		andOfParent int
	}{
		{4, "before_id", 2, "shop#4 shop#2 shop#3", 1},
		{4, "after_id", 2, "shop#2 shop#4 shop#3", 1},
		{2, "after_id", 3, "shop#4 shop#3 shop#2", 1},
	} {
		w.must("alice", "PATCH", subs+"/priority", fmt.Sprintf(`{"sub_issue_id":%d,%q:%d}`, w.id("shop", step.sub), step.field, w.id("shop", step.neighbour)))
		if got := w.listed("alice", subs); got != step.order {
			t.Errorf("%d %s %d: %s", step.sub, step.field, step.neighbour, got)
		}
	}
	if got := w.must("alice", "GET", issuePath(2)+"/parent", "")["number"]; got != 1.0 {
		t.Errorf("the parent is %v", got)
	}
	if got := w.must("alice", "GET", issuePath(2), "")["parent_issue_url"]; got != w.base+"/api/v3"+issuePath(1) {
		t.Errorf("the parent is at %v", got)
	}
	w.take()
	w.must("alice", "POST", issuePath(5)+"/sub_issues", fmt.Sprintf(`{"sub_issue_id":%d,"replace_parent":true}`, w.id("shop", 2)))
	w.must("alice", "DELETE", issuePath(1)+"/sub_issue", fmt.Sprintf(`{"sub_issue_id":%d}`, w.id("shop", 3)))
	want := []string{
		"sub_issues.sub_issue_removed", "sub_issues.parent_issue_removed", "sub_issues.sub_issue_added", "sub_issues.parent_issue_added",
		"sub_issues.sub_issue_removed", "sub_issues.parent_issue_removed",
	}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"alice parent_issue_added", "alice parent_issue_removed", "alice parent_issue_added"}, w.relations(2)); diff != "" {
		t.Error(diff)
	}
	if got := w.listed("alice", subs) + ", " + w.listed("alice", issuePath(5)+"/sub_issues"); got != "shop#4, shop#2" {
		t.Error(got)
	}
	w.check(w.SetSubIssue("acme", "shop", 4, "", 6, true, "bob"))
	w.check(w.SetSubIssue("acme", "shop", 4, "", 5, true, "bob"))
	w.check(w.SetSubIssue("acme", "shop", 4, "", 6, false, "bob"))

	of := func(n int) string { return fmt.Sprintf(`{"sub_issue_id":%d}`, w.id("shop", n)) }
	const refused = "An error occurred while adding the sub-issue to the parent issue. "
	for name, test := range map[string]struct {
		login, method, path, body string
		status                    int
		message                   string
	}{
		"twice":              {"alice", "POST", subs, of(4), 422, refused + "Issue may not contain duplicate sub-issues"},
		"of another":         {"alice", "POST", subs, of(2), 422, refused + "Sub issue may only have one parent"},
		"an ancestor":        {"alice", "POST", issuePath(2) + "/sub_issues", of(1), 422, refused + "Sub issue cannot be an ancestor of its parent"},
		"itself":             {"alice", "POST", subs, of(1), 422, refused + "Sub issue cannot be an ancestor of its parent"},
		"by its number":      {"alice", "POST", subs, `{"sub_issue_id":6}`, 404, "The provided sub-issue does not exist"},
		"as a reader":        {"mallory", "POST", subs, of(6), 403, "Must have admin rights to Repository."},
		"remove what is not": {"alice", "DELETE", issuePath(1) + "/sub_issue", of(3), 404, "The provided sub-issue does not exist"},
		"no parent":          {"alice", "GET", issuePath(1) + "/parent", "", 404, "Not Found"},
		"neither neighbour":  {"alice", "PATCH", subs + "/priority", of(4), 422, "Either after_id or before_id has to be specified"},
	} {
		if response, answer := w.raw(test.method, test.path, test.body, "Authorization", w.auth(test.login)); response.StatusCode != test.status || answer["message"] != test.message {
			t.Errorf("%s: %d %v", name, response.StatusCode, answer)
		}
	}
	for n, parent := range []int{2, 7, 8, 9, 10} { // 1, 4, 5, 2 are four levels already
		w.open("alice", "Deeper")
		if err := w.SetSubIssue("acme", "shop", parent, "", 7+n, true, ""); (err != nil) != (n == 4) {
			t.Fatalf("level %d: %v", n+5, err)
		}
	}
}

// An older GitHub Enterprise Server knows nothing of relations.
func TestLackingFeatures(t *testing.T) {
	w := newWorld(t)
	w.open("alice", "One")
	w.open("alice", "Two")
	w.check(w.SetSubIssue("acme", "shop", 1, "", 2, true, ""))
	w.check(w.Lack(playground.IssueDependencies, playground.SubIssues))
	for _, path := range []string{"/dependencies/blocked_by", "/dependencies/blocking", "/sub_issues", "/parent"} {
		if response, answer := w.raw("GET", issuePath(2)+path, "", "Authorization", w.auth("alice")); response.StatusCode != 404 || answer["message"] != "Not Found" {
			t.Errorf("%s: %d %v", path, response.StatusCode, answer)
		}
	}
	issue := w.must("alice", "GET", issuePath(2), "")
	for _, name := range []string{"sub_issues_summary", "issue_dependencies_summary", "parent_issue_url"} {
		if _, there := issue[name]; there {
			t.Errorf("%s is there", name)
		}
	}
	if w.SetSubIssue("acme", "shop", 1, "", 2, false, "") == nil || w.SetBlockedBy("acme", "shop", 1, "", 2, true, "") == nil {
		t.Error("what is lacking is done")
	}
	if len(w.Unimplemented()) > 0 {
		t.Errorf("it is no fault of the playground: %v", w.Unimplemented())
	}
	if response, _ := w.raw("PUT", "/playground/lacks", `{"features":["nonsense"]}`); response.StatusCode != 400 {
		t.Errorf("a feature that is none: %s", response.Status)
	}
	if response, _ := w.raw("PUT", "/playground/lacks", `{"features":[]}`); response.StatusCode != 204 {
		t.Errorf("%s", response.Status)
	}
	if got := w.listed("alice", issuePath(1)+"/sub_issues"); got != "shop#2" {
		t.Errorf("it is back: %s", got)
	}
}
