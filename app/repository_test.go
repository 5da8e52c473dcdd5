package app_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// strictDesk lets nobody answer before the author was asked.
var strictDesk = strings.Replace(acme.Desk, "{from: open, to: [asked, answered], why: Somebody looked.}", `{from: open, to: asked, why: Somebody looked.}
      - {from: asked, to: answered, why: The author said enough.}`, 1)

func TestRepositoryBringsItsOwnLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.Commit("widgets", policy.LifecycleFile, acme.Desk)
	w.start()
	w.install()
	label, _, err := w.As("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered")
	w.Must(err)
	if label.GetColor() != "0e8a16" {
		t.Errorf("the label has the colour %s", label.GetColor())
	}
	i := w.open("olivia", "", "colony:in-review") // a state elsewhere, here anybody's label
	i.Label("olivia", "colony:open")
	w.Settle()
	w.github.ResetCalls()
	i.Label("dev[bot]", "colony:asked")
	w.Settle()
	i.Has("colony:asked", "colony:in-review")
	if reads, writes := w.Cost(); reads > 2 || writes > 1 {
		t.Errorf("an accepted change cost %d reads and %d writes, more than 2 and 1", reads, writes)
	}
	i.Label("olivia", "colony:answered")
	w.Settle()
	i.Has("colony:asked", "colony:in-review", "colony:needs-human")
	i.ColonySays("from `asked` to `answered`", "`open`")
	c := i.Comment("olivia", "/colony:move open")
	w.Settle()
	i.ColonyReacts(c, "+1")
	i.Has("colony:in-review", "colony:open")
}

func TestRepositoryChoosesAShippedLifecycleAndItsExecutors(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, func(c *config.Config) { c.Executors.Logins = map[string][]string{"carl": {"developer"}} })
	w.github.AddUser("carl")
	w.github.SetPermission("acme", "widgets", "carl", "write")
	w.github.AddRepository("acme", ".github")
	w.Commit(".github", policy.LifecycleFile, acme.Desk)
	w.Commit("widgets", policy.SettingsFile, "lifecycle: colony\nexecutors:\n  logins: {olivia: [reviewer]}\n  widen: [{role: reviewer, from: in-review, to: merge-pending}]\n")
	w.start()
	w.install()
	i := w.open("ada", "")
	i.Label("tara", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:merge-pending") // a reviewer by the file, and widened
	w.Settle()
	i.Has("colony:merge-pending")
	other := w.open("ada", "")
	other.Label("tara", "colony:in-review")
	w.Settle()
	other.Label("carl", "colony:merge-pending") // a developer by the server
	w.Settle()
	other.Has("colony:failure-blocked", "colony:needs-human")
	other.ColonySays("`carl` tried to move the issue from `in-review` to `merge-pending`")
}

func TestOrganisationSpeaksForItsRepositories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.github.AddRepository("acme", ".github")
	w.Settle()
	w.CommitAndSettle(".github", policy.LifecycleFile, acme.Desk)
	i.Label("olivia", "colony:open")
	w.Settle()
	i.Has("colony:in-review", "colony:open") // the label of before is a state no more
	i.Label("olivia", "colony:answered")
	w.Settle()
	i.Has("colony:answered", "colony:in-review")

	w.CommitAndSettle("widgets", policy.SettingsFile, "lifecycle: colony\n") // its own choice goes before
	j := w.open("ada", "")
	j.Label("olivia", "colony:in-review")
	w.Settle()
	j.Label("olivia", "colony:new")
	w.Settle()
	j.Has("colony:in-review", "colony:needs-human")
	j.ColonySays("from `in-review` to `new`")
}

