package handlers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

const (
	around  = `"installation": {"id": 7}, "repository": {"id": 11, "name": "Bee-Hive", "full_name": "other/other", "owner": {"login": "OctoOrg"}}`
	byAda   = `, "sender": {"login": "ada"}`
	bySelf  = `, "sender": {"login": "Colony[bot]"}`
	byABot  = `, "sender": {"login": "dev-bot[bot]", "type": "Bot"}`
	updated = `"updated_at": "2026-03-04T05:06:07Z"`
)

var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func issueRequest(changes ...func(*reconcile.Request)) []reconcile.Request {
	request := reconcile.Request{Kind: reconcile.KindIssue, Ref: issues.Ref{Repository: issues.Repository{Installation: 7, ID: 11, Owner: "OctoOrg", Name: "Bee-Hive"}, Number: 3}}
	request.Expect.At = at
	for _, change := range changes {
		change(&request)
	}
	return []reconcile.Request{request}
}

func repositoryRequest(change func(*reconcile.Request)) []reconcile.Request {
	request := reconcile.Request{Kind: reconcile.KindRepository, Ref: issues.Ref{Repository: issues.Repository{Installation: 7, ID: 11, Owner: "OctoOrg", Name: "Bee-Hive"}}}
	change(&request)
	return []reconcile.Request{request}
}

func same(*reconcile.Request) {}

func labelled(name string, added bool) func(*reconcile.Request) {
	return func(l *reconcile.Request) { l.Expect.Label, l.Expect.Added = name, added }
}

func assignedTo(login string) func(*reconcile.Request) {
	return func(l *reconcile.Request) { l.Expect.Assignee = login }
}

func onlyIntake(change func(*reconcile.Request)) func(*reconcile.Request) {
	return func(l *reconcile.Request) {
		change(l)
		l.OnlyIntake = true
	}
}

func withCommands(l *reconcile.Request) { l.Commands, l.By = true, "ada" }

// edited is a text that somebody edited, as the webhook reports it.
func edited(l *reconcile.Request) { l.Expect.Edited = true }

func unsealing(l *reconcile.Request) {
	l.By, l.OnlySealed, l.Labels = "ada", true, []string{"bug", "Colony:new"}
}

// asking is a comment with a command that somebody wrote.
func asking(by string) func(*reconcile.Request) {
	return func(l *reconcile.Request) { l.Commands, l.By, l.Expect.CommentID = true, by, 99 }
}

func issuesPayload(action, issue, rest string) string {
	return fmt.Sprintf(`{"action": %q, "issue": {"number": 3, %s %s}, %s %s}`, action, updated, issue, around, rest)
}

func commentPayload(action, issue, body, rest string) string {
	return fmt.Sprintf(`{"action": %q, "issue": {"number": 3, %s %s}, "comment": {"id": 99, "body": %q}, %s %s}`,
		action, updated, issue, body, around, rest)
}

// planPayload is a bot's comment, which can be what people approved.
func planPayload(action, issue, body, rest string) string {
	return strings.Replace(commentPayload(action, issue, body, rest), `"id": 99`, `"id": 99, "user": {"login": "dev-bot[bot]", "type": "Bot"}`, 1)
}

func labelPayload(action, name, rest string) string {
	return fmt.Sprintf(`{"action": %q, "label": {"name": %q}, %s %s}`, action, name, around, rest)
}

const renamedFrom = `, "changes": {"name": {"from": %q}}`

