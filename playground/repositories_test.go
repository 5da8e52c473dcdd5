package playground_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func TestPermissionsAreFolded(t *testing.T) {
	w := newWorld(t)
	for role, folded := range map[string]string{"none": "read", "read": "read", "triage": "read", "write": "write", "maintain": "write", "admin": "admin"} {
		w.SetPermission("acme", "shop", "carol", role)
		level := must[*github.RepositoryPermissionLevel](t)(w.installed().Repositories.GetPermissionLevel(context.Background(), "acme", "shop", "carol"))
		wantRole := role
		if role == "none" {
			wantRole = "read" // everybody reads a public repository
		}
		if level.GetPermission() != folded || level.GetUser().GetRoleName() != wantRole || level.GetUser().GetPermissions()["triage"] != (role != "none" && role != "read") {
			t.Errorf("%s: %v", role, level)
		}
	}
}

func TestRepositoryLabels(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	client := w.installed()
	must[*github.Label](t)(client.Issues.CreateLabel(ctx, "acme", "shop", &github.Label{Name: new("Colony: new"), Color: new("AABBCC"), Description: new("d")}))
	n := w.open("alice", "Broken", "colony: NEW").GetNumber()
	w.take()
	edited := must[*github.Label](t)(client.Issues.EditLabel(ctx, "acme", "shop", "colony%3A%20new", &github.Label{Name: new("colony:new"), Color: new("000000")}))
	if edited.GetName() != "colony:new" || edited.GetDescription() != "d" {
		t.Errorf("edited: %v", edited)
	}
	got := w.take()
	if diff := cmp.Diff([]string{"label.edited"}, names(got)); diff != "" {
		t.Fatal(diff)
	}
	if changes := got[0].payload.(*github.LabelEvent).GetChanges(); changes.GetTitle() != nil || got[0].payload.(*github.LabelEvent).Label.GetColor() != "000000" {
		t.Errorf("changes: %v", changes)
	}
	// The log keeps the name of the time; the issue shows the name of now.
	if diff := cmp.Diff([]string{"alice labeled Colony: new"}, w.events(n)); diff != "" || !w.has(n, "colony:new") {
		t.Error(diff)
	}
	list := must[[]*github.Label](t)(client.Issues.ListLabels(ctx, "acme", "shop", &github.ListOptions{PerPage: 100}))
	if len(list) != 10 || !list[0].GetDefault() {
		t.Errorf("labels: %v", list)
	}
}

func TestIssuesAreClosedReopenedEditedAndListed(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("mallory", "Typo").GetNumber()
	w.open("alice", "Other", "bug")
	w.take()
	mallory := w.as("mallory")
	must[*github.Issue](t)(mallory.Issues.Edit(ctx, "acme", "shop", n, &github.IssueRequest{Title: new("Tpyo"), Body: new("b"), State: new("closed"), StateReason: new("not_planned")}))
	must[*github.Issue](t)(w.as("bob").Issues.Edit(ctx, "acme", "shop", n, &github.IssueRequest{State: new("open"), Labels: &[]string{"bug"}}))
	got := w.take()
	if diff := cmp.Diff([]string{"issues.edited", "issues.closed", "issues.labeled", "issues.reopened"}, names(got)); diff != "" {
		t.Error(diff)
	}
	if from := got[0].payload.(*github.IssuesEvent).GetChanges().GetTitle().GetFrom(); from != "Typo" {
		t.Errorf("edited from %q", from)
	}
	if reason := got[1].payload.(*github.IssuesEvent).GetIssue().GetStateReason(); reason != "not_planned" {
		t.Errorf("closed because %q", reason)
	}
	if diff := cmp.Diff([]string{"mallory renamed ", "mallory closed ", "bob labeled bug", "bob reopened "}, w.events(n)); diff != "" {
		t.Error(diff)
	}
	list := must[[]*github.Issue](t)(w.installed().Issues.ListByRepo(ctx, "acme", "shop", &github.IssueListByRepoOptions{Labels: []string{"BUG"}, Sort: "created", Direction: "asc"}))
	if len(list) != 2 || list[0].GetNumber() != n {
		t.Errorf("listed: %v", list)
	}
	if closed := must[[]*github.Issue](t)(w.installed().Issues.ListByRepo(ctx, "acme", "shop", &github.IssueListByRepoOptions{State: "closed"})); len(closed) != 0 {
		t.Errorf("closed: %v", closed)
	}
	w.say("alice", n, "words")
	timeline := must[[]*github.Timeline](t)(w.installed().Issues.ListIssueTimeline(ctx, "acme", "shop", n, nil))
	if len(timeline) != 5 || timeline[4].GetEvent() != "commented" || timeline[4].GetBody() != "words" {
		t.Errorf("timeline: %v", timeline)
	}
	all := must[[]*github.IssueEvent](t)(w.installed().Issues.ListRepositoryEvents(ctx, "acme", "shop", nil))
	if len(all) != 5 || all[0].GetEvent() != "reopened" || all[0].GetIssue().GetNumber() != n {
		t.Errorf("events of the repository: %v", all)
	}
	if one := must[*github.IssueEvent](t)(w.installed().Issues.GetEvent(ctx, "acme", "shop", all[1].GetID())); one.GetLabel().GetName() != "bug" {
		t.Errorf("one event: %v", one)
	}
}

