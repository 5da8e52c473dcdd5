package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/policy"
)

// openIn opens an issue with a label in a repository.
func (w *world) opensIn(repo, title string, labels ...string) {
	w.t.Helper()
	_, _, err := w.As("mona").Issues.Create(ctx, "acme", repo, &github.IssueRequest{Title: &title, Labels: &labels})
	w.Must(err)
	w.Settle()
}

// newOwner is a world with a repository that speaks for acme, and others; one of them is private.
func newOwner(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldWithoutColony(t, change...)
	w.makeLabels()
	for _, name := range []string{".github", "gadgets", "vault"} {
		w.github.AddRepository("acme", name)
		w.github.SetPermission("acme", name, "mona", "maintain")
	}
	w.Must(w.github.SetPrivate("acme", "vault", true))
	w.start()
	w.install()
	return w
}

func TestTheDashboardOfAnOwner(t *testing.T) {
	t.Parallel()
	w := newOwner(t)
	w.CommitAndSettle("gadgets", policy.SettingsFile, "mode: enforce\n")
	w.CommitAndSettle("vault", policy.SettingsFile, "mode: enforce\n")
	i := w.stateful("colony:in-review")
	w.opensIn("gadgets", "Which colour?", "colony:needs-clarification")
	w.opensIn("vault", "The secret", "colony:needs-clarification")
	w.CommitAndSettle(".github", policy.SettingsFile, dashboardOn)
	shown := func(lines ...string) *github.Issue {
		t.Helper()
		all := w.dashboards(".github")
		if len(all) != 1 {
			t.Fatalf("there are %d dashboards", len(all))
		}
		w.shows(all[0], lines...)
		return all[0]
	}
	d := shown("figures of `acme`", "One issue waits.", "`gadgets`, no. 1: Which colour?", "- `acme/gadgets`: 1 `needs-clarification`; 1 waits for a person", "- `acme/widgets`: 1 `in-review`", "Left out: 1 repository that not everybody here may read")
	if strings.Contains(d.GetBody(), "vault") || strings.Contains(d.GetBody(), "secret") {
		t.Errorf("a public dashboard tells of a private repository:\n%s", d.GetBody())
	}
	for _, repo := range []string{"widgets", "gadgets", "vault"} {
		if all := w.dashboards(repo); len(all) > 0 {
			t.Errorf("%s has a dashboard that nobody asked for", repo)
		}
	}

	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	w.Pass(31, time.Minute)
	w.Settle()
	shown("- `acme/widgets`: 1 `merge-pending`")

	w.Must(w.github.SetPrivate("acme", ".github", true))
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.Pass(31, time.Minute)
	w.Settle()
	shown("2 issues wait", "The secret", "- `acme/vault`: 1 `needs-clarification`")

	w.CommitAndSettle(".github", policy.SettingsFile, "mode: enforce\n")
	if d := shown("switched off"); d.GetState() != "closed" {
		t.Error("it is open")
	}
	i.Reads()
}

// The repositories are read a few in a step, and a process that stops in between loses nothing.
func TestTheDashboardOfAnOwnerIsReadInSteps(t *testing.T) {
	t.Parallel()
	w := newOwner(t, onDisk(t), func(c *config.Config) { c.GitHub.Budget.Points = 0 })
	for n := range 25 {
		name := fmt.Sprintf("part-%02d", n)
		w.github.AddRepository("acme", name)
		w.github.SetPermission("acme", name, "mona", "maintain")
		w.Commit(name, policy.SettingsFile, "mode: enforce\n")
		w.opensIn(name, "A part", "colony:new")
	}
	w.Commit(".github", policy.SettingsFile, dashboardOn)
	w.Quiet()
	w.stopColony()
	w.start()
	for range 10 {
		w.clock.Advance(10 * time.Second)
		w.Settle()
	}
	all := w.dashboards(".github")
	if len(all) != 1 {
		t.Fatalf("there are %d dashboards", len(all))
	}
	if n := strings.Count(all[0].GetBody(), "1 `new`"); n != 25 {
		t.Errorf("it shows %d repositories:\n%s", n, all[0].GetBody())
	}
}
