package handlers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/reconcile"
)

// with returns issueRequest with another kind.
func with(scope reconcile.Kind, change func(*reconcile.Request)) []reconcile.Request {
	requests := issueRequest(change)
	requests[0].Kind = scope
	return requests
}

func capacityFreed() []reconcile.Request {
	return repositoryRequest(func(l *reconcile.Request) { l.Kind = reconcile.KindDispatch })
}

func andDependents() []reconcile.Request {
	return append(issueRequest(same), with(reconcile.KindDependents, same)...)
}

// because returns requests for issues 3 and onwards, caused by pull request 8.
func because(numbers ...int) []reconcile.Request {
	var requests []reconcile.Request
	for _, n := range numbers {
		requests = append(requests, issueRequest(func(l *reconcile.Request) { l.Number, l.Expect.PullRequest = n, 8 })...)
	}
	return requests
}

// andFiles adds a request for what changes the same files as pull request 8.
func andFiles(requests []reconcile.Request) []reconcile.Request {
	return append(requests, repositoryRequest(func(l *reconcile.Request) { l.Kind, l.Number = reconcile.KindFiles, 8 })...)
}

func pullPayload(action, pull, rest string) string {
	return fmt.Sprintf(`{"action": %q, "pull_request": {"number": 8, %s %s}, %s %s}`, action, updated, pull, around, rest)
}

func atPull(l *reconcile.Request) { l.Number = 8 }

func commitRequest() []reconcile.Request {
	return repositoryRequest(func(l *reconcile.Request) { l.Kind, l.Commit = reconcile.KindCommit, "c0ffee" })
}

func checkedPulls(repos ...int) []reconcile.Request {
	var requests []reconcile.Request
	for i := range repos {
		requests = append(requests, repositoryRequest(func(l *reconcile.Request) { l.Kind, l.Number = reconcile.KindPullRequest, 8+i })...)
	}
	return requests
}

const (
	ours   = `{"number": 8, "base": {"repo": {"id": 11}}}`
	theirs = `{"number": 99, "base": {"repo": {"id": 12}}}`
)

func suitePayload(action, pulls string) string {
	return fmt.Sprintf(`{"action": %q, "check_suite": {"head_sha": "c0ffee", "pull_requests": [%s]}, %s %s}`, action, pulls, around, byABot)
}

func runPayload(action, status, pulls string) string {
	return fmt.Sprintf(`{"action": %q, "check_run": {"head_sha": "c0ffee", "pull_requests": [%s], "check_suite": {"status": %q}}, %s %s}`, action, pulls, status, around, byABot)
}

func statusPayload(state string) string {
	return fmt.Sprintf(`{"sha": "c0ffee", "state": %q, %s %s}`, state, around, byABot)
}

func relationPayload(action string) string {
	return fmt.Sprintf(`{"action": %q, "blocked_issue": {"number": 3, %s}, "blocking_issue": {"number": 4, %s}, "parent_issue": {"number": 3, %s}, "sub_issue": {"number": 4}, %s %s}`,
		action, updated, updated, updated, around, byAda)
}

const stated = `, "labels": [{"name": "bug"}, {"name": "Colony:new"}], "user": {"login": "ada"}`

func answerPayload(issue, by, body string) string {
	return fmt.Sprintf(`{"action": "created", "issue": {"number": 3, %s %s}, "comment": {"id": 99, "body": %q, "user": {"login": %q}}, %s %s}`,
		updated, issue, body, by, around, byAda)
}

