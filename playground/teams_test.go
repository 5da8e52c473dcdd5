package playground_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

// membership is what a client is told of somebody in a team: the state, or the status of the refusal.
func membership(client *github.Client, slug, login string) string {
	m, _, err := client.Teams.GetTeamMembershipBySlug(context.Background(), "acme", slug, login)
	if refused := (*github.ErrorResponse)(nil); errors.As(err, &refused) {
		return refused.Response.Status
	}
	if err != nil {
		return err.Error()
	}
	return m.GetState()
}

func TestTeams(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.check(w.SetInstallationPermissions(w.installation, map[string]string{"issues": "write", "members": "read"}))
	installed := w.installed()
	w.check(w.AddTeam("acme", "Lead Engineers", "alice"))
	w.check(w.AddTeam("acme", "Tech"))
	w.check(w.AddTeamMember("acme", "lead-engineers", "bob", true))
	ask := func(slug string, logins ...string) (states []string) {
		for _, login := range logins {
			states = append(states, membership(installed, slug, login))
		}
		return states
	}
	expect := func(slug string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, ask(slug, "Alice", "bob", "mallory", "nobody")); diff != "" {
			t.Errorf("%s: %s", slug, diff)
		}
	}
	expect("lead-engineers", "active", "pending", "404 Not Found", "404 Not Found")
	expect("Lead-Engineers", "active", "pending", "404 Not Found", "404 Not Found")
	expect("tech", "404 Not Found", "404 Not Found", "404 Not Found", "404 Not Found")

	// The members of a child are members of its parent.
	w.check(w.NestTeam("acme", "lead-engineers", "tech"))
	expect("tech", "active", "pending", "404 Not Found", "404 Not Found")
	if w.NestTeam("acme", "tech", "lead-engineers") == nil {
		t.Error("a team is above itself")
	}
	team := must[*github.Team](t)(installed.Teams.GetTeamBySlug(ctx, "acme", "lead-engineers"))
	if team.GetParent().GetSlug() != "tech" || team.GetMembersCount() != 2 || team.GetOrganization().GetLogin() != "acme" {
		t.Errorf("the team: %v", team)
	}

	// Who lost the membership, and who accepted it.
	w.check(w.RemoveTeamMember("acme", "lead-engineers", "alice"))
	w.check(w.AddTeamMember("acme", "lead-engineers", "bob", false))
	expect("lead-engineers", "404 Not Found", "active", "404 Not Found", "404 Not Found")

	// A renamed team is at no former address.
	w.check(w.RenameTeam("acme", "lead-engineers", "Leads"))
	expect("lead-engineers", "404 Not Found", "404 Not Found", "404 Not Found", "404 Not Found")
	expect("leads", "404 Not Found", "active", "404 Not Found", "404 Not Found")
	var slugs []string
	for _, team := range must[[]*github.Team](t)(installed.Teams.ListTeams(ctx, "acme", nil)) {
		slugs = append(slugs, team.GetSlug())
	}
	if diff := cmp.Diff([]string{"leads", "tech"}, slugs); diff != "" {
		t.Error(diff)
	}

	// Without the permission a team is not there, and the list of teams is refused.
	w.check(w.SetInstallationPermissions(w.installation, map[string]string{"issues": "write"}))
	installed = w.installed()
	expect("leads", "404 Not Found", "404 Not Found", "404 Not Found", "404 Not Found")
	if _, response, err := installed.Teams.ListTeams(ctx, "acme", nil); err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("the list without the permission: %v", err)
	}
	if got := membership(w.as("bob"), "leads", "bob"); got != "active" {
		t.Errorf("a member asks: %s", got)
	}
	if got := membership(w.as("mallory"), "leads", "bob"); got != "404 Not Found" {
		t.Errorf("a stranger asks: %s", got)
	}

	// With a team its children are gone.
	w.check(w.DeleteTeam("acme", "tech"))
	if w.DeleteTeam("acme", "leads") == nil {
		t.Error("the child is still there")
	}
}

func TestMilestonesAndTypes(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	w.take()
	read := func() string {
		var issue struct {
			Milestone struct {
				Title string `json:"title"`
				Open  int    `json:"open_issues"`
			} `json:"milestone"`
			Type struct {
				Name string `json:"name"`
			} `json:"type"`
		}
		request, err := w.as("alice").NewRequest(http.MethodGet, "repos/acme/shop/issues/1", nil)
		w.check(err)
		_, err = w.as("alice").Do(context.Background(), request, &issue)
		w.check(err)
		return issue.Milestone.Title + "/" + issue.Type.Name
	}
	w.check(w.SetMilestone("acme", "shop", n, "v1", "bob"))
	w.check(w.SetMilestone("acme", "shop", n, "v1", "bob"))
	w.check(w.SetIssueType("acme", "shop", n, "Bug", "bob"))
	if got := read(); got != "v1/Bug" {
		t.Errorf("it is %q", got)
	}
	w.check(w.SetMilestone("acme", "shop", n, "v2", "bob"))
	w.check(w.SetIssueType("acme", "shop", n, "Task", "bob"))
	if got := read(); got != "v2/Task" {
		t.Errorf("it is %q", got)
	}
	w.check(w.SetMilestone("acme", "shop", n, "", "bob"))
	w.check(w.SetIssueType("acme", "shop", n, "", ""))
	if got := read(); got != "/" {
		t.Errorf("it is %q", got)
	}
	want := []string{
		"issues.milestoned", "issues.typed", "issues.demilestoned", "issues.milestoned", "issues.untyped", "issues.typed", "issues.demilestoned", "issues.untyped",
	}
	if diff := cmp.Diff(want, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"bob milestoned ", "bob demilestoned ", "bob milestoned ", "bob demilestoned "}, w.events(n)); diff != "" {
		t.Error(diff)
	}
	w.AddUser("carl")
	w.AddRepository("carl", "own")
	if w.SetIssueType("carl", "own", 1, "Bug", "") == nil {
		t.Error("a person's repository has types")
	}
}
