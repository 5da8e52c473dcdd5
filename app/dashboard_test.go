package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/dashboard"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// onGitHubCom has Colony link to the pages of github.com.
func onGitHubCom(c *config.Config) { c.GitHub.WebURL = "https://github.com" }

// dashboards lists the issues that Colony opened in a repository.
func (w *world) dashboards(repo string) []*github.Issue {
	w.t.Helper()
	list, _, err := w.As("mona").Issues.ListByRepo(ctx, "acme", repo, &github.IssueListByRepoOptions{State: "all", Creator: "colony[bot]"})
	w.Must(err)
	return list
}

// dashboard returns the only dashboard of acme/widgets.
func (w *world) dashboard() *github.Issue {
	w.t.Helper()
	all := w.dashboards("widgets")
	if len(all) != 1 {
		w.t.Fatalf("there are %d dashboards", len(all))
	}
	return all[0]
}

// shows asserts that a dashboard has some lines, and says nothing of others.
func (w *world) shows(d *github.Issue, lines ...string) {
	w.t.Helper()
	for _, line := range lines {
		if !strings.Contains(d.GetBody(), line) {
			w.t.Errorf("the dashboard does not show %q:\n%s", line, d.GetBody())
		}
	}
}

// pinned reports whether an issue of acme/widgets is pinned, by its log.
func (w *world) pinned(number int) (is bool) {
	w.t.Helper()
	events, _, err := w.As("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", number, &github.ListOptions{PerPage: 100})
	w.Must(err)
	for _, e := range events {
		switch e.GetEvent() {
		case "pinned":
			is = true
		case "unpinned":
			is = false
		}
	}
	return is
}

// written counts what Colony wrote to a dashboard.
func (w *world) dashboardWrites(number int) (n int) {
	w.t.Helper()
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method == http.MethodPatch && c.Path == fmt.Sprintf("/repos/acme/widgets/issues/%d", number) {
			n++
		}
	}
	return n
}

// interval lets the time pass in which a dashboard is brought up to date.
func (w *world) interval() {
	w.t.Helper()
	w.Pass(6, time.Minute)
	w.Settle()
}

// undisturbed asserts that no issue tells of a dashboard.
func (w *world) undisturbed(all ...*issue) {
	w.t.Helper()
	for _, i := range all {
		timeline, _, err := w.As("mona").Issues.ListIssueTimeline(ctx, "acme", "widgets", i.Number, &github.ListOptions{PerPage: 100})
		w.Must(err)
		for _, e := range timeline {
			if e.GetEvent() == "cross-referenced" || e.GetEvent() == "mentioned" || e.GetEvent() == "subscribed" {
				w.t.Errorf("#%d tells of the dashboard: %s", i.Number, e.GetEvent())
			}
		}
	}
}

// afterAnUpdate lets time pass until just after the time at which the dashboard of acme/widgets is updated, so that it is not while a test acts.
func (w *world) afterAnUpdate() {
	w.t.Helper()
	const interval = 5 * time.Minute
	now, shift := w.clock.Now(), time.Duration(dashboard.Key(issues.Repository{Owner: "acme", Name: "widgets"})%int64(interval))
	w.clock.Advance(now.Add(shift).Truncate(interval).Add(interval - shift + time.Second).Sub(now))
	w.Settle()
}

const dashboardOn = "dashboard: true\n"

