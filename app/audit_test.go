package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/playground"
)

// audit lists what an audit finds, with the dates left out, in order.
func (w *world) audit() (lines []string, seen audit.Audited) {
	w.t.Helper()
	w.github.ResetCalls()
	seen, err := audit.Run(ctx, w.config, app.Options{Clock: w.clock}, func(f audit.Finding) {
		if strings.ContainsAny(f.String(), "\n\x00\x1b") {
			w.t.Errorf("more than a line: %q", f)
		}
		if !slices.ContainsFunc(audit.IrregularSpecs(), func(s audit.IrregularSpec) bool { return s.Irregular == f.Irregular }) {
			w.t.Errorf("nobody says what %q means", f.Irregular)
		}
		if f.Issue != 0 && (f.Title == "" || !strings.HasSuffix(f.URL, fmt.Sprintf("/acme/widgets/issues/%d", f.Issue))) {
			w.t.Errorf("nobody knows which issue it is: %+v", f)
		}
		if age := w.clock.Since(f.Since); !f.Since.IsZero() && f.Age != int64(age.Seconds()) {
			w.t.Errorf("%+v is %s old", f, age)
		}
		line := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d UTC`).ReplaceAllString(f.String(), "THEN")
		line = regexp.MustCompile(`THEN \([0-9hms]+\)`).ReplaceAllString(line, "THEN")
		lines = append(lines, regexp.MustCompile(`; "A widget that works" http://\S+$`).ReplaceAllString(line, ""))
	})
	w.must(err)
	for _, c := range w.github.Calls() {
		if c.Method != http.MethodGet && !strings.HasSuffix(c.Path, "/access_tokens") {
			w.t.Errorf("the audit changes something: %s %s", c.Method, c.Path)
		}
	}
	slices.Sort(lines)
	return lines, seen
}

func TestAuditOfWhatIsWell(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open("olivia", "", "colony:in-development", "bug")
	w.settle()
	w.clock.Advance(time.Minute)
	if lines, seen := w.audit(); len(lines) > 0 || seen != (audit.Audited{Repositories: 1, Issues: 1}) {
		t.Errorf("it finds %q among %+v", lines, seen)
	}
}

func TestAudit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	forced, refused := w.open("olivia", "", "colony:done"), w.open("olivia", "", "colony:done")
	early, strange, bare := w.open("olivia", "", "colony:in-development"), w.open("olivia", "", "colony:new"), w.open("olivia", "", "colony:new")
	halted, two := w.open("olivia", "", "colony:done"), w.open("olivia", "", "colony:new")
	w.open("olivia", "an issue of nobody's")
	w.settle()
	id := forced.comment("mona", "/colony:force planning it was not done, \x1b[31m@everyone")
	w.settle()
	forced.colonyReacts(id, "+1")
	forced.colonySays("forced this issue")
	refused.label("olivia", "colony:new")
	w.settle()
	refused.colonySays("is final")
	w.stopColony()

	_, _, err := w.as("olivia").Issues.Edit(ctx, "acme", "widgets", early.number, &github.IssueRequest{State: new("closed")})
	w.must(err)
	strange.label("olivia", "colony:urgency/9", "colony:in-reveiw")
	bare.unlabel("olivia", "colony:new")
	halted.label("olivia", "colony:new", "colony:planning", "colony:analyzing", "colony:paused", "colony:in-review", "colony:ready-for-dev")
	two.label("olivia", "colony:analyzing")
	w.clock.Advance(time.Minute)

	want := []string{
		fmt.Sprintf(`closed          acme/widgets#%d: it is closed in planning, since THEN`, forced.number),
		fmt.Sprintf(`closed          acme/widgets#%d: it is closed in in-development, since THEN`, early.number),
		fmt.Sprintf(`forced          acme/widgets#%d: it was forced from done to planning, because "it was not done, \x1b[31m@everyone", since THEN, by mona`, forced.number),
		fmt.Sprintf(`halted          acme/widgets#%d: Colony leaves it as it is until a person moves it, since THEN, by olivia; waits for people who may edit labels`, halted.number),
		fmt.Sprintf(`needs-human     acme/widgets#%d: it waits for a person in done, since THEN, by olivia; waits for people who may edit labels`, refused.number),
		fmt.Sprintf(`out-of-line     acme/widgets#%d: its label says nothing, and its log says new`, bare.number),
		fmt.Sprintf(`several-states  acme/widgets#%d: it has the labels of new, planning, analyzing, ready-for-dev, in-review, done, paused`, halted.number),
		fmt.Sprintf(`several-states  acme/widgets#%d: it has the labels of new, analyzing`, two.number),
		fmt.Sprintf(`unknown-label   acme/widgets#%d: the label "colony:in-reveiw" is not in lifecycle colony`, strange.number),
		fmt.Sprintf(`unknown-label   acme/widgets#%d: the label "colony:urgency/9" is not in lifecycle colony`, strange.number),
	}
	slices.Sort(want)
	lines, _ := w.audit()
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Whatever waits for a person is found: an answer, a retry, a resume, however long ago it began to.
func TestAuditFindsWhoeverIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asks, failed, paused := w.open("ada", "", "colony:analyzing"), w.open("olivia", "", "colony:in-review"), w.open("olivia", "", "colony:in-review")
	w.settle()
	asks.label("olivia", "colony:needs-clarification")
	failed.label("tara", "colony:failure-blocked")
	id := paused.comment("tara", "/colony:pause the database is down")
	w.settle()
	paused.colonyReacts(id, "+1")
	// Whose command a move was is not read beyond the horizon.
	for _, by := range []string{"tara", "colony[bot]"} {
		w.clock.Advance(map[string]time.Duration{"tara": time.Minute, "colony[bot]": 300 * time.Hour}[by])
		lines, _ := w.audit()
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "overdue") })
		want := []string{
			fmt.Sprintf(`awaiting-human  acme/widgets#%d: needs-clarification asks a person for something, since THEN, by olivia; waits for people who may edit labels; write /colony:move analyzing`, asks.number),
			fmt.Sprintf(`blocked         acme/widgets#%d: it is blocked in failure-blocked until a person retries it, since THEN, by tara; waits for people who may edit labels; write /colony:retry`, failed.number),
			fmt.Sprintf(`paused          acme/widgets#%d: it is paused until a person resumes it, since THEN, by %s; waits for people who may edit labels; write /colony:resume`, paused.number, by),
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("paused by %s: -want +got:\n%s", by, diff)
		}
	}
}

