package playground_test

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func (w *world) open(login, title string, labels ...string) *github.Issue {
	w.t.Helper()
	request := &github.IssueRequest{Title: &title}
	if labels != nil {
		request.Labels = &labels
	}
	return must[*github.Issue](w.t)(w.as(login).Issues.Create(context.Background(), "acme", "shop", request))
}

func (w *world) events(number int) []string {
	w.t.Helper()
	var lines []string
	for _, e := range must[[]*github.IssueEvent](w.t)(w.installed().Issues.ListIssueEvents(context.Background(), "acme", "shop", number, nil)) {
		lines = append(lines, e.GetActor().GetLogin()+" "+e.GetEvent()+" "+e.GetLabel().GetName())
	}
	return lines
}

func TestCreatingAnIssueWithLabelsTellsOfEach(t *testing.T) {
	w := newWorld(t)
	issue := w.open("alice", "Broken", "bug", "brand new")
	if diff := cmp.Diff([]string{"label.created", "issues.opened", "issues.labeled", "issues.labeled"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"alice labeled bug", "alice labeled brand new"}, w.events(issue.GetNumber())); diff != "" {
		t.Error(diff)
	}
	made := must[*github.Label](t)(w.as("alice").Issues.GetLabel(context.Background(), "acme", "shop", "Brand%20New"))
	if made.GetColor() != "ededed" || made.Description != nil {
		t.Errorf("a label made in passing is %v", made)
	}
}

func TestLabelsOfAnIssue(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	issue := w.open("mallory", "Broken", "bug")
	if len(issue.Labels) != 0 {
		t.Error("labels of somebody without push access are kept")
	}
	n := issue.GetNumber()
	w.take()

	bob := w.as("bob")
	must[[]*github.Label](t)(bob.Issues.AddLabelsToIssue(ctx, "acme", "shop", n, []string{"BUG", "bug"}))
	if diff := cmp.Diff([]string{"issues.labeled"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	for name, do := range map[string]func() (*github.Response, error){
		"reader adds": func() (*github.Response, error) {
			_, r, err := w.as("mallory").Issues.AddLabelsToIssue(ctx, "acme", "shop", n, []string{"question"})
			return r, err
		},
		"triager makes a label": func() (*github.Response, error) {
			_, r, err := bob.Issues.AddLabelsToIssue(ctx, "acme", "shop", n, []string{"unheard of"})
			return r, err
		},
	} {
		if r, err := do(); status(t, r, err) != 403 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r, err := bob.Issues.RemoveLabelForIssue(ctx, "acme", "shop", n, "question"); status(t, r, err) != 404 || func() *github.ErrorResponse {
		target := &github.ErrorResponse{}
		_ = errors.As(err, &target)
		return target
	}().Message != "Label does not exist" {
		t.Errorf("removing what is not there: %v", err)
	}
	if _, err := bob.Issues.RemoveLabelForIssue(ctx, "acme", "shop", n, "bug"); err != nil {
		t.Error(err)
	}
	must[[]*github.Label](t)(w.as("alice").Issues.AddLabelsToIssue(ctx, "acme", "shop", n, []string{"a/b#c"}))
	if _, err := bob.Issues.RemoveLabelForIssue(ctx, "acme", "shop", n, url.PathEscape("a/b#c")); err != nil {
		t.Error(err)
	}
	must[[]*github.Label](t)(w.as("dev[bot]").Issues.ReplaceLabelsForIssue(ctx, "acme", "shop", n, []string{"question"}))
	want := []string{"bob labeled bug", "bob unlabeled bug", "alice labeled a/b#c", "bob unlabeled a/b#c", "dev[bot] labeled question"}
	if diff := cmp.Diff(want, w.events(n)); diff != "" {
		t.Error(diff)
	}
	events := must[[]*github.IssueEvent](t)(w.installed().Issues.ListIssueEvents(ctx, "acme", "shop", n, &github.ListOptions{PerPage: 100}))
	if last := events[4]; last.GetPerformedViaGithubApp().GetSlug() != "dev" || last.GetActor().GetType() != "Bot" || events[0].PerformedViaGithubApp != nil {
		t.Errorf("via an App: %v", last)
	}
}

func TestDeletingALabel(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken", "bug").GetNumber()
	w.take()
	if _, err := w.as("alice").Issues.DeleteLabel(context.Background(), "acme", "shop", "bug"); err != nil {
		t.Fatal(err)
	}
	got := w.take()
	if diff := cmp.Diff([]string{"label.deleted", "issues.unlabeled"}, names(got)); diff != "" {
		t.Fatal(diff)
	}
	if event := got[1].payload.(*github.IssuesEvent); event.Label != nil || len(event.Issue.Labels) != 0 {
		t.Errorf("unlabeled by deletion carries %v", event.Label)
	}
	if diff := cmp.Diff([]string{"alice labeled bug"}, w.events(n)); diff != "" {
		t.Error(diff)
	}
}
