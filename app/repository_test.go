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
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// A support desk: the lifecycle that the repositories of these tests bring.
const worker = `name: desk
summary: Questions from the first look to the answer.
initial: untouched
bad-request: stuck
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
  - {name: open, type: active, label: "colony:open", color: c5def5, description: Somebody looks., meaning: Somebody looks.}
  - {name: asked, type: awaiting-human, label: "colony:asked", color: fbca04, description: The author was asked., meaning: The author was asked.}
  - {name: stuck, type: blocked, recovery: manual, label: "colony:stuck", color: b60205, description: A person has to look., meaning: A person has to look.}
  - {name: answered, type: terminal, label: "colony:answered", color: 0e8a16, description: There is an answer., meaning: There is an answer.}
transitions:
  - kind: forward
    source: the desk
    pairs:
      - {from: untouched, to: open, why: Somebody looks.}
      - {from: open, to: [asked, answered], why: Somebody looked.}
      - {from: asked, to: open, why: The author wrote.}
  - kind: backward
    source: the desk
    pairs:
      - {from: [open, asked], to: stuck, why: It does not go on.}
      - {from: stuck, to: open, why: It goes on.}
executors:
  - {role: clerk, works-in: open, requests: [asked, stuck]}
`

// strictDesk lets nobody answer before the author was asked.
var strictDesk = strings.Replace(worker, "{from: open, to: [asked, answered], why: Somebody looked.}", `{from: open, to: asked, why: Somebody looked.}
      - {from: asked, to: answered, why: The author said enough.}`, 1)

// commit writes a file to the default branch.
func (w *world) commit(repo, path, text string) {
	w.t.Helper()
	w.must(w.github.SetFile("acme", repo, path, text))
}

// commitAndSettle writes a file, and lets the time pass in which GitHub may not show it yet.
func (w *world) commitAndSettle(repo, path, text string) {
	w.t.Helper()
	w.commit(repo, path, text)
	w.settle()
	w.clock.Advance(10 * time.Second)
	w.settle()
}

// said returns what Colony wrote on the newest commit to a file.
func (w *world) said(repo, path string) []string {
	w.t.Helper()
	commits, _, err := w.as("mona").Repositories.ListCommits(ctx, "acme", repo, &github.CommitsListOptions{Path: path})
	w.must(err)
	if len(commits) == 0 {
		w.t.Fatalf("nobody committed %s", path)
	}
	comments, _, err := w.as("mona").Repositories.ListCommitComments(ctx, "acme", repo, commits[0].GetSHA(), nil)
	w.must(err)
	var said []string
	for _, c := range comments {
		if c.GetUser().GetLogin() != "colony[bot]" {
			w.t.Errorf("%s wrote %s", c.GetUser().GetLogin(), c.GetBody())
		}
		said = append(said, c.GetBody())
	}
	return said
}

// saidOnce asserts that there is one comment with all these words on the newest commit to a file.
func (w *world) saidOnce(repo, path string, words ...string) {
	w.t.Helper()
	said := w.said(repo, path)
	if len(said) != 1 {
		w.t.Fatalf("Colony wrote %d comments on the commit: %q", len(said), said)
	}
	for _, word := range words {
		if !strings.Contains(said[0], word) {
			w.t.Errorf("the comment does not say %q:\n%s", word, said[0])
		}
	}
}

func TestRepositoryBringsItsOwnLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.commit("widgets", policy.LifecycleFile, worker)
	w.start()
	w.install()
	label, _, err := w.as("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered")
	w.must(err)
	if label.GetColor() != "0e8a16" {
		t.Errorf("the label has the colour %s", label.GetColor())
	}
	i := w.open("olivia", "", "colony:in-review") // a state elsewhere, here anybody's label
	i.label("olivia", "colony:open")
	w.settle()
	w.github.ResetCalls()
	i.label("dev[bot]", "colony:asked")
	w.settle()
	i.has("colony:asked", "colony:in-review")
	if reads, writes := w.calls(); reads > 2 || writes > 1 {
		t.Errorf("an accepted change cost %d reads and %d writes, more than 2 and 1", reads, writes)
	}
	i.label("olivia", "colony:answered")
	w.settle()
	i.has("colony:asked", "colony:in-review", "colony:needs-human")
	i.colonySays("from `asked` to `answered`", "`open`")
	c := i.comment("olivia", "/colony:move open")
	w.settle()
	i.colonyReacts(c, "+1")
	i.has("colony:in-review", "colony:open")
}