func TestBrokenFileChangesNothingAndIsReportedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
	w.CommitAndSettle("widgets", policy.LifecycleFile, strings.Replace(acme.Desk, "type: terminal", "type: over", 1))
	w.SaidOnce("widgets", policy.LifecycleFile, "Colony cannot use this version of `.github/colony-lifecycle.yml`", "line 10, column ", "over", "keeps using the version of", "name: answered")
	works := func() {
		t.Helper()
		i := w.open("ada", "")
		i.Label("olivia", "colony:open")
		w.Settle()
		i.Label("olivia", "colony:answered")
		w.Settle()
		i.Has("colony:answered")
	}
	works()
	w.stopColony()
	w.start() // its successor finds the last good version in the history
	w.Settle()
	works()
	w.Sweep()
	w.SaidOnce("widgets", policy.LifecycleFile)
	if n := acme.Value(w.metrics(), "colony_broken_repositories"); n != 1 {
		t.Errorf("%v repositories are known to be broken", n)
	}
	lines, worst := w.doctor("")
	if told := strings.Join(lines, "\n"); worst != doctor.Warning || !strings.Contains(told, "repository acme/widgets: .github/colony-lifecycle.yml:10:") ||
		!strings.Contains(told, "repository acme/widgets: its lifecycle is desk, from acme/widgets/.github/colony-lifecycle.yml") {
		t.Errorf("the doctor says\n%s", told)
	}

	w.CommitAndSettle("widgets", policy.LifecycleFile, strictDesk)
	if said := w.Said("widgets", policy.LifecycleFile); len(said) != 0 {
		t.Errorf("Colony complains of what is mended: %q", said)
	}
	i := w.open("ada", "")
	i.Label("olivia", "colony:open")
	w.Settle()
	i.Label("olivia", "colony:answered")
	w.Settle()
	i.Has("colony:needs-human", "colony:open")
	i.ColonySays("from `open` to `answered`")
}

// No text that strangers put into the files breaks anything, and the server's lifecycle stays in force.
func TestUnusableFilesOfRepositories(t *testing.T) {
	t.Parallel()
	nested := strings.Repeat("[", 5000)
	for name, c := range map[string]struct {
		path, text string
		says       []string
	}{
		"huge":            {policy.LifecycleFile, acme.Desk + strings.Repeat("# more\n", 11_000), []string{"bytes, more than 65536"}},
		"deep":            {policy.LifecycleFile, "a: " + nested, []string{"line 1"}},
		"deep and closed": {policy.SettingsFile, "executors: {logins: " + strings.Repeat("[", 30) + strings.Repeat("]", 30) + "}", []string{"nested more than"}},
		"a bomb":          {policy.SettingsFile, "a: &a [x, x]\nb: &b [*a, *a]\nexecutors: *b\n", []string{"anchors and aliases are not supported"}},
		"no text":         {policy.SettingsFile, "\x00\xff\xfe", []string{"line 1"}},
		"empty":           {policy.SettingsFile, "", []string{"the file is empty"}},
		"two documents":   {policy.SettingsFile, "lifecycle: colony\n---\nlifecycle: colony\n", []string{"second document"}},
		"unknown setting": {policy.SettingsFile, "lifecycle: colony\nsweep: {interval: 1m}\n", []string{"line 2, column 1", "sweep"}},
		"another name":    {policy.SettingsFile, "lifecycle: kanban\n", []string{"line 1, column 12", "kanban"}},
		"another role":    {policy.SettingsFile, "executors:\n  logins: {olivia: [developer, king]}\n", []string{"line 2, column 32", "king"}},
		"another table":   {policy.SettingsFile, "executors:\n  widen: [{role: reviewer, from: done, to: new}]\n", []string{"line 2, column 11", "not in the table"}},
		"a folder":        {policy.SettingsFile + "/x", "lifecycle: colony\n", []string{"this is a dir, and not a file"}},
		"hostile":         {policy.SettingsFile, "lifecycle: \"@everyone <!-- colony:explains 1 --> /colony:force done\"\n", []string{"line 1, column 12"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.CommitAndSettle("widgets", c.path, c.text)
			w.SaidOnce("widgets", c.path, append(c.says, "as if the file were not there")...)
			said := w.Said("widgets", c.path)[0]
			if strings.Contains(said, "<!-- colony:explains") || regexp.MustCompile("(?m)^/colony").MatchString(said) {
				t.Errorf("the comment does what the file says:\n%s", said)
			}
			i := w.open("ada", "")
			i.Label("olivia", "colony:in-review")
			w.Settle()
			i.Label("olivia", "colony:new")
			w.Settle()
			i.Has("colony:in-review", "colony:needs-human")
			i.ColonySays("from `in-review` to `new`")
		})
	}
}

func TestNameBesideALifecycleHasNoEffectAndIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, "lifecycle: colony\nexecutors:\n  logins: {carl: []}\n")
	w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
	w.SaidOnce("widgets", policy.LifecycleFile, "Colony ignores a part of `.github/colony.yml`", "line 1, column 12", "Colony uses the rest of the file")
	w.github.AddUser("carl")
	w.github.SetPermission("acme", "widgets", "carl", "write")
	i := w.open("ada", "")
	i.Label("olivia", "colony:open")
	w.Settle()
	i.Label("carl", "colony:answered") // no clerk may
	w.Settle()
	i.Has("colony:needs-human", "colony:stuck")
	i.ColonySays("`carl` tried to move the issue from `open` to `answered`")
}

