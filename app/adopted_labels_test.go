package app_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// had is an issue as a repository had it before Colony came.
type had struct {
	*issue
	state  string
	closed bool
}

// hadIssues fills a repository with issues as it had them before Colony came: with labels of its own for states, open and closed, some
// moved a few times, with labels that are nobody's business here.
func (w *world) hadIssues(n int) []had {
	w.t.Helper()
	life, err := statemachine.Shipped("colony")
	w.must(err)
	states := slices.DeleteFunc(life.StateNames(), func(s string) bool { return life.Label(s) == "" })
	for _, s := range states {
		w.makeLabel(oldNameOf(s), "Ours.")
	}
	w.makeLabel("status: unknown", "Nobody knows.")
	all := make([]had, n)
	for i := range all {
		state := states[i%len(states)]
		before := states[(i+3)%len(states)]
		opened := w.open("olivia", "", "bug", oldNameOf(before))
		opened.label("olivia", oldNameOf(state))
		opened.unlabel("olivia", oldNameOf(before))
		if i%5 == 0 {
			opened.label("olivia", "status: unknown")
		}
		all[i] = had{opened, state, i%4 == 3}
		if all[i].closed {
			opened.edit("olivia", "closed")
		}
	}
	w.clock.Advance(time.Hour)
	return all
}

// keepState checks that issues carry the present label of their state, and the labels that are none of Colony's business.
func (w *world) keepState(all []had, nameOf func(state string) string) {
	w.t.Helper()
	for i, h := range all {
		want := []string{nameOf(h.state), "bug"}
		if i%5 == 0 {
			want = append(want, "status: unknown")
		}
		slices.Sort(want)
		is := w.labelsOf(h.number)
		slices.Sort(is)
		if !slices.Equal(is, want) {
			w.t.Errorf("#%d has %q, want %q", h.number, is, want)
		}
	}
}

// A repository that had labels of its own keeps its issues where they are: "colony labels apply" renames the labels.
func TestAdoptingARepositoryThatHadLabelsOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.installation = w.github.Install(appID, "acme")
	n := 300
	if testing.Short() {
		n = 30
	}
	all := w.hadIssues(n)
	before := w.repositoryLabels()
	planned, failed, writes := w.keeps(labels.Options{DryRun: true, Lifecycle: []byte(adoptingLifecycle(t))}, (*labels.Keeper).Apply, "acme/widgets")
	if len(failed) > 0 || writes > 0 {
		t.Fatalf("a plan before the file is committed writes %d times and fails with %q", writes, failed)
	}
	w.commit("widgets", policy.LifecycleFile, adoptingLifecycle(t))
	if l := w.lists(); len(l.Adopted) != 15 || l.Adopted[9].Now != "In review" || l.Well() || len(l.Missing) != 2 {
		t.Errorf("the list says: %s", l)
	}

	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply, "acme/widgets")
	if len(failed) > 0 || writes > 0 || !slices.Equal(before, w.repositoryLabels()) || !slices.Equal(plan, planned) {
		t.Fatalf("a dry run writes %d times, fails with %q and tells %q", writes, failed, plan)
	}
	if want := "rename  acme/widgets: status: in review, to In review, which stays on "; !slices.ContainsFunc(plan, func(l string) bool { return strings.HasPrefix(l, want) }) {
		t.Errorf("the plan does not say %q: %q", want, plan)
	}
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply, "acme/widgets")
	if !slices.Equal(plan, done) || len(failed) > 0 || writes != 17 {
		t.Errorf("writes %d times, fails with %q, and does something else than it planned:\n%s\n\n%s", writes, failed, strings.Join(plan, "\n"), strings.Join(done, "\n"))
	}
	w.keepState(all, nameOf)
	if done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply, "acme/widgets"); len(done)+len(failed)+writes > 0 {
		t.Errorf("a second run writes %d times, fails with %q and tells %q", writes, failed, done)
	}
	if is := w.repositoryLabel("status: unknown"); is.GetColor() != "ededed" || is.GetDescription() != "Nobody knows." {
		t.Errorf("a foreign label was changed: %v", is)
	}

	w.start()
	w.settle()
	w.keepState(all, nameOf)
	w.sweep()
	w.settle()
	w.keepState(all, nameOf)
	moved := all[slices.IndexFunc(all, func(h had) bool { return h.state == "in-review" && !h.closed })]
	foreign := slices.DeleteFunc(w.labelsOf(moved.number), func(l string) bool { return l == "In review" })
	moved.label("olivia", "New")
	w.settle()
	moved.has(append(foreign, "In review", "colony:needs-human")...)
	moved.colonySays("from `in-review` to `new`")
	moved.label("olivia", "Merge pending")
	w.settle()
	moved.has(append(foreign, "Merge pending")...)
	moved.label("olivia", "Status: Done") // a script that knows the old name only makes the label anew
	w.settle()
	moved.has(append(foreign, "Done")...)
}

