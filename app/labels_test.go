package app_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// keeps lets a keeper of labels do something in the repositories, all that the App sees if none is named, and returns what it told, what
// failed, and how often it wrote.
func (w *world) keeps(o labels.Options, do func(*labels.Keeper, context.Context, issues.Repository, func(labels.Step)) error, named ...string) (lines, failed []string, writes int) {
	w.t.Helper()
	w.github.ResetCalls()
	o.Clock = w.clock
	c := w.config
	c.GitHub.Pace = ratelimit.Settings{} // the fake clock stands still
	k, err := labels.New(c, o)
	w.must(err)
	w.must(k.Each(ctx, named, func(ctx context.Context, repo issues.Repository) error {
		return do(k, ctx, repo, func(s labels.Step) { lines = append(lines, strings.ReplaceAll(s.String(), w.url, "URL")) })
	}, func(f labels.Failure) { failed = append(failed, f.String()) }))
	for _, c := range w.github.Calls() {
		if c.Method != http.MethodGet && !strings.HasSuffix(c.Path, "/access_tokens") {
			writes++
		}
	}
	return lines, failed, writes
}

// passes lets the time pass for which a keeper of labels is about to wait.
func (w *world) passes(wait time.Duration) {
	go func() {
		_ = w.clock.BlockUntilContext(ctx, 1)
		w.clock.Advance(wait)
	}()
}

func (w *world) lists() labels.Listed {
	w.t.Helper()
	k, err := labels.New(w.config, labels.Options{Options: app.Options{Clock: w.clock}})
	w.must(err)
	var listed labels.Listed
	w.must(k.Each(ctx, []string{"acme/widgets"}, func(ctx context.Context, repo issues.Repository) (err error) {
		listed, err = k.List(ctx, repo)
		return err
	}, func(f labels.Failure) { w.t.Error(f) }))
	return listed
}

// repositoryLabels are the names of all labels of acme/widgets.
func (w *world) repositoryLabels() (names []string) {
	w.t.Helper()
	all, _, err := w.as("mona").Issues.ListLabels(ctx, "acme", "widgets", &github.ListOptions{PerPage: 100})
	w.must(err)
	for _, l := range all {
		names = append(names, l.GetName())
	}
	return names
}

func (w *world) repositoryLabel(name string) *github.Label {
	w.t.Helper()
	l, _, err := w.as("mona").Issues.GetLabel(ctx, "acme", "widgets", url.PathEscape(name))
	w.must(err)
	return l
}

func (w *world) editRepositoryLabel(name string, l *github.Label) {
	w.t.Helper()
	_, _, err := w.as("olivia").Issues.EditLabel(ctx, "acme", "widgets", name, l)
	w.must(err)
}

func (w *world) makeLabel(name, description string) {
	w.t.Helper()
	_, _, err := w.as("olivia").Issues.CreateLabel(ctx, "acme", "widgets", &github.Label{Name: &name, Color: new("ededed"), Description: &description})
	w.must(err)
}

