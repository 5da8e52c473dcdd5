package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
)

// keeps lets a keeper of labels do something in acme/widgets.
func (w *world) keeps(do func(*labels.Keeper, context.Context, issues.Repository, func(labels.Step)) error) (done []labels.Step) {
	w.t.Helper()
	c := w.config
	c.GitHub.Pace = ratelimit.Settings{} // the fake clock stands still
	k, err := labels.New(c, labels.Options{Options: app.Options{Clock: w.clock}})
	w.must(err)
	w.must(k.Each(ctx, []string{"acme/widgets"}, func(ctx context.Context, repo issues.Repository) error {
		return do(k, ctx, repo, func(s labels.Step) { done = append(done, s) })
	}, func(f labels.Failure) { w.t.Error(f) }))
	return done
}

// repositoryLabels are the names of all labels of acme/widgets.
func (w *world) repositoryLabels() []string { return w.people.RepositoryLabels() }

func (w *world) repositoryLabel(name string) *github.Label { return w.people.RepositoryLabel(name) }

func (w *world) makeLabel(name, description string) { w.people.MakeLabel(name, description) }

// A Colony that comes after "colony labels apply" judges from its own beginning on, and does not make again what "colony labels prune"
// deletes while it runs. What prune and uninstall do, and when they refuse, is tested in package labels.
func TestAColonyBesideTheKeeperOfLabels(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.installation = w.github.Install(appID, "acme")
	w.makeLabel("Colony:Done", "Mine.")
	if done := w.keeps((*labels.Keeper).Apply); len(done) != 17 {
		t.Errorf("it does %q", done)
	}
	closed, open := w.open("olivia", "", "colony:done"), w.open("olivia", "", "colony:in-review")
	closed.label("olivia", "colony:new")
	w.clock.Advance(time.Hour)
	w.start()
	w.settle()
	closed.has("Colony:Done", "colony:new")
	if since := w.forcedDescription(); !strings.Contains(since, " Here since ") {
		t.Errorf("nobody judges: %q", since)
	}
	w.commitAndSettle("widgets", policy.SettingsFile, "lifecycle: prp\n")
	closed.edit("olivia", "closed")
	w.settle()
	if done := w.keeps((*labels.Keeper).Prune); len(done) != 15 {
		t.Errorf("it does %q", done)
	}
	w.settle()
	open.has("colony:in-review")
	closed.has()
	if there := w.repositoryLabels(); slices.Contains(there, "colony:new") || !slices.Contains(there, "colony:in-review") || !slices.Contains(there, "colony:needs-human") {
		t.Errorf("there are %q", there)
	}
}