func TestADashboardShowsWhereIssuesAreAndWhatNeedsAPerson(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*config.Config){"github.com": onGitHubCom, "a server": func(*config.Config) {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, change)
			waits, works := w.stateful("colony:needs-clarification"), w.stateful("colony:in-review")
			w.stateful("colony:in-review")
			w.open("ada", "Not Colony's business")
			w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn+"dispatch: [{from: [ready-for-dev], to: in-development, at-most: 3}]\n")
			d := w.dashboard()
			w.shows(d, "One issue waits", "No. 1", "`needs-clarification`", "Waits for people who may edit labels.", "%3Ain-review%22) | 2 | – |", "%3Ain-development%22) | 0 | 3 |", "%3Anew%22) | 0 | – |")
			if d.GetTitle() != wording.DashboardTitle || len(d.Labels) > 0 || !w.pinned(d.GetNumber()) || strings.Contains(d.GetBody(), "unpinned") {
				t.Errorf("%s %v, pinned %t:\n%s", d.GetTitle(), d.Labels, w.pinned(d.GetNumber()), d.GetBody())
			}
			if linked := strings.Contains(d.GetBody(), "(https://redirect.github.com/acme/widgets/issues/1)"); linked != (name == "github.com") {
				t.Errorf("a link to an issue is there: %t", linked)
			}

			w.interval()
			w.afterAnUpdate()
			w.github.ResetCalls()
			works.Label("olivia", "colony:merge-pending")
			w.Settle()
			waits.Comment("olivia", "/colony:move planning")
			w.Settle()
			if n := w.dashboardWrites(d.GetNumber()); n > 0 {
				t.Errorf("it was updated %d times at once", n)
			}
			w.interval()
			if n := w.dashboardWrites(d.GetNumber()); n != 1 {
				t.Errorf("it was updated %d times for two moves", n)
			}
			w.shows(w.dashboard(), "Nothing waits for a person", "%3Ain-review%22) | 1 |", "%3Amerge-pending%22) | 1 |", "%3Aplanning%22) | 1 |")
			waits.Reads()
			w.undisturbed(waits, works)

			works.Comment("ada", "This changes no figure")
			w.Sweep()
			w.interval()
			if n := w.dashboardWrites(d.GetNumber()); n != 1 {
				t.Errorf("it was written although nothing in it changed")
			}
		})
	}
}

// Who closes it silences it, and who deletes it gets another one. Switched off, Colony closes it; switched on again, it opens it again.
func TestADashboardIsClosedDeletedAndSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
	first := w.dashboard().GetNumber()
	set := func(state string) {
		w.Must(func() error {
			_, _, err := w.As("mona").Issues.Edit(ctx, "acme", "widgets", first, &github.IssueRequest{State: &state})
			return err
		}())
		w.Settle()
	}
	set("closed")
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	w.interval()
	if d := w.dashboard(); d.GetState() != "closed" || !strings.Contains(d.GetBody(), "%3Ain-review%22) | 1 |") {
		t.Errorf("%s:\n%s", d.GetState(), d.GetBody())
	}
	w.CommitAndSettle("widgets", policy.SettingsFile, "dashboard: false\n")
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
	if d := w.dashboard(); d.GetState() != "closed" {
		t.Error("Colony opens what somebody closed")
	}
	set("open")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.interval()
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	w.interval()
	w.shows(w.dashboard(), "%3Amerge-pending%22) | 1 |")

	for range 2 {
		w.CommitAndSettle("widgets", policy.SettingsFile, "dashboard: false\n")
		if d := w.dashboard(); d.GetState() != "closed" || w.pinned(first) || !strings.Contains(d.GetBody(), "switched off") {
			t.Errorf("%s, pinned %t:\n%s", d.GetState(), w.pinned(first), d.GetBody())
		}
		w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
		d := w.dashboard()
		w.shows(d, "%3Amerge-pending%22) | 1 |")
		if d.GetState() != "open" || !w.pinned(first) {
			t.Errorf("%s, pinned %t", d.GetState(), w.pinned(first))
		}
	}

	w.Must(w.github.DeleteIssue("acme", "widgets", first, "mona"))
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.interval()
	d := w.dashboard()
	w.shows(d, "%3Ain-review%22) | 1 |")
	if d.GetNumber() == first {
		t.Error("it was not deleted")
	}
	i.Reads()
}

// A file that is gone switches the dashboard off too, also if nobody heard of it.
func TestADashboardIsClosedByASweep(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
	w.stopColony()
	w.Commit("widgets", policy.SettingsFile, "close: true\n")
	w.start()
	w.Settle()
	w.interval()
	if d := w.dashboard(); d.GetState() != "closed" {
		t.Error("it is open")
	}
}

