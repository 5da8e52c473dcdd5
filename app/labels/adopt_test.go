package labels_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
	"github.com/colony-app/colony/policy"
)

// reconciles checks that a Colony that comes keeps the states of issues.
func (w *world) reconciles(all []acme.Had) {
	w.t.Helper()
	colony := byhand.New(w.t, w.GitHub)
	for _, h := range all {
		colony.Reconcile(h.Number)
	}
	w.KeepState(all)
}

// A repository that had labels of its own keeps its issues where they are: "colony labels apply" renames the labels.
func TestAdoptingARepositoryThatHadLabelsOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.HadIssues(34)
	before := w.RepositoryLabels()
	planned, failed, writes := w.keeps(labels.Options{DryRun: true, Lifecycle: []byte(w.AdoptingLifecycle())}, (*labels.Keeper).Apply, acme.Widgets)
	if len(failed) > 0 || writes > 0 {
		t.Fatalf("a plan before the file is committed writes %d times and fails with %q", writes, failed)
	}
	w.Commit("widgets", policy.LifecycleFile, w.AdoptingLifecycle())
	if l := w.lists(); len(l.Adopted) != 15 || l.Adopted[9].Now != "In review" || l.Well() || len(l.Missing) != 2 {
		t.Errorf("the list says: %s", l)
	}

	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply, acme.Widgets)
	if len(failed) > 0 || writes > 0 || !slices.Equal(before, w.RepositoryLabels()) || !slices.Equal(plan, planned) {
		t.Fatalf("a dry run writes %d times, fails with %q and tells %q", writes, failed, plan)
	}
	if want := "rename  acme/widgets: status: in review, to In review, which stays on "; !slices.ContainsFunc(plan, func(l string) bool { return strings.HasPrefix(l, want) }) {
		t.Errorf("the plan does not say %q: %q", want, plan)
	}
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply, acme.Widgets)
	if !slices.Equal(plan, done) || len(failed) > 0 || writes != 17 {
		t.Errorf("writes %d times, fails with %q, and does something else than it planned:\n%s\n\n%s", writes, failed, strings.Join(plan, "\n"), strings.Join(done, "\n"))
	}
	w.KeepState(all)
	if done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply, acme.Widgets); len(done)+len(failed)+writes > 0 {
		t.Errorf("a second run writes %d times, fails with %q and tells %q", writes, failed, done)
	}
	if is := w.RepositoryLabel("status: unknown"); is.GetColor() != "ededed" || is.GetDescription() != "Nobody knows." {
		t.Errorf("a foreign label was changed: %v", is)
	}

	w.reconciles(all)
}

// Where both labels are there, GitHub renames none: the issues get the present one, and the other is deleted once nothing carries it.
func TestAdoptingWhereBothLabelsAreThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.HadIssues(34)
	pull := w.PullRequest("olivia")
	_, _, err := w.As("olivia").Issues.AddLabelsToIssue(context.Background(), "acme", "widgets", pull, []string{acme.OldNameOf("in-review")})
	w.Must(err)
	for _, state := range []string{"in-review", "in-development", "done"} {
		w.MakeLabel(acme.NameOf(state), "Made by hand.")
	}
	w.Commit("widgets", policy.LifecycleFile, w.AdoptingLifecycle())
	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply, acme.Widgets)
	if len(failed) > 0 || writes > 0 {
		t.Fatalf("a dry run writes %d times and fails with %q", writes, failed)
	}
	for _, line := range []string{
		"delete  acme/widgets: status: done, once nothing carries it",
		"swap    acme/widgets: status: in development, for In development on 1 open issue and 1 closed issue",
		"swap    acme/widgets: status: in review, for In review on 3 open issues and 0 closed issues",
	} {
		if !slices.Contains(plan, line) {
			t.Errorf("the plan does not say %q:\n%s", line, strings.Join(plan, "\n"))
		}
	}
	if _, failed, _ := w.keeps(labels.Options{}, (*labels.Keeper).Apply, acme.Widgets); len(failed) > 0 {
		t.Fatal(failed)
	}
	w.KeepState(all)
	if is := w.LabelsOf(pull); !slices.Equal(is, []string{"In review"}) {
		t.Errorf("the pull request has %q", is)
	}
	for _, name := range w.RepositoryLabels() {
		if strings.HasPrefix(name, "status: ") && name != "status: unknown" {
			t.Errorf("there is %q still", name)
		}
	}
	if done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply, acme.Widgets); len(done)+len(failed)+writes > 0 {
		t.Errorf("a second run writes %d times, fails with %q and tells %q", writes, failed, done)
	}
	w.reconciles(all)
}

