package labels_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

func TestLabelsOfAnotherLifecycleAreFoundAndPruned(t *testing.T) {
	t.Parallel()
	w, _, open, closed := newChangedWorld(t)
	w.MakeLabel("colony", "Nobody knows.")
	w.MakeLabel("colonyx:new", "Nobody knows.")

	l := w.lists()
	if l.Lifecycle != "prp" || len(l.Missing)+len(l.Differing) > 0 || l.Well() || len(l.Doubts) > 0 {
		t.Errorf("the list says: %s", l)
	}
	says := strings.ReplaceAll(l.String(), w.URL, "URL")
	for _, line := range []string{
		"  left over  colony:in-review (of lifecycle autoralph, colony): on 1 open issue, URL/acme/widgets/issues?q=is%3Aopen+label%3A%22colony%3Ain-review%22\n",
		"  left over  colony:done (of lifecycle colibri, colony): on no open issue\n",
	} {
		if !strings.Contains(says, line) {
			t.Errorf("the list does not say %q:\n%s", line, says)
		}
	}
	before := w.RepositoryLabels()
	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Prune, acme.Widgets)
	if writes > 0 || len(failed) > 0 || !slices.Equal(before, w.RepositoryLabels()) {
		t.Fatalf("a dry run writes %d times and fails with %q", writes, failed)
	}
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune, acme.Widgets)
	if diff := cmp.Diff(plan, done); diff != "" || len(failed) > 0 || writes != 14 {
		t.Errorf("writes %d times, fails with %q, and does something else than it planned (-plan +done):\n%s", writes, failed, diff)
	}
	for _, line := range []string{
		"delete  acme/widgets: colony:done, which was on 1 closed issue",
		"delete  acme/widgets: colony:new, which was on 0 closed issues",
		"keep    acme/widgets: colony:in-review, because it is on 1 open issue, which may need a label of the lifecycle in force instead: URL/acme/widgets/issues?q=is%3Aopen+label%3A%22colony%3Ain-review%22",
	} {
		if !slices.Contains(done, line) {
			t.Errorf("it does not say %q but %q", line, done)
		}
	}
	w.Has(open, "colony:in-review")
	w.Has(closed)
	for _, name := range []string{"colony", "colonyx:new", "colony:in-review", "colony:forced", "colony:needs-human"} {
		w.RepositoryLabel(name)
	}
	if l := w.lists(); len(l.LeftOver) != 1 || len(l.Missing) > 0 {
		t.Errorf("the list says: %s", l)
	}
	w.Unlabel(open, "olivia", "colony:in-review")
	w.keeps(labels.Options{}, (*labels.Keeper).Prune)
	if l := w.lists(); !l.Well() {
		t.Errorf("the list says: %s", l)
	}
}

// What was read when the labels were listed is too old to delete by.
func TestPruneKeepsALabelThatSomebodyTakesMeanwhile(t *testing.T) {
	t.Parallel()
	w, _, _, closed := newChangedWorld(t)
	late := w.Open("olivia")
	transport := &between{"/acme/widgets/issues?direction=asc&labels=colony%3Anew&page=1&per_page=100&sort=created&state=closed", func() { w.Label(late, "olivia", "colony:new") }}
	done, failed, _ := w.keeps(over(transport), (*labels.Keeper).Prune)
	if transport.do != nil || len(failed) > 0 {
		t.Fatalf("nobody took the label meanwhile: %q", failed)
	}
	w.Has(late, "colony:new")
	w.Has(closed)
	want := "keep    acme/widgets: colony:new, because it is on 1 open issue, which may need a label of the lifecycle in force instead: URL/acme/widgets/issues?q=is%3Aopen+label%3A%22colony%3Anew%22"
	if !slices.Contains(done, want) {
		t.Errorf("it does not say %q but %q", want, done)
	}
}

// deleteColonys deletes Colony's labels but for the one with the stamp.
func (w *world) deleteColonys() {
	w.t.Helper()
	for _, name := range w.colonys() {
		if name != "colony:forced" {
			_, err := w.As("olivia").Issues.DeleteLabel(context.Background(), "acme", "widgets", name)
			w.Must(err)
		}
	}
}

func TestPruneKeepsWhatMayBeInUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		because string
		doubt   func(w *world)
	}{
		"the label has the stamp": {
			"because its description says since when Colony judges this repository",
			func(w *world) {
				w.deleteColonys()
				_, _, err := w.As("olivia").Issues.EditLabel(context.Background(), "acme", "widgets", "colony:forced", &github.Label{Name: new("colony:bracket")})
				w.Must(err)
			},
		},
		"GitHub cannot list the issues": {
			"because GitHub lists no issues by a label with a comma: delete it by hand",
			func(w *world) {
				w.deleteColonys()
				w.MakeLabel("colony:this,that", "")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, _, _ := newChangedWorld(t)
			c.doubt(w)
			before := w.RepositoryLabels()
			done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune)
			if writes > 0 || len(failed) > 0 || len(done) == 0 || !slices.Equal(before, w.RepositoryLabels()) {
				t.Errorf("it writes %d times, fails with %q and does %q", writes, failed, done)
			}
			for _, line := range done {
				if !strings.HasPrefix(line, "keep ") || !strings.Contains(line, c.because) {
					t.Errorf("it does not say %q: %q", c.because, line)
				}
			}
		})
	}
}

func TestPruneDeletesNothingWhereOtherLabelsMayBeInUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		because string
		apply   int // how often that fails
		doubt   func(w *world)
	}{
		"Colony judges by other rules": {
			"acme/widgets: kept 15 labels that may be left over, because Colony judges this repository by other rules than this configuration gives: run this with the configuration of that Colony (--config); ", 1,
			func(w *world) { w.Config.Executors.Logins = map[string][]string{"dev[bot]": nil} },
		},
		"the settings have an error": {
			"acme/widgets: kept 15 labels that may be left over, because .github/colony.yml has an error, so which labels it needs is not known: correct .github/colony.yml:1:1: ", 0,
			func(w *world) { w.Commit("widgets", policy.SettingsFile, "lifecycle: [prp\n") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, _, _ := newChangedWorld(t)
			c.doubt(w)
			before := w.RepositoryLabels()
			done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune)
			if writes > 0 || len(done) > 0 || !slices.Equal(before, w.RepositoryLabels()) {
				t.Errorf("it writes %d times and does %q", writes, done)
			}
			if len(failed) != 1 || !strings.HasPrefix(failed[0], c.because) {
				t.Errorf("it does not say %q: %q", c.because, failed)
			}
			if l := w.lists(); len(l.Doubts) != 1 {
				t.Errorf("the list says: %s", l)
			}
			if _, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply); writes > 0 || len(failed) != c.apply {
				t.Errorf("applied, it writes %d times and fails with %q", writes, failed)
			}
		})
	}
}

// The labels of a former lifecycle that begin otherwise are Colony's only if somebody says so.
func TestPruneDeletesLabelsOfAFormerLifecycle(t *testing.T) {
	t.Parallel()
	own := strings.Replace(strings.ReplaceAll(acme.Hourglass, "colony:", "status/"), "initial:", "label-prefix: status/\ninitial:", 1)
	life, err := statemachine.Parse("lifecycle.yml", []byte(own))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.Commit("widgets", policy.LifecycleFile, own)
	byhand.New(t, w.GitHub)
	w.RepositoryLabel("status/open")
	w.MakeLabel("status/mine", "")
	w.Remove("widgets", policy.LifecycleFile)
	byhand.New(t, w.GitHub)
	if done, _, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune); writes > 0 || len(done) > 0 {
		t.Errorf("nobody said that these are Colony's: %q", done)
	}
	done, failed, _ := w.keeps(labels.Options{Former: []*statemachine.Table{life}}, (*labels.Keeper).Prune)
	want := []string{"delete  acme/widgets: status/late, which was on 0 closed issues", "delete  acme/widgets: status/open, which was on 0 closed issues"}
	if diff := cmp.Diff(want, done); diff != "" || len(failed) > 0 {
		t.Errorf("fails with %q (-want +got):\n%s", failed, diff)
	}
	w.RepositoryLabel("status/mine")
}
