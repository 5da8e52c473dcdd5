package playground_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// pull opens a pull request from a branch that is made for it.
func (w *world) pull(by, branch, body string) int {
	w.t.Helper()
	number, err := w.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "shop", By: by, Branch: branch, Body: body})
	w.check(err)
	return number
}

func pullPath(number int) string { return fmt.Sprintf("/repos/acme/shop/pulls/%d", number) }

func TestReviews(t *testing.T) {
	w := newWorld(t)
	n := w.pull("alice", "fix", "")
	reviews := pullPath(n) + "/reviews"
	w.take()

	first := w.must("bob", "POST", reviews, `{"event":"REQUEST_CHANGES","body":"a test is missing"}`)
	head := w.must("bob", "GET", pullPath(n), "")["head"].(map[string]any)["sha"]
	if first["state"] != "CHANGES_REQUESTED" || first["commit_id"] != head {
		t.Errorf("%v", first)
	}
	sha, err := w.Push("acme", "shop", "fix", "fix_test.go", "x", "alice")
	w.check(err)
	w.must("bob", "POST", reviews, `{"event":"COMMENT","body":"better"}`)
	second := w.must("mallory", "POST", reviews, `{"event":"APPROVE"}`)
	if second["commit_id"] != sha || second["body"] != "" {
		t.Errorf("%v", second)
	}
	old := w.must("mallory", "POST", reviews, fmt.Sprintf(`{"event":"COMMENT","body":"on the first commit","commit_id":%q}`, head))
	if old["commit_id"] != head {
		t.Errorf("%v", old)
	}
	w.SetPermission("acme", "shop", "bob", "write")
	dismissed := w.must("bob", "PUT", fmt.Sprintf("%s/%.0f/dismissals", reviews, first["id"]), `{"message":"it is there now","event":"DISMISS"}`)
	if dismissed["state"] != "DISMISSED" || dismissed["body"] != "a test is missing" {
		t.Errorf("%v", dismissed)
	}
	if again := w.must("alice", "GET", fmt.Sprintf("%s/%.0f", reviews, first["id"]), ""); again["state"] != "DISMISSED" {
		t.Errorf("%v", again)
	}

	var states, told []string
	for _, r := range must[[]*github.PullRequestReview](t)(w.installed().PullRequests.ListReviews(context.Background(), "acme", "shop", n, nil)) {
		states = append(states, r.GetUser().GetLogin()+" "+r.GetState())
	}
	if diff := cmp.Diff([]string{"bob DISMISSED", "bob COMMENTED", "mallory APPROVED", "mallory COMMENTED"}, states); diff != "" {
		t.Error(diff)
	}
	for _, h := range w.take() {
		if e, ok := h.payload.(*github.PullRequestReviewEvent); ok {
			told = append(told, e.GetAction()+" "+e.GetReview().GetState())
		}
	}
	want := []string{"submitted changes_requested", "submitted commented", "submitted approved", "submitted commented", "dismissed dismissed"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}

	for name, test := range map[string]struct {
		login, method, path, body string
		status                    int
		message                   string
		errors                    any
	}{
		"approve one's own":        {"alice", "POST", reviews, `{"event":"APPROVE"}`, 422, "Unprocessable Entity", []any{"Can not approve your own pull request"}},
		"refuse one's own":         {"alice", "POST", reviews, `{"event":"REQUEST_CHANGES","body":"x"}`, 422, "Unprocessable Entity", []any{"Can not request changes on your own pull request"}},
		"refuse without a word":    {"bob", "POST", reviews, `{"event":"REQUEST_CHANGES"}`, 422, "Unprocessable Entity", []any{"Body can't be blank"}},
		"a commit of elsewhere":    {"bob", "POST", reviews, `{"event":"APPROVE","commit_id":"0000000000000000000000000000000000000000"}`, 422, "Unprocessable Entity", []any{"The commit 0000000000000000000000000000000000000000 is not part of the pull request"}},
		"nobody":                   {"", "POST", reviews, `{"event":"APPROVE"}`, 401, "Requires authentication", nil},
		"pending":                  {"bob", "POST", reviews, `{"body":"x"}`, 501, "The playground has neither pending reviews nor comments on lines", nil},
		"comments on lines":        {"bob", "POST", reviews, `{"event":"COMMENT","body":"x","comments":[{"path":"a","body":"b"}]}`, 501, "The playground has neither pending reviews nor comments on lines", nil},
		"dismiss as a reader":      {"mallory", "PUT", fmt.Sprintf("%s/%.0f/dismissals", reviews, second["id"]), `{"message":"x"}`, 403, "Must have admin rights to Repository.", nil},
		"dismiss a comment":        {"bob", "PUT", fmt.Sprintf("%s/%.0f/dismissals", reviews, old["id"]), `{"message":"x"}`, 422, "Unprocessable Entity", []any{"Can not dismiss a commented pull request review"}},
		"dismiss without a reason": {"bob", "PUT", fmt.Sprintf("%s/%.0f/dismissals", reviews, second["id"]), `{}`, 422, "Invalid request.\n\n\"message\" wasn't supplied.", nil},
		"no such review":           {"bob", "GET", reviews + "/1", "", 404, "Not Found", nil},
		"of an issue":              {"bob", "GET", "/repos/acme/shop/pulls/99/reviews", "", 404, "Not Found", nil},
	} {
		var header []string
		if test.login != "" {
			header = []string{"Authorization", w.auth(test.login)}
		}
		response, answer := w.raw(test.method, test.path, test.body, header...)
		if response.StatusCode != test.status || answer["message"] != test.message || !cmp.Equal(answer["errors"], test.errors) {
			t.Errorf("%s: %d %v", name, response.StatusCode, answer)
		}
	}
	if _, err := w.ReviewPullRequest("acme", "shop", n, "APPROVE", "", "alice"); err == nil {
		t.Error("an author's approval by hand")
	}
}