func TestAuditFindsOrphans(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	orphan, fresh := w.verified(), w.verified()
	orphan.label("olivia", "colony:done")
	w.settle()
	w.stopColony() // or it would ask for the reflection
	w.clock.Advance(time.Hour)
	fresh.label("olivia", "colony:done")
	fresh.unlabel("olivia", "colony:verify")
	lines, _ := w.audit()
	want := []string{fmt.Sprintf("orphan          acme/widgets#%d: it ended in done without a written reflection, since THEN, by olivia", orphan.number)}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, i := range []*issue{orphan, fresh} {
		i.comment("olivia", "Reflection: it went well")
	}
	w.clock.Advance(time.Hour)
	if lines, _ := w.audit(); len(lines) > 0 {
		t.Errorf("it finds %q", lines)
	}
}

// An hourglass: a lifecycle that lets no issue stay.
const hourglass = `name: hourglass
summary: Issues that may not stay.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
  - {name: open, type: active, label: "colony:open", color: c5def5, description: Somebody looks., meaning: Somebody looks.}
  - {name: late, type: awaiting-human, label: "colony:late", color: fbca04, description: It took too long., meaning: It took too long.}
transitions:
  - kind: forward
    source: the glass
    pairs:
      - {from: untouched, to: open, why: Somebody looks}
      - {from: open, to: late, why: It took too long}
      - {from: late, to: open, why: Somebody looks again}
time-outs:
  - {in: open, after: 1h, to: late, why: Nobody answered}
`

func TestAuditFindsWhatIsOverdue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", ".github/colony-lifecycle.yml", hourglass)
	i := w.open("olivia", "", "colony:open")
	w.settle()
	w.stopColony()
	w.clock.Advance(2 * time.Hour)
	lines, _ := w.audit()
	want := []string{fmt.Sprintf("overdue         acme/widgets#%d: it should have left open by THEN, since THEN, by olivia; waits for people who may edit labels; write /colony:move late", i.number)}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAuditListsWhatItCouldNotCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open("olivia", "", "colony:new", "colony:nonsense")
	w.settle()
	w.github.AddRepository("acme", "gears")
	w.settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/acme/gears/issues$`), Status: http.StatusForbidden,
	})
	lines, seen := w.audit()
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "not-looked-at   acme/gears: list the issues of acme/gears") || !strings.HasPrefix(lines[1], "unknown-label ") {
		t.Errorf("it finds %q", lines)
	}
	if seen.Issues != 1 {
		t.Errorf("it saw %+v", seen)
	}
	w.config.GitHub.App.IntegrationID++
	if _, err := audit.Run(ctx, w.config, app.Options{Clock: w.clock}, func(audit.Finding) {}); err == nil || !strings.Contains(err.Error(), "github.app") {
		t.Errorf("an App that nobody knows: %v", err)
	}
}

// A status takes one call for a hundred issues of a repository, and a look at each issue that waits or changed.
func TestStatusCostsLittle(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	names := w.withRepositories(40)
	w.installation = w.github.Install(appID, "acme")
	for _, name := range names[:20] {
		for range 5 {
			w.openAt(name, "colony:ready-for-dev")
		}
	}
	waits := w.openAt(names[30], "colony:paused")
	w.clock.Advance(1000 * time.Hour)
	w.github.ResetCalls()
	status, err := audit.ReadStatus(ctx, w.config, app.Options{Clock: w.clock}, audit.Scope{Owner: "ACME"})
	w.must(err)
	if len(status.Waiting) != 1 || status.Waiting[0].Repository != "acme/"+waits.repo || status.Waiting[0].Irregular != audit.IsPaused || status.Issues != 101 {
		t.Errorf("%+v", status)
	}
	if diff := cmp.Diff([]audit.Count{{State: "ready-for-dev", Open: 100}, {State: "paused", Open: 1}}, status.Sum()); diff != "" {
		t.Error(diff)
	}
	lists, logs, other := 0, 0, 0
	for _, c := range w.github.Calls() {
		switch {
		case strings.HasSuffix(c.Path, "/issues"):
			lists++
		case strings.Contains(c.Path, "/issues/"):
			logs++
		default:
			other++
		}
	}
	if lists != 41 || logs > 4 || other > 41*6 {
		t.Errorf("%d lists, %d calls about issues and %d others", lists, logs, other)
	}
	w.github.ResetCalls()
	one, err := audit.ReadStatus(ctx, w.config, app.Options{Clock: w.clock}, audit.Scope{Owner: "acme", Name: strings.ToUpper(waits.repo)})
	w.must(err)
	if len(one.Waiting) != 1 || one.Audited.Repositories != 1 || w.callsIn(names[0]) != 0 {
		t.Errorf("%+v", one)
	}
}
