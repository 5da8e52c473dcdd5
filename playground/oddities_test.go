package playground_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// must makes one call that has to succeed.
func (w *world) must(login, method, path, body string) map[string]any {
	w.t.Helper()
	response, answer := w.raw(method, path, body, "Authorization", w.auth(login))
	if response.StatusCode >= http.StatusBadRequest {
		w.t.Fatalf("%s %s: %s %v", method, path, response.Status, answer)
	}
	return answer
}

func TestSeveralEventsInOneSecond(t *testing.T) {
	w := newWorld(t)
	now := w.clock.Now()
	w.clock.Advance(now.Truncate(time.Second).Add(time.Second).Sub(now))
	n := w.open("alice", "Busy").GetNumber()
	for _, name := range []string{"bug", "question", "wontfix"} {
		w.clock.Advance(300 * time.Millisecond)
		w.check(w.label(n, name))
	}
	list := must[[]*github.IssueEvent](t)(w.installed().Issues.ListIssueEvents(context.Background(), "acme", "shop", n, nil))
	if len(list) != 3 || !list[0].GetCreatedAt().Equal(list[2].GetCreatedAt()) || list[0].GetID() >= list[1].GetID() || list[1].GetID() >= list[2].GetID() {
		t.Errorf("only the ids tell which was first: %v", list)
	}
}

// A copy that is behind shows each state in its turn; webhooks and answers to writes show what is.
func TestReadsOfLabelsThatLagBehindWebhooks(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("alice", "Broken").GetNumber()
	w.take()
	w.must("alice", "PUT", "/playground/lag/labels", `{"for":"10s"}`)
	w.check(w.label(n, "bug"))
	w.clock.Advance(4 * time.Second)
	answer := must[[]*github.Label](t)(w.as("alice").Issues.ReplaceLabelsForIssue(ctx, "acme", "shop", n, []string{"question"}))
	if len(answer) != 1 || answer[0].GetName() != "question" {
		t.Errorf("the answer to a write: %v", answer)
	}
	for _, h := range w.take() {
		if event := h.payload.(*github.IssuesEvent); event.GetAction() == "labeled" && len(event.GetIssue().Labels) != 1 {
			t.Errorf("a webhook lags: %v", event.GetIssue().Labels)
		}
	}
	shown := func() []string {
		seen := []string{}
		for _, l := range must[[]*github.Label](t)(w.installed().Issues.ListLabelsByIssue(ctx, "acme", "shop", n, nil)) {
			seen = append(seen, l.GetName())
		}
		issue := must[*github.Issue](t)(w.installed().Issues.Get(ctx, "acme", "shop", n))
		list := must[[]*github.Issue](t)(w.installed().Issues.ListByRepo(ctx, "acme", "shop", nil))
		if len(issue.Labels) != len(seen) || len(list[0].Labels) != len(seen) {
			t.Errorf("reads differ: %v, %v, %v", seen, issue.Labels, list[0].Labels)
		}
		return seen
	}
	for _, step := range []struct {
		wait time.Duration
		want []string
	}{{0, []string{}}, {5 * time.Second, []string{}}, {time.Second, []string{"bug"}}, {4 * time.Second, []string{"question"}}} {
		w.clock.Advance(step.wait)
		if diff := cmp.Diff(step.want, shown()); diff != "" {
			t.Errorf("after %s more: %s", step.wait, diff)
		}
	}
}

func TestMoreThanAHundredLabelEvents(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("alice", "Busy").GetNumber()
	for range 60 {
		w.check(w.label(n, "bug"))
		w.must("alice", "DELETE", fmt.Sprintf("/repos/acme/shop/issues/%d/labels/bug", n), "")
	}
	for page, want := range map[int]int{1: 100, 2: 20} {
		list, r, err := w.installed().Issues.ListIssueEvents(ctx, "acme", "shop", n, &github.ListOptions{PerPage: 500, Page: page})
		if err != nil || len(list) != want || r.NextPage != map[int]int{1: 2}[page] {
			t.Errorf("page %d: %d events, next %d: %v", page, len(list), r.NextPage, err)
		}
	}
}