// A Colony that runs renames the labels as well, where the repository's own file says so: it makes no second ones.
func TestColonyRenamesWhatARepositorysFileAdopts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.hadIssues(17)
	w.settle()
	w.bring(adoptingLifecycle(t))
	w.settle()
	w.keepState(all, nameOf)
	for _, name := range w.repositoryLabels() {
		if strings.HasPrefix(name, "status: ") && name != "status: unknown" {
			t.Errorf("there is %q still", name)
		}
	}
	w.github.ResetCalls()
	w.sweep()
	w.settle()
	for _, h := range all {
		if n := len(h.colonyComments()); n > 0 {
			t.Errorf("Colony says something on #%d", h.number)
		}
	}
	w.writesNothing("after it renamed the labels")
}

// Where both labels are there, GitHub renames none: the issues get the present one, and the other is deleted once nothing carries it.
func TestAdoptingWhereBothLabelsAreThere(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.installation = w.github.Install(appID, "acme")
	all := w.hadIssues(34)
	pull := w.pullRequest("olivia")
	_, _, err := w.as("olivia").Issues.AddLabelsToIssue(ctx, "acme", "widgets", pull, []string{oldNameOf("in-review")})
	w.must(err)
	for _, state := range []string{"in-review", "done"} {
		w.makeLabel(nameOf(state), "Made by hand.")
	}
	w.commit("widgets", policy.LifecycleFile, adoptingLifecycle(t))
	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply, "acme/widgets")
	if len(failed) > 0 || writes > 0 {
		t.Fatalf("a dry run writes %d times and fails with %q", writes, failed)
	}
	finding := "warning  repository acme/widgets: 15 labels are under names of before: status: new (now New), status: planning (now Planning), " +
		"status: analyzing (now Analyzing), status: needs clarification (now Needs clarification), status: ready for dev (now Ready for dev) and 10 more -> " +
		"colony labels apply --repo acme/widgets takes them over; with --dry-run it prints the plan"
	if lines, _ := w.doctor(""); !slices.Contains(lines, finding) {
		t.Errorf("the doctor does not say\n%s\nbut\n%s", finding, strings.Join(lines, "\n"))
	}
	for _, line := range []string{
		"delete  acme/widgets: status: done, once nothing carries it",
		"swap    acme/widgets: status: in review, for In review on 3 open issues and 0 closed issues",
	} {
		if !slices.Contains(plan, line) {
			t.Errorf("the plan does not say %q:\n%s", line, strings.Join(plan, "\n"))
		}
	}
	if _, failed, _ := w.keeps(labels.Options{}, (*labels.Keeper).Apply, "acme/widgets"); len(failed) > 0 {
		t.Fatal(failed)
	}
	w.keepState(all, nameOf)
	if is := w.labelsOf(pull); !slices.Equal(is, []string{"In review"}) {
		t.Errorf("the pull request has %q", is)
	}
	for _, name := range w.repositoryLabels() {
		if strings.HasPrefix(name, "status: ") && name != "status: unknown" {
			t.Errorf("there is %q still", name)
		}
	}
	if done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply, "acme/widgets"); len(done)+len(failed)+writes > 0 {
		t.Errorf("a second run writes %d times, fails with %q and tells %q", writes, failed, done)
	}
	w.start()
	w.settle()
	w.keepState(all, nameOf)
}

// dying lets writes through until one is the last: its answer is lost, or it never arrives.
type dying struct {
	left   int
	before bool
}

var errDied = errors.New("died")

func (d *dying) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodGet || strings.HasSuffix(request.URL.Path, "/access_tokens") {
		return http.DefaultTransport.RoundTrip(request)
	}
	d.left--
	if d.left < 0 || d.left == 0 && d.before {
		return nil, errDied
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if d.left == 0 && err == nil {
		_ = response.Body.Close()
		return nil, errDied
	}
	return response, err
}

