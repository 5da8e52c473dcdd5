package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
)

// used is what one call takes of GitHub's budgets.
type used struct {
	at              time.Time
	points, content int
}

// usage lists what Colony used in an installation, by what GitHub saw.
func (w *world) usage() []used {
	var all []used
	for _, c := range w.github.Calls() {
		if c.Actor != "colony[bot]" {
			continue
		}
		u := used{at: c.At, points: 5}
		if c.Method == http.MethodGet {
			u.points = 1
		}
		if c.Method == http.MethodPost && strings.HasSuffix(c.Path, "/comments") {
			u.content = 1
		}
		all = append(all, u)
	}
	return all
}

// most returns the most that was used within any window.
func most(all []used, window time.Duration, of func(used) int) int {
	highest, sum, oldest := 0, 0, 0
	for _, u := range all {
		sum += of(u)
		for u.at.Sub(all[oldest].at) >= window {
			sum -= of(all[oldest])
			oldest++
		}
		highest = max(highest, sum)
	}
	return highest
}

func points(u used) int  { return u.points }
func content(u used) int { return u.content }

// within asserts that GitHub's budgets were respected and that GitHub had nothing to refuse.
func (w *world) within() {
	w.t.Helper()
	all := w.usage()
	for _, budget := range []struct {
		name   string
		window time.Duration
		of     func(used) int
		most   int
	}{
		{"points", time.Minute, points, w.config.GitHub.Pace.Points},
		{"comments", time.Minute, content, w.config.GitHub.Pace.ContentMinute},
		{"comments", time.Hour, content, w.config.GitHub.Pace.ContentHour},
	} {
		if n := most(all, budget.window, budget.of); budget.most > 0 && n > budget.most {
			w.t.Errorf("%d %s within %s, more than %d", n, budget.name, budget.window, budget.most)
		}
	}
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && (c.Status == http.StatusForbidden || c.Status == http.StatusTooManyRequests) {
			w.t.Errorf("GitHub refused %s %s with %d", c.Method, c.Path, c.Status)
		}
	}
}

// refuse has changes made on issues in review that have to be refused, all at one time.
func (w *world) refuse(n int) []*issue {
	w.t.Helper()
	var all []*issue
	for range n {
		all = append(all, w.open("olivia", "", "colony:in-review"))
	}
	w.quiet()
	for _, i := range all {
		i.label("olivia", "colony:new")
	}
	w.quiet()
	w.clock.Advance(2 * time.Second)
	w.quiet()
	return all
}

// countRestored returns how many issues have their labels back.
func countRestored(all []*issue) (restored int) {
	for _, i := range all {
		is, _, err := i.as("mona").Issues.Get(ctx, "acme", "widgets", i.number)
		i.must(err)
		restored++
		for _, l := range is.Labels {
			if l.GetName() == "colony:new" {
				restored--
			}
		}
	}
	return restored
}

func explained(all []*issue) (said int) {
	for _, i := range all {
		said += min(len(i.colonyComments()), 1)
	}
	return said
}

func readAll(all []*issue) {
	for _, i := range all {
		i.colonySays("from `in-review` to `new`")
		i.has("colony:in-review", "colony:needs-human")
	}
}

func TestCommentsFollowWithinTheBudgetWhileLabelsAreRightAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.GitHub.Pace.Points = 0 })
	all := w.refuse(200)
	if n := countRestored(all); n != 200 {
		t.Errorf("the labels of %d issues are right at once, of 200", n)
	}
	if n := explained(all); n != 40 {
		t.Errorf("%d of 200 are explained at once, half of what a minute has is 40", n)
	}
	if until := w.ready().Paced.Comments[w.installation]; !until.After(w.clock.Now()) {
		t.Errorf("/readyz does not show that comments wait: %v", until)
	}
	const waits = "1 installation waits with comments for Colony's own budgets github.pace.content_minute and content_hour"
	if !slices.ContainsFunc(w.findings(w.address()), func(f doctor.Finding) bool { return f.Says == waits && f.Do != "" }) {
		t.Error("doctor does not say that comments wait")
	}
	w.pass(10, 30*time.Second)
	if n := explained(all); n != 200 {
		t.Errorf("%d of 200 are explained after five minutes", n)
	}
	readAll(all)
	w.within()
	if waiting := w.ready().Paced.Comments; len(waiting) > 0 {
		t.Errorf("/readyz shows that comments still wait: %v", waiting)
	}
}