// Wherever the migration ends before its time, nobody's state is lost, and the next run finishes it.
func TestAdoptingIsInterruptedBetweenAnyTwoWrites(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{true, false} {
		w := newWorld(t)
		all := w.HadIssues(17)
		for _, state := range []string{"in-review", "done"} {
			w.MakeLabel(acme.NameOf(state), "Made by hand.")
			w.Label(all[0].Number, "olivia", acme.OldNameOf(all[0].State))
		}
		w.Commit("widgets", policy.LifecycleFile, w.AdoptingLifecycle())
		interrupted := 0
		for write := 1; ; write++ {
			_, failed, writes := w.keeps(over(&dying{left: 2, before: before}), (*labels.Keeper).Apply, acme.Widgets)
			for _, h := range all { // the state is told by one of its names
				state := slices.ContainsFunc(w.LabelsOf(h.Number), func(l string) bool { return l == acme.NameOf(h.State) || l == acme.OldNameOf(h.State) })
				if !state {
					t.Fatalf("after %d interruptions #%d has lost its state: %q", interrupted, h.Number, w.LabelsOf(h.Number))
				}
			}
			if len(failed) == 0 {
				break
			}
			interrupted++
			if interrupted > 100 {
				t.Fatalf("it never ends: %q after %d writes", failed, writes)
			}
		}
		if interrupted < 10 {
			t.Errorf("it was interrupted %d times only", interrupted)
		}
		w.KeepState(all)
		w.reconciles(all)
	}
}

// A Colony that moves issues while the migration runs: what is in another state by its log is left to it.
func TestAdoptingLeavesARequestToColony(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Commit("widgets", policy.LifecycleFile, w.AdoptingLifecycle())
	colony := byhand.New(t, w.GitHub)
	i := w.Open("olivia", "In review")
	colony.Reconcile(i)
	w.Advance(time.Minute)
	w.Label(i, "olivia", "status: new") // refused as soon as Colony sees it
	done, failed, _ := w.keeps(labels.Options{}, (*labels.Keeper).Apply, acme.Widgets)
	want := "keep    acme/widgets: status: new, because it is on 1 issue in another state: once Colony has taken it off, run this again"
	if !slices.Contains(done, want) || len(failed) > 0 {
		t.Errorf("it fails with %q and does not say %q but %q", failed, want, done)
	}
	colony.Reconcile(i)
	w.Has(i, "In review", "colony:needs-human")
	if said := w.Said(i); len(said) != 1 || !strings.Contains(said[0], "from `in-review` to `new`") {
		t.Errorf("Colony says %q", said)
	}
}

// Pruning deletes no label that the lifecycle adopts, although it begins with colony: and closed issues alone carry it.
func TestPruneKeepsWhatTheLifecycleAdopts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.MakeLabel("colony:in-review", "Of before.")
	w.MakeLabel("In review", "Of now.")
	i := w.Open("olivia", "colony:in-review")
	w.CloseIssue(i, "olivia")
	w.Commit("widgets", policy.LifecycleFile, strings.ReplaceAll(w.AdoptingLifecycle(), `"status: in review"`, `"colony:in-review"`))
	if done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune, acme.Widgets); len(done)+len(failed)+writes > 0 {
		t.Errorf("it writes %d times, fails with %q and tells %q", writes, failed, done)
	}
	if l := w.lists(); len(l.LeftOver) > 0 {
		t.Errorf("the list says: %s", l)
	}
}