func TestRepositoryChoosesAShippedLifecycleAndItsExecutors(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, func(c *config.Config) { c.Executors.Logins = map[string][]string{"carl": {"developer"}} })
	w.github.AddUser("carl")
	w.github.SetPermission("acme", "widgets", "carl", "write")
	w.github.AddRepository("acme", ".github")
	w.commit(".github", policy.LifecycleFile, worker)
	w.commit("widgets", policy.SettingsFile, "lifecycle: colony\nexecutors:\n  logins: {olivia: [reviewer]}\n  widen: [{role: reviewer, from: in-review, to: merge-pending}]\n")
	w.start()
	w.install()
	i := w.open("ada", "")
	i.label("tara", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:merge-pending") // a reviewer by the file, and widened
	w.settle()
	i.has("colony:merge-pending")
	other := w.open("ada", "")
	other.label("tara", "colony:in-review")
	w.settle()
	other.label("carl", "colony:merge-pending") // a developer by the server
	w.settle()
	other.has("colony:failure-blocked", "colony:needs-human")
	other.colonySays("`carl` tried to move the issue from `in-review` to `merge-pending`")
}

func TestOrganisationSpeaksForItsRepositories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	w.github.AddRepository("acme", ".github")
	w.settle()
	w.commitAndSettle(".github", policy.LifecycleFile, worker)
	i.label("olivia", "colony:open")
	w.settle()
	i.has("colony:in-review", "colony:open") // the label of before is a state no more
	i.label("olivia", "colony:answered")
	w.settle()
	i.has("colony:answered", "colony:in-review")

	w.commitAndSettle("widgets", policy.SettingsFile, "lifecycle: colony\n") // its own choice goes before
	j := w.open("ada", "")
	j.label("olivia", "colony:in-review")
	w.settle()
	j.label("olivia", "colony:new")
	w.settle()
	j.has("colony:in-review", "colony:needs-human")
	j.colonySays("from `in-review` to `new`")
}

func TestBrokenFileChangesNothingAndIsReportedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.commitAndSettle("widgets", policy.LifecycleFile, worker)
	w.commitAndSettle("widgets", policy.LifecycleFile, strings.Replace(worker, "type: terminal", "type: over", 1))
	w.saidOnce("widgets", policy.LifecycleFile, "Colony cannot use this version of `.github/colony-lifecycle.yml`", "line 10, column ", "over", "keeps using the version of", "name: answered")
	works := func() {
		t.Helper()
		i := w.open("ada", "")
		i.label("olivia", "colony:open")
		w.settle()
		i.label("olivia", "colony:answered")
		w.settle()
		i.has("colony:answered")
	}
	works()
	w.stopColony()
	w.start() // its successor finds the last good version in the history
	w.settle()
	works()
	w.sweep()
	w.saidOnce("widgets", policy.LifecycleFile)
	if n := value(w.metrics(), "colony_broken_repositories"); n != 1 {
		t.Errorf("%v repositories are known to be broken", n)
	}
	lines, worst := w.doctor("")
	if told := strings.Join(lines, "\n"); worst != doctor.Warning || !strings.Contains(told, "repository acme/widgets: .github/colony-lifecycle.yml:10:") ||
		!strings.Contains(told, "repository acme/widgets: its lifecycle is desk, from acme/widgets/.github/colony-lifecycle.yml") {
		t.Errorf("the doctor says\n%s", told)
	}

	w.commitAndSettle("widgets", policy.LifecycleFile, strictDesk)
	if said := w.said("widgets", policy.LifecycleFile); len(said) != 0 {
		t.Errorf("Colony complains of what is mended: %q", said)
	}
	i := w.open("ada", "")
	i.label("olivia", "colony:open")
	w.settle()
	i.label("olivia", "colony:answered")
	w.settle()
	i.has("colony:needs-human", "colony:open")
	i.colonySays("from `open` to `answered`")
}