func TestStagesOfAPullRequest(t *testing.T) {
	w := newWorld(t)
	number, err := w.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "shop", By: "alice", Branch: "fix", Draft: true})
	w.check(err)
	w.take()
	if response, answer := w.raw("PUT", pullPath(number)+"/merge", "{}", "Authorization", w.auth("alice")); response.StatusCode != 405 || answer["message"] != "Pull Request is still a draft" {
		t.Errorf("%d %v", response.StatusCode, answer)
	}
	w.check(w.SetDraft("acme", "shop", number, false, "alice"))
	w.check(w.SetDraft("acme", "shop", number, false, "alice")) // is ready already
	w.check(w.SetDraft("acme", "shop", number, true, ""))
	w.check(w.SetDraft("acme", "shop", number, false, ""))
	w.must("alice", "PATCH", pullPath(number), `{"title":"Better","body":"words"}`)
	w.must("alice", "PATCH", pullPath(number), `{"state":"closed"}`)
	_, err = w.Push("acme", "shop", "fix", "more.txt", "x", "alice")
	w.check(err)
	reopened := w.must("alice", "PATCH", pullPath(number), `{"state":"open"}`)
	if reopened["commits"] != 2.0 {
		t.Errorf("what was pushed while it was closed is lost: %v", reopened["commits"])
	}
	want := []string{
		"pull_request.ready_for_review", "pull_request.converted_to_draft", "pull_request.ready_for_review",
		"pull_request.edited", "pull_request.closed", "push.", "pull_request.reopened",
	}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if err := w.SetDraft("acme", "shop", w.open("alice", "No pull request").GetNumber(), true, ""); err == nil {
		t.Error("an issue is no draft")
	}
	w.must("alice", "DELETE", "/repos/acme/shop/git/refs/heads/fix", "")
	if gone := w.must("alice", "GET", pullPath(number), ""); gone["state"] != "closed" || gone["changed_files"] != 2.0 {
		t.Errorf("its branch is gone: %v %v", gone["state"], gone["changed_files"])
	}
	if response, _ := w.raw("PATCH", pullPath(number), `{"state":"open"}`, "Authorization", w.auth("alice")); response.StatusCode != 422 {
		t.Errorf("reopened without a branch: %s", response.Status)
	}
}