func TestLabelsApply(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.installation = w.github.Install(appID, "acme")
	w.makeLabel("flaw", "It is one.")
	w.makeLabel("Colony:Done", "Mine.")
	w.makeLabel("colony:forced", "Mine.")
	before := w.repositoryLabels()

	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply)
	if len(failed) > 0 || writes > 0 || len(plan) != 17 || !slices.Equal(before, w.repositoryLabels()) {
		t.Fatalf("a dry run writes %d times, fails with %q and tells %q", writes, failed, plan)
	}
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply)
	if diff := cmp.Diff(plan, done); diff != "" || len(failed) > 0 || writes != 17 {
		t.Errorf("writes %d times, fails with %q, and does something else than it planned (-plan +done):\n%s", writes, failed, diff)
	}
	for _, line := range []string{
		"create  acme/widgets: colony:new",
		`repair  acme/widgets: Colony:Done, it had colour ededed instead of 0b6623, description "Mine." instead of "Complete. There is no way out of this state. Managed by Colony."`,
		"repair  acme/widgets: colony:forced, it had colour ededed instead of 5319e7",
	} {
		if !slices.Contains(done, line) {
			t.Errorf("it does not say %q but %q", line, done)
		}
	}
	if is := w.repositoryLabel("flaw"); is.GetColor() != "ededed" || is.GetDescription() != "It is one." {
		t.Errorf("a foreign label was changed: %v", is)
	}
	if l := w.lists(); !l.Well() || len(l.There) != 17 {
		t.Errorf("after it was applied, the list says: %s", l)
	}
	if done, _, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply); len(done) > 0 || writes > 0 {
		t.Errorf("applied again, it writes %d times: %q", writes, done)
	}

	// A Colony that comes then judges from its own beginning on.
	i := w.open("olivia", "", "colony:done")
	i.label("olivia", "colony:new")
	w.clock.Advance(time.Hour)
	w.start()
	w.settle()
	i.has("Colony:Done", "colony:new")
	since := w.forcedDescription()
	if !strings.Contains(since, " Here since ") {
		t.Fatalf("nobody judges: %q", since)
	}
	w.stopColony()
	w.editRepositoryLabel("colony:forced", &github.Label{Color: new("000000")})
	w.keeps(labels.Options{}, (*labels.Keeper).Apply)
	if is := w.repositoryLabel("colony:forced"); is.GetColor() != "5319e7" || is.GetDescription() != since {
		t.Errorf("since when Colony judges was changed from %q: %v", since, is)
	}
}

// newChangedWorld is a world in which the lifecycle of acme/widgets changed from colony to prp.
func newChangedWorld(t *testing.T) (w *world, open, closed *issue) {
	t.Helper()
	w = newWorld(t)
	open, closed = w.open("olivia", "", "colony:in-review"), w.open("olivia", "", "colony:done")
	w.settle()
	w.commitAndSettle("widgets", policy.SettingsFile, "lifecycle: prp\n")
	_, _, err := w.as("olivia").Issues.Edit(ctx, "acme", "widgets", closed.number, &github.IssueRequest{State: new("closed")})
	w.must(err)
	w.settle()
	return w, open, closed
}

func TestLabelsOfAnotherLifecycleAreFoundAndPruned(t *testing.T) {
	t.Parallel()
	w, open, closed := newChangedWorld(t)
	w.makeLabel("colony", "Nobody knows.")
	w.makeLabel("colonyx:new", "Nobody knows.")
	w.settle()

	l := w.lists()
	if l.Lifecycle != "prp" || len(l.Missing)+len(l.Differing) > 0 || l.Well() || len(l.Doubts) > 0 {
		t.Errorf("the list says: %s", l)
	}
	says := strings.ReplaceAll(l.String(), w.url, "URL")
	for _, line := range []string{
		"  left over  colony:in-review (of lifecycle autoralph, colony): on 1 open issue, URL/acme/widgets/issues?q=is%3Aopen+label%3A%22colony%3Ain-review%22\n",
		"  left over  colony:done (of lifecycle colibri, colony): on no open issue\n",
	} {
		if !strings.Contains(says, line) {
			t.Errorf("the list does not say %q:\n%s", line, says)
		}
	}
	finding := `warning  repository acme/widgets: 15 labels are left over from another lifecycle: prp is in force and does not use colony:analyzing, ` +
		`colony:changes-requested, colony:dependency-blocked, colony:done, colony:failure-blocked and 10 more -> ` +
		`colony labels prune --repo acme/widgets deletes those that no open issue carries`
	if lines, worst := w.doctor(""); !slices.Contains(lines, finding) || worst != doctor.Warning {
		t.Errorf("the doctor does not say\n%s\nbut\n%s", finding, strings.Join(lines, "\n"))
	}

	before := w.repositoryLabels()
	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Prune, "acme/widgets")
	if writes > 0 || len(failed) > 0 || !slices.Equal(before, w.repositoryLabels()) {
		t.Fatalf("a dry run writes %d times and fails with %q", writes, failed)
	}
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune, "acme/widgets")
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
	w.settle()
	open.has("colony:in-review")
	closed.has()
	for _, name := range []string{"colony", "colonyx:new", "colony:in-review", "colony:forced", "colony:needs-human"} {
		w.repositoryLabel(name)
	}
	if l := w.lists(); len(l.LeftOver) != 1 || len(l.Missing) > 0 {
		t.Errorf("the list says: %s", l)
	}
	open.unlabel("olivia", "colony:in-review")
	w.settle()
	w.keeps(labels.Options{}, (*labels.Keeper).Prune)
	if l := w.lists(); !l.Well() {
		t.Errorf("the list says: %s", l)
	}
}