// What issues depend on: each event leads to every request that it can cause, and to none for what is somebody else's.
func TestHandleWhatIssuesHangOn(t *testing.T) {
	type row struct {
		name, event, body string
		want              []reconcile.Request
		why               reason
	}
	rows := []row{
		{"named in the body", "pull_request", pullPayload("opened", `, "body": "Fixes #3, closes octoorg/bee-hive#4"`, byAda), because(3, 4), ""},
		{"named in the title", "pull_request", pullPayload("closed", `, "title": "Resolves #5", "body": null`, byAda), andFiles(because(5)), ""},
		{"named in both", "pull_request", pullPayload("opened", `, "title": "Fix #3", "body": "fixes #3"`, byAda), because(3), ""},
		{"named before", "pull_request", pullPayload("edited", `, "body": "fixes #4"`, `, "changes": {"body": {"from": "fixes #3"}}`+byAda), andFiles(because(4, 3)), ""},
		{"named in code", "pull_request", pullPayload("opened", ", \"body\": \"`fixes #3`\"", byAda), with(reconcile.KindPullRequest, atPull), ""},
		{"named elsewhere", "pull_request", pullPayload("opened", `, "body": "fixes other/other#3"`, byAda), with(reconcile.KindPullRequest, atPull), ""},
		{"not named", "pull_request", pullPayload("opened", `, "body": "see #3"`, byAda), with(reconcile.KindPullRequest, atPull), ""},
		{"too many named", "pull_request", pullPayload("opened", `, "body": "`+strings.Repeat("fixes #3 ", 30)+manyFixes(30)+`"`, byAda), because(numbered(20)...), ""},
		{"named by its branch too", "pull_request", pullPayload("opened", `, "body": "fixes #3", "head": {"ref": "colony/3-paint"}`, byAda), because(3), ""},
		{
			"another named by its branch", "pull_request", pullPayload("opened", `, "body": "fixes #3", "head": {"ref": "colony/5-paint"}`, byAda),
			append(because(3), with(reconcile.KindPullRequest, atPull)...), "",
		},
		{"opened by Colony", "pull_request", pullPayload("opened", `, "body": "fixes #3"`, bySelf), because(3), ""},
		{"no pull request", "pull_request", fmt.Sprintf(`{"action": "opened", %s}`, around), nil, noPullRequest},
		{"no repository", "pull_request", `{"action": "opened", "pull_request": {"number": 8}, "installation": {"id": 7}}`, nil, noRepository},
		{"no installation", "pull_request", `{"action": "opened", "pull_request": {"number": 8}}`, nil, noInstallation},

		{"review", "pull_request_review", pullPayload("submitted", `, "body": "fixes #3"`, byAda), because(3), ""},
		{"review dismissed", "pull_request_review", pullPayload("dismissed", ``, byAda), with(reconcile.KindPullRequest, atPull), ""},
		{"review edited", "pull_request_review", pullPayload("edited", `, "body": "fixes #3"`, byAda), nil, otherAction},

		{"suite of a pull request", "check_suite", suitePayload("completed", ours), checkedPulls(11), ""},
		{"suite of ours and another's", "check_suite", suitePayload("completed", theirs+","+ours), checkedPulls(11), ""},
		{"suite of another's", "check_suite", suitePayload("completed", theirs), commitRequest(), ""},
		{"suite of a commit", "check_suite", suitePayload("completed", ""), commitRequest(), ""},
		{"suite requested", "check_suite", suitePayload("requested", ours), nil, otherAction},
		{"suite of nothing", "check_suite", fmt.Sprintf(`{"action": "completed", "check_suite": null, %s}`, around), nil, noCommit},

		{"last run", "check_run", runPayload("completed", "completed", ours), checkedPulls(11), ""},
		{"run of a silent server", "check_run", runPayload("completed", "", ""), commitRequest(), ""},
		{"run before others", "check_run", runPayload("completed", "in_progress", ours), nil, otherChecks},
		{"run created", "check_run", runPayload("created", "completed", ours), nil, otherAction},

		{"status", "status", statusPayload("success"), commitRequest(), ""},
		{"status of a failure", "status", statusPayload("failure"), commitRequest(), ""},
		{"status of an error", "status", statusPayload("error"), commitRequest(), ""},
		{"status pending", "status", statusPayload("pending"), nil, otherAction},

		{"blocked", "issue_dependencies", relationPayload("blocked_by_added"), issueRequest(same), ""},
		{"not blocked any more", "issue_dependencies", relationPayload("blocked_by_removed"), issueRequest(same), ""},
		{"blocking", "issue_dependencies", relationPayload("blocking_added"), issueRequest(func(l *reconcile.Request) { l.Number = 4 }), ""},
		{"not blocking any more", "issue_dependencies", relationPayload("blocking_removed"), nil, otherAction},
		{"sub-issue", "sub_issues", relationPayload("sub_issue_added"), issueRequest(same), ""},
		{"no sub-issue any more", "sub_issues", relationPayload("sub_issue_removed"), issueRequest(same), ""},
		{"parent", "sub_issues", relationPayload("parent_issue_added"), nil, otherAction},
		{"no parent any more", "sub_issues", relationPayload("parent_issue_removed"), nil, otherAction},
		{"no issue", "sub_issues", fmt.Sprintf(`{"action": "sub_issue_added", %s}`, around), nil, noIssue},

		{"closed", "issues", issuesPayload("closed", "", byAda), with(reconcile.KindDependents, same), ""},
		{"closed by Colony", "issues", issuesPayload("closed", "", bySelf), with(reconcile.KindDependents, same), ""},
		// GitHub no longer shows what depended on it, but it frees capacity.
		{"deleted", "issues", issuesPayload("deleted", stated, byAda), capacityFreed(), ""},
		{"transferred", "issues", issuesPayload("transferred", stated, byAda), capacityFreed(), ""},
		{"deleted without a state", "issues", issuesPayload("deleted", "", byAda), nil, noState},
		{"closed pull request", "issues", issuesPayload("closed", `, "pull_request": {}`, byAda), nil, pullRequest},
		{"text edited", "issues", issuesPayload("edited", stated, `, "changes": {"body": {"from": ""}}`+byAda), issueRequest(func(l *reconcile.Request) { l.By = "ada" }), ""},
		{"title edited", "issues", issuesPayload("edited", stated, `, "changes": {"title": {"from": "x"}}`+byAda), issueRequest(func(l *reconcile.Request) { l.By = "ada" }), ""},
		{"edited by Colony", "issues", issuesPayload("edited", stated, `, "changes": {"title": {"from": "x"}}`+bySelf), nil, ownWrite},
		{"edited without a state", "issues", issuesPayload("edited", "", `, "changes": {"title": {"from": "x"}}`+byAda), nil, noState},
		{"something else edited", "issues", issuesPayload("edited", stated, byAda), nil, sameText},

		{"answer", "issue_comment", answerPayload(stated, "ada", "It is red"), issueRequest(func(l *reconcile.Request) {
			l.By, l.OnlyReply, l.ByAuthor, l.Labels, l.Expect.CommentID = "ada", true, true, []string{"bug", "Colony:new"}, 99
		}), ""},
		{"answer with a command", "issue_comment", answerPayload(stated, "ada", "/colony:status"), issueRequest(asking("ada")), ""},
		{"comment of another", "issue_comment", answerPayload(stated, "olivia", "It is red"), issueRequest(func(l *reconcile.Request) {
			l.By, l.OnlyReply, l.Labels, l.Expect.CommentID = "ada", true, []string{"bug", "Colony:new"}, 99
		}), ""},
		{"command of another", "issue_comment", answerPayload(stated, "olivia", "/colony:status"), issueRequest(asking("ada")), ""},
		{"comment of another's bot", "issue_comment", strings.Replace(answerPayload(stated, "dev[bot]", "It is red"), `"dev[bot]"`, `"dev[bot]", "type": "Bot"`, 1), nil, noCommand},
		{"comment of another without a state", "issue_comment", answerPayload(`, "user": {"login": "ada"}`, "olivia", "It is red"), nil, noCommand},
		{"answer without a state", "issue_comment", answerPayload(`, "user": {"login": "ada"}`, "ada", "It is red"), nil, noCommand},
		{"comment of a ghost", "issue_comment", answerPayload(`, "labels": [{"name": "colony:new"}]`, "", "It is red"), nil, noCommand},
	}
	for _, action := range []string{"reopened", "closed", "ready_for_review", "converted_to_draft", "synchronize", "edited"} {
		want := because(3)
		if !strings.Contains(action, "draft") && action != "ready_for_review" { // what it changes is the same
			want = andFiles(want)
		}
		rows = append(rows, row{"pull request " + action, "pull_request", pullPayload(action, `, "body": "fixes #3"`, byAda), want, ""})
	}
	for _, action := range []string{"assigned", "labeled", "locked", "review_requested", "auto_merge_enabled", ""} {
		rows = append(rows, row{"pull request " + action, "pull_request", pullPayload(action, `, "body": "fixes #3"`, byAda), nil, otherAction})
	}
	for _, test := range rows {
		t.Run(test.name, func(t *testing.T) {
			d := newFixture(t)
			if err := d.handle(t, test.event, "guid", test.body); err != nil {
				t.Fatal(err)
			}
			got := d.publisher.published()
			for i := range got {
				checkRequest(t, test.event, got[i])
				checkSender(t, test.event, test.body, &got[i])
				got[i].Cause, got[i].Delivery = "", ""
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			lines := d.lines(t)
			if test.why != "" && (len(lines) != 1 || lines[0].Because != string(test.why)) {
				t.Errorf("log %+v, want %q", lines, test.why)
			}
		})
	}
}

// manyFixes names as many issues, from 4 on.
func manyFixes(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "fixes #%d ", 4+i)
	}
	return text.String()
}

// numbered counts from 3 on.
func numbered(n int) []int {
	var numbers []int
	for i := range n {
		numbers = append(numbers, 3+i)
	}
	return numbers
}
