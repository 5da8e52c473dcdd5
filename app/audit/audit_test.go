package audit_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// world is a GitHub that is audited.
type world struct {
	*acme.GitHub
	t *testing.T
}

func newWorld(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	w := &world{acme.New(t, change...), t}
	w.MakeLabels()
	return w
}

// audit lists what an audit finds, with the dates left out, in order.
func (w *world) audit() (lines []string, seen audit.Audited) {
	w.t.Helper()
	w.ResetCalls()
	seen, err := audit.Run(context.Background(), w.Config, app.Options{Clock: w.Clock, Transport: w.Counting()}, func(f audit.Finding) {
		if strings.ContainsAny(f.String(), "\n\x00\x1b") {
			w.t.Errorf("more than a line: %q", f)
		}
		if !slices.ContainsFunc(audit.IrregularSpecs(), func(s audit.IrregularSpec) bool { return s.Irregular == f.Irregular }) {
			w.t.Errorf("nobody says what %q means", f.Irregular)
		}
		if f.Issue != 0 && (f.Title == "" || !strings.HasSuffix(f.URL, fmt.Sprintf("/acme/widgets/issues/%d", f.Issue))) {
			w.t.Errorf("nobody knows which issue it is: %+v", f)
		}
		if age := w.Clock.Since(f.Since); !f.Since.IsZero() && f.Age != int64(age.Seconds()) {
			w.t.Errorf("%+v is %s old", f, age)
		}
		line := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d UTC`).ReplaceAllString(f.String(), "THEN")
		line = regexp.MustCompile(`THEN \([0-9hms]+\)`).ReplaceAllString(line, "THEN")
		lines = append(lines, regexp.MustCompile(`; "A widget that works" http://\S+$`).ReplaceAllString(line, ""))
	})
	w.Must(err)
	if writes := w.Writes(); len(writes) > 0 {
		w.t.Errorf("the audit changes something: %q", writes)
	}
	slices.Sort(lines)
	return lines, seen
}

func TestAuditOfWhatIsWell(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	byhand.New(t, w.GitHub)
	w.Open("olivia", "colony:in-development", "bug")
	w.Advance(time.Minute)
	if lines, seen := w.audit(); len(lines) > 0 || seen != (audit.Audited{Repositories: 1, Issues: 1}) {
		t.Errorf("it finds %q among %+v", lines, seen)
	}
}

func TestAudit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	colony := byhand.New(t, w.GitHub)
	forced, refused := w.Open("olivia", "colony:done"), w.Open("olivia", "colony:done")
	early, strange, bare := w.Open("olivia", "colony:in-development"), w.Open("olivia", "colony:new"), w.Open("olivia", "colony:new")
	halted, two := w.Open("olivia", "colony:done"), w.Open("olivia", "colony:new")
	w.Open("olivia") // without a state
	colony.Reconcile(forced, refused, early, strange, bare, halted, two)
	w.Comment(forced, "mona", "/colony:force planning it was not done, \x1b[31m@everyone")
	w.Label(refused, "olivia", "colony:new")
	colony.Reconcile(forced, refused)

	w.CloseIssue(early, "olivia")
	w.Label(strange, "olivia", "colony:urgency/9", "colony:in-reveiw")
	w.Unlabel(bare, "olivia", "colony:new")
	w.Label(halted, "olivia", "colony:new", "colony:planning", "colony:analyzing", "colony:paused", "colony:in-review", "colony:ready-for-dev")
	w.Label(two, "olivia", "colony:analyzing")
	w.Advance(time.Minute)

	want := []string{
		fmt.Sprintf(`closed          acme/widgets#%d: it is closed in planning, since THEN`, forced),
		fmt.Sprintf(`closed          acme/widgets#%d: it is closed in in-development, since THEN`, early),
		fmt.Sprintf(`forced          acme/widgets#%d: it was forced from done to planning, because "it was not done, \x1b[31m@everyone", since THEN, by mona`, forced),
		fmt.Sprintf(`halted          acme/widgets#%d: Colony leaves it as it is until a person moves it, since THEN, by olivia; waits for people who may edit labels`, halted),
		fmt.Sprintf(`needs-human     acme/widgets#%d: it waits for a person in done, since THEN, by olivia; waits for people who may edit labels`, refused),
		fmt.Sprintf(`out-of-line     acme/widgets#%d: its label says nothing, and its log says new`, bare),
		fmt.Sprintf(`several-states  acme/widgets#%d: it has the labels of new, planning, analyzing, ready-for-dev, in-review, done, paused`, halted),
		fmt.Sprintf(`several-states  acme/widgets#%d: it has the labels of new, analyzing`, two),
		fmt.Sprintf(`unknown-label   acme/widgets#%d: the label "colony:in-reveiw" is not in lifecycle colony`, strange),
		fmt.Sprintf(`unknown-label   acme/widgets#%d: the label "colony:urgency/9" is not in lifecycle colony`, strange),
	}
	slices.Sort(want)
	lines, _ := w.audit()
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// An issue that did not change since Colony works there tells by its labels alone.
func TestAuditOfWhatWasThereBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.Open("olivia", "colony:in-development")
	w.Advance(time.Minute)
	w.CloseIssue(i, "olivia")
	w.Advance(time.Minute)
	byhand.New(t, w.GitHub)
	lines, _ := w.audit()
	if want := fmt.Sprintf("closed          acme/widgets#%d: it is closed in in-development", i); len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
		t.Errorf("it finds %q, want %q", lines, want)
	}
	for _, c := range w.Calls() {
		if strings.Contains(c.Path, fmt.Sprintf("/issues/%d", i)) {
			t.Errorf("it asks for more than the list: %+v", c)
		}
	}
}

