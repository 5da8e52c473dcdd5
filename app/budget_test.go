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
	"github.com/colony-app/colony/bench/acme"
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
		{"points", time.Minute, points, w.config.GitHub.Budget.Points},
		{"comments", time.Minute, content, w.config.GitHub.Budget.ContentMinute},
		{"comments", time.Hour, content, w.config.GitHub.Budget.ContentHour},
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
	w.Quiet()
	for _, i := range all {
		i.Label("olivia", "colony:new")
	}
	w.Quiet()
	w.clock.Advance(2 * time.Second)
	w.Quiet()
	return all
}

// countRestored returns how many issues have their labels back.
func countRestored(all []*issue) (restored int) {
	for _, i := range all {
		is, _, err := i.As("mona").Issues.Get(ctx, "acme", "widgets", i.Number)
		i.Must(err)
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
		said += min(len(i.ColonyComments()), 1)
	}
	return said
}

func readAll(all []*issue) {
	for _, i := range all {
		i.ColonySays("from `in-review` to `new`")
		i.Has("colony:in-review", "colony:needs-human")
	}
}

func TestCommentsFollowWithinTheBudgetWhileLabelsAreRightAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.GitHub.Budget.Points = 0 })
	all := w.refuse(200)
	if n := countRestored(all); n != 200 {
		t.Errorf("the labels of %d issues are right at once, of 200", n)
	}
	if n := explained(all); n != 80 {
		t.Errorf("%d of 200 are explained at once, of the 80 that a minute has", n)
	}
	if until := w.colony.ready().Paced.Comments[w.Installation]; !until.After(w.clock.Now()) {
		t.Errorf("/readyz does not show that comments wait: %v", until)
	}
	const waits = "1 installation waits with comments for Colony's own budget of comments"
	if !slices.ContainsFunc(w.findings(w.address()), func(f doctor.Finding) bool { return f.Says == waits && f.Do != "" }) {
		t.Error("doctor does not say that comments wait")
	}
	w.Pass(10, 30*time.Second)
	if n := explained(all); n != 200 {
		t.Errorf("%d of 200 are explained after five minutes", n)
	}
	readAll(all)
	w.within()
	if waiting := w.colony.ready().Paced.Comments; len(waiting) > 0 {
		t.Errorf("/readyz shows that comments still wait: %v", waiting)
	}
}

func TestSweepsLeaveAloneWhatOnlyWaitsForItsComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.GitHub.Budget = ratelimit.Settings{ContentMinute: 10} })
	all := w.refuse(20)
	if countRestored(all) != 20 || explained(all) != 10 {
		t.Fatalf("%d are right and %d explained, want 20 and 10", countRestored(all), explained(all))
	}
	waiting := w.Delayed()
	for range 3 {
		w.clock.Advance(time.Millisecond) // a sweep has its time for a name, and what comes twice is dropped
		w.Must(w.colony.server.Sweep(ctx))
		w.Quiet()
	}
	if n := w.Delayed(); n != waiting {
		t.Errorf("sweeps made %d waiting requests %d", waiting, n)
	}
	if n := w.colony.ready().HeldBack; n > 0 {
		t.Errorf("sweeps hold %d issues back that only wait for their comments", n)
	}
	w.Pass(8, 30*time.Second)
	readAll(all)
	w.within()
}

func TestAnHourHasAnEndToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) {
		c.GitHub.Budget = ratelimit.Settings{ContentMinute: 80, ContentHour: 20}
	})
	all := w.refuse(25)
	w.Pass(8, time.Minute)
	if n := explained(all); n != 20 {
		t.Errorf("%d are explained after eight minutes, of the 20 that an hour has", n)
	}
	w.Pass(10, 10*time.Minute)
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
	if until := w.colony.ready().Paced.Looks[w.Installation]; !until.After(w.clock.Now()) {
		t.Errorf("/readyz does not show that requests wait: %v", until)
	}
	w.Pass(24, 15*time.Second)
	readAll(all)
	w.within()
}

