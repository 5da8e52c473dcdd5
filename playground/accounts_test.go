package playground_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

func TestAccounts(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	if me := must[*github.User](t)(w.as("alice").Users.Get(ctx, "")); me.GetLogin() != "alice" || me.GetType() != "User" {
		t.Errorf("GET /user: %v", me)
	}
	if _, r, err := w.as("dev[bot]").Users.Get(ctx, ""); status(t, r, err) != http.StatusForbidden {
		t.Errorf("a bot asks who it is: %v", err)
	}
	for login, kind := range map[string]string{"ALICE": "User", "acme": "Organization", "dev[bot]": "Bot"} {
		if u := must[*github.User](t)(w.as("bob").Users.Get(ctx, login)); u.GetType() != kind || !strings.EqualFold(u.GetLogin(), login) {
			t.Errorf("%s: %v", login, u)
		}
	}
	w.AddUser("dev") // a user with the name of a bot's App is somebody else
	if me := must[*github.User](t)(w.as("dev").Users.Get(ctx, "")); me.GetLogin() != "dev" || me.GetType() != "User" {
		t.Errorf("dev: %v", me)
	}
	n := w.open("dev[bot]", "From the bot").GetNumber()
	if issue := must[*github.Issue](t)(w.as("bob").Issues.Get(ctx, "acme", "shop", n)); issue.GetUser().GetLogin() != "dev[bot]" || issue.GetUser().GetType() != "Bot" {
		t.Errorf("opened by %v", issue.GetUser())
	}
	want := []playground.User{
		{"acme", "Organization"},
		{"alice", "User"},
		{"app-makers", "Organization"},
		{"bob", "User"},
		{"colony[bot]", "Bot"},
		{"dev", "User"},
		{"dev[bot]", "Bot"},
		{"mallory", "User"},
	}
	if diff := cmp.Diff(want, w.Users()); diff != "" {
		t.Error(diff)
	}
}

func TestInstallationsOfAnApp(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.AddRepository("alice", "notes")
	mine := w.Install(appID, "alice", "notes")
	if got := must[*github.Installation](t)(w.app().Apps.FindOrganizationInstallation(ctx, "acme")); got.GetID() != w.installation || got.GetRepositorySelection() != "all" {
		t.Errorf("acme: %v", got)
	}
	if got := must[*github.Installation](t)(w.app().Apps.FindUserInstallation(ctx, "alice")); got.GetID() != mine || got.GetTargetType() != "User" || got.GetRepositorySelection() != "selected" {
		t.Errorf("alice: %v", got)
	}
	if got := must[*github.Installation](t)(w.app().Apps.GetInstallation(ctx, mine)); got.GetAccount().GetLogin() != "alice" || got.GetAppSlug() != "colony" {
		t.Errorf("by id: %v", got)
	}
	if got := must[*github.App](t)(w.as("bob").Apps.Get(ctx, "colony")); got.GetID() != appID {
		t.Errorf("by slug: %v", got)
	}
	w.take()
	if _, err := w.app().Apps.DeleteInstallation(ctx, mine); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"installation.deleted"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if _, r, err := w.app().Apps.GetInstallation(ctx, mine); status(t, r, err) != http.StatusNotFound {
		t.Errorf("deleted: %v", err)
	}
}