// Where three issues are pinned already, the dashboard does without.
func TestADashboardThatCannotBePinned(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.journal = &journal{}
	w.start()
	w.install()
	for range 3 {
		i := w.open("ada", "")
		is, _, err := w.As("mona").Issues.Get(ctx, "acme", "widgets", i.Number)
		w.Must(err)
		request, err := w.As("mona").NewRequest(http.MethodPost, "../graphql", map[string]any{
			"query": "mutation($id: ID!) { pinIssue(input: {issueId: $id}) { clientMutationId } }", "variables": map[string]any{"id": is.GetNodeID()},
		})
		w.Must(err)
		_, err = w.As("mona").Do(ctx, request, nil)
		w.Must(err)
	}
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
	for range 3 {
		w.Sweep()
		w.interval()
	}
	d := w.dashboard()
	if w.pinned(d.GetNumber()) || strings.Contains(d.GetBody(), "unpinned") {
		t.Errorf("pinned %t:\n%s", w.pinned(d.GetNumber()), d.GetBody())
	}
	if n := w.journal.count("GitHub does not pin the dashboard; it stays unpinned"); n != 1 {
		t.Errorf("that was logged %d times", n)
	}
}

// Nothing that people do to a dashboard makes it work.
func TestADashboardIsNoWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn+"intake: {when: every}\ndispatch: [{from: [ready-for-dev], to: in-development, at-most: 3}]\n")
	d := w.dashboard()
	seen := w.heed(d.GetNumber())
	seen.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	seen.Label("olivia", "colony:done", "colony:needs-human")
	w.Settle()
	seen.Comment("olivia", "/colony:status")
	seen.Comment("olivia", "/colony:move new")
	w.Settle()
	w.clock.Advance(10 * time.Minute)
	w.Sweep()
	w.interval()
	seen.Has("colony:done", "colony:needs-human", "colony:ready-for-dev")
	w.shows(w.dashboard(), "Nothing waits for a person", "%3Aready-for-dev%22) | 0 |", "%3Adone%22) | 0 |")
	if lines := w.audit(); len(lines) > 0 {
		t.Errorf("the audit finds %v", lines)
	}
}

// A title cannot do anything in the dashboard but be read.
func TestADashboardOfHostileTitles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onGitHubCom)
	victim := w.open("ada", "")
	var all []*issue
	for _, title := range []string{
		"Fixes #1 and GH-1, ask @mona and @acme/platform", "https://github.com/acme/widgets/issues/1", "[x](https://github.com/acme/widgets/issues/1)",
		"<!-- colony:dashboard off -->", "| a |\n|---|", "<img src=x onerror=alert(1)>", "`acme/widgets#1` `", "acme/widgets#1", "\u202eacme",
	} {
		i := w.open("ada", "")
		_, _, err := w.As("mona").Issues.Edit(ctx, "acme", "widgets", i.Number, &github.IssueRequest{Title: &title})
		w.Must(err)
		i.Label("olivia", "colony:new", "colony:needs-clarification")
		all = append(all, i)
		w.Settle()
	}
	for _, i := range all {
		i.Reads()
	}
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
	d := w.dashboard()
	w.shows(d, fmt.Sprintf("%d issues wait", len(all)), "`@mona`")
	if strings.Contains(d.GetBody(), "<img") && !strings.Contains(d.GetBody(), "`<img") || d.GetState() != "open" {
		t.Error(d.GetBody())
	}
	w.undisturbed(append(all, victim)...)
}

