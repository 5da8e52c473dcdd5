package issues

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
)

func TestBranchesNameIssues(t *testing.T) {
	standard, err := ParseBranches(DefaultBranches)
	if err != nil {
		t.Fatal(err)
	}
	own, err := ParseBranches([]string{"*/PROJ-{number}*", "fix.{number}"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		rules  Branches
		branch string
		want   int
	}{
		{standard, "colony/12", 12},
		{standard, "colony/12-paint", 12},
		{standard, "12-paint", 12},
		{standard, "12-", 12},
		{standard, "12", 0},
		{standard, "colony/", 0},
		{standard, "colony/12x", 0},
		{standard, "my/12-paint", 0},
		{standard, "colony/012", 0},
		{standard, "0-paint", 0},
		{standard, "999999999999999999999-paint", 0},
		{standard, "main", 0},
		{standard, "release-12", 0},
		{own, "ada/PROJ-7", 7},
		{own, "ada/paint/PROJ-7-red", 7},
		{own, "PROJ-7", 0},
		{own, "fix.8", 8},
		{own, "fixx8", 0},
		{own, "12-paint", 0},
		{Branches{}, "12-paint", 0},
	} {
		got, ok := test.rules.Issue(test.branch)
		if got != test.want || ok != (test.want != 0) {
			t.Errorf("%q names %d, %t; want %d", test.branch, got, ok, test.want)
		}
	}
}

func TestBranchesThatNameNoIssue(t *testing.T) {
	for _, pattern := range []string{"", "main", "{number}-{number}", "{n}", "{number} x", "x{", "*"} {
		if _, err := ParseBranches([]string{"{number}-*", pattern}); err == nil {
			t.Errorf("%q is taken for a pattern", pattern)
		}
	}
}

// A pull request from a fork can say what it closes, as on GitHub; what its branch is called says nothing.
func TestIssuesOfAPullRequest(t *testing.T) {
	branches, err := ParseBranches(DefaultBranches)
	if err != nil {
		t.Fatal(err)
	}
	repo := Repository{ID: 1, Owner: "acme", Name: "widgets"}
	pull := func(change func(*github.PullRequest)) *github.PullRequest {
		p := &github.PullRequest{
			Title: new("Paint"), Body: new("Fixes #3"),
			Head: &github.PullRequestBranch{Ref: new("4-paint"), Repo: &github.Repository{FullName: new("acme/widgets")}},
			Base: &github.PullRequestBranch{Ref: new("main"), Repo: &github.Repository{FullName: new("acme/widgets"), DefaultBranch: new("main")}},
		}
		change(p)
		return p
	}
	for name, test := range map[string]struct {
		change func(*github.PullRequest)
		want   []int
	}{
		"by both":                     {func(*github.PullRequest) {}, []int{3, 4}},
		"by the title":                {func(p *github.PullRequest) { p.Title, p.Body = new("Closes ACME/Widgets#5"), nil }, []int{5, 4}},
		"by the same":                 {func(p *github.PullRequest) { p.Body = new("Closes #4") }, []int{4}},
		"of another repository":       {func(p *github.PullRequest) { p.Body = new("Closes acme/gears#4") }, []int{4}},
		"not into the default branch": {func(p *github.PullRequest) { p.Base.Ref = new("next") }, []int{4}},
		"from a fork":                 {func(p *github.PullRequest) { p.Head.Repo.FullName = new("eve/widgets") }, []int{3}},
		"from a fork that is gone":    {func(p *github.PullRequest) { p.Head.Repo = nil }, []int{3}},
		"of a silent server":          {func(p *github.PullRequest) { p.Base.Repo.DefaultBranch = nil }, []int{3, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			got := branches.issuesOf(repo, pull(test.change))
			if len(got) != len(test.want) {
				t.Fatalf("got %v, want %v", got, test.want)
			}
			for i := range got {
				if got[i] != test.want[i] {
					t.Errorf("got %v, want %v", got, test.want)
				}
			}
		})
	}
}

func TestDroppedDependencies(t *testing.T) {
	issue := func(state, reason string, pull *asPull) *related {
		return &related{State: state, StateReason: reason, PullRequest: pull}
	}
	merged := &asPull{Merged: time.Unix(1, 0)}
	for name, test := range map[string]struct {
		issue         *related
		open, dropped bool
	}{
		"out of reach":           {nil, true, false},
		"open":                   {issue("open", "", nil), true, false},
		"opened again":           {issue("open", "reopened", nil), true, false},
		"completed":              {issue("closed", "completed", nil), false, false},
		"closed long ago":        {issue("closed", "", nil), false, false},
		"not planned":            {issue("closed", "not_planned", nil), false, true},
		"a duplicate":            {issue("closed", "duplicate", nil), false, true},
		"an open pull request":   {issue("open", "", &asPull{}), true, false},
		"a merged pull request":  {issue("closed", "", merged), false, false},
		"a refused pull request": {issue("closed", "", &asPull{}), false, true},
	} {
		d := dependency{issue: test.issue}
		if d.open() != test.open || d.dropped() != test.dropped {
			t.Errorf("%s: open %t, dropped %t; want %t, %t", name, d.open(), d.dropped(), test.open, test.dropped)
		}
	}
}
