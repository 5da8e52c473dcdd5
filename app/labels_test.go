package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

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
	c.GitHub.Budget = ratelimit.Settings{} // the fake clock stands still
	k, err := labels.New(c, labels.Options{Options: app.Options{Clock: w.clock}})
	w.Must(err)
	w.Must(k.Each(ctx, []string{"acme/widgets"}, func(ctx context.Context, repo issues.Repository) error {
		return do(k, ctx, repo, func(s labels.Step) { done = append(done, s) })
	}, func(f labels.Failure) { w.t.Error(f) }))
	return done
}

// A Colony that comes after "colony labels apply" judges from its own beginning on, and does not make again what "colony labels prune"
// deletes while it runs. What prune and uninstall do, and when they refuse, is tested in package labels.
func TestAColonyBesideTheKeeperOfLabels(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.Installation = w.github.Install(appID, "acme")
	w.MakeLabel("Colony:Done", "Mine.")
	if done := w.keeps((*labels.Keeper).Apply); len(done) != 17 {
		t.Errorf("it does %q", done)
	}
	closed, open := w.open("olivia", "", "colony:done"), w.open("olivia", "", "colony:in-review")
	closed.Label("olivia", "colony:new")
	w.clock.Advance(time.Hour)
	w.start()
	w.Settle()
	closed.Has("Colony:Done", "colony:new")
	if since := w.ForcedDescription(); !strings.Contains(since, " Here since ") {
		t.Errorf("nobody judges: %q", since)
	}
	w.CommitAndSettle("widgets", policy.SettingsFile, "lifecycle: prp\n")
	closed.Edit("olivia", "closed")
	w.Settle()
	if done := w.keeps((*labels.Keeper).Prune); len(done) != 15 {
		t.Errorf("it does %q", done)
	}
	w.Settle()
	open.Has("colony:in-review")
	closed.Has()
	if there := w.RepositoryLabels(); slices.Contains(there, "colony:new") || !slices.Contains(there, "colony:in-review") || !slices.Contains(there, "colony:needs-human") {
		t.Errorf("there are %q", there)
	}
}