func TestSweepsLeaveAloneWhatOnlyWaitsForItsComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.GitHub.Pace = ratelimit.Settings{ContentMinute: 10} })
	all := w.refuse(20)
	if countRestored(all) != 20 || explained(all) != 5 {
		t.Fatalf("%d are right and %d explained, want 20 and 5", countRestored(all), explained(all))
	}
	waiting := w.delayed()
	for range 3 {
		w.clock.Advance(time.Millisecond) // a sweep has its time for a name, and what comes twice is dropped
		w.must(w.colony.server.Sweep(ctx))
		w.quiet()
	}
	if n := w.delayed(); n != waiting {
		t.Errorf("sweeps made %d waiting requests %d", waiting, n)
	}
	if n := w.ready().HeldBack; n > 0 {
		t.Errorf("sweeps hold %d issues back that only wait for their comments", n)
	}
	w.pass(8, 30*time.Second)
	readAll(all)
	w.within()
}

func TestAnHourHasAnEndToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) {
		c.GitHub.Pace = ratelimit.Settings{ContentMinute: 80, ContentHour: 20}
	})
	all := w.refuse(25)
	w.pass(8, time.Minute)
	if n := explained(all); n != 11 {
		t.Errorf("%d are explained after eight minutes: half of an hour's 20, and one each six minutes", n)
	}
	w.pass(10, 10*time.Minute)
	readAll(all)
	w.within()
}

func TestPointsAreSpentWithinTheBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.refuse(60)
	if n := countRestored(all); n == 60 {
		t.Error("the budget of a minute was enough for 60 refusals: this test shows nothing")
	}
	if until := w.ready().Paced.Looks[w.installation]; !until.After(w.clock.Now()) {
		t.Errorf("/readyz does not show that requests wait: %v", until)
	}
	w.pass(24, 15*time.Second)
	readAll(all)
	w.within()
}

func TestALimitedInstallationDelaysOnlyItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddOrganization("globex")
	w.github.AddRepository("globex", "gadgets")
	w.github.SetPermission("globex", "gadgets", "olivia", "write")
	other := w.github.Install(appID, "globex")
	w.settle()
	i := w.open("olivia", "", "colony:new")
	w.settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: 3 * time.Minute,
		Installation: w.installation, Times: 1,
	})
	i.label("olivia", "colony:analyzing")
	w.quiet()
	i.has("colony:new", "colony:analyzing")
	limited := w.ready().Limited
	if _, ok := limited[w.installation]; !ok || len(limited) != 1 {
		t.Errorf("/readyz names the limited installations %v", limited)
	}
	if _, ok := limited[other]; ok {
		t.Error("the other installation is limited too")
	}

	opened, _, err := w.as("olivia").Issues.Create(ctx, "globex", "gadgets", &github.IssueRequest{Title: new("A gadget"), Labels: &[]string{"colony:new"}})
	w.must(err)
	_, _, err = w.as("olivia").Issues.AddLabelsToIssue(ctx, "globex", "gadgets", opened.GetNumber(), []string{"colony:analyzing"})
	w.must(err)
	w.settle()
	is, _, err := w.as("olivia").Issues.Get(ctx, "globex", "gadgets", opened.GetNumber())
	w.must(err)
	if len(is.Labels) != 1 || is.Labels[0].GetName() != "colony:analyzing" {
		t.Errorf("the other installation waits: %v", is.Labels)
	}
	i.has("colony:new", "colony:analyzing")
	w.clock.Advance(4 * time.Minute)
	w.quiet()
	i.has("colony:analyzing")
	if still := w.ready().Limited; len(still) > 0 {
		t.Errorf("/readyz names %v after the limit has passed", still)
	}
}

