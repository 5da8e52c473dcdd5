package labels_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"

	"github.com/colony-app/colony/bench/acme/byhand"
)

func TestUninstallLeavesNothingButComments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		leave func(w *world) labels.Options
		note  string
	}{
		"with a token, once the App is uninstalled": {func(w *world) labels.Options {
			w.Must(w.Uninstall(w.Installation))
			return w.with("mona")
		}, ""},
		"with a token, once the repository is out of the installation": {func(w *world) labels.Options {
			w.AddRepository("acme", "gears")
			w.Must(w.RemoveFromInstallation(w.Installation, "widgets"))
			return w.with("mona")
		}, ""},
		"with a token, without the App's credentials": {func(w *world) labels.Options {
			w.Must(w.Uninstall(w.Installation))
			w.Config.GitHub.App.PrivateKey = ""
			return w.with("mona")
		}, "whether the App is installed there cannot be asked without its credentials: uninstall it first, or its Colony makes the labels anew"},
		"with a token, and a key that GitHub does not know any more": {func(w *world) labels.Options {
			w.Must(w.Uninstall(w.Installation))
			w.Config.GitHub.App.PrivateKey = apptest.PEM(apptest.NewKey(1024))
			return w.with("mona")
		}, "whether the App is installed there cannot be asked without its credentials: uninstall it first, or its Colony makes the labels anew"},
		"with the App's credentials, once Colony is stopped": {func(w *world) labels.Options {
			w.answers()()
			return labels.Options{}
		}, "the App is installed there, and no Colony answers at "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, colony, open, closed := newChangedWorld(t)
			w.Label(open, "olivia", "colony:complete", "flaw")
			w.Label(open, "olivia", "colony:planned")
			colony.Reconcile(open)
			comments := len(w.Said(open))
			o := c.leave(w)
			others := slices.DeleteFunc(w.RepositoryLabels(), issues.IsColonys)
			if len(w.colonys()) == 0 {
				t.Fatal("there is nothing to delete")
			}
			plan, failed := w.leaves(o)
			if left := w.colonys(); len(left) > 0 || len(failed) > 0 {
				t.Errorf("%q are left, and it fails with %q", left, failed)
			}
			if !slices.Equal(others, w.RepositoryLabels()) {
				t.Errorf("it deleted others: %q instead of %q", w.RepositoryLabels(), others)
			}
			if plan.Steps[0].Label != "colony:forced" || !strings.HasPrefix(plan.Note, c.note) || (c.note == "") != (plan.Note == "") {
				t.Errorf("the plan begins with %s, and notes %q", plan.Steps[0], plan.Note)
			}
			w.Has(open, "flaw")
			w.Has(closed)
			if is := len(w.Said(open)); is != comments || is == 0 {
				t.Error("the comment is gone")
			}
			if plan, failed := w.leaves(o); len(plan.Steps)+len(failed) > 0 {
				t.Errorf("once more, it deletes %q and fails with %q", plan.Steps, failed)
			}
		})
	}
}

func TestUninstallRefusesWhileAColonyWorksThere(t *testing.T) {
	t.Parallel()
	for name, token := range map[string]bool{"with the App's credentials": false, "with a token": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, open, _ := newChangedWorld(t)
			w.answers()
			o := labels.Options{}
			if token {
				o.Token = w.Token("mona")
			}
			before := w.RepositoryLabels()
			_, failed := w.leaves(o)
			if len(failed) != 1 || !strings.HasPrefix(failed[0], "acme/widgets: a Colony works there: the App is installed (") {
				t.Errorf("it fails with %q", failed)
			}
			if !slices.Equal(before, w.RepositoryLabels()) {
				t.Error("it deleted something")
			}
			w.Has(open, "colony:in-review")
		})
	}
}

// A Colony that nobody can ask about makes the labels anew: that is no success.
func TestUninstallFailsIfLabelsComeBack(t *testing.T) {
	t.Parallel()
	w, _, _, _ := newChangedWorld(t)
	transport := &between{"/labels/colony:complete", func() { w.MakeLabel("colony:complete", "") }}
	_, failed := w.leaves(over(transport))
	if transport.do != nil || len(failed) != 1 || !strings.HasPrefix(failed[0], "acme/widgets: colony:complete back: a Colony works there") {
		t.Errorf("fails with %q", failed)
	}
}

func TestUninstallNeedsATokenWhereTheAppIsNotInstalled(t *testing.T) {
	t.Parallel()
	w, _, _, _ := newChangedWorld(t)
	w.Must(w.Uninstall(w.Installation))
	if _, failed := w.leaves(labels.Options{}); len(failed) != 1 || failed[0] != "acme/widgets: "+client.ErrNotInstalled.Error() {
		t.Errorf("fails with %q", failed)
	}
	if _, failed := w.leaves(w.with("rita")); len(failed) != 1 || !strings.Contains(failed[0], "or may these credentials not write labels") {
		t.Errorf("somebody who may only read fails with %q", failed)
	}
}

// Uninstalling keeps what the repository may have had before, and says so, unless it is told otherwise.
func TestUninstallKeepsLabelsWithNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.HadIssues(17)
	w.Commit("widgets", policy.LifecycleFile, w.AdoptingLifecycle())
	if _, failed, _ := w.keeps(labels.Options{}, (*labels.Keeper).Apply); len(failed) > 0 {
		t.Fatal(failed)
	}
	byhand.New(t, w.GitHub)
	w.Must(w.Uninstall(w.Installation))
	token := w.with("mona")
	plan, failed := w.leaves(token)
	if len(failed) > 0 || len(plan.Kept) != 15 || len(plan.Steps) == 0 || len(w.colonys()) > 0 {
		t.Errorf("it fails with %q, keeps %q and leaves %q", failed, plan.Kept, w.RepositoryLabels())
	}
	want := "keep    acme/widgets: In review, because its name does not begin with colony:, so the repository may have had it before (--own-names deletes it too)"
	if !slices.ContainsFunc(plan.Kept, func(s labels.Step) bool { return s.String() == want }) {
		t.Errorf("it does not say %q but %q", want, plan.Kept)
	}
	w.KeepState(all)
	token.OwnNames = true
	if plan, failed := w.leaves(token); len(failed) > 0 || len(plan.Steps) != 15 || len(plan.Kept) > 0 {
		t.Errorf("with --own-names it fails with %q and plans %q", failed, plan.Steps)
	}
	if left := w.RepositoryLabels(); slices.Contains(left, "In review") || !slices.Contains(left, "status: unknown") {
		t.Errorf("there is left: %q", left)
	}
}