func TestDeliveriesThatComeDaysLater(t *testing.T) {
	w := newWorld(t)
	w.HoldDeliveries()
	opened := w.clock.Now()
	n := w.open("alice", "Broken").GetNumber()
	w.clock.Advance(5 * 24 * time.Hour)
	w.check(w.label(n, "bug"))
	w.ReleaseDeliveries(nil)
	got := w.take()
	if diff := cmp.Diff([]string{"issues.opened", "issues.labeled"}, names(got)); diff != "" {
		t.Fatal(diff)
	}
	// What a webhook tells is as old as the event.
	if issue := got[0].payload.(*github.IssuesEvent).GetIssue(); issue.GetUpdatedAt().Unix() != opened.Unix() || len(issue.Labels) != 0 {
		t.Errorf("five days later: %v", issue)
	}
	log := w.Deliveries()
	if at := log[len(log)-1].At; at.Unix() != w.clock.Now().Unix() {
		t.Errorf("delivered at %s", at)
	}
}

func TestRepositoryMadePrivateAndPublic(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("mallory", "Broken").GetNumber()
	w.take()
	w.check(w.SetPrivate("acme", "shop", true))
	if _, r, err := w.as("mallory").Issues.Get(ctx, "acme", "shop", n); status(t, r, err) != http.StatusNotFound {
		t.Errorf("a stranger sees what is private: %v", err)
	}
	for name, client := range map[string]*github.Client{"a collaborator": w.as("bob"), "the App": w.installed()} {
		if _, _, err := client.Issues.Get(ctx, "acme", "shop", n); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.check(w.SetPrivate("acme", "shop", false))
	if diff := cmp.Diff([]string{"repository.privatized", "repository.publicized"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
}

func TestArchivedRepositoryIsReadOnly(t *testing.T) {
	w := newWorld(t)
	w.SetPermission("acme", "shop", "alice", "admin")
	n := w.open("alice", "Broken").GetNumber()
	w.take()
	w.must("alice", "PATCH", "/repos/acme/shop", `{"archived":true}`)
	if err := w.label(n, "bug"); err == nil || !strings.Contains(err.Error(), "archived") {
		t.Errorf("a label in an archive: %v", err)
	}
	w.must("alice", "PATCH", "/repos/acme/shop", `{"archived":false}`)
	w.check(w.label(n, "bug"))
	if diff := cmp.Diff([]string{"repository.archived", "repository.unarchived", "issues.labeled"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
}

func TestPullRequestsAreThreadsToo(t *testing.T) {
	w := newWorld(t)
	main := w.must("alice", "GET", "/repos/acme/shop/git/ref/heads/main", "")["object"].(map[string]any)["sha"]
	w.must("alice", "POST", "/repos/acme/shop/git/refs", fmt.Sprintf(`{"ref":"refs/heads/fix","sha":%q}`, main))
	w.must("alice", "PUT", "/repos/acme/shop/contents/fix.txt", `{"message":"m","content":"eA==","branch":"fix"}`)
	n := w.must("alice", "POST", "/repos/acme/shop/pulls", `{"title":"Fix","head":"fix","base":"main"}`)["number"]
	w.take()
	thread := fmt.Sprintf("/repos/acme/shop/issues/%v", n)
	w.must("alice", "POST", thread+"/labels", `{"labels":["bug"]}`)
	w.must("alice", "DELETE", thread+"/labels/bug", "")
	w.must("alice", "PUT", thread+"/lock", `{"lock_reason":"resolved"}`)
	w.must("alice", "DELETE", thread+"/lock", "")
	w.must("alice", "PATCH", fmt.Sprintf("/repos/acme/shop/pulls/%v", n), `{"title":"Fix it"}`)
	w.must("bob", "POST", thread+"/comments", `{"body":"/accept"}`)
	want := []string{"pull_request.labeled", "pull_request.unlabeled", "pull_request.locked", "pull_request.unlocked", "pull_request.edited", "issue_comment.created"}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
	w.must("alice", "POST", "/repos/acme/shop/issues", `{"title":2026}`) // GitHub takes a number for a title
	if got := must[*github.Issue](t)(w.installed().Issues.Get(context.Background(), "acme", "shop", 2)).GetTitle(); got != "2026" {
		t.Errorf("title: %q", got)
	}
}

// A token that was given out with more than its installation has now does no more than the installation may.
func TestPermissionsReducedWhileTokensAreOut(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("alice", "Broken").GetNumber()
	client := w.installed()
	must[[]*github.Label](t)(client.Issues.AddLabelsToIssue(ctx, "acme", "shop", n, []string{"bug"}))
	w.take()
	w.check(w.SetInstallationPermissions(w.installation, map[string]string{"contents": "read"}))
	if _, r, err := client.Issues.AddLabelsToIssue(ctx, "acme", "shop", n, []string{"question"}); status(t, r, err) != http.StatusForbidden {
		t.Errorf("a write with a token of before: %v", err)
	}
	w.check(w.label(n, "wontfix"))
	if diff := cmp.Diff([]string{"installation.new_permissions_accepted"}, names(w.take())); diff != "" {
		t.Errorf("without issues: read no events of issues: %s", diff)
	}
}

// Contents that other projects' recordings of GitHub show.
func TestContentsAreAsRecorded(t *testing.T) {
	w := newWorld(t)
	w.must("alice", "PATCH", "/repos/acme/shop/labels/bug", `{"new_name":"defect","color":"BADA55"}`)
	for name, want := range map[string]map[string]any{
		"defect": {"color": "BADA55", "default": false},
		"bug":    {"color": "AbCdEf", "default": true},
		"Bug2":   {"color": "ededed", "default": false},
	} {
		if name != "defect" {
			w.must("alice", "POST", "/repos/acme/shop/labels", fmt.Sprintf(`{"name":%q,"color":%q}`, name, want["color"]))
		}
		got := w.must("alice", "GET", "/repos/acme/shop/labels/"+name, "")
		if diff := cmp.Diff(want, map[string]any{"color": got["color"], "default": got["default"]}); diff != "" {
			t.Errorf("label %s: %s", name, diff)
		}
	}

	n := w.open("alice", "Broken").GetNumber()
	thread := fmt.Sprintf("/repos/acme/shop/issues/%d", n)
	w.must("alice", "PATCH", thread, `{"body":"It **breaks**,\nsince <b> is 1 & 2.\n\n- always"}`)
	issue := w.must("alice", "GET", thread, "")
	if pinned, there := issue["pinned_comment"]; pinned != nil || !there {
		t.Errorf("the pinned comment is %v, there: %v", pinned, there)
	}
	if kind, there := issue["type"]; there {
		t.Errorf("an owner without types has an issue of type %v", kind)
	}
	w.check(w.SetIssueType("acme", "shop", n, "Bug", ""))
	w.check(w.SetIssueType("acme", "shop", n, "", ""))
	if kind, there := w.must("alice", "GET", thread, "")["type"]; kind != nil || !there {
		t.Errorf("the type is %v, there: %v", kind, there)
	}

	w.must("alice", "PUT", thread+"/lock", `{"lock_reason":"spam"}`)
	w.must("alice", "DELETE", thread+"/lock", "")
	reasons := map[string]any{}
	_, answer := w.raw("GET", thread+"/events", "", "Authorization", w.auth("alice"))
	var events []map[string]any
	w.check(json.Unmarshal([]byte(answer["text"].(string)), &events))
	for _, e := range events {
		if reason, there := e["lock_reason"]; there {
			reasons[e["event"].(string)] = reason
		}
	}
	if diff := cmp.Diff(map[string]any{"locked": "spam"}, reasons); diff != "" {
		t.Error(diff)
	}

	const html = "<p dir=\"auto\">It <strong>breaks</strong>,<br>\nsince  is 1 &amp; 2.</p>\n<ul dir=\"auto\">\n<li>always</li>\n</ul>"
	for media, want := range map[string]map[string]any{
		"application/vnd.github.raw+json":     {"body": issue["body"]},
		"application/vnd.github.html+json":    {"body_html": html},
		"application/vnd.github.text+json":    {"body_text": "It breaks,\nsince  is 1 & 2.\n\nalways"},
		"application/vnd.github.v3.full+json": {"body": issue["body"], "body_html": html, "body_text": "It breaks,\nsince  is 1 & 2.\n\nalways"},
	} {
		_, answer := w.raw("GET", thread, "", "Authorization", w.auth("alice"), "Accept", media)
		got := map[string]any{}
		for name, value := range answer {
			if strings.HasPrefix(name, "body") {
				got[name] = value
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", media, diff)
		}
	}
}