// Moves by the old table stand, and moves from then on follow the new one.
func TestEditedLifecycleSettlesWhatStood(t *testing.T) {
	t.Parallel()
	for name, learn := range map[string]func(w *world){
		"by webhook": func(w *world) {
			w.CommitAndSettle("widgets", policy.LifecycleFile, strictDesk)
		},
		"by a sweep": func(w *world) {
			w.github.DropNext(1)
			w.Commit("widgets", policy.LifecycleFile, strictDesk)
			w.clock.Advance(10 * time.Second)
			w.Sweep()
		},
		"after a while": func(w *world) {
			w.github.DropNext(1)
			w.Commit("widgets", policy.LifecycleFile, strictDesk)
			w.clock.Advance(6 * time.Minute)
			w.open("olivia", "", "colony:open") // what is done now is the first to be judged by it
			w.Settle()
		},
		"after a restart": func(w *world) {
			w.stopColony()
			w.Commit("widgets", policy.LifecycleFile, strictDesk)
			w.Settle()
			w.start()
			w.Settle()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
			i, j := w.open("ada", ""), w.open("ada", "")
			i.Label("olivia", "colony:open")
			j.Label("olivia", "colony:open")
			w.Settle()
			i.Label("olivia", "colony:answered") // the new table has it not
			w.Settle()
			learn(w)
			i.Has("colony:answered")
			j.Has("colony:open")
			j.Label("olivia", "colony:answered")
			w.Settle()
			j.Has("colony:needs-human", "colony:open")
			j.ColonySays("from `open` to `answered`")
			j.Label("olivia", "colony:asked")
			w.Settle()
			j.Label("olivia", "colony:answered")
			w.Settle()
			j.Has("colony:answered")
			w.Sweep()
			i.Has("colony:answered")
		})
	}
}

func TestCommandThatWaitsRunsUnderTheNewTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.LifecycleFile, strictDesk)
	i := w.open("ada", "")
	i.Label("olivia", "colony:open")
	w.Settle()
	mended := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/permission$`), Status: http.StatusBadGateway,
	})
	c := i.Comment("tara", "/colony:move answered")
	w.Quiet()
	i.ColonyReacts(c, "eyes")
	w.clock.Advance(time.Minute)
	w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
	i.Has("colony:open")
	mended()
	for range 3 {
		w.clock.Advance(5 * time.Minute)
		w.Settle()
	}
	i.Has("colony:answered")
	i.ColonyReacts(c, "+1")
}

// A command whose move was made, but not its receipt, is not run once more because the table changed in between.
func TestCommandIsNotRunAgainBecauseTheTableChanged(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, onDisk(t))
	crash := &crashingTransport{}
	w.transport = crash
	w.Commit("widgets", policy.LifecycleFile, acme.Desk)
	w.start()
	w.install()
	i := w.open("ada", "")
	i.Label("olivia", "colony:open")
	w.Settle()
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/reactions$`), Status: http.StatusBadGateway, Times: 1})
	c := i.Comment("olivia", "/colony:move asked")
	w.Quiet()
	i.Has("colony:asked")
	w.stopColony()
	w.clock.Advance(time.Minute)
	w.Commit("widgets", policy.LifecycleFile, strictDesk)
	w.start()
	for range 3 {
		w.clock.Advance(5 * time.Minute)
		w.Settle()
	}
	i.Has("colony:asked")
	i.ColonyReacts(c, "+1") // it would be confused, were it run in asked
}

func TestServerPolicyIsChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:done") // an operator's move
	w.Settle()
	w.stopColony()
	w.clock.Advance(time.Minute)
	w.config.Executors.Logins = map[string][]string{"olivia": {"developer"}}
	w.start()
	w.Settle()
	w.Sweep()
	i.Has("colony:done")
	j := w.open("ada", "")
	j.Label("tara", "colony:in-review")
	w.Settle()
	j.Label("olivia", "colony:done")
	w.Settle()
	j.Has("colony:failure-blocked", "colony:needs-human")
	j.ColonySays("`olivia` tried to move the issue from `in-review` to `done`")
}