// Whatever waits for a person is found: an answer, a retry, a resume, however long ago it began to.
func TestAuditFindsWhoeverIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	colony := byhand.New(t, w.GitHub)
	asks, failed, paused := w.Open("ada", "colony:analyzing"), w.Open("olivia", "colony:in-review"), w.Open("olivia", "colony:in-review")
	colony.Reconcile(asks, failed, paused)
	w.Label(asks, "olivia", "colony:needs-clarification")
	w.Label(failed, "tara", "colony:failure-blocked")
	w.Comment(paused, "tara", "/colony:pause the database is down")
	colony.Reconcile(asks, failed, paused)
	// Also beyond the horizon, Colony says whose command paused the issue.
	for _, later := range []time.Duration{time.Minute, 300 * time.Hour} {
		w.Advance(later)
		lines, _ := w.audit()
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "overdue") })
		want := []string{
			fmt.Sprintf(`awaiting-human  acme/widgets#%d: needs-clarification asks a person for something, since THEN, by olivia; waits for people who may edit labels; write /colony:move analyzing`, asks),
			fmt.Sprintf(`blocked         acme/widgets#%d: it is blocked in failure-blocked until a person retries it, since THEN, by tara; waits for people who may edit labels; write /colony:retry`, failed),
			fmt.Sprintf(`paused          acme/widgets#%d: it is paused until a person resumes it, since THEN, by tara; waits for people who may edit labels; write /colony:resume`, paused),
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("%s later: -want +got:\n%s", later, diff)
		}
	}
}

func TestAuditFindsOrphans(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Lifecycle = "colibri" })
	colony := byhand.New(t, w.GitHub)
	orphan, fresh := w.Open("olivia", "colony:init"), w.Open("olivia", "colony:init")
	for _, state := range []string{"gather", "analyze", "plan", "apply", "verify"} {
		for _, i := range []int{orphan, fresh} {
			colony.Reconcile(i)
			w.Label(i, "olivia", "colony:"+state)
		}
	}
	w.Label(orphan, "olivia", "colony:done")
	colony.Reconcile(orphan, fresh)
	w.Has(orphan, "colony:done")
	w.Advance(time.Hour)
	w.Label(fresh, "olivia", "colony:done")
	w.Unlabel(fresh, "olivia", "colony:verify")
	lines, _ := w.audit()
	want := []string{fmt.Sprintf("orphan          acme/widgets#%d: it ended in done without a written reflection, since THEN, by olivia", orphan)}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, i := range []int{orphan, fresh} {
		w.Comment(i, "olivia", "Reflection: it went well")
	}
	w.Advance(time.Hour)
	if lines, _ := w.audit(); len(lines) > 0 {
		t.Errorf("it finds %q", lines)
	}
}

