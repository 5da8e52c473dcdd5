package playground_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func (w *world) say(login string, number int, body string) *github.IssueComment {
	w.t.Helper()
	return must[*github.IssueComment](w.t)(w.as(login).Issues.CreateComment(context.Background(), "acme", "shop", number, &github.IssueComment{Body: &body}))
}

func TestComments(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("alice", "Broken").GetNumber()
	first := w.say("mallory", n, "one")
	w.clock.Advance(time.Hour)
	second := w.say("dev[bot]", n, "two")
	if second.GetID() <= first.GetID() {
		t.Error("ids do not increase")
	}
	w.take()

	edited := "one and a half"
	if _, r, err := w.as("bob").Issues.EditComment(ctx, "acme", "shop", first.GetID(), &github.IssueComment{Body: &edited}); status(t, r, err) != 403 {
		t.Errorf("triage edits others' words: %v", err)
	}
	must[*github.IssueComment](t)(w.as("mallory").Issues.EditComment(ctx, "acme", "shop", first.GetID(), &github.IssueComment{Body: &edited}))
	since := w.clock.Now().Add(-time.Minute)
	list := must[[]*github.IssueComment](t)(w.installed().Issues.ListComments(ctx, "acme", "shop", n, &github.IssueListCommentsOptions{Since: &since}))
	if len(list) != 2 || list[0].GetBody() != edited {
		t.Errorf("comments since: %v", list)
	}
	if all := must[[]*github.IssueComment](t)(w.installed().Issues.ListComments(ctx, "acme", "shop", 0, nil)); len(all) != 2 {
		t.Errorf("comments of the repository: %v", all)
	}
	if _, err := w.as("alice").Issues.DeleteComment(ctx, "acme", "shop", second.GetID()); err != nil {
		t.Fatal(err)
	}
	if _, r, err := w.installed().Issues.GetComment(ctx, "acme", "shop", second.GetID()); status(t, r, err) != 404 {
		t.Errorf("a deleted comment: %v", err)
	}
	got := w.take()
	if diff := cmp.Diff([]string{"issue_comment.edited", "issue_comment.deleted"}, names(got)); diff != "" {
		t.Fatal(diff)
	}
	if from := got[0].payload.(*github.IssueCommentEvent).GetChanges().GetBody().GetFrom(); from != "one" {
		t.Errorf("edited from %q", from)
	}
}

func TestCommentsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("alice", "Broken").GetNumber()
	for name, body := range map[string]string{"empty": " ", "too long": strings.Repeat("é", 65537)} {
		if _, r, err := w.as("alice").Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &body}); status(t, r, err) != 422 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.as("alice").Issues.Lock(ctx, "acme", "shop", n, &github.LockIssueOptions{LockReason: "spam"}); err != nil {
		t.Fatal(err)
	}
	hi := "hi"
	if _, r, err := w.as("mallory").Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &hi}); status(t, r, err) != 403 {
		t.Errorf("a reader comments on a locked issue: %v", err)
	}
	// An App that may write issues is no collaborator either; it may still label.
	if _, r, err := w.installed().Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &hi}); status(t, r, err) != 403 {
		t.Errorf("an App comments on a locked issue: %v", err)
	}
	if _, r, err := w.installed().Reactions.CreateIssueReaction(ctx, "acme", "shop", n, "eyes"); status(t, r, err) != 403 {
		t.Errorf("an App reacts on a locked issue: %v", err)
	}
	must[[]*github.Label](t)(w.installed().Issues.AddLabelsToIssue(ctx, "acme", "shop", n, []string{"bug"}))
	must[*github.IssueComment](t)(w.as("alice").Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &hi}))
	if issue := must[*github.Issue](t)(w.as("bob").Issues.Get(ctx, "acme", "shop", n)); !issue.GetLocked() || issue.GetActiveLockReason() != "spam" {
		t.Errorf("locked: %v", issue)
	}
	if _, err := w.as("alice").Issues.Unlock(ctx, "acme", "shop", n); err != nil {
		t.Fatal(err)
	}
	w.say("mallory", n, "thanks")
}

func TestReactions(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("alice", "Broken").GetNumber()
	comment := w.say("alice", n, "/colony:status").GetID()
	w.take()
	for i, want := range []int{201, 200} {
		_, r, err := w.installed().Reactions.CreateIssueCommentReaction(ctx, "acme", "shop", comment, "+1")
		if status(t, r, err) != want {
			t.Errorf("reaction %d: %v", i, r.Status)
		}
	}
	if _, r, err := w.installed().Reactions.CreateIssueReaction(ctx, "acme", "shop", n, "applause"); status(t, r, err) != 422 {
		t.Errorf("an unknown reaction: %v", err)
	}
	must[*github.Reaction](t)(w.as("bob").Reactions.CreateIssueReaction(ctx, "acme", "shop", n, "eyes"))
	if got := must[*github.IssueComment](t)(w.installed().Issues.GetComment(ctx, "acme", "shop", comment)).GetReactions(); got.GetPlusOne() != 1 || got.GetTotalCount() != 1 {
		t.Errorf("summary: %v", got)
	}
	list := must[[]*github.Reaction](t)(w.installed().Reactions.ListIssueCommentReactions(ctx, "acme", "shop", comment, nil))
	if len(list) != 1 || list[0].GetUser().GetLogin() != "colony[bot]" {
		t.Fatalf("reactions: %v", list)
	}
	if r, err := w.as("alice").Reactions.DeleteIssueCommentReaction(ctx, "acme", "shop", comment, list[0].GetID()); status(t, r, err) != 404 {
		t.Errorf("deleting somebody else's reaction: %v", err)
	}
	if _, err := w.installed().Reactions.DeleteIssueCommentReaction(ctx, "acme", "shop", comment, list[0].GetID()); err != nil {
		t.Fatal(err)
	}
	mine := must[[]*github.Reaction](t)(w.as("bob").Reactions.ListIssueReactions(ctx, "acme", "shop", n, nil))
	if _, err := w.as("bob").Reactions.DeleteIssueReaction(ctx, "acme", "shop", n, mine[0].GetID()); err != nil {
		t.Fatal(err)
	}
	if got := w.take(); len(got) != 0 {
		t.Errorf("reactions send no webhooks, but here are %v", names(got))
	}
}