func TestHookConfiguration(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	before := must[*github.HookConfig](t)(w.app().Apps.GetHookConfig(ctx))
	if before.GetContentType() != "json" || before.GetSecret() != "********" {
		t.Errorf("configuration: %v", before)
	}
	must[*github.HookConfig](t)(w.app().Apps.UpdateHookConfig(ctx, &github.HookConfig{URL: new("http://127.0.0.1:1/nobody")}))
	w.open("alice", "Unheard")
	w.quiet()
	all := w.Deliveries()
	if last := all[len(all)-1]; last.StatusCode != http.StatusBadGateway || last.Status != "failed to connect to host" {
		t.Errorf("delivery to nobody: %d %s", last.StatusCode, last.Status)
	}
	must[*github.HookConfig](t)(w.app().Apps.UpdateHookConfig(ctx, &github.HookConfig{URL: before.URL}))
	w.open("alice", "Heard")
	if diff := cmp.Diff([]string{"issues.opened"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
}

func TestRepositoryIsChangedOverREST(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.SetPermission("acme", "shop", "alice", "admin")
	alice := w.as("alice")
	changed := must[*github.Repository](t)(alice.Repositories.Edit(ctx, "acme", "shop", &github.Repository{Name: new("store"), Description: new("d"), Private: new(true)}))
	if changed.GetFullName() != "acme/store" || !changed.GetPrivate() || changed.GetDescription() != "d" {
		t.Errorf("changed: %v", changed)
	}
	if _, r, err := w.as("mallory").Repositories.Get(ctx, "acme", "store"); status(t, r, err) != http.StatusNotFound {
		t.Errorf("mallory sees it: %v", err)
	}
	if _, err := alice.Repositories.Delete(ctx, "acme", "store"); err != nil {
		t.Fatal(err)
	}
	want := []string{"repository.edited", "repository.renamed", "repository.privatized", "repository.deleted", "installation_repositories.removed"}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
}

func TestFilesAndBranchesAreRemoved(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	alice := w.as("alice")
	if err := w.SetFile("acme", "shop", "NOTES", "n"); err != nil {
		t.Fatal(err)
	}
	file, _, _, err := alice.Repositories.GetContents(ctx, "acme", "shop", "NOTES", nil)
	if err != nil {
		t.Fatal(err)
	}
	gone := must[*github.RepositoryContentResponse](t)(alice.Repositories.DeleteFile(ctx, "acme", "shop", "NOTES", &github.RepositoryContentFileOptions{Message: new("tidy"), SHA: file.SHA}))
	if _, _, r, err := alice.Repositories.GetContents(ctx, "acme", "shop", "NOTES", nil); status(t, r, err) != http.StatusNotFound {
		t.Errorf("after its removal: %v", err)
	}
	commit := must[*github.Commit](t)(alice.Git.GetCommit(ctx, "acme", "shop", gone.GetSHA()))
	if commit.GetMessage() != "tidy" || len(commit.Parents) != 1 {
		t.Errorf("commit: %v", commit)
	}
	branch := &github.Reference{Ref: new("refs/heads/old"), Object: &github.GitObject{SHA: commit.SHA}}
	must[*github.Reference](t)(alice.Git.CreateRef(ctx, "acme", "shop", branch))
	if _, err := alice.Git.DeleteRef(ctx, "acme", "shop", "heads/old"); err != nil {
		t.Fatal(err)
	}
	if r, err := alice.Git.DeleteRef(ctx, "acme", "shop", "heads/main"); status(t, r, err) != http.StatusUnprocessableEntity {
		t.Errorf("the default branch: %v", err)
	}
}

func TestPullRequestsAreClosedAndReopened(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	alice := w.as("alice")
	main := must[*github.Reference](t)(alice.Git.GetRef(ctx, "acme", "shop", "heads/main"))
	must[*github.Reference](t)(alice.Git.CreateRef(ctx, "acme", "shop", &github.Reference{Ref: new("refs/heads/fix"), Object: main.Object}))
	put := func(content string, sha *string) *string {
		return must[*github.RepositoryContentResponse](t)(alice.Repositories.CreateFile(ctx, "acme", "shop", "fix.txt", &github.RepositoryContentFileOptions{
			Message: new("fix"), Content: []byte(content), Branch: new("fix"), SHA: sha,
		})).Content.SHA
	}
	first := put("1", nil)
	n := must[*github.PullRequest](t)(alice.PullRequests.Create(ctx, "acme", "shop", &github.NewPullRequest{Title: new("Fix"), Head: new("fix"), Base: new("main")})).GetNumber()
	w.take()
	put("2", first)
	for _, state := range []string{"closed", "open"} {
		if got := must[*github.PullRequest](t)(alice.PullRequests.Edit(ctx, "acme", "shop", n, &github.PullRequest{State: &state})); got.GetState() != state || got.GetChangedFiles() != 1 || got.GetCommits() != 2 {
			t.Errorf("%s: %v", state, got)
		}
	}
	want := []string{"push.", "pull_request.synchronize", "pull_request.closed", "pull_request.reopened"}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if merged, _, err := alice.PullRequests.IsMerged(ctx, "acme", "shop", n); merged || err != nil {
		t.Errorf("merged before it was: %v", err)
	}
	must[*github.PullRequestMergeResult](t)(alice.PullRequests.Merge(ctx, "acme", "shop", n, "because", nil))
	if merged, _, err := alice.PullRequests.IsMerged(ctx, "acme", "shop", n); !merged || err != nil {
		t.Errorf("merged: %v", err)
	}
	labels := must[[]*github.Label](t)(alice.Issues.ListLabelsByIssue(ctx, "acme", "shop", n, nil))
	if len(labels) != 0 {
		t.Errorf("labels: %v", labels)
	}
}