func TestHandle(t *testing.T) {
	type row struct {
		name  string
		event string
		body  string
		want  []reconcile.Request
		why   reason // why there is no request
	}
	rows := []row{
		// issues
		{"labeled", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony:new"}`+byAda), issueRequest(labelled("colony:new", true)), ""},
		{"unlabeled", "issues", issuesPayload("unlabeled", "", `, "label": {"name": "colony:new"}`+byAda), issueRequest(labelled("colony:new", false)), ""},
		{"labeled by a bot", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony:new"}`+byABot), issueRequest(labelled("colony:new", true)), ""},
		{"labeled in capitals", "issues", issuesPayload("labeled", "", `, "label": {"name": "COLONY:New"}`+byAda), issueRequest(labelled("COLONY:New", true)), ""},
		{"labeled with what shares the prefix", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony:urgency/2"}`+byAda), issueRequest(labelled("colony:urgency/2", true)), ""},
		{"labeled in a closed issue", "issues", issuesPayload("labeled", `, "state": "closed"`, `, "label": {"name": "colony:done"}`+byAda), issueRequest(labelled("colony:done", true)), ""},
		{"labeled by Colony", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony:new"}`+bySelf), nil, ownWrite},
		{"labeled otherwise", "issues", issuesPayload("labeled", "", `, "label": {"name": "bug"}`+byAda), issueRequest(onlyIntake(labelled("bug", true))), ""},
		{"labeled with less than the prefix", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony"}`+byAda), issueRequest(onlyIntake(labelled("colony", true))), ""},
		{"labeled with the prefix inside", "issues", issuesPayload("labeled", "", `, "label": {"name": "my colony:new"}`+byAda), issueRequest(onlyIntake(labelled("my colony:new", true))), ""},
		{"labeled with a look-alike", "issues", issuesPayload("labeled", "", `, "label": {"name": "соlony:new"}`+byAda), issueRequest(onlyIntake(labelled("соlony:new", true))), ""},
		{"assigned", "issues", issuesPayload("assigned", "", `, "assignee": {"login": "ralph"}`+byAda), issueRequest(onlyIntake(assignedTo("ralph"))), ""},
		{"assigned by Colony", "issues", issuesPayload("assigned", "", `, "assignee": {"login": "ralph"}`+bySelf), nil, ownWrite},
		{"a pull request assigned", "issues", issuesPayload("assigned", `, "pull_request": {}`, `, "assignee": {"login": "ralph"}`+byAda), nil, pullRequest},
		{"assigned to nobody", "issues", issuesPayload("assigned", "", `, "assignee": null`+byAda), nil, noAssignee},
		{"unlabeled otherwise", "issues", issuesPayload("unlabeled", "", `, "label": {"name": "bug"}`+byAda), issueRequest(func(l *reconcile.Request) {
			l.Expect.Label, l.OnlyStates = "bug", []string{"bug"}
		}), ""},
		{"unlabeled without a label", "issues", issuesPayload("unlabeled", "", byAda), issueRequest(func(l *reconcile.Request) { l.Expect = reconcile.ExpectedEvent{} }), ""},
		{"unlabeled with a null label", "issues", issuesPayload("unlabeled", "", `, "label": null`+byAda), issueRequest(func(l *reconcile.Request) { l.Expect = reconcile.ExpectedEvent{} }), ""},
		{
			"labeled without a time", "issues", `{"action": "labeled", "issue": {"number": 3}, "label": {"name": "colony:new"}, ` + around + byAda + `}`,
			issueRequest(func(l *reconcile.Request) { l.Expect = reconcile.ExpectedEvent{Label: "colony:new", Added: true} }), "",
		},
		{"reopened with parts of a second", "issues", `{"action": "reopened", "issue": {"number": 3, "updated_at": "2026-03-04T05:06:07.89Z"}, ` + around + byAda + `}`, andDependents(), ""},
		{"labeled on a pull request", "issues", issuesPayload("labeled", `, "pull_request": {}`, `, "label": {"name": "colony:new"}`+byAda), nil, pullRequest},
		{"labeled, pull_request null", "issues", issuesPayload("labeled", `, "pull_request": null`, `, "label": {"name": "colony:new"}`+byAda), issueRequest(labelled("colony:new", true)), ""},
		{"labeled without a sender", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony:new"}`), issueRequest(labelled("colony:new", true)), ""},
		{"labeled, sender null", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony:new"}, "sender": null`), issueRequest(labelled("colony:new", true)), ""},
		{"opened with a label", "issues", issuesPayload("opened", `, "labels": [{"name": "bug"}, {"name": "Colony:new"}]`, byAda), issueRequest(same), ""},
		{"opened with a command", "issues", issuesPayload("opened", `, "body": "x\n/COLONY:help"`, byAda), issueRequest(withCommands), ""},
		{"opened with both", "issues", issuesPayload("opened", `, "labels": [{"name": "colony:new"}], "body": "/colony status"`, byAda), issueRequest(withCommands), ""},
		{"opened with neither", "issues", issuesPayload("opened", `, "labels": [{"name": "bug"}, null], "body": "the colony"`, byAda), issueRequest(onlyIntake(func(l *reconcile.Request) { l.OnlyStates = []string{"bug"} })), ""},
		{"opened with nulls", "issues", issuesPayload("opened", `, "labels": null, "body": null`, byAda), issueRequest(onlyIntake(same)), ""},
		{"opened by Colony", "issues", issuesPayload("opened", `, "body": "/colony:help"`, bySelf), nil, ownWrite},
		{"opened as a pull request", "issues", issuesPayload("opened", `, "pull_request": {"url": ""}, "body": "/colony:help"`, byAda), nil, pullRequest},
		{"opened by a transfer", "issues", issuesPayload("opened", `, "labels": [{"name": "colony:new"}]`, `, "changes": {"old_issue": {"number": 8, "labels": []}, "old_repository": {"id": 5, "name": "old"}}`+byAda), issueRequest(same), ""},
		{"edited with a command", "issues", issuesPayload("edited", `, "body": "/colony:help"`, `, "changes": {"body": {"from": "x"}}`+byAda), issueRequest(withCommands, edited), ""},
		{"renamed beside a command", "issues", issuesPayload("edited", `, "body": "/colony:help"`, `, "changes": {"title": {"from": "x"}}`+byAda), nil, noState},
		{"reopened", "issues", issuesPayload("reopened", "", byAda), andDependents(), ""},
		{"no installation", "issues", `{"action": "reopened", "issue": {"number": 3}, "repository": {"id": 11, "full_name": "a/b"}` + byAda + `}`, nil, noInstallation},
		{"negative installation", "issues", `{"action": "reopened", "issue": {"number": 3}, "installation": {"id": -7}, "repository": {"id": 11, "full_name": "a/b"}` + byAda + `}`, nil, noInstallation},
		{"no repository", "issues", `{"action": "reopened", "issue": {"number": 3}, "installation": {"id": 7}` + byAda + `}`, nil, noRepository},
		{"repository without id", "issues", `{"action": "reopened", "issue": {"number": 3}, "installation": {"id": 7}, "repository": {"full_name": "a/b"}` + byAda + `}`, nil, noRepository},
		{"repository with two slashes", "issues", `{"action": "reopened", "issue": {"number": 3}, "installation": {"id": 7}, "repository": {"id": 1, "full_name": "a/b/c"}` + byAda + `}`, nil, noRepository},
		{"no issue", "issues", `{"action": "reopened", "issue": null, ` + around + byAda + `}`, nil, noIssue},
		{"negative issue", "issues", `{"action": "reopened", "issue": {"number": -3}, ` + around + byAda + `}`, nil, noIssue},
		{"unheard-of action", "issues", issuesPayload("prophesied", `, "labels": [{"name": "colony:new"}]`, byAda), nil, otherAction},
		{"action in capitals", "issues", issuesPayload("Reopened", "", byAda), nil, otherAction},
		{"nothing at all", "issues", `{}`, nil, noInstallation},
		{"null", "issues", `null`, nil, noInstallation},

		// issue_comment
		{"unlocked", "issues", issuesPayload("unlocked", "", byAda), issueRequest(func(l *reconcile.Request) { l.Retry = true }), ""},
		{"comment", "issue_comment", commentPayload("created", "", "hello\n/colony:retry", byAda), issueRequest(asking("ada")), ""},
		{"comment in capitals", "issue_comment", commentPayload("created", "", "/Colony Retry", byAda), issueRequest(asking("ada")), ""},
		{"comment by a bot", "issue_comment", commentPayload("created", "", "/colony:retry", byABot), issueRequest(asking("dev-bot[bot]")), ""},
		{"comment by Colony", "issue_comment", commentPayload("created", "", "type /colony:retry", bySelf), nil, ownWrite},
		{"comment without a command", "issue_comment", commentPayload("created", "", "colony: retry", byAda), nil, noCommand},
		{"comment with a null body", "issue_comment", `{"action": "created", "issue": {"number": 3}, "comment": {"id": 9, "body": null}, ` + around + byAda + `}`, nil, noCommand},
		{"comment on a pull request", "issue_comment", commentPayload("created", `, "pull_request": {"url": "x"}`, "/colony:retry", byAda), nil, pullRequest},
		{"comment without a sender", "issue_comment", commentPayload("created", "", "/colony:retry", ""), issueRequest(asking("")), ""},
		{"comment nowhere", "issue_comment", `{"action": "created", "comment": {"id": 9, "body": "/colony:retry"}, ` + around + byAda + `}`, nil, noIssue},
		{"comment edited with a command", "issue_comment", commentPayload("edited", "", "/colony:retry", `, "changes": {"body": {"from": "x"}}`+byAda), issueRequest(asking("ada"), edited), ""},
		{"comment edited without a command", "issue_comment", commentPayload("edited", "", "hello", `, "changes": {"body": {"from": "/colony:retry"}}`+byAda), nil, otherAction},
		{"comment edited by Colony", "issue_comment", commentPayload("edited", "", "/colony:retry", `, "changes": {"body": {"from": "x"}}`+bySelf), nil, ownWrite},
		{"edited comment with the same text", "issue_comment", commentPayload("edited", "", "/colony:retry", byAda), nil, otherAction},
		{"deleted comment", "issue_comment", commentPayload("deleted", stated, "/colony:retry", byAda), nil, otherAction},
		{"deleted comment of a bot", "issue_comment", planPayload("deleted", stated, "/colony:retry", byAda), issueRequest(unsealing), ""},
		{"bot's comment edited without a command, in a state", "issue_comment", planPayload("edited", stated, "hello", `, "changes": {"body": {"from": "x"}}`+byAda), issueRequest(unsealing), ""},
		{"deleted comment without a state", "issue_comment", planPayload("deleted", "", "", byAda), nil, noCommand},
		{"deleted comment on a pull request", "issue_comment", planPayload("deleted", `, "pull_request": {"url": "x"}`, "", byAda), nil, pullRequest},
		{"comment deleted by Colony", "issue_comment", planPayload("deleted", stated, "", bySelf), nil, ownWrite},
		{"empty comment event", "issue_comment", `{}`, nil, otherAction},

		// label
		{"label deleted", "label", labelPayload("deleted", "colony:new", byAda), repositoryRequest(same), ""},
		{"label edited", "label", labelPayload("edited", "Colony:New", `, "changes": {"color": {"from": "ffffff"}}`+byAda), repositoryRequest(same), ""},
		{"label created", "label", labelPayload("created", "colony:new", byAda), repositoryRequest(same), ""},
		{"label renamed away", "label", labelPayload("edited", "fresh", fmt.Sprintf(renamedFrom, "colony:new")+byAda), repositoryRequest(func(l *reconcile.Request) { l.Renamed = &reconcile.Rename{From: "colony:new", To: "fresh"} }), ""},
		{"label renamed into", "label", labelPayload("edited", "colony:new", fmt.Sprintf(renamedFrom, "fresh")+byAda), repositoryRequest(func(l *reconcile.Request) { l.Renamed = &reconcile.Rename{From: "fresh", To: "colony:new"} }), ""},
		{"label renamed in case", "label", labelPayload("edited", "Colony:new", fmt.Sprintf(renamedFrom, "colony:new")+byAda), repositoryRequest(func(l *reconcile.Request) { l.Renamed = &reconcile.Rename{From: "colony:new", To: "Colony:new"} }), ""},
		{"label renamed to itself", "label", labelPayload("edited", "colony:new", fmt.Sprintf(renamedFrom, "colony:new")+byAda), repositoryRequest(same), ""},
		{"other label renamed", "label", labelPayload("edited", "bug", fmt.Sprintf(renamedFrom, "defect")+byAda), repositoryRequest(func(l *reconcile.Request) {
			l.OnlyStates, l.Renamed = []string{"bug", "defect"}, &reconcile.Rename{From: "defect", To: "bug"}
		}), ""},
		{"other label deleted", "label", labelPayload("deleted", "bug", byAda), repositoryRequest(func(l *reconcile.Request) { l.OnlyStates = []string{"bug"} }), ""},
		{"label deleted by Colony", "label", labelPayload("deleted", "colony:new", bySelf), nil, ownWrite},
		{"label without a sender", "label", labelPayload("deleted", "colony:new", ""), repositoryRequest(same), ""},
		{"label event without a label", "label", `{"action": "deleted", "label": null, "changes": null, ` + around + byAda + `}`, nil, noLabel},
		{"renamed from Colony's to nobody knows what", "label", `{"action": "edited", "changes": {"name": {"from": "colony:new"}}, ` + around + byAda + `}`, repositoryRequest(same), ""},
		{"label deleted, changes all the same", "label", labelPayload("deleted", "colony:new", fmt.Sprintf(renamedFrom, "fresh")+byAda), repositoryRequest(same), ""},
		{"label of no repository", "label", `{"action": "deleted", "label": {"name": "colony:new"}, "installation": {"id": 7}` + byAda + `}`, nil, noRepository},
		{"label pondered", "label", labelPayload("pondered", "colony:new", byAda), nil, otherAction},

		// installation
		{"installed", "installation", `{"action": "created", "installation": {"id": 7}, "repositories": [{"id": 1}]}`, []reconcile.Request{{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}}}, ""},
		{"unsuspended", "installation", `{"action": "unsuspend", "installation": {"id": 7}}`, []reconcile.Request{{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}}}, ""},
		{"granted", "installation", `{"action": "new_permissions_accepted", "installation": {"id": 7}}`, []reconcile.Request{{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}}}, ""},
		{"uninstalled", "installation", `{"action": "deleted", "installation": {"id": 7}}`, nil, farewell},
		{"suspended", "installation", `{"action": "suspend", "installation": {"id": 7}}`, nil, farewell},
		{"installed nowhere", "installation", `{"action": "created", "installation": null}`, nil, noInstallation},
		{"installation admired", "installation", `{"action": "admired", "installation": {"id": 7}}`, nil, otherAction},

		// installation_repositories
		{"repositories added", "installation_repositories", `{"action": "added", "installation": {"id": 7}, "repositories_added": [
			{"id": 1, "name": "One", "full_name": "OctoOrg/One"}, {"id": 2, "name": "Two", "full_name": "OctoOrg/Two"}]}`, []reconcile.Request{
			{Kind: reconcile.KindPolicy, Ref: issues.Ref{Repository: issues.Repository{Installation: 7, ID: 1, Owner: "OctoOrg", Name: "One"}}, Extent: reconcile.Extent{AllOfOwner: true}},
			{Kind: reconcile.KindPolicy, Ref: issues.Ref{Repository: issues.Repository{Installation: 7, ID: 2, Owner: "OctoOrg", Name: "Two"}}, Extent: reconcile.Extent{AllOfOwner: true}},
		}, ""},
		{"many repositories added", "installation_repositories", `{"action": "added", "installation": {"id": 7}, "repositories_added": [` + manyRepositories(311) + `, null]}`, []reconcile.Request{
			{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}, Extent: reconcile.Extent{Added: repositoriesOf(7, 1, 300)}},
			{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}, Extent: reconcile.Extent{Added: repositoriesOf(7, 301, 311)}},
		}, noRepository},
		{"a repository without a name added", "installation_repositories", `{"action": "added", "installation": {"id": 7}, "repositories_added": [
			{"id": 1, "name": "One"}, null, {"id": 2, "name": "Two", "full_name": "OctoOrg/Two"}]}`, []reconcile.Request{
			{Kind: reconcile.KindPolicy, Ref: issues.Ref{Repository: issues.Repository{Installation: 7, ID: 2, Owner: "OctoOrg", Name: "Two"}}, Extent: reconcile.Extent{AllOfOwner: true}},
		}, noRepository},
		{"no repository added", "installation_repositories", `{"action": "added", "installation": {"id": 7}, "repositories_added": null}`, nil, noRepository},
		{"repositories added nowhere", "installation_repositories", `{"action": "added", "repositories_added": [{"id": 1, "full_name": "a/b"}]}`, nil, noInstallation},
		{"repositories removed", "installation_repositories", `{"action": "removed", "installation": {"id": 7}, "repositories_removed": [{"id": 1, "full_name": "a/b"}]}`, nil, otherAction},

		// push
		{"push of a lifecycle", "push", pushPayload("main", `{"modified": [".github/colony-lifecycle.yml"]}`), pushed(), ""},
		{"push of settings among others", "push", pushPayload("main", `{"added": ["a"]}, {"added": [], "removed": ["b", ".github/colony.yml"]}`), pushed(), ""},
		{"push of a folder in their place", "push", pushPayload("main", `{"added": [".github/colony.yml/x"]}`), pushed(), ""},
		{"push of other files", "push", pushPayload("main", `{"added": ["colony.yml", ".github/workflows/colony.yml"]}`), conflicts(), ""},
		{"push to another branch", "push", pushPayload("next", `{"modified": [".github/colony.yml"]}`), nil, otherBranch},
		{"push of a tag", "push", `{"ref": "refs/tags/main", "repository": {"id": 11, "name": "Bee-Hive", "default_branch": "main", "owner": {"login": "OctoOrg"}}, "installation": {"id": 7}}`, nil, otherBranch},
		{"push without commits", "push", pushPayload("main", ``), pushed(), ""},
		{"push by force", "push", strings.Replace(pushPayload("main", `{"added": ["a"]}`), `"ref"`, `"forced": true, "ref"`, 1), pushed(), ""},
		{"the default branch deleted", "push", strings.Replace(pushPayload("main", ``), `"ref"`, `"deleted": true, "ref"`, 1), nil, otherBranch},
		{"push of more commits than the webhook lists", "push", pushPayload("main", strings.Repeat(`{}, `, 2047)+`{}`), pushed(), ""},
		{"push nowhere", "push", `{"ref": "refs/heads/main", "repository": {"default_branch": "main"}}`, nil, noInstallation},
		{"the repository that speaks for others appears", "repository", `{"action": "created", "installation": {"id": 7}, "repository": {"id": 11, "full_name": "OctoOrg/.github"}}`, policyRequest(func(l *reconcile.Request) { l.Name = ".github" }), ""},
		{"another default branch", "repository", `{"action": "edited", "changes": {"default_branch": {"from": "main"}}, ` + around + `}`, policyRequest(same), ""},

		// ping
		{"ping", "ping", `{"zen": "Design for failure.", "hook_id": 1, ` + around + `}`, nil, onlyPing},
	}
	for _, action := range []string{
		"pinned", "unpinned", "locked", "milestoned",
		"demilestoned", "unassigned", "typed", "untyped",
	} {
		rows = append(rows, row{
			"issue " + action, "issues",
			issuesPayload(action, `, "labels": [{"name": "colony:new"}], "body": "/colony:help"`, byAda), nil, otherAction,
		})
	}
	for action, request := range map[string][]reconcile.Request{
		"created": repositoryRequest(same), "unarchived": repositoryRequest(same), "publicized": repositoryRequest(same), "privatized": repositoryRequest(same),
		"renamed": policyRequest(same), "transferred": policyRequest(same),
	} {
		rows = append(rows,
			row{"repository " + action, "repository", fmt.Sprintf(`{"action": %q, %s}`, action, around), request, ""},
			row{"no repository " + action, "repository", fmt.Sprintf(`{"action": %q, "installation": {"id": 7}}`, action), nil, noRepository},
		)
	}
	for _, action := range []string{"archived", "deleted", "edited", ""} {
		rows = append(rows, row{"repository " + action, "repository", fmt.Sprintf(`{"action": %q, %s}`, action, around), nil, otherAction})
	}

	for _, r := range rows {
		t.Run(r.event+"/"+r.name, func(t *testing.T) {
			d := newFixture(t)
			if err := d.handle(t, r.event, "guid-1", r.body); err != nil {
				t.Fatal(err)
			}
			got := d.publisher.published()
			for i := range got {
				checkRequest(t, r.event, got[i])
				checkSender(t, r.event, r.body, &got[i])
				if got[i].Delivery != "guid-1" {
					t.Errorf("delivery %q", got[i].Delivery)
				}
				got[i].Cause, got[i].Delivery = "", ""
			}
			if diff := cmp.Diff(r.want, got); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			var why []string
			for _, line := range d.lines(t) {
				if line.Message == "event ignored" {
					why = append(why, line.Because)
				}
			}
			var wantWhy []string
			if r.why != "" {
				wantWhy = []string{string(r.why)}
			}
			if diff := cmp.Diff(wantWhy, why); diff != "" {
				t.Errorf("why ignored (-want +got):\n%s", diff)
			}
		})
	}
}

// conflicts is the request that a push to the default branch causes, and pushed are the requests if it changes the policy.
func conflicts() []reconcile.Request {
	return repositoryRequest(func(l *reconcile.Request) { l.Kind = reconcile.KindConflicts })
}

func pushed() []reconcile.Request {
	return append(policyRequest(func(l *reconcile.Request) { l.Expect.Commit = "c0ffee" }), conflicts()...)
}

func pushPayload(branch, commits string) string {
	return fmt.Sprintf(`{"ref": "refs/heads/%s", "before": "0", "after": "c0ffee", "commits": [%s], "installation": {"id": 7},
		"repository": {"id": 11, "name": "Bee-Hive", "default_branch": "main", "owner": {"name": "OctoOrg", "login": "OctoOrg"}}}`, branch, commits)
}

func policyRequest(change func(*reconcile.Request)) []reconcile.Request {
	requests := repositoryRequest(change)
	requests[0].Kind, requests[0].AllOfOwner = reconcile.KindPolicy, true
	return requests
}

func TestLog(t *testing.T) {
	d := newFixture(t)
	for _, sent := range [][2]string{
		{"issue_comment", commentPayload("created", `, "title": "secret title"`, "/colony:block secret reason", byAda)},
		{"issue_comment", commentPayload("edited", `, "title": "secret title"`, "secret comment", byAda)},
		{"installation", `{"action": "suspend", "installation": {"id": 7}}`},
	} {
		if err := d.handle(t, sent[0], "guid-1", sent[1]); err != nil {
			t.Fatal(err)
		}
	}
	want := []logLine{
		{"debug", "issue_comment", "created", "guid-1", "OctoOrg/Bee-Hive", 3, 7, "issue_comment.created", "request published"},
		{"debug", "issue_comment", "edited", "guid-1", "OctoOrg/Bee-Hive", 3, 7, string(otherAction), "event ignored"},
		{"info", "installation", "suspend", "guid-1", "", 0, 7, string(farewell), "event ignored"},
	}
	if diff := cmp.Diff(want, d.lines(t)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// manyRepositories are so many repositories in the JSON of a webhook.
func manyRepositories(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"id": %d, "name": "r%[1]d", "full_name": "OctoOrg/r%[1]d"}`, i+1))
	}
	return strings.Join(all, ", ")
}

// repositoriesOf are some of them as an installation knows them.
func repositoriesOf(installation int64, from, to int) (all []issues.Repository) {
	for i := from; i <= to; i++ {
		all = append(all, issues.Repository{Installation: installation, ID: int64(i), Owner: "OctoOrg", Name: fmt.Sprintf("r%d", i)})
	}
	return all
}
