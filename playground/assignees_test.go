package playground_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

// assignments lists who is assigned to an issue, then its log of that: what happened to whom, by whom, and who GitHub calls the actor.
func (w *world) assignments(number int) []string {
	w.t.Helper()
	ctx := context.Background()
	var lines []string
	for _, a := range must[*github.Issue](w.t)(w.as("alice").Issues.Get(ctx, "acme", "shop", number)).Assignees {
		lines = append(lines, a.GetLogin())
	}
	for _, e := range must[[]*github.IssueEvent](w.t)(w.as("alice").Issues.ListIssueEvents(ctx, "acme", "shop", number, nil)) {
		lines = append(lines, e.GetEvent()+" "+e.GetAssignee().GetLogin()+" by "+e.GetAssigner().GetLogin()+", actor "+e.GetActor().GetLogin())
	}
	return lines
}

func TestAssignees(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	n := w.open("mallory", "Broken").GetNumber()
	bob := w.as("bob") // triage
	w.take()

	// Who has read access changes nothing, and is not told.
	must[*github.Issue](t)(w.as("mallory").Issues.AddAssignees(ctx, "acme", "shop", n, []string{"alice"}))
	must[*github.Issue](t)(w.as("mallory").Issues.Edit(ctx, "acme", "shop", n, &github.IssueRequest{Assignees: &[]string{"alice"}}))
	if diff := cmp.Diff([]string(nil), w.assignments(n)); diff != "" {
		t.Error(diff)
	}
	// Who may not be assigned is left out; mallory is a stranger until she comments.
	issue := must[*github.Issue](t)(bob.Issues.AddAssignees(ctx, "acme", "shop", n, []string{"Alice", "mallory", "nobody", "alice"}))
	if issue.GetAssignee().GetLogin() != "alice" || len(issue.Assignees) != 1 {
		t.Errorf("assigned: %v", issue.Assignees)
	}
	must[*github.Issue](t)(bob.Issues.AddAssignees(ctx, "acme", "shop", n, []string{"alice"}))
	hooks := w.take()
	if diff := cmp.Diff([]string{"issues.assigned"}, names(hooks)); diff != "" {
		t.Fatal(diff)
	}
	told := hooks[0].payload.(*github.IssuesEvent)
	if told.GetAssignee().GetLogin() != "alice" || told.GetSender().GetLogin() != "bob" || told.GetIssue().GetAssignee().GetLogin() != "alice" {
		t.Errorf("the webhook tells of %v by %v", told.GetAssignee(), told.GetSender())
	}
	must[*github.IssueComment](t)(w.as("mallory").Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: new("mine")}))
	must[*github.Issue](t)(bob.Issues.Edit(ctx, "acme", "shop", n, &github.IssueRequest{Assignees: &[]string{"mallory"}}))
	must[*github.Issue](t)(bob.Issues.RemoveAssignees(ctx, "acme", "shop", n, []string{"mallory", "alice", "nobody"}))
	if diff := cmp.Diff([]string{"issue_comment.created", "issues.unassigned", "issues.assigned", "issues.unassigned"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"assigned alice by bob, actor alice", "unassigned alice by bob, actor alice",
		"assigned mallory by bob, actor mallory", "unassigned mallory by bob, actor mallory",
	}, w.assignments(n)); diff != "" {
		t.Error(diff)
	}
	var timeline []string
	for _, line := range must[[]*github.Timeline](t)(bob.Issues.ListIssueTimeline(ctx, "acme", "shop", n, nil)) {
		timeline = append(timeline, line.GetEvent()+" "+line.GetAssignee().GetLogin()+" by "+line.GetActor().GetLogin())
	}
	if diff := cmp.Diff([]string{"assigned alice by bob", "commented  by mallory", "unassigned alice by bob", "assigned mallory by bob", "unassigned mallory by bob"}, timeline); diff != "" {
		t.Error(diff)
	}
	// A request that sets the fields of an issue is refused as a whole.
	if _, r, err := bob.Issues.Edit(ctx, "acme", "shop", n, &github.IssueRequest{Title: new("Changed"), Assignees: &[]string{"nobody"}}); status(t, r, err) != 422 {
		t.Errorf("an assignee that is nobody: %v", err)
	}
	// More than GitHub takes is refused loudly.
	many := []string{}
	for _, login := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"} {
		w.AddUser(login)
		w.SetPermission("acme", "shop", login, "read")
		many = append(many, login)
	}
	if _, r, err := bob.Issues.AddAssignees(ctx, "acme", "shop", n, many); status(t, r, err) != 501 {
		t.Errorf("eleven assignees: %v", err)
	}
}

func TestOpeningAnIssueWithAssigneesTellsOfEach(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	request := &github.IssueRequest{Title: new("Broken"), Assignees: &[]string{"bob", "alice"}}
	issue := must[*github.Issue](t)(w.as("alice").Issues.Create(ctx, "acme", "shop", request))
	if diff := cmp.Diff([]string{"issues.opened", "issues.assigned", "issues.assigned"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"bob", "alice", "assigned bob by alice, actor bob", "assigned alice by alice, actor alice"}, w.assignments(issue.GetNumber())); diff != "" {
		t.Error(diff)
	}
	must[[]*github.Label](t)(w.as("alice").Issues.AddLabelsToIssue(ctx, "acme", "shop", issue.GetNumber(), []string{"bug"}))
	if labeled := w.take()[0].payload.(*github.IssuesEvent); len(labeled.GetIssue().Assignees) != 2 {
		t.Errorf("another webhook tells of the assignees %v", labeled.GetIssue().Assignees)
	}
	other := must[*github.Issue](t)(w.as("mallory").Issues.Create(ctx, "acme", "shop", request))
	if len(other.Assignees) > 0 {
		t.Errorf("a stranger assigned %v", other.Assignees)
	}
}

func TestPullRequestsHaveAssigneesToo(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	if _, err := w.Push("acme", "shop", "fix", "fix.txt", "fixed", "alice"); err != nil {
		t.Fatal(err)
	}
	pull := must[*github.PullRequest](t)(w.as("alice").PullRequests.Create(ctx, "acme", "shop", &github.NewPullRequest{Title: new("Fix"), Head: new("fix"), Base: new("main")}))
	w.take()
	must[*github.Issue](t)(w.as("alice").Issues.AddAssignees(ctx, "acme", "shop", pull.GetNumber(), []string{"bob"}))
	must[*github.Issue](t)(w.as("alice").Issues.AddAssignees(ctx, "acme", "shop", pull.GetNumber(), []string{"alice"}))
	must[*github.Issue](t)(w.as("alice").Issues.RemoveAssignees(ctx, "acme", "shop", pull.GetNumber(), []string{"alice"}))
	if diff := cmp.Diff([]string{"pull_request.assigned", "pull_request.assigned", "pull_request.unassigned"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if pull = must[*github.PullRequest](t)(w.as("alice").PullRequests.Get(ctx, "acme", "shop", pull.GetNumber())); pull.GetAssignee().GetLogin() != "bob" {
		t.Errorf("assigned: %v", pull.Assignees)
	}
}