func TestMergeability(t *testing.T) {
	w := newWorld(t)
	n := w.pull("alice", "fix", "")
	other := w.pull("alice", "other", "")
	for _, h := range w.take() {
		if e, ok := h.payload.(*github.PullRequestEvent); ok && (e.PullRequest.Mergeable != nil || e.PullRequest.GetMergeableState() != "unknown") {
			t.Errorf("a webhook knows already: %s %v", e.GetAction(), e.PullRequest.Mergeable)
		}
	}
	state := func(number int) string {
		pull := w.must("alice", "GET", pullPath(number), "")
		return fmt.Sprint(pull["mergeable"], " ", pull["mergeable_state"])
	}
	w.LagMergeability(3 * time.Second)
	for _, want := range []string{"<nil> unknown", "<nil> unknown", "true clean"} {
		if got := state(n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		w.clock.Advance(2 * time.Second)
	}
	w.LagMergeability(0)
	w.check(w.MakeConflict("acme", "shop", n, "alice"))
	if got := []string{state(n), state(other)}; !slices.Equal(got, []string{"false dirty", "true clean"}) {
		t.Errorf("after a conflict: %v", got)
	}
	if got := names(w.take()); !slices.Equal(got, []string{"push."}) {
		t.Errorf("a conflict is told of: %v", got)
	}
	if response, answer := w.raw("PUT", pullPath(n)+"/merge", "{}", "Authorization", w.auth("alice")); response.StatusCode != 405 || answer["message"] != "Pull Request is not mergeable" {
		t.Errorf("%d %v", response.StatusCode, answer)
	}
	w.must("alice", "PUT", pullPath(other)+"/merge", `{}`)
	if got := state(other); got != "<nil> unknown" {
		t.Errorf("merged: %s", got)
	}
	theirs := w.must("alice", "GET", "/repos/acme/shop/contents/fix.txt?ref=main", "")["sha"]
	ours := w.must("alice", "GET", "/repos/acme/shop/contents/fix.txt?ref=fix", "")["sha"]
	w.must("alice", "PUT", "/repos/acme/shop/contents/fix.txt", fmt.Sprintf(`{"message":"m","content":"eA==","branch":"fix","sha":%q}`, ours))
	w.must("alice", "PUT", "/repos/acme/shop/contents/fix.txt", fmt.Sprintf(`{"message":"m","content":"eA==","sha":%q}`, theirs))
	if got := state(n); got != "true clean" {
		t.Errorf("both branches say the same: %s", got)
	}
}

// A merge changes what the pull request changed, and closes what it names.
func TestMerge(t *testing.T) {
	w := newWorld(t)
	w.AddRepository("acme", "lab")
	w.SetPermission("acme", "lab", "alice", "triage")
	w.must("alice", "POST", "/repos/acme/lab/issues", `{"title":"Elsewhere"}`)
	var issues []int
	for _, title := range []string{"named", "in code", "only mentioned", "by hand", "closed before", "unlinked"} {
		issues = append(issues, w.open("alice", title).GetNumber())
	}
	body := fmt.Sprintf("Fixes #%d, and `closes #%d`. See #%d.\n\nresolved: #%d\n<!-- closes #%d -->\nCloses acme/lab#1", issues[0], issues[1], issues[2], issues[4], issues[1])
	n := w.pull("bob", "fix", body)
	for _, linked := range []int{issues[3], issues[5]} {
		w.check(w.LinkPullRequest("acme", "shop", linked, "", n, true, "alice"))
	}
	w.check(w.LinkPullRequest("acme", "shop", issues[5], "", n, false, "alice"))
	_, err := w.Push("acme", "shop", "main", "meanwhile.txt", "x", "alice")
	w.check(err)
	w.must("alice", "PATCH", fmt.Sprintf("/repos/acme/shop/issues/%d", issues[4]), `{"state":"closed","state_reason":"not_planned"}`)
	w.take()

	w.must("alice", "PUT", pullPath(n)+"/merge", `{}`)
	var told []string
	for _, h := range w.take() {
		switch e := h.payload.(type) {
		case *github.PullRequestEvent:
			told = append(told, fmt.Sprint("pull ", e.GetAction(), " ", e.PullRequest.GetMerged(), " by ", e.GetSender().GetLogin()))
		case *github.PushEvent:
			told = append(told, "push "+e.GetRef())
		case *github.IssuesEvent:
			told = append(told, fmt.Sprint(e.GetAction(), " ", e.GetRepo().GetName(), " ", e.GetIssue().GetTitle(), " ", e.GetIssue().GetStateReason(), " by ", e.GetSender().GetLogin()))
		}
	}
	want := []string{
		"pull closed true by alice", "push refs/heads/main", "closed shop by hand completed by alice", "closed shop named completed by alice",
		"closed lab Elsewhere completed by alice",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{"meanwhile.txt", "fix.txt"} {
		w.must("alice", "GET", "/repos/acme/shop/contents/"+path, "")
	}
	head := w.must("alice", "GET", "/repos/acme/shop/commits/main", "")
	if parents := head["parents"].([]any); len(parents) != 2 {
		t.Errorf("a merge commit has %d parents", len(parents))
	}
	if response, _ := w.raw("PUT", pullPath(n)+"/merge", "{}", "Authorization", w.auth("alice")); response.StatusCode != 405 {
		t.Errorf("merged again: %s", response.Status)
	}

	// For another branch the keywords say nothing, and a squash is one commit.
	w.must("alice", "POST", "/repos/acme/shop/git/refs", fmt.Sprintf(`{"ref":"refs/heads/next","sha":%q}`, head["sha"]))
	further, err := w.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "shop", By: "bob", Branch: "further", Base: "next", Body: fmt.Sprintf("Fixes #%d", issues[1])})
	w.check(err)
	w.must("alice", "PUT", pullPath(further)+"/merge", `{"merge_method":"squash"}`)
	if still := w.must("alice", "GET", fmt.Sprintf("/repos/acme/shop/issues/%d", issues[1]), ""); still["state"] != "open" {
		t.Error("closed by a merge into another branch than the default")
	}
	squashed := w.must("alice", "GET", "/repos/acme/shop/commits/next", "")
	if len(squashed["parents"].([]any)) != 1 || squashed["commit"].(map[string]any)["message"] != fmt.Sprintf("Change further (#%d)", further) {
		t.Errorf("%v", squashed["commit"])
	}
	w.check(w.MergePullRequest("acme", "shop", w.pull("bob", "last", ""), ""))
}