func TestSweepsLeaveTheLastCallsOfTheHourToPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, lost := w.open("olivia", "", "colony:new"), w.open("olivia", "", "colony:new")
	w.settle()
	w.github.DropNext(1)
	lost.label("olivia", "colony:analyzing")
	w.quiet()
	// The next answer says that fewer than a tenth of the calls are left.
	reset := strconv.FormatInt(w.clock.Now().Add(30*time.Minute).Unix(), 10)
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusOK, Times: 1, Path: regexp.MustCompile(`/labels/`), Installation: w.installation, After: true,
		Header: map[string]string{"X-RateLimit-Resource": "core", "X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "12", "X-RateLimit-Reset": reset},
		Body:   "[]", Method: http.MethodDelete,
	})
	i.label("olivia", "colony:analyzing")
	w.quiet()
	i.has("colony:analyzing") // a person's move is finished
	w.github.ResetCalls()
	w.must(w.colony.server.Sweep(ctx))
	w.quiet()
	for _, c := range w.github.Calls() {
		if c.Installation == w.installation && c.Actor == "colony[bot]" {
			t.Errorf("the sweep asked for %s", c.Path)
		}
	}
	w.clock.Advance(31 * time.Minute)
	w.quiet()
	lost.has("colony:analyzing")
}

// GitHub reports the limit of GraphQL with the status 200. Colony does not retry at once: the
// requests that need GraphQL wait until the limit ends, and all others go on.
func TestTheLimitOfGraphQLIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]playground.Fault{
		"as GitHub answers today": {Kind: playground.FaultPrimaryLimit, Status: http.StatusOK, Reset: 40 * time.Minute},
		"as it was told":          {Kind: playground.FaultStatus, Status: http.StatusOK, Header: map[string]string{"X-RateLimit-Resource": "graphql"}, Body: `{"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}`},
		"the secondary for a hit": {Kind: playground.FaultSecondaryLimit, Status: http.StatusOK, RetryAfter: 40 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: There is a pull request}
`))
			i, plain := w.openIn("colony:a", "Paint it."), w.openIn("colony:b", "Sand it.")
			w.settle()
			w.clock.Advance(time.Minute)
			limit.Path, limit.Actor = regexp.MustCompile("/graphql$"), "colony[bot]"
			cancel := w.github.Fault(limit)
			w.github.ResetCalls()
			i.fixed()
			w.quiet()
			i.pull("another", i.fixes(), false)
			w.quiet()
			i.has("colony:a")
			if n := w.asked("/graphql"); n != 1 {
				t.Errorf("%d questions to a GitHub that answers none now", n)
			}
			plain.label("olivia", "colony:c")
			w.quiet()
			ready := w.ready()
			_, waits := ready.Paced.GraphQL[w.installation]
			if _, all := ready.Limited[w.installation]; limit.Kind == playground.FaultSecondaryLimit {
				if !all || waits {
					t.Errorf("a secondary limit is for all calls: %+v", ready)
				}
			} else {
				if all || !waits {
					t.Errorf("the limit of GraphQL is for questions only: %+v", ready)
				}
				plain.has("colony:c") // nothing has to be asked for it
			}
			cancel()
			w.clock.Advance(time.Hour)
			w.settle()
			i.has("colony:b")
			plain.has("colony:c")
			if still := w.ready(); len(still.Paced.GraphQL)+len(still.Limited) > 0 {
				t.Errorf("/readyz names %v after the limit has passed", still)
			}
		})
	}
}

// ready is what /readyz shows.
type ready struct {
	Limited  map[int64]time.Time
	HeldBack int `json:"held_back"`
	Paced    struct{ Looks, Comments, GraphQL map[int64]time.Time }
	Queue    struct{ Delayed, Dead int }
	Waiting  []struct {
		Installation int64
		Why          string
		Tasks        int
		Until        time.Time
	}
	Onboarding []struct {
		Installation int64
		Done, Of     int
		Ends         time.Time `json:"ends_about"`
	}
}

func (w *world) ready() ready {
	w.t.Helper()
	answer := httptest.NewRecorder()
	w.colony.server.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", http.NoBody))
	var r ready
	w.must(json.Unmarshal(answer.Body.Bytes(), &r))
	return r
}