// Wherever the migration ends before its time, nobody's state is lost, and the next run finishes it.
func TestAdoptingIsInterruptedBetweenAnyTwoWrites(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{true, false} {
		w := newWorldWithoutColony(t)
		w.installation = w.github.Install(appID, "acme")
		all := w.hadIssues(17)
		for _, state := range []string{"in-review", "done"} {
			w.makeLabel(nameOf(state), "Made by hand.")
			all[0].label("olivia", oldNameOf(all[0].state))
		}
		w.commit("widgets", policy.LifecycleFile, adoptingLifecycle(t))
		interrupted := 0
		for write := 1; ; write++ {
			_, failed, writes := w.keeps(labels.Options{Options: app.Options{Transport: &dying{left: 2, before: before}}}, (*labels.Keeper).Apply, "acme/widgets")
			for _, h := range all { // the state is told by one of its names
				state := slices.ContainsFunc(w.labelsOf(h.number), func(l string) bool { return l == nameOf(h.state) || l == oldNameOf(h.state) })
				if !state {
					t.Fatalf("after %d interruptions #%d has lost its state: %q", interrupted, h.number, w.labelsOf(h.number))
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
		w.keepState(all, nameOf)
		w.start()
		w.settle()
		w.keepState(all, nameOf)
		w.stopColony()
	}
}

// A Colony that moves issues while the migration runs: what is in another state by its log is left to it.
func TestAdoptingLeavesARequestToColony(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.bring(adoptingLifecycle(t))
	i := w.open("olivia", "", "In review")
	w.settle()
	w.stopColony()
	i.label("olivia", "status: new") // refused as soon as Colony sees it
	done, failed, _ := w.keeps(labels.Options{}, (*labels.Keeper).Apply, "acme/widgets")
	want := "keep    acme/widgets: status: new, because it is on 1 issue in another state: once Colony has taken it off, run this again"
	if !slices.Contains(done, want) || len(failed) > 0 {
		t.Errorf("it fails with %q and does not say %q but %q", failed, want, done)
	}
	w.start()
	w.settle()
	w.sweep()
	w.settle()
	i.has("In review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
}

// Uninstalling keeps what the repository may have had before, and says so, unless it is told otherwise.
func TestUninstallKeepsLabelsWithNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.hadIssues(17)
	w.clock.Advance(time.Minute) // the points of the installation come back
	w.bring(adoptingLifecycle(t))
	w.pass(6, 10*time.Second) // so do those that its labels and issues take
	w.settle()
	w.must(w.github.Uninstall(w.installation))
	w.quiet()
	token := app.Options{Token: w.github.Token("mona")}
	plan, failed := w.leaves(labels.Options{Options: token})
	if len(failed) > 0 || len(plan.Kept) != 15 || len(plan.Steps) == 0 || len(w.colonys()) > 0 {
		t.Errorf("it fails with %q, keeps %q and leaves %q", failed, plan.Kept, w.repositoryLabels())
	}
	want := "keep    acme/widgets: In review, because its name does not begin with colony:, so the repository may have had it before (--own-names deletes it too)"
	if !slices.ContainsFunc(plan.Kept, func(s labels.Step) bool { return s.String() == want }) {
		t.Errorf("it does not say %q but %q", want, plan.Kept)
	}
	w.keepState(all, nameOf)
	if plan, failed := w.leaves(labels.Options{Options: token, OwnNames: true}); len(failed) > 0 || len(plan.Steps) != 15 || len(plan.Kept) > 0 {
		t.Errorf("with --own-names it fails with %q and plans %q", failed, plan.Steps)
	}
	if left := w.repositoryLabels(); slices.Contains(left, "In review") || !slices.Contains(left, "status: unknown") {
		t.Errorf("there is left: %q", left)
	}
}

// Pruning deletes no label that the lifecycle adopts, although it begins with colony: and closed issues alone carry it.
func TestPruneKeepsWhatTheLifecycleAdopts(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.installation = w.github.Install(appID, "acme")
	w.makeLabel("colony:in-review", "Of before.")
	w.makeLabel("In review", "Of now.")
	i := w.open("olivia", "", "colony:in-review")
	i.edit("olivia", "closed")
	w.commit("widgets", policy.LifecycleFile, strings.ReplaceAll(adoptingLifecycle(t), `"status: in review"`, `"colony:in-review"`))
	if done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune, "acme/widgets"); len(done)+len(failed)+writes > 0 {
		t.Errorf("it writes %d times, fails with %q and tells %q", writes, failed, done)
	}
	if l := w.lists(); len(l.LeftOver) > 0 {
		t.Errorf("the list says: %s", l)
	}
}