// between does something after the first answer to a request whose address has some words.
type between struct {
	words string
	do    func()
}

func (b *between) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if strings.Contains(request.URL.String(), b.words) && b.do != nil {
		do := b.do
		b.do = nil
		do()
	}
	return response, err
}

// What was read when the labels were listed is too old to delete by.
func TestPruneKeepsALabelThatSomebodyTakesMeanwhile(t *testing.T) {
	t.Parallel()
	w, _, closed := newChangedWorld(t)
	w.stopColony()
	late := w.open("olivia", "")
	transport := &between{"/acme/widgets/issues?direction=asc&labels=colony%3Anew&page=1&per_page=100&sort=created&state=closed", func() { late.label("olivia", "colony:new") }}
	done, failed, _ := w.keeps(labels.Options{Options: app.Options{Transport: transport}}, (*labels.Keeper).Prune)
	if transport.do != nil || len(failed) > 0 {
		t.Fatalf("nobody took the label meanwhile: %q", failed)
	}
	late.has("colony:new")
	closed.has()
	want := "keep    acme/widgets: colony:new, because it is on 1 open issue, which may need a label of the lifecycle in force instead: URL/acme/widgets/issues?q=is%3Aopen+label%3A%22colony%3Anew%22"
	if !slices.Contains(done, want) {
		t.Errorf("it does not say %q but %q", want, done)
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
				for _, name := range w.repositoryLabels() {
					if strings.HasPrefix(name, "colony:") && name != "colony:forced" {
						_, err := w.as("olivia").Issues.DeleteLabel(ctx, "acme", "widgets", name)
						w.must(err)
					}
				}
				w.editRepositoryLabel("colony:forced", &github.Label{Name: new("colony:bracket")})
			},
		},
		"GitHub cannot list the issues": {
			"because GitHub lists no issues by a label with a comma: delete it by hand",
			func(w *world) {
				for _, name := range w.repositoryLabels() {
					if strings.HasPrefix(name, "colony:") && name != "colony:forced" {
						_, err := w.as("olivia").Issues.DeleteLabel(ctx, "acme", "widgets", name)
						w.must(err)
					}
				}
				w.makeLabel("colony:this,that", "")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, _ := newChangedWorld(t)
			w.stopColony()
			c.doubt(w)
			before := w.repositoryLabels()
			done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune)
			if writes > 0 || len(failed) > 0 || len(done) == 0 || !slices.Equal(before, w.repositoryLabels()) {
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
			func(w *world) { w.config.Executors.Logins = map[string][]string{"dev[bot]": nil} },
		},
		"the settings have an error": {
			"acme/widgets: kept 15 labels that may be left over, because .github/colony.yml has an error, so which labels it needs is not known: correct .github/colony.yml:1:1: ", 0,
			func(w *world) { w.commit("widgets", policy.SettingsFile, "lifecycle: [prp\n") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, _ := newChangedWorld(t)
			w.stopColony()
			c.doubt(w)
			before := w.repositoryLabels()
			done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune)
			if writes > 0 || len(done) > 0 || !slices.Equal(before, w.repositoryLabels()) {
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
	own := strings.Replace(strings.ReplaceAll(hourglass, "colony:", "status/"), "initial:", "label-prefix: status/\ninitial:", 1)
	life, err := statemachine.Parse("lifecycle.yml", []byte(own))
	w := newWorld(t)
	w.must(err)
	w.commitAndSettle("widgets", policy.LifecycleFile, own)
	w.repositoryLabel("status/open")
	w.makeLabel("status/mine", "")
	w.remove("widgets", policy.LifecycleFile)
	w.settle()
	w.clock.Advance(10 * time.Second)
	w.settle()
	if done, _, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune); writes > 0 || len(done) > 0 {
		t.Errorf("nobody said that these are Colony's: %q", done)
	}
	done, failed, _ := w.keeps(labels.Options{Former: []*statemachine.Lifecycle{life}}, (*labels.Keeper).Prune)
	want := []string{"delete  acme/widgets: status/late, which was on 0 closed issues", "delete  acme/widgets: status/open, which was on 0 closed issues"}
	if diff := cmp.Diff(want, done); diff != "" || len(failed) > 0 {
		t.Errorf("fails with %q (-want +got):\n%s", failed, diff)
	}
	w.repositoryLabel("status/mine")
}

func TestLabelsWaitForARateLimitAndGoOnAfterAFailure(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.installation = w.github.Install(appID, "acme")
	w.github.AddRepository("acme", "gears")
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/acme/widgets/labels$`), Times: 1,
		Status: http.StatusForbidden, Header: map[string]string{"Retry-After": "60"}, Body: `{"message": "You have exceeded a secondary rate limit."}`,
	})
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/acme/gears/labels$`), Times: 1,
		Status: http.StatusForbidden, Body: `{"message": "Repository was archived so is read-only."}`,
	})
	var waited []time.Duration
	done, failed, _ := w.keeps(labels.Options{Waits: func(wait time.Duration) {
		waited = append(waited, wait)
		w.passes(wait)
	}}, (*labels.Keeper).Apply, "acme/gears", "acme/nothing", "widgets", "acme/widgets")
	if diff := cmp.Diff([]time.Duration{time.Minute}, waited); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if len(done) != 17 || !slices.Contains(w.repositoryLabels(), "colony:new") {
		t.Errorf("it does %q", done)
	}
	want := []string{
		"acme/gears: create label colony:new in acme/gears: .* Repository was archived so is read-only. .* -> is the repository archived, or may these credentials not write labels",
		"acme/nothing: the App is not installed there, or there is no such repository",
		"widgets: write a repository as OWNER/NAME",
	}
	if len(failed) != len(want) {
		t.Fatalf("fails with %q", failed)
	}
	for i, f := range failed {
		if !regexp.MustCompile(want[i]).MatchString(f) {
			t.Errorf("fails with %q instead of %q", f, want[i])
		}
	}
}