// A commit closes what its message names when it comes to the default branch, and is told of before.
func TestCommitsCloseIssues(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	other := w.open("alice", "Only mentioned").GetNumber()
	main := w.must("alice", "GET", "/repos/acme/shop/git/ref/heads/main", "")["object"].(map[string]any)["sha"]
	w.must("alice", "POST", "/repos/acme/shop/git/refs", fmt.Sprintf(`{"ref":"refs/heads/fix","sha":%q}`, main))
	w.must("alice", "PUT", "/repos/acme/shop/contents/fix.txt", fmt.Sprintf(`{"message":"Fixes #%d, see #%d","content":"eA==","branch":"fix"}`, n, other))
	state := func(number int) any { return w.must("alice", "GET", issuePath(number), "")["state"] }
	if state(n) != "open" {
		t.Error("closed before it came to the default branch")
	}
	pull := w.pull("alice", "fix", "")
	w.take()
	w.must("alice", "PUT", pullPath(pull)+"/merge", `{}`)
	if state(n) != "closed" || state(other) != "open" {
		t.Errorf("merged: %v %v", state(n), state(other))
	}
	if diff := cmp.Diff([]string{"pull_request.closed", "push.", "issues.closed"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	var log []string
	for _, e := range must[[]*github.IssueEvent](t)(w.as("alice").Issues.ListIssueEvents(context.Background(), "acme", "shop", n, nil)) {
		log = append(log, fmt.Sprint(e.GetEvent(), " ", e.GetCommitID() != ""))
	}
	if diff := cmp.Diff([]string{"referenced true", "closed true"}, log); diff != "" {
		t.Error(diff)
	}
}

// An installation reads of a private repository what its permissions let it, and nothing else.
func TestPermissionsForReviewsAndChecks(t *testing.T) {
	w := newWorld(t)
	w.check(w.SetPrivate("acme", "shop", true))
	n := w.pull("alice", "fix", "")
	w.open("alice", "Broken")
	paths := map[string]string{
		pullPath(n) + "/reviews":                    "pull_requests",
		"/repos/acme/shop/commits/fix/check-runs":   "checks",
		"/repos/acme/shop/commits/fix/check-suites": "checks",
		"/repos/acme/shop/commits/fix/status":       "statuses",
		issuePath(2) + "/dependencies/blocked_by":   "issues",
		issuePath(2) + "/sub_issues":                "issues",
	}
	for _, permission := range []string{"pull_requests", "checks", "statuses", "issues"} {
		w.check(w.SetInstallationPermissions(w.installation, map[string]string{permission: "read"}))
		authorization := w.installationAuthorization()
		for path, needs := range paths {
			want := 403
			if needs == permission {
				want = 200
			}
			response, answer := w.raw("GET", path, "", "Authorization", authorization)
			if response.StatusCode != want || want == 403 && response.Header.Get("X-Accepted-GitHub-Permissions") != needs+"=read" {
				t.Errorf("%s with %s: %s %v", path, permission, response.Status, answer["message"])
			}
		}
		w.take()
		w.check(w.SetStatus("acme", "shop", "fix", "ci", "success", ""))
		if got := len(w.take()); (got == 1) != (permission == "statuses") {
			t.Errorf("with %s it is told of a status %d times", permission, got)
		}
	}
}

func TestListOfPullRequests(t *testing.T) {
	w := newWorld(t)
	first, second := w.pull("alice", "one", ""), w.pull("bob", "two", "")
	main := w.must("alice", "GET", "/repos/acme/shop/git/ref/heads/main", "")["object"].(map[string]any)["sha"]
	w.must("alice", "POST", "/repos/acme/shop/git/refs", fmt.Sprintf(`{"ref":"refs/heads/next","sha":%q}`, main))
	third, err := w.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "shop", By: "bob", Branch: "two", Base: "next"})
	w.check(err)
	w.clock.Advance(time.Minute)
	w.must("alice", "POST", fmt.Sprintf("/repos/acme/shop/issues/%d/comments", first), `{"body":"x"}`)
	w.must("alice", "PATCH", pullPath(second), `{"state":"closed"}`)
	for query, want := range map[string][]int{
		"":                                  {third, first},
		"state=all":                         {third, second, first},
		"state=closed":                      {second},
		"head=acme:two":                     {third},
		"head=acme:two&state=all":           {third, second},
		"head=mallory:two&state=all":        {},
		"base=next":                         {third},
		"sort=updated":                      {third, first},
		"sort=popularity&direction=desc":    {first, third},
		"sort=created&direction=asc":        {first, third},
		"state=all&per_page=1&page=2":       {second},
		"base=nowhere":                      {},
		"head=acme:two&base=main&state=all": {second},
	} {
		response, _ := w.raw("GET", "/repos/acme/shop/pulls?"+query, "", "Authorization", w.auth("alice"))
		if response.StatusCode != 200 {
			t.Fatalf("%s: %s", query, response.Status)
		}
		list := []*github.PullRequest{}
		request, err := w.as("alice").NewRequest("GET", "repos/acme/shop/pulls?"+query, nil)
		w.check(err)
		_, err = w.as("alice").Do(context.Background(), request, &list)
		w.check(err)
		got := []int{}
		for _, p := range list {
			got = append(got, p.GetNumber())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	if response, _ := w.raw("POST", "/repos/acme/shop/pulls", `{"title":"x","head":"mallory:fix","base":"main"}`, "Authorization", w.auth("alice")); response.StatusCode != 501 {
		t.Errorf("from a fork: %s", response.Status)
	}
}

func TestTimelineTellsOfMentions(t *testing.T) {
	w := newWorld(t)
	w.AddRepository("acme", "vault")
	w.check(w.SetPrivate("acme", "vault", true))
	w.SetPermission("acme", "vault", "alice", "write")
	n := w.open("alice", "Broken").GetNumber()
	pull := w.pull("alice", "fix", fmt.Sprintf("Fixes #%d", n))
	w.say("bob", pull, fmt.Sprintf("this is for #%d", n)) // told of already
	w.must("alice", "POST", "/repos/acme/vault/issues", fmt.Sprintf(`{"title":"Secret","body":"acme/shop#%d"}`, n))
	w.say("bob", n, "I look into it")
	_, err := w.ReviewPullRequest("acme", "shop", pull, "APPROVE", "good", "bob")
	w.check(err)
	w.must("alice", "PATCH", fmt.Sprintf("/repos/acme/shop/issues/%d", n), `{"state":"closed"}`)
	w.must("alice", "PATCH", fmt.Sprintf("/repos/acme/shop/issues/%d", n), `{"state":"open"}`)
	lines := func(login string, number int) []string {
		var found []string
		list, _, err := w.as(login).Issues.ListIssueTimeline(context.Background(), "acme", "shop", number, nil)
		w.check(err)
		for _, e := range list {
			line := e.GetEvent()
			if e.Source != nil {
				line += fmt.Sprintf(" %s#%d %v", e.Source.Issue.GetRepository().GetName(), e.Source.Issue.GetNumber(), e.Source.Issue.IsPullRequest())
			}
			found = append(found, line)
		}
		return found
	}
	mention := fmt.Sprintf("cross-referenced shop#%d true", pull)
	if diff := cmp.Diff([]string{mention, "commented", "closed", "reopened"}, lines("bob", n)); diff != "" {
		t.Errorf("the stranger to the vault: %s", diff)
	}
	if diff := cmp.Diff([]string{mention, "cross-referenced vault#1 false", "commented", "closed", "reopened"}, lines("alice", n)); diff != "" {
		t.Error(diff)
	}
	if got := lines("bob", pull); !slices.Contains(got, "reviewed") {
		t.Errorf("the pull request's own: %v", got)
	}
}