// No text that strangers put into the files breaks anything, and the server's lifecycle stays in force.
func TestUnusableFilesOfRepositories(t *testing.T) {
	t.Parallel()
	nested := strings.Repeat("[", 5000)
	for name, c := range map[string]struct {
		path, text string
		says       []string
	}{
		"huge":            {policy.LifecycleFile, worker + strings.Repeat("# more\n", 11_000), []string{"bytes, more than 65536"}},
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
			w.commitAndSettle("widgets", c.path, c.text)
			w.saidOnce("widgets", c.path, append(c.says, "as if the file were not there")...)
			said := w.said("widgets", c.path)[0]
			if strings.Contains(said, "<!-- colony:explains") || regexp.MustCompile("(?m)^/colony").MatchString(said) {
				t.Errorf("the comment does what the file says:\n%s", said)
			}
			i := w.open("ada", "")
			i.label("olivia", "colony:in-review")
			w.settle()
			i.label("olivia", "colony:new")
			w.settle()
			i.has("colony:in-review", "colony:needs-human")
			i.colonySays("from `in-review` to `new`")
		})
	}
}

func TestNameBesideALifecycleHasNoEffectAndIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, "lifecycle: colony\nexecutors:\n  logins: {carl: []}\n")
	w.commitAndSettle("widgets", policy.LifecycleFile, worker)
	w.saidOnce("widgets", policy.LifecycleFile, "Colony ignores a part of `.github/colony.yml`", "line 1, column 12", "Colony uses the rest of the file")
	w.github.AddUser("carl")
	w.github.SetPermission("acme", "widgets", "carl", "write")
	i := w.open("ada", "")
	i.label("olivia", "colony:open")
	w.settle()
	i.label("carl", "colony:answered") // no clerk may
	w.settle()
	i.has("colony:needs-human", "colony:stuck")
	i.colonySays("`carl` tried to move the issue from `open` to `answered`")
}

// Moves by the old table stand, and moves from then on follow the new one.
func TestEditedLifecycleSettlesWhatStood(t *testing.T) {
	t.Parallel()
	for name, learn := range map[string]func(w *world){
		"by webhook": func(w *world) {
			w.commitAndSettle("widgets", policy.LifecycleFile, strictDesk)
		},
		"by a sweep": func(w *world) {
			w.github.DropNext(1)
			w.commit("widgets", policy.LifecycleFile, strictDesk)
			w.clock.Advance(10 * time.Second)
			w.sweep()
		},
		"after a while": func(w *world) {
			w.github.DropNext(1)
			w.commit("widgets", policy.LifecycleFile, strictDesk)
			w.clock.Advance(6 * time.Minute)
			w.open("olivia", "", "colony:open") // what is done now is the first to be judged by it
			w.settle()
		},
		"after a restart": func(w *world) {
			w.stopColony()
			w.commit("widgets", policy.LifecycleFile, strictDesk)
			w.settle()
			w.start()
			w.settle()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			w.commitAndSettle("widgets", policy.LifecycleFile, worker)
			i, j := w.open("ada", ""), w.open("ada", "")
			i.label("olivia", "colony:open")
			j.label("olivia", "colony:open")
			w.settle()
			i.label("olivia", "colony:answered") // the new table has it not
			w.settle()
			learn(w)
			i.has("colony:answered")
			j.has("colony:open")
			j.label("olivia", "colony:answered")
			w.settle()
			j.has("colony:needs-human", "colony:open")
			j.colonySays("from `open` to `answered`")
			j.label("olivia", "colony:asked")
			w.settle()
			j.label("olivia", "colony:answered")
			w.settle()
			j.has("colony:answered")
			w.sweep()
			i.has("colony:answered")
		})
	}
}

func TestCommandThatWaitsRunsUnderTheNewTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.LifecycleFile, strictDesk)
	i := w.open("ada", "")
	i.label("olivia", "colony:open")
	w.settle()
	mended := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/permission$`), Status: http.StatusBadGateway,
	})
	c := i.comment("tara", "/colony:move answered")
	w.quiet()
	i.colonyReacts(c, "eyes")
	w.clock.Advance(time.Minute)
	w.commitAndSettle("widgets", policy.LifecycleFile, worker)
	i.has("colony:open")
	mended()
	for range 3 {
		w.clock.Advance(5 * time.Minute)
		w.settle()
	}
	i.has("colony:answered")
	i.colonyReacts(c, "+1")
}

// A command whose move was made, but not its receipt, is not run once more because the table changed in between.
func TestCommandIsNotRunAgainBecauseTheTableChanged(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, onDisk(t))
	crash := &crashingTransport{}
	w.transport = crash
	w.commit("widgets", policy.LifecycleFile, worker)
	w.start()
	w.install()
	i := w.open("ada", "")
	i.label("olivia", "colony:open")
	w.settle()
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/reactions$`), Status: http.StatusBadGateway, Times: 1})
	c := i.comment("olivia", "/colony:move asked")
	w.quiet()
	i.has("colony:asked")
	w.stopColony()
	w.clock.Advance(time.Minute)
	w.commit("widgets", policy.LifecycleFile, strictDesk)
	w.start()
	for range 3 {
		w.clock.Advance(5 * time.Minute)
		w.settle()
	}
	i.has("colony:asked")
	i.colonyReacts(c, "+1") // it would be confused, were it run in asked
}

func TestServerPolicyIsChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:done") // an operator's move
	w.settle()
	w.stopColony()
	w.clock.Advance(time.Minute)
	w.config.Executors.Logins = map[string][]string{"olivia": {"developer"}}
	w.start()
	w.settle()
	w.sweep()
	i.has("colony:done")
	j := w.open("ada", "")
	j.label("tara", "colony:in-review")
	w.settle()
	j.label("olivia", "colony:done")
	w.settle()
	j.has("colony:failure-blocked", "colony:needs-human")
	j.colonySays("`olivia` tried to move the issue from `in-review` to `done`")
}

func TestUnreadablePolicyIsNotTakenForNone(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.commit("widgets", policy.LifecycleFile, worker)
	mended := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Path: regexp.MustCompile(`/contents/`), Status: http.StatusBadGateway})
	w.start()
	w.install()
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	_, response, _ := w.as("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:in-development")
	if response == nil || response.StatusCode != http.StatusNotFound {
		t.Error("Colony took the server's lifecycle while it could not read the repository's")
	}
	mended()
	for range 3 {
		w.clock.Advance(5 * time.Minute)
		w.settle()
	}
	if _, _, err := w.as("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered"); err != nil {
		t.Errorf("the request for the repository was not retried: %v", err)
	}
	i.label("olivia", "colony:open")
	w.settle()
	i.label("olivia", "colony:answered")
	w.settle()
	i.has("colony:answered", "colony:in-review")
}

// An App that was not granted to read contents judges by the server's policy.
func TestWithoutThePermissionTheServerPolicyHolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.github.SetPrivate("acme", "widgets", true))
	w.must(w.github.SetInstallationPermissions(w.installation, map[string]string{"issues": "write"}))
	w.commitAndSettle("widgets", policy.LifecycleFile, worker)
	i := w.open("olivia", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:new")
	w.settle()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
	w.must(w.github.SetInstallationPermissions(w.installation, map[string]string{"issues": "write", "contents": "read"}))
	w.settle()
	i.label("olivia", "colony:open")
	w.settle()
	i.label("olivia", "colony:answered")
	w.settle()
	i.has("colony:answered", "colony:in-review")
}

func TestAnotherDefaultBranchBringsItsOwnPolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	head, _, err := w.as("olivia").Git.GetRef(ctx, "acme", "widgets", "heads/main")
	w.must(err)
	_, _, err = w.as("olivia").Git.CreateRef(ctx, "acme", "widgets", &github.Reference{Ref: new("refs/heads/next"), Object: &github.GitObject{SHA: head.Object.SHA}})
	w.must(err)
	_, _, err = w.as("olivia").Repositories.CreateFile(ctx, "acme", "widgets", policy.LifecycleFile, &github.RepositoryContentFileOptions{
		Message: new("A desk"), Content: []byte(worker), Branch: new("next"),
	})
	w.must(err)
	w.settle()
	if _, _, err := w.as("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered"); err == nil {
		t.Error("a branch that is not the default one changed the policy")
	}
	w.github.SetPermission("acme", "widgets", "root", "admin")
	_, _, err = w.as("root").Repositories.Edit(context.Background(), "acme", "widgets", &github.Repository{DefaultBranch: new("next")})
	w.must(err)
	w.settle()
	_, _, err = w.as("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:answered")
	w.must(err)
}

// Killed after any of its calls while the lifecycle changes, Colony comes to the same end.
func TestStopAfterEveryCallWhileTheLifecycleChanges(t *testing.T) {
	t.Parallel()
	shipped := `lifecycle: colony
executors:
  logins: {olivia: [developer]}
`
	scenario := func(w *world) {
		w.commit("widgets", policy.SettingsFile, shipped)
		w.settle()
		w.issues[0].comment("mona", "/colony:pause")
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
		i.label("olivia", "colony:in-review")
		all = append(all, i)
	}
	w.settle()
	w.commitAndSettle("widgets", policy.LifecycleFile, worker)
	for _, i := range all {
		i.label("olivia", "colony:open")
	}
	w.settle()
	for _, i := range all {
		i.label("olivia", "colony:answered")
	}
	w.settle()
	for _, i := range all {
		i.has("colony:answered", "colony:in-review")
	}
}