// leaves plans to uninstall Colony from acme/widgets and does so, and returns the plan, and what failed.
func (w *world) leaves(o labels.Options) (plan labels.Leaving, failed []string) {
	w.t.Helper()
	_, failed, writes := w.keeps(o, func(k *labels.Keeper, ctx context.Context, repo issues.Repository, _ func(labels.Step)) (err error) {
		plan, err = k.Leave(ctx, repo)
		return err
	}, "acme/widgets")
	if writes > 0 {
		w.t.Errorf("the plan writes %d times", writes)
	}
	if len(failed) > 0 {
		return plan, failed
	}
	_, failed, _ = w.keeps(o, func(k *labels.Keeper, ctx context.Context, repo issues.Repository, tell func(labels.Step)) error {
		return k.Uninstall(ctx, repo, plan, tell)
	}, "acme/widgets")
	return plan, failed
}

// colonys are the labels of acme/widgets that begin with Colony's prefix.
func (w *world) colonys() []string {
	w.t.Helper()
	return slices.DeleteFunc(w.repositoryLabels(), func(name string) bool { return !issues.IsColonys(name) })
}

func TestUninstallLeavesNothingButComments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		leave func(w *world) labels.Options
		note  string
	}{
		"with a token, once the App is uninstalled": {func(w *world) labels.Options {
			w.must(w.github.Uninstall(w.installation))
			w.quiet()
			return labels.Options{Options: app.Options{Token: w.github.Token("mona")}}
		}, ""},
		"with a token, once the repository is out of the installation": {func(w *world) labels.Options {
			w.github.AddRepository("acme", "gears")
			w.quiet()
			w.must(w.github.RemoveFromInstallation(w.installation, "widgets"))
			w.quiet()
			return labels.Options{Options: app.Options{Token: w.github.Token("mona")}}
		}, ""},
		"with a token, without the App's credentials": {func(w *world) labels.Options {
			w.must(w.github.Uninstall(w.installation))
			w.quiet()
			w.config.GitHub.App.PrivateKey = ""
			return labels.Options{Options: app.Options{Token: w.github.Token("mona")}}
		}, "whether the App is installed there cannot be asked without its credentials: uninstall it first, or its Colony makes the labels anew"},
		"with a token, and a key that GitHub does not know any more": {func(w *world) labels.Options {
			w.must(w.github.Uninstall(w.installation))
			w.quiet()
			w.config.GitHub.App.PrivateKey = otherKey()
			return labels.Options{Options: app.Options{Token: w.github.Token("mona")}}
		}, "whether the App is installed there cannot be asked without its credentials: uninstall it first, or its Colony makes the labels anew"},
		"with the App's credentials, once Colony is stopped": {func(w *world) labels.Options {
			w.stopColony()
			return labels.Options{}
		}, "the App is installed there, and no Colony answers at "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, open, closed := newChangedWorld(t)
			open.label("olivia", "colony:complete", "flaw")
			open.label("olivia", "colony:planned")
			w.settle()
			open.colonySays()
			o := c.leave(w)
			others := slices.DeleteFunc(w.repositoryLabels(), issues.IsColonys)
			if len(w.colonys()) == 0 {
				t.Fatal("there is nothing to delete")
			}
			plan, failed := w.leaves(o)
			if left := w.colonys(); len(left) > 0 || len(failed) > 0 {
				t.Errorf("%q are left, and it fails with %q", left, failed)
			}
			if !slices.Equal(others, w.repositoryLabels()) {
				t.Errorf("it deleted others: %q instead of %q", w.repositoryLabels(), others)
			}
			if plan.Steps[0].Label != "colony:forced" || !strings.HasPrefix(plan.Note, c.note) || (c.note == "") != (plan.Note == "") {
				t.Errorf("the plan begins with %s, and notes %q", plan.Steps[0], plan.Note)
			}
			open.has("flaw")
			closed.has()
			if len(open.colonyComments()) != 1 {
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
			w, open, _ := newChangedWorld(t)
			o := labels.Options{}
			if token {
				o.Token = w.github.Token("mona")
			}
			before := w.repositoryLabels()
			_, failed := w.leaves(o)
			if len(failed) != 1 || !strings.HasPrefix(failed[0], "acme/widgets: a Colony works there: the App is installed (") {
				t.Errorf("it fails with %q", failed)
			}
			if !slices.Equal(before, w.repositoryLabels()) {
				t.Error("it deleted something")
			}
			open.has("colony:in-review")
		})
	}
}