// A bulk edit of 160 issues is done as soon as GitHub's points allow. A move in another repository meanwhile is finished at once, and one of another
// person in the same repository within a second.
func TestABulkEditDelaysItsEditor(t *testing.T) {
	t.Parallel()
	const bulk, step, every = 160, 200 * time.Millisecond, 5 * time.Second
	w := newWorld(t)
	other := w.withRepositories(1)[0]
	w.Settle()
	issues := func(repo string, n int) (all []*partIssue) {
		for range n {
			all = append(all, w.openAt(repo, "colony:new"))
		}
		return all
	}
	many, strangers, others := issues("widgets", bulk), issues(other, int(90*time.Second/every)), issues("widgets", int(90*time.Second/every))
	w.Pass(20, 15*time.Second)
	for _, i := range many {
		i.label("colony:analyzing")
	}
	w.Quiet()
	began, last := w.clock.Now(), time.Duration(0)
	for n := 0; w.Delayed() > 0; n++ {
		if w.clock.Since(began) > 90*time.Second {
			t.Fatalf("%d reconciliations wait after %s", w.Delayed(), w.clock.Since(began))
		}
		if n%int(every/step) == 0 && len(strangers) > 0 {
			strangers[0].label("colony:analyzing")
			others[0].labelAs("mona", "colony:analyzing")
			w.Quiet()
			strangers[0].ended("colony:analyzing")
			w.Pass(4, step)
			others[0].ended("colony:analyzing")
			strangers, others = strangers[1:], others[1:]
		}
		w.Pass(1, step)
		last = w.clock.Since(began)
	}
	for _, i := range many {
		i.ended("colony:analyzing")
	}
	if last < 30*time.Second {
		t.Error("a minute's points were enough: this test shows nothing")
	}
	t.Logf("the bulk edit took %s", last)
	w.within()
}

// What /readyz tells while much waits in two repositories is compared with what then happened.
func TestWhatWaitsGoesOnWhenReadyzSaid(t *testing.T) {
	t.Parallel()
	const step = 200 * time.Millisecond
	w := newWorld(t)
	other := w.withRepositories(1)[0]
	w.Settle()
	var many []*partIssue
	for n := range 200 {
		many = append(many, w.openAt([...]string{"widgets", "widgets", "widgets", other}[n%4], "colony:new"))
	}
	w.Pass(20, 15*time.Second)
	for _, i := range many {
		i.label("colony:analyzing")
	}
	w.Quiet()
	said, ended := map[int64][]time.Time{}, map[int64]time.Time{} // by repository; 0: all together
	for began := w.clock.Now(); w.Delayed() > 0; w.Pass(1, step) {
		for _, waits := range w.colony.ready().Waiting {
			if waits.Why != string(ratelimit.BudgetPoints) {
				continue
			}
			said[0], ended[0] = append(said[0], waits.Until), w.clock.Now()
			for _, in := range waits.Repositories {
				said[in.ID], ended[in.ID] = append(said[in.ID], in.Until), w.clock.Now()
			}
		}
		if w.clock.Since(began) > 2*time.Minute {
			t.Fatalf("%d reconciliations wait after %s", w.Delayed(), w.clock.Since(began))
		}
	}
	if len(said) != 3 || len(said[0]) < int(time.Minute/step) {
		t.Errorf("%d repositories waited, %d steps: this test shows nothing", len(said)-1, len(said[0]))
	}
	for repository, all := range said {
		furthest := time.Duration(0)
		for _, until := range all {
			furthest = max(furthest, until.Sub(ended[repository]).Abs())
		}
		t.Logf("repository %d: %d times, at most %s from what happened", repository, len(all), furthest)
		if furthest > 20*time.Second {
			t.Errorf("repository %d: /readyz was wrong by %s", repository, furthest)
		}
	}
}

func TestALimitedInstallationDelaysOnlyItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddOrganization("globex")
	w.github.AddRepository("globex", "gadgets")
	w.github.SetPermission("globex", "gadgets", "olivia", "write")
	other := w.github.Install(appID, "globex")
	w.Settle()
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: 3 * time.Minute,
		Installation: w.Installation, Times: 1,
	})
	i.Label("olivia", "colony:analyzing")
	w.Quiet()
	i.Has("colony:new", "colony:analyzing")
	limited := w.colony.ready().Limited
	if _, ok := limited[w.Installation]; !ok || len(limited) != 1 {
		t.Errorf("/readyz names the limited installations %v", limited)
	}
	if _, ok := limited[other]; ok {
		t.Error("the other installation is limited too")
	}

	opened, _, err := w.As("olivia").Issues.Create(ctx, "globex", "gadgets", &github.IssueRequest{Title: new("A gadget"), Labels: &[]string{"colony:new"}})
	w.Must(err)
	_, _, err = w.As("olivia").Issues.AddLabelsToIssue(ctx, "globex", "gadgets", opened.GetNumber(), []string{"colony:analyzing"})
	w.Must(err)
	w.Settle()
	is, _, err := w.As("olivia").Issues.Get(ctx, "globex", "gadgets", opened.GetNumber())
	w.Must(err)
	if len(is.Labels) != 1 || is.Labels[0].GetName() != "colony:analyzing" {
		t.Errorf("the other installation waits: %v", is.Labels)
	}
	i.Has("colony:new", "colony:analyzing")
	w.clock.Advance(4 * time.Minute)
	w.Quiet()
	i.Has("colony:analyzing")
	if still := w.colony.ready().Limited; len(still) > 0 {
		t.Errorf("/readyz names %v after the limit has passed", still)
	}
}

func TestSweepsLeaveTheLastCallsOfTheHourToPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, lost := w.open("olivia", "", "colony:new"), w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.DropNext(1)
	lost.Label("olivia", "colony:analyzing")
	w.Quiet()
	// The next answer says that fewer than a tenth of the calls are left.
	reset := strconv.FormatInt(w.clock.Now().Add(30*time.Minute).Unix(), 10)
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusOK, Times: 1, Path: regexp.MustCompile(`/labels/`), Installation: w.Installation, After: true,
		Header: map[string]string{"X-RateLimit-Resource": "core", "X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "12", "X-RateLimit-Reset": reset},
		Body:   "[]", Method: http.MethodDelete,
	})
	i.Label("olivia", "colony:analyzing")
	w.Quiet()
	i.Has("colony:analyzing") // a person's move is finished
	w.github.ResetCalls()
	w.Must(w.colony.server.Sweep(ctx))
	w.Quiet()
	for _, c := range w.github.Calls() {
		if c.Installation == w.Installation && c.Actor == "colony[bot]" {
			t.Errorf("the sweep asked for %s", c.Path)
		}
	}
	w.clock.Advance(31 * time.Minute)
	w.Quiet()
	lost.Has("colony:analyzing")
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
			w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: There is a pull request}
`))
			i, plain := w.OpenIn("colony:a", "Paint it."), w.OpenIn("colony:b", "Sand it.")
			w.Settle()
			w.clock.Advance(time.Minute)
			limit.Path, limit.Actor = regexp.MustCompile("/graphql$"), "colony[bot]"
			cancel := w.github.Fault(limit)
			w.github.ResetCalls()
			i.Fixed()
			w.Quiet()
			i.Pull("another", i.Fixes(), false)
			w.Quiet()
			i.Has("colony:a")
			if n := w.Asked("/graphql"); n != 1 {
				t.Errorf("%d questions to a GitHub that answers none now", n)
			}
			plain.Label("olivia", "colony:c")
			w.Quiet()
			ready := w.colony.ready()
			_, waits := ready.Paced.GraphQL[w.Installation]
			if _, all := ready.Limited[w.Installation]; limit.Kind == playground.FaultSecondaryLimit {
				if !all || waits {
					t.Errorf("a secondary limit is for all calls: %+v", ready)
				}
			} else {
				if all || !waits {
					t.Errorf("the limit of GraphQL is for questions only: %+v", ready)
				}
				plain.Has("colony:c") // nothing has to be asked for it
			}
			cancel()
			w.clock.Advance(time.Hour)
			w.Settle()
			i.Has("colony:b")
			plain.Has("colony:c")
			if still := w.colony.ready(); len(still.Paced.GraphQL)+len(still.Limited) > 0 {
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
		Repositories []struct {
			ID    int64
			Tasks int
			Until time.Time
		}
	}
	Onboarding []struct {
		Installation int64
		Done, Of     int
		Ends         time.Time `json:"ends_about"`
	}
}

// ready is what /readyz shows.
func (c *colony) ready() (r ready) {
	answer := httptest.NewRecorder()
	c.server.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", http.NoBody))
	if err := json.Unmarshal(answer.Body.Bytes(), &r); err != nil {
		panic(err)
	}
	return r
}
