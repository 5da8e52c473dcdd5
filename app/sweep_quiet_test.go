package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// asked counts what a sweep asked GitHub for, also what GitHub answered with 304, and of repositories' files too.
func (w *world) asked() (calls int) {
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" {
			calls++
		}
	}
	return calls
}

// The lists of the states that no open issue is in are not read, however many of them something beside an issue can move.
func TestSweepReadsNoEmptyStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("olivia", "", "colony:in-review")
	i.Fixed()
	w.Sweep()
	w.Sweep()
	w.github.ResetCalls()
	w.Sweep()
	lists := 0
	for _, c := range w.github.Calls() {
		if strings.HasSuffix(c.Path, "/widgets/issues") && strings.Contains(c.Query, "labels=") {
			lists++
		}
	}
	if questions := w.Spent().Questions; lists != 1 || questions != 2 { // one which states have issues, and one for the pull request's links
		t.Errorf("%d lists of states and %d questions", lists, questions)
		w.logCalls()
	}
	i.Has("colony:in-review")
}

func (w *world) logCalls() {
	for _, c := range w.github.Calls() {
		w.t.Log(c.Actor, c.Method, c.Path, c.Query, c.Status)
	}
}

// What a sweep by the timer of an organisation costs in which nothing happens.
func TestTimedSweepOfQuietRepositories(t *testing.T) {
	t.Parallel()
	const repositories, most = 200, 40
	w := newWorldWithoutColony(t, acme.Follows, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
	w.github.SetRateLimit(1 << 30)
	w.optedIn(repositories - 1)
	w.Installation = w.github.Install(appID, "acme")
	w.start()
	w.rest()
	for range 3 { // the first sees what Colony itself changed a moment ago
		w.github.ResetCalls()
		w.timedSweep()
	}
	n := w.asked()
	if n > most || n == 0 {
		t.Errorf("a sweep of %d repositories in which nothing happened took %d calls, more than %d", repositories, n, most)
		w.logCalls()
	}
}

// timedSweep lets the time of the next sweep by the timer come, and waits for its end.
func (w *world) timedSweep() {
	w.t.Helper()
	w.awaits(1)
	w.clock.Advance(11 * time.Minute)
	w.awaits(1)
	w.rest()
}

// What happens in a quiet repository is found by the next sweep by the timer, although no webhook reports it.
func TestTimedSweepFindsWhatHappenedInAQuietRepository(t *testing.T) {
	t.Parallel()
	withoutGraphQL := func(answer playground.Fault) func(*issue) {
		return func(i *issue) {
			answer.Kind, answer.Path, answer.Actor = playground.FaultStatus, regexp.MustCompile("/graphql$"), "colony[bot]"
			i.github.Fault(answer)
			i.Label("olivia", "colony:analyzing")
		}
	}
	for name, happens := range map[string]func(*issue){
		"a legal move":                func(i *issue) { i.Label("olivia", "colony:analyzing") },
		"a server without GraphQL":    withoutGraphQL(playground.Fault{Status: http.StatusNotFound}),
		"a question that fails":       withoutGraphQL(playground.Fault{Status: http.StatusBadGateway}),
		"no points for GraphQL":       withoutGraphQL(playground.Fault{Status: http.StatusOK, Body: `{"errors": [{"type": "RATE_LIMITED"}]}`}),
		"an answer of nothing at all": withoutGraphQL(playground.Fault{Status: http.StatusOK, Body: `{"data": {"r0": null}, "errors": [{"type": "NOT_FOUND", "path": ["r0"]}]}`}),
		"a command":                   func(i *issue) { i.Comment("olivia", "/colony:move analyzing") },
	} {
		for where, others := range map[string]string{"where nothing waits": "colony:new", "where a dependency can move another": "colony:analyzing"} {
			t.Run(name+" "+where, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, acme.Follows, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
				i, other := w.open("olivia", "", "colony:new"), w.open("olivia", "", others)
				w.Deaf()
				for range 3 {
					w.timedSweep()
				}
				happens(i)
				w.timedSweep()
				i.Has("colony:analyzing")
				i.Reads()
				other.Has(others)
			})
		}
	}
}

// What GitHub's answers about a repository leave out is found within half a day, when a sweep lists all that changed since the last such one.
func TestTimedSweepFindsWhatAnswersLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
	i := w.open("olivia", "", "colony:new")
	w.Deaf()
	for range 3 {
		w.timedSweep()
	}
	quiet := `"pushedAt": null, "last": {"nodes": []}, "pulled": {"nodes": []}`
	for label := range 40 {
		quiet += fmt.Sprintf(`, "l%d": {"totalCount": 0}`, label)
	}
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Path: regexp.MustCompile("/graphql$"), Actor: "colony[bot]", Status: http.StatusOK, Body: `{"data": {"r0": {` + quiet + "}}}",
	})
	i.Label("olivia", "colony:analyzing")
	for range 3 {
		w.timedSweep()
	}
	i.Has("colony:new", "colony:analyzing")
	w.clock.Advance(12 * time.Hour)
	w.timedSweep()
	i.Has("colony:analyzing")
}