// remove deletes a file from the default branch.
func (w *world) remove(repo, path string) { w.people.Remove(repo, path) }

// judgedByDesk reports whether a new issue is judged by the desk, or by the server's lifecycle.
func (w *world) judgedByDesk() bool {
	w.t.Helper()
	i := w.open("ada", "")
	i.label("olivia", "colony:open")
	w.settle()
	i.label("olivia", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:answered")
	w.settle()
	is, _, err := w.as("olivia").Issues.Get(ctx, "acme", "widgets", i.number)
	w.must(err)
	for _, c := range i.colonyComments() { // that label or another names no state, whichever lifecycle is in force
		i.comments[c.GetID()] = true
	}
	return len(is.Labels) == 1 && is.Labels[0].GetName() == "colony:answered"
}

func TestRemovedFileIsInForceNoMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.LifecycleFile, worker)
	if !w.judgedByDesk() {
		t.Fatal("the file is not in force")
	}
	w.remove("widgets", policy.LifecycleFile)
	w.settle()
	if w.judgedByDesk() {
		t.Error("the file is gone, and still in force")
	}
	w.commitAndSettle("widgets", policy.LifecycleFile, "name: broken\n") // what was before it was gone is not its last good version
	w.saidOnce("widgets", policy.LifecycleFile, "as if the file were not there")
	if w.judgedByDesk() {
		t.Error("a version from before the file was removed is in force")
	}
}

// A file that is broken more often than Colony follows the history keeps its last good version as long as a replica remembers it.
func TestFileThatIsBrokenAgainAndAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.commitAndSettle("widgets", policy.LifecycleFile, worker)
	for n := range 10 {
		w.commit("widgets", policy.LifecycleFile, fmt.Sprintf("name: broken-%d\n", n))
		w.settle()
	}
	if !w.judgedByDesk() {
		t.Error("the last good version is not in force")
	}
	w.commitAndSettle("widgets", policy.LifecycleFile, "name: broken-10\n")
	if !w.judgedByDesk() {
		t.Error("the last good version is forgotten")
	}
	w.stopColony()
	w.start()
	w.settle()
	if w.judgedByDesk() {
		t.Error("the history was followed for more than ten versions")
	}
}

// A file of the owner is broken for all of its repositories at once. The person who broke it learns it there, and nobody else.
func TestBrokenFileOfTheOrganisationChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.github.AddRepository("acme", ".github")
	w.settle()
	w.commitAndSettle(".github", policy.LifecycleFile, worker)
	w.commitAndSettle(".github", policy.LifecycleFile, strings.Replace(worker, "type: terminal", "type: over", 1))
	w.saidOnce(".github", policy.LifecycleFile, "line 10, column ", "over", "keeps using the version of")
	if !w.judgedByDesk() {
		t.Error("the last good version is not in force")
	}
	w.stopColony()
	w.start()
	w.settle()
	if !w.judgedByDesk() {
		t.Error("the last good version is forgotten")
	}
	w.saidOnce(".github", policy.LifecycleFile)
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
		move.of.label("olivia", "colony:"+move.to)
		w.settle()
	}
	w.commitAndSettle("widgets", policy.SettingsFile, "lifecycle: autoralph\n")
	paused.has("colony:paused")
	c := paused.comment("tara", "/colony:resume") // in-development, where it was, is no state any more
	w.settle()
	paused.colonyReacts(c, "confused")
	paused.colonySays("does not say which state", "/colony:move <state>")
	c = paused.comment("tara", "/colony:move in-review")
	w.settle()
	paused.colonyReacts(c, "+1")
	paused.has("colony:in-review")

	w.commitAndSettle("widgets", policy.SettingsFile, "lifecycle: colibri\n")
	w.clock.Advance(2 * time.Hour)
	w.sweep()
	done.has("colony:done") // without a word about a reflection
	done.label("olivia", "colony:verify")
	w.settle()
	done.has("colony:done", "colony:needs-human")
	done.colonySays("from `done` to `verify`")
	paused.label("tara", "colony:init") // it is outside of this one: its label is anybody's
	w.settle()
	paused.has("colony:in-review", "colony:init")
}