func TestADashboardOfManyIssues(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, func(c *config.Config) { c.GitHub.Budget.Points = 0 })
	w.makeLabels()
	for n := range 300 {
		label := "colony:new"
		if n%10 == 0 {
			label = "colony:needs-clarification"
		}
		i := w.open("ada", "")
		i.Label("olivia", label)
	}
	w.start()
	w.install()
	w.clock.Advance(time.Hour)
	w.Settle()
	w.github.ResetCalls()
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
	d := w.dashboard()
	w.shows(d, "30 issues wait", "10 more wait.", "%3Anew%22) | 270 |")
	opening := 0
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method != http.MethodGet && (strings.HasSuffix(c.Path, "/graphql") || strings.Contains(c.Path, "/issues")) {
			opening++
		}
	}
	if opening != 3 {
		t.Errorf("to open and pin it took %d writes", opening)
	}
	w.interval()
	w.github.ResetCalls()
	w.Issues[1].Label("olivia", "colony:planning")
	w.Settle()
	before := w.Spent()
	w.interval()
	// The dashboard, and the open issues: three hundred and one. Nothing that waits changed, and so none of it is read.
	if got := w.Spent(); got.Reads-before.Reads > 1+4 || got.Writes-before.Writes > 1 || got.Questions > before.Questions {
		t.Errorf("an update cost %+v after %+v", got, before)
	}
	w.shows(w.dashboard(), "%3Anew%22) | 269 |")
	w.Issues[1].Reads()
}

// Whatever call Colony stops after, there is one dashboard in the end, and it is pinned and right.
func TestADashboardAfterACrash(t *testing.T) {
	t.Parallel()
	play := func(k int) (calls int) {
		w := newWorldWithoutColony(t, onDisk(t))
		crash := &crashingTransport{}
		w.transport = crash
		w.start()
		w.install()
		i := w.stateful("colony:in-review")
		crash.after(k)
		w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
		calls = crash.calls()
		w.stopColony()
		w.transport = nil
		w.start()
		for range 3 {
			w.interval()
		}
		d := w.dashboard()
		w.shows(d, "%3Ain-review%22) | 1 |")
		if !w.pinned(d.GetNumber()) || strings.Contains(d.GetBody(), "unpinned") {
			t.Errorf("stopped after call %d: pinned %t\n%s", k, w.pinned(d.GetNumber()), d.GetBody())
		}
		i.Reads()
		w.stopColony()
		return calls
	}
	calls := play(0)
	if calls < 6 {
		t.Errorf("Colony made %d calls, so this test proves nothing", calls)
	}
	for k := range crashPoints(calls) {
		play(k)
	}
}

func TestReplicasKeepOneDashboard(t *testing.T) {
	t.Parallel()
	w, _, _ := newReplicas(t)
	i := w.stateful("colony:in-review")
	w.CommitAndSettle("widgets", policy.SettingsFile, dashboardOn)
	w.interval()
	d := w.dashboard()
	w.afterAnUpdate()
	w.github.ResetCalls()
	for _, label := range []string{"colony:merge-pending", "colony:done"} {
		i.Label("olivia", label)
		w.Settle()
	}
	w.interval()
	if n := w.dashboardWrites(d.GetNumber()); n != 1 {
		t.Errorf("two replicas wrote %d times", n)
	}
	w.dashboard()
	i.Reads()
}

// Where Colony does not write, there is no dashboard, and where nobody wants one, there is not one call for it.
func TestNoDashboard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, "mode: observe\n"+dashboardOn)
	w.stateful("colony:new")
	w.Sweep()
	w.interval()
	if all := w.dashboards("widgets"); len(all) > 0 {
		t.Errorf("there is %s", all[0].GetTitle())
	}
	w.CommitAndSettle("widgets", policy.SettingsFile, "mode: enforce\n")
	w.github.ResetCalls()
	w.Sweep()
	w.interval()
	if calls := w.github.Calls(); slices.ContainsFunc(calls, func(c playground.Call) bool { return strings.Contains(c.Query, "creator") }) {
		t.Errorf("Colony looked for a dashboard: %v", calls)
	}
}

// count says how often something was logged.
func (j *journal) count(message string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.text.String(), message)
}

// Where Colony has pages of its own, a dashboard leads there.
func TestADashboardLeadsToTheBoard(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withSignIn)
	w.CommitAndSettle("widgets", policy.SettingsFile, "dashboard: true\n")
	w.shows(w.dashboard(), "[The board]("+boardURL+"/board/acme/widgets)")
}