func TestTransferConversionAndRenaming(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	warehouse := w.AddRepository("acme", "warehouse")
	n := w.open("alice", "Elsewhere", "bug", "only here").GetNumber()
	w.say("alice", n, "words")
	w.take()
	number, err := w.TransferIssue("acme", "shop", n, "warehouse", "alice")
	if err != nil {
		t.Fatal(err)
	}
	got := w.take()
	if diff := cmp.Diff([]string{"issues.transferred", "issues.opened"}, names(got)); diff != "" {
		t.Error(diff)
	}
	moved := must[*github.Issue](t)(w.installed().Issues.Get(ctx, "acme", "warehouse", number))
	if len(moved.Labels) != 1 || moved.GetComments() != 1 || moved.GetTitle() != "Elsewhere" {
		t.Errorf("moved: %v", moved)
	}
	if response, _ := w.raw("GET", "/api/v3/repos/acme/shop/issues/1/comments", ""); response.StatusCode != 301 || response.Header.Get("Location") != fmt.Sprintf("%s/api/v3/repositories/%d/issues/1/comments", w.base, warehouse) {
		t.Errorf("the old address: %s %s", response.Status, response.Header.Get("Location"))
	}
	if err := w.ConvertToDiscussion("acme", "warehouse", number, "alice"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"issues.deleted"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if err := w.RenameRepository("acme", "shop", "store"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"repository.renamed"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if response, _ := w.raw("GET", "/repos/acme/shop/labels?page=2", ""); response.StatusCode != 301 || !strings.HasSuffix(response.Header.Get("Location"), "/labels?page=2") {
		t.Errorf("the old name: %s %s", response.Status, response.Header.Get("Location"))
	}
	// go-github follows both kinds of redirect: 301 for reads, 307 for writes, which keeps the method and the body.
	if got := must[*github.Repository](t)(w.installed().Repositories.Get(ctx, "acme", "shop")); got.GetName() != "store" {
		t.Errorf("read by the old name: %v", got)
	}
	if got := must[*github.Issue](t)(w.installed().Issues.Create(ctx, "acme", "shop", &github.IssueRequest{Title: new("Late")})); got.GetTitle() != "Late" {
		t.Errorf("written by the old name: %v", got)
	}
	if err := w.DeleteRepository("acme", "store"); err != nil {
		t.Fatal(err)
	}
	if response, _ := w.raw("GET", "/repos/acme/store", ""); response.StatusCode != 404 {
		t.Errorf("a deleted repository: %s", response.Status)
	}
}

func TestDeletedUserIsAGhost(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Orphan", "bug").GetNumber()
	if err := w.DeleteUser("alice"); err != nil {
		t.Fatal(err)
	}
	issue := must[*github.Issue](t)(w.as("bob").Issues.Get(context.Background(), "acme", "shop", n))
	if issue.GetUser().GetLogin() != "ghost" {
		t.Errorf("author: %v", issue.GetUser())
	}
	if diff := cmp.Diff([]string{" labeled bug"}, w.events(n)); diff != "" {
		t.Error(diff)
	}
}

func TestContentsAndPullRequests(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	alice := w.as("alice")
	main, _, err := w.installed().Git.GetRef(ctx, "acme", "shop", "heads/main")
	if err != nil {
		t.Fatal(err)
	}
	must[*github.Reference](t)(alice.Git.CreateRef(ctx, "acme", "shop", &github.Reference{Ref: new("refs/heads/fix"), Object: &github.GitObject{SHA: main.Object.SHA}}))
	made := must[*github.RepositoryContentResponse](t)(alice.Repositories.CreateFile(ctx, "acme", "shop", ".github/colony.yml", &github.RepositoryContentFileOptions{
		Message: new("configure"), Content: []byte("lifecycle: prp\n"), Branch: new("fix"),
	}))
	if _, r, err := alice.Repositories.UpdateFile(ctx, "acme", "shop", ".github/colony.yml", &github.RepositoryContentFileOptions{
		Message: new("again"), Content: []byte("x"), Branch: new("fix"), SHA: new("0000"),
	}); status(t, r, err) != 409 {
		t.Errorf("a stale write: %v", err)
	}
	if _, _, r, err := w.installed().Repositories.GetContents(ctx, "acme", "shop", ".github/colony.yml", nil); status(t, r, err) != 404 {
		t.Errorf("not on the default branch yet: %v", err)
	}
	w.take()
	pull := must[*github.PullRequest](t)(alice.PullRequests.Create(ctx, "acme", "shop", &github.NewPullRequest{Title: new("Configure"), Head: new("fix"), Base: new("main")}))
	must[[]*github.Label](t)(alice.Issues.AddLabelsToIssue(ctx, "acme", "shop", pull.GetNumber(), []string{"bug"}))
	w.say("alice", pull.GetNumber(), "please")
	view := must[*github.Issue](t)(w.installed().Issues.Get(ctx, "acme", "shop", pull.GetNumber()))
	if !view.IsPullRequest() {
		t.Errorf("issue of a pull request: %v", view)
	}
	merged := must[*github.PullRequestMergeResult](t)(alice.PullRequests.Merge(ctx, "acme", "shop", pull.GetNumber(), "", &github.PullRequestOptions{MergeMethod: "squash"}))
	if !merged.GetMerged() {
		t.Error("not merged")
	}
	want := []string{"pull_request.opened", "pull_request.labeled", "issue_comment.created", "pull_request.closed", "push."}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
	file, _, _, err := w.installed().Repositories.GetContents(ctx, "acme", "shop", ".github/colony.yml", nil)
	if err != nil || file.GetSHA() != made.Content.GetSHA() {
		t.Fatalf("after the merge: %v %v", file, err)
	}
	if text, err := file.GetContent(); err != nil || text != "lifecycle: prp\n" {
		t.Errorf("content: %q %v", text, err)
	}
	_, folder, _, err := w.installed().Repositories.GetContents(ctx, "acme", "shop", "", nil)
	if err != nil || len(folder) != 2 || folder[0].GetType() != "dir" || folder[1].GetName() != "README.md" {
		t.Errorf("folder: %v %v", folder, err)
	}
	if err := w.SetFile("acme", "shop", "NOTES", "n"); err != nil {
		t.Fatal(err)
	}
	if response, answer := w.raw("GET", "/repos/acme/shop/contents/NOTES", "", "Accept", "application/vnd.github.raw+json"); response.StatusCode != 200 || answer["text"] != "n" {
		t.Errorf("raw: %v", answer)
	}
	if response, answer := w.raw("PUT", "/repos/acme/shop/contents/x", `{"message":"m","content":"`+base64.StdEncoding.EncodeToString([]byte("x"))+`"}`, "Authorization", w.auth("bob")); response.StatusCode != 403 {
		t.Errorf("a triager writes files: %v", answer)
	}
	pulls := must[[]*github.PullRequest](t)(w.as("bob").PullRequests.List(ctx, "acme", "shop", &github.PullRequestListOptions{State: "all"}))
	if len(pulls) != 1 || pulls[0].GetState() != "closed" {
		t.Errorf("pull requests: %v", pulls)
	}
	got := must[*github.PullRequest](t)(w.as("bob").PullRequests.Get(ctx, "acme", "shop", pull.GetNumber()))
	if !got.GetMerged() || got.GetMergedBy().GetLogin() != "alice" {
		t.Errorf("merged by %v", got.GetMergedBy())
	}
	commit := must[*github.RepositoryCommit](t)(w.as("bob").Repositories.GetCommit(ctx, "acme", "shop", merged.GetSHA(), nil))
	if commit.GetAuthor().GetLogin() != "alice" || commit.Parents[0].GetSHA() != main.Object.GetSHA() {
		t.Errorf("commit: %v", commit)
	}
}