func TestAuditFindsWhatIsOverdue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Commit("widgets", policy.LifecycleFile, acme.Hourglass)
	w.Commit("widgets", policy.SettingsFile, "mode: enforce\ncommands: {move: write}\n")
	colony := byhand.New(t, w.GitHub)
	i := w.Open("olivia", "colony:open")
	colony.Reconcile(i)
	w.Advance(2 * time.Hour)
	inTime := w.Open("olivia", "colony:open")
	colony.Reconcile(inTime)
	w.Label(inTime, "olivia", "colony:needs-human")
	w.Advance(time.Minute)
	lines, _ := w.audit()
	want := []string{
		fmt.Sprintf("needs-human     acme/widgets#%d: it waits for a person in open, since THEN, by olivia; waits for people with write access", inTime),
		fmt.Sprintf("overdue         acme/widgets#%d: it should have left open by THEN, since THEN, by olivia; waits for people with write access", i),
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAuditListsWhatItCouldNotCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	byhand.New(t, w.GitHub)
	w.Open("olivia", "colony:new", "colony:nonsense")
	w.AddRepository("acme", "gears")
	w.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/acme/gears/issues$`), Status: http.StatusForbidden,
	})
	lines, seen := w.audit()
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "not-looked-at   acme/gears: list the issues of acme/gears") || !strings.HasPrefix(lines[1], "unknown-label ") {
		t.Errorf("it finds %q", lines)
	}
	if seen.Issues != 1 {
		t.Errorf("it saw %+v", seen)
	}
	w.Config.GitHub.App.IntegrationID++
	if _, err := audit.Run(context.Background(), w.Config, app.Options{Clock: w.Clock}, func(audit.Finding) {}); err == nil || !strings.Contains(err.Error(), "github.app") {
		t.Errorf("an App that nobody knows: %v", err)
	}
}

// Several repositories are read at a time, and told in the order in which GitHub lists them.
func TestRepositoriesAreReadSideBySide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Repository("gears")
	for _, repo := range []string{"widgets", "gears"} {
		w.OpenAt(repo, "olivia", "colony:nonsense")
	}
	second := make(chan struct{})
	isRead := sync.OnceFunc(func() { close(second) })
	slow := ratelimit.RoundTripperFunc(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/acme/widgets/issues") {
			select {
			case <-second:
			case <-r.Context().Done():
			}
		}
		response, err := w.Wire.RoundTrip(r)
		if strings.HasSuffix(r.URL.Path, "/acme/gears/issues") {
			isRead()
		}
		return response, err
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var found []string
	seen, err := audit.Run(ctx, w.Config, app.Options{Clock: w.Clock, Transport: slow}, func(f audit.Finding) { found = append(found, f.Repository) })
	w.Must(err)
	if diff := cmp.Diff([]string{"acme/widgets", "acme/gears"}, found); diff != "" {
		t.Errorf("-want +told:\n%s", diff)
	}
	if want := (audit.Audited{Repositories: 2, Issues: 2}); seen != want {
		t.Errorf("it saw %+v", seen)
	}
}

// A status takes one call for a hundred issues of a repository, and a look at each issue that waits or changed.
func TestStatusCostsLittle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	name := func(n int) string { return fmt.Sprintf("part-%03d", n) }
	for n := range 40 {
		w.Repository(name(n))
		for range 5 * max(0, min(1, 20-n)) {
			w.OpenAt(name(n), "olivia", "colony:ready-for-dev")
		}
	}
	w.OpenAt(name(30), "olivia", "colony:paused")
	w.Advance(time.Minute)
	w.Open("olivia", "colony:paused")
	w.Advance(1000 * time.Hour)
	w.ResetCalls()
	status, err := audit.ReadStatus(context.Background(), w.Config, app.Options{Clock: w.Clock}, app.Scope{Owner: "ACME"})
	w.Must(err)
	if len(status.Waiting) != 2 || status.Waiting[1].Repository != acme.Widgets || status.Waiting[0].Repository != "acme/"+name(30) || status.Waiting[0].Irregular != audit.Irregular(advice.NeedsResuming) || status.Issues != 102 {
		t.Errorf("%+v", status)
	}
	if diff := cmp.Diff([]audit.Count{{State: "ready-for-dev", Open: 100}, {State: "paused", Open: 2}}, status.Sum()); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(status.Repositories, func(a, b audit.RepositoryStatus) int { return strings.Compare(a.Repository, b.Repository) }) || len(status.Repositories) != 22 {
		t.Errorf("the repositories are %+v", status.Repositories)
	}
	lists, logs, questions, other := 0, 0, 0, 0
	for _, c := range w.Calls() {
		switch {
		case strings.HasSuffix(c.Path, "/issues"):
			lists++
		case strings.Contains(c.Path, "/issues/"):
			logs++
		case strings.HasSuffix(c.Path, "/graphql"):
			questions++
		default:
			other++
		}
	}
	if lists != 0 || logs != 2*2 || questions != 1+5 || other > 8 {
		t.Errorf("%d lists, %d calls about issues, %d questions and %d others", lists, logs, questions, other)
	}
	w.ResetCalls()
	one, err := audit.ReadStatus(context.Background(), w.Config, app.Options{Clock: w.Clock}, app.Scope{Owner: "acme", Name: strings.ToUpper(name(30))})
	w.Must(err)
	if len(one.Waiting) != 1 || one.Audited.Repositories != 1 {
		t.Errorf("%+v", one)
	}
	for _, c := range w.Calls() {
		if strings.Contains(c.Path, name(0)) {
			t.Errorf("it asked for another repository: %+v", c)
		}
	}
}

// The questions tell what the lists tell, and where they leave something open, the list is read.
func TestStatusOnAServerWithoutGraphQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"crowded", "broken", "ended", "own"} {
		w.Repository(name)
	}
	for range 101 {
		w.OpenAt("crowded", "olivia", "colony:new")
	}
	w.OpenAt("broken", "olivia", "colony:blocked")
	w.Commit("broken", policy.SettingsFile, "nonsense: true\n")
	w.Commit("own", policy.SettingsFile, "lifecycle: autoralph\n")
	w.OpenAt("own", "olivia", "autoralph:queued", "colony:new", "colony:needs-human")
	w.OpenAt("ended", "olivia", "colony:done", "bug")
	w.Open("olivia", "colony:new", "colony:paused")
	w.Advance(100 * time.Hour)
	read := func() (*audit.Status, string) {
		w.ResetCalls()
		status, err := audit.ReadStatus(context.Background(), w.Config, app.Options{Clock: w.Clock}, app.Scope{})
		w.Must(err)
		lists := ""
		for _, c := range w.Calls() {
			if of, is := strings.CutSuffix(c.Path, "/issues"); is {
				lists += of[strings.LastIndex(of, "/")+1:] + c.Query + "\n"
			}
		}
		return status, lists
	}
	byQuestions, lists := read()
	if strings.Count(lists, "\n") != 2 || strings.Count(lists, "crowded") != 2 {
		t.Errorf("the lists that were read:\n%s", lists)
	}
	w.Fault(playground.Fault{Kind: playground.FaultStatus, Path: regexp.MustCompile("/graphql$"), Status: http.StatusNotFound})
	byLists, lists := read()
	if diff := cmp.Diff(byLists, byQuestions); diff != "" || strings.Count(lists, "\n") != 6 || byLists.Issues != 105 || len(byLists.Waiting) != 2 {
		t.Errorf("%d issues, %v wait, lists:\n%s-lists +questions:\n%s", byLists.Issues, byLists.Waiting, lists, diff)
	}
}

func TestTheHistoryOfAnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	colony := byhand.New(t, w.GitHub)
	i := w.Open("olivia", "colony:in-review")
	colony.Reconcile(i)
	w.Comment(i, "tara", "/colony:pause until Monday")
	colony.Reconcile(i)
	w.ResetCalls()
	got, err := app.InspectIssue(t.Context(), w.Config, app.Options{Clock: w.Clock, Transport: w.Counting()}, "Acme", "WIDGETS", i, (*inspect.Inspector).Issue)
	w.Must(err)
	if got.Issue != fmt.Sprintf("acme/widgets#%d", i) || got.State != "paused" || len(got.Trail) != 2 || got.Trail[1].By.Login != "tara" || got.Trail[1].Reason != "until Monday" || len(w.Writes()) > 0 {
		t.Errorf("%+v, and it writes %q", got, w.Writes())
	}
	if _, err := app.InspectIssue(t.Context(), w.Config, app.Options{Clock: w.Clock}, "acme", "widgets", 999, (*inspect.Inspector).Issue); !errors.Is(err, inspect.ErrNoIssue) {
		t.Errorf("an issue that is not there: %v", err)
	}
	if _, err := app.InspectIssue(t.Context(), w.Config, app.Options{Clock: w.Clock}, "acme", "gears", 1, (*inspect.Inspector).Issue); !errors.Is(err, client.ErrNotInstalled) {
		t.Errorf("a repository that is not there: %v", err)
	}
	w.Config.Repositories.Exclude = []string{"acme/*"}
	if _, err := app.InspectIssue(t.Context(), w.Config, app.Options{Clock: w.Clock}, "acme", "widgets", i, (*inspect.Inspector).Issue); err == nil || !strings.Contains(err.Error(), "acme/widgets: Colony does not work there: repositories.exclude") {
		t.Errorf("a repository in which Colony does not work: %v", err)
	}
}