// A sweep by the timer of a repository reads nothing of the issues that a pull request can move while no pull request changed.
func TestTimedSweepOfARepositoryThatWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
	i := w.open("olivia", "", "colony:in-review")
	pull := i.Fixed()
	w.Deaf()
	for range 4 {
		w.github.ResetCalls()
		w.timedSweep()
	}
	if n := w.asked(); n > 3 { // the repositories, one question about them, and what was forgotten of the settings
		t.Errorf("a sweep in which nothing happened took %d calls", n)
		w.logCalls()
	}
	i.CloseAs(pull, "")
	w.timedSweep()
	i.Has("colony:ready-for-dev")
	i.HasTrail(acme.MissingPull)
	i.Reads()
}

// A sweep by the timer reads nothing of the issues that checks can move while no check changed.
func TestTimedSweepOfARepositoryThatWaitsForChecks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
	w.Bring(acme.RowsLifecycle("triggers:\n  - {on: checks-failed, in: state-a, to: state-b, why: A check failed}\n"))
	i := w.open("olivia", "", "colony:a")
	i.Fixed()
	branch := fmt.Sprintf("work-on-%d", i.Number)
	w.Settle()
	w.Deaf()
	for _, conclusion := range []string{"success", ""} { // of a check; empty: it runs again
		i.Check(branch, "build", conclusion)
		for range 4 {
			w.github.ResetCalls()
			w.timedSweep()
		}
		if n := w.asked(); n > 4 { // as for those that wait for pull requests, and a question about checks
			t.Errorf("a sweep in which nothing happened took %d calls", n)
			w.logCalls()
		}
		i.Has("colony:a")
	}
	i.Check(branch, "build", "failure")
	w.timedSweep()
	i.Has("colony:b")
	i.Reads()
}

// closeGadget closes the issue of acme/gadgets.
func closeGadget(i *issue) {
	_, _, err := i.world.As("olivia").Issues.Edit(ctx, "acme", "gadgets", 1, &github.IssueRequest{State: new("closed"), StateReason: new("completed")})
	i.Must(err)
}

// What moves an issue without a change of it is found by the next sweep by the timer, however often sweeps found it at rest.
func TestTimedSweepFindsWhatChangesNoIssue(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		life, in, body string
		happens        func(i *issue, other, pull int)
		to             string
	}{
		"a review":                           {"", "colony:in-review", "", func(i *issue, _, pull int) { i.Review(pull, "REQUEST_CHANGES", "olivia") }, "colony:changes-requested"},
		"a conflict":                         {"", "colony:human-review-ready", "", func(i *issue, _, pull int) { i.Must(i.github.MakeConflict("acme", "widgets", pull, "mona")) }, "colony:merge-pending"},
		"a check":                            {acme.RowsLifecycle("triggers:\n  - {on: checks-failed, in: state-a, to: state-b, why: A check failed}\n"), "colony:a", "", func(i *issue, _, _ int) { i.Check(fmt.Sprintf("work-on-%d", i.Number), "build", "failure") }, "colony:b"},
		"a dependency that is done":          {"", "colony:dependency-blocked", "Depends on #%d", func(i *issue, other, _ int) { i.CloseAs(other, "completed") }, "colony:ready-for-dev"},
		"a pull request as a dependency":     {"", "colony:dependency-blocked", "Depends on #3", func(i *issue, _, pull int) { i.CloseAs(pull, "") }, "colony:failure-blocked colony:needs-human"},
		"a dependency in another repository": {"", "colony:dependency-blocked", "Depends on acme/gadgets#1", func(i *issue, _, _ int) { closeGadget(i) }, "colony:ready-for-dev"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
			if row.life != "" {
				w.Bring(row.life)
			}
			w.Repository("gadgets")
			w.OpenAt("gadgets", "olivia", []string{}...)
			other := w.open("olivia", "")
			body := row.body
			if strings.Contains(body, "%d") {
				body = fmt.Sprintf(body, other.Number)
			}
			i := w.open("olivia", body, row.in)
			pull := i.Fixed()
			w.Settle()
			i.Has(row.in)
			w.Deaf()
			for range 4 {
				w.timedSweep()
			}
			i.Has(row.in)
			row.happens(i, other.Number, pull)
			w.timedSweep()
			i.Has(strings.Fields(row.to)...)
			i.Reads()
			other.Reads()
		})
	}
}

// Time moves an issue that rests, however quiet its repository is.
func TestTimedSweepFindsThatAStateTimesOut(t *testing.T) {
	t.Parallel()
	for name, label := range map[string]string{"nothing else moves it": "colony:planning", "another issue can": "colony:analyzing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows, func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
			i := w.open("olivia", "", "colony:new")
			i.Label("olivia", label)
			w.Settle()
			w.Deaf()
			for range 4 {
				w.timedSweep()
			}
			w.clock.Advance(22 * time.Hour)
			for range 3 { // one lists all that the repository has, as every half a day
				w.timedSweep()
			}
			i.Has(label)
			w.clock.Advance(45 * time.Minute)
			w.timedSweep()
			i.Has("colony:failure-blocked", "colony:needs-human")
			i.ColonySays("not handed on in time")
			i.HasTrail()
		})
	}
}

// A repository that opts in without a webhook is swept from then on, quiet as it was.
func TestTimedSweepFindsThatAQuietRepositoryOptedIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(""), func(c *config.Config) { c.Sweep.Interval = 10 * time.Minute })
	i := w.open("olivia", "", "colony:new")
	w.Deaf()
	for range 3 {
		w.timedSweep()
	}
	w.OptsIn("widgets")
	w.timedSweep()
	i.Label("olivia", "colony:analyzing")
	w.timedSweep()
	i.Has("colony:analyzing")
}