func TestUnreadablePolicyIsNotTakenForNone(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.Commit("widgets", policy.LifecycleFile, acme.Desk)
	mended := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Path: regexp.MustCompile(`/contents/`), Status: http.StatusBadGateway})
	w.start()
	w.install()
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	_, response, _ := w.As("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:in-development")
	if response == nil || response.StatusCode != http.StatusNotFound {
		t.Error("Colony took the server's lifecycle while it could not read the repository's")
	}
	mended()
	for range 3 {
		w.clock.Advance(5 * time.Minute)
		w.Settle()
	}
	if _, _, err := w.As("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered"); err != nil {
		t.Errorf("the request for the repository was not retried: %v", err)
	}
	i.Label("olivia", "colony:open")
	w.Settle()
	i.Label("olivia", "colony:answered")
	w.Settle()
	i.Has("colony:answered", "colony:in-review")
}

// An App that was not granted to read contents judges by the server's policy.
func TestWithoutThePermissionTheServerPolicyHolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(w.github.SetPrivate("acme", "widgets", true))
	w.Must(w.github.SetInstallationPermissions(w.Installation, map[string]string{"issues": "write"}))
	w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
	i := w.open("olivia", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	w.Must(w.github.SetInstallationPermissions(w.Installation, map[string]string{"issues": "write", "contents": "read"}))
	w.Settle()
	i.Label("olivia", "colony:open")
	w.Settle()
	i.Label("olivia", "colony:answered")
	w.Settle()
	i.Has("colony:answered", "colony:in-review")
}

func TestAnotherDefaultBranchBringsItsOwnPolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	head, _, err := w.As("olivia").Git.GetRef(ctx, "acme", "widgets", "heads/main")
	w.Must(err)
	_, _, err = w.As("olivia").Git.CreateRef(ctx, "acme", "widgets", &github.Reference{Ref: new("refs/heads/next"), Object: &github.GitObject{SHA: head.Object.SHA}})
	w.Must(err)
	_, _, err = w.As("olivia").Repositories.CreateFile(ctx, "acme", "widgets", policy.LifecycleFile, &github.RepositoryContentFileOptions{
		Message: new("A desk"), Content: []byte(acme.Desk), Branch: new("next"),
	})
	w.Must(err)
	w.Settle()
	if _, _, err := w.As("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered"); err == nil {
		t.Error("a branch that is not the default one changed the policy")
	}
	w.github.SetPermission("acme", "widgets", "root", "admin")
	_, _, err = w.As("root").Repositories.Edit(context.Background(), "acme", "widgets", &github.Repository{DefaultBranch: new("next")})
	w.Must(err)
	w.Settle()
	_, _, err = w.As("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered")
	w.Must(err)
}

// Killed after any of its calls while the lifecycle changes, Colony comes to the same end.
func TestStopAfterEveryCallWhileTheLifecycleChanges(t *testing.T) {
	t.Parallel()
	shipped := `lifecycle: colony
executors:
  logins: {olivia: [developer]}
`
	scenario := func(w *world) {
		w.Commit("widgets", policy.SettingsFile, shipped)
		w.Settle()
		w.Issues[0].Comment("mona", "/colony:pause")
	}
	want, calls := endOf(t, scenario, 0)
	if !strings.Contains(want, "paused") {
		t.Fatalf("the scenario ends with %s", want)
	}
	for k := range crashPoints(calls) {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			if got, _ := endOf(t, scenario, k); got != want {
				t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
			}
		})
	}
}

// Each replica has a memory of its own. One reads the policy anew because of a push, and informs the others.
func TestReplicasLearnOfPolicyThatAnotherRead(t *testing.T) {
	t.Parallel()
	w, _, _ := newReplicas(t)
	var all []*issue
	for range 12 { // the work is shared, so both know the policy of before
		i := w.open("ada", "")
		i.Label("olivia", "colony:in-review")
		all = append(all, i)
	}
	w.Settle()
	w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
	for _, i := range all {
		i.Label("olivia", "colony:open")
	}
	w.Settle()
	for _, i := range all {
		i.Label("olivia", "colony:answered")
	}
	w.Settle()
	for _, i := range all {
		i.Has("colony:answered", "colony:in-review")
	}
}