// A Colony that nobody can ask about makes the labels anew: that is no success.
func TestUninstallFailsIfLabelsComeBack(t *testing.T) {
	t.Parallel()
	w, _, _ := newChangedWorld(t)
	w.stopColony()
	transport := &between{"/labels/colony:complete", func() { w.makeLabel("colony:complete", "") }}
	_, failed := w.leaves(labels.Options{Options: app.Options{Transport: transport}})
	if transport.do != nil || len(failed) != 1 || !strings.HasPrefix(failed[0], "acme/widgets: colony:complete back: a Colony works there") {
		t.Errorf("fails with %q", failed)
	}
}

func TestUninstallNeedsATokenWhereTheAppIsNotInstalled(t *testing.T) {
	t.Parallel()
	w, _, _ := newChangedWorld(t)
	w.must(w.github.Uninstall(w.installation))
	w.quiet()
	if _, failed := w.leaves(labels.Options{}); len(failed) != 1 || failed[0] != "acme/widgets: "+labels.ErrNotInstalled.Error() {
		t.Errorf("fails with %q", failed)
	}
	if _, failed := w.leaves(labels.Options{Options: app.Options{Token: w.github.Token("rita")}}); len(failed) != 1 || !strings.Contains(failed[0], "or may these credentials not write labels") {
		t.Errorf("somebody who may only read fails with %q", failed)
	}
}
