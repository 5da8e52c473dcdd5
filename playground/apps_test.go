package playground_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func TestAppSignsInAndActsAsItsInstallation(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	app := must[*github.App](t)(w.app().Apps.Get(ctx, ""))
	if app.GetID() != appID || app.GetSlug() != "colony" || app.GetPermissions().GetIssues() != "write" {
		t.Errorf("GET /app: %v", app)
	}
	if list := must[[]*github.Installation](t)(w.app().Apps.ListInstallations(ctx, nil)); len(list) != 1 || list[0].GetID() != w.installation {
		t.Errorf("installations: %v", list)
	}
	if found := must[*github.Installation](t)(w.app().Apps.FindRepositoryInstallation(ctx, "acme", "shop")); found.GetID() != w.installation {
		t.Errorf("installation of the repository: %v", found)
	}
	if repos := must[*github.ListRepositories](t)(w.installed().Apps.ListRepos(ctx, nil)); repos.GetTotalCount() != 1 {
		t.Errorf("repositories: %v", repos)
	}
	n := w.open("alice", "Broken").GetNumber()
	w.take()
	body := "hello"
	comment := must[*github.IssueComment](t)(w.installed().Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &body}))
	if comment.GetUser().GetLogin() != "colony[bot]" {
		t.Errorf("comment by %s", comment.GetUser().GetLogin())
	}
	got := w.take()
	if diff := cmp.Diff([]string{"issue_comment.created"}, names(got)); diff != "" {
		t.Fatal(diff)
	}
	if event := got[0].payload.(*github.IssueCommentEvent); event.GetInstallation().GetID() != w.installation || event.GetSender().GetLogin() != "colony[bot]" || event.GetOrganization().GetLogin() != "acme" {
		t.Errorf("webhook: %v", event)
	}
	if r, err := w.installed().Repositories.Delete(ctx, "acme", "shop"); status(t, r, err) != 403 {
		t.Errorf("an App without administration deletes: %v", err)
	}
	if _, r, err := w.as("alice").Apps.Get(ctx, ""); status(t, r, err) != 401 {
		t.Errorf("a user asks for the App: %v", err)
	}
}

func TestAppFindsItsInstallationOnAPrivateRepository(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.AddOrganization("elsewhere")
	w.AddRepository("elsewhere", "private")
	for owner, name := range map[string]string{"acme": "shop", "elsewhere": "private"} {
		if err := w.SetPrivate(owner, name, true); err != nil {
			t.Fatal(err)
		}
	}
	if found := must[*github.Installation](t)(w.app().Apps.FindRepositoryInstallation(ctx, "acme", "shop")); found.GetID() != w.installation {
		t.Errorf("installation of the repository: %v", found)
	}
	if _, r, err := w.app().Apps.FindRepositoryInstallation(ctx, "elsewhere", "private"); status(t, r, err) != 404 {
		t.Errorf("where it is not installed: %v", err)
	}
}