// judgedByDesk reports whether a new issue is judged by the desk, or by the server's lifecycle.
func (w *world) judgedByDesk() bool {
	w.t.Helper()
	i := w.open("ada", "")
	i.Label("olivia", "colony:open")
	w.Settle()
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:answered")
	w.Settle()
	is, _, err := w.As("olivia").Issues.Get(ctx, "acme", "widgets", i.Number)
	w.Must(err)
	for _, c := range i.ColonyComments() { // that label or another names no state, whichever lifecycle is in force
		i.ReadComments[c.GetID()] = true
	}
	return len(is.Labels) == 1 && is.Labels[0].GetName() == "colony:answered"
}

func TestRemovedFileIsInForceNoMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
	if !w.judgedByDesk() {
		t.Fatal("the file is not in force")
	}
	w.Remove("widgets", policy.LifecycleFile)
	w.Settle()
	if w.judgedByDesk() {
		t.Error("the file is gone, and still in force")
	}
	w.CommitAndSettle("widgets", policy.LifecycleFile, "name: broken\n") // what was before it was gone is not its last good version
	w.SaidOnce("widgets", policy.LifecycleFile, "as if the file were not there")
	if w.judgedByDesk() {
		t.Error("a version from before the file was removed is in force")
	}
}

// A file that is broken more often than Colony follows the history keeps its last good version as long as a replica remembers it.
func TestFileThatIsBrokenAgainAndAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.CommitAndSettle("widgets", policy.LifecycleFile, acme.Desk)
	for n := range 10 {
		w.Commit("widgets", policy.LifecycleFile, fmt.Sprintf("name: broken-%d\n", n))
		w.Settle()
	}
	if !w.judgedByDesk() {
		t.Error("the last good version is not in force")
	}
	w.CommitAndSettle("widgets", policy.LifecycleFile, "name: broken-10\n")
	if !w.judgedByDesk() {
		t.Error("the last good version is forgotten")
	}
	w.stopColony()
	w.start()
	w.Settle()
	if w.judgedByDesk() {
		t.Error("the history was followed for more than ten versions")
	}
}

// A file of the owner is broken for all of its repositories at once. The person who broke it learns it there, and nobody else.
func TestBrokenFileOfTheOrganisationChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.github.AddRepository("acme", ".github")
	w.Settle()
	w.CommitAndSettle(".github", policy.LifecycleFile, acme.Desk)
	w.CommitAndSettle(".github", policy.LifecycleFile, strings.Replace(acme.Desk, "type: terminal", "type: over", 1))
	w.SaidOnce(".github", policy.LifecycleFile, "line 10, column ", "over", "keeps using the version of")
	if !w.judgedByDesk() {
		t.Error("the last good version is not in force")
	}
	w.stopColony()
	w.start()
	w.Settle()
	if !w.judgedByDesk() {
		t.Error("the last good version is forgotten")
	}
	w.SaidOnce(".github", policy.LifecycleFile)
}

// Labels of one lifecycle can be states of the next. What they say stands, and who put them there is not asked for what the new one
// wants of it.
func TestLabelsThatAreStatesOfTheNextLifecycleToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paused, done := w.open("ada", ""), w.open("ada", "")
	for _, move := range []struct {
		of *issue
		to string
	}{{paused, "in-development"}, {paused, "paused"}, {done, "in-review"}, {done, "done"}} {
		move.of.Label("olivia", "colony:"+move.to)
		w.Settle()
	}
	w.CommitAndSettle("widgets", policy.SettingsFile, "lifecycle: autoralph\n")
	paused.Has("colony:paused")
	c := paused.Comment("tara", "/colony:resume") // in-development, where it was, is no state any more
	w.Settle()
	paused.ColonyReacts(c, "confused")
	paused.ColonySays("does not say which state", "/colony:move <state>")
	c = paused.Comment("tara", "/colony:move in-review")
	w.Settle()
	paused.ColonyReacts(c, "+1")
	paused.Has("colony:in-review")

	w.CommitAndSettle("widgets", policy.SettingsFile, "lifecycle: colibri\n")
	w.clock.Advance(2 * time.Hour)
	w.Sweep()
	done.Has("colony:done") // without a word about a reflection
	done.Label("olivia", "colony:verify")
	w.Settle()
	done.Has("colony:done", "colony:needs-human")
	done.ColonySays("from `done` to `verify`")
	paused.Label("tara", "colony:init") // it is outside of this one: its label is anybody's
	w.Settle()
	paused.Has("colony:in-review", "colony:init")
}
