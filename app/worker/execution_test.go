package worker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Each kind of request does its own, also where no issue is read if it can change that, and ends what is left where Colony does not work.
func TestKindsOfRequests(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind      reconcile.Kind
		number    int
		does      string
		off, left string // the same, where the mode is off, and where Colony does not work
		_         bool
	}{
		{kind: reconcile.KindIssue, number: 3, does: "reconcile acme/widgets#3 waited 0"},
		{kind: reconcile.KindRepository, does: "labels of acme/widgets", off: "labels of acme/widgets"},
		{kind: reconcile.KindPolicy, does: "tell rules acme/widgets#0", off: "tell rules acme/widgets#0", left: "leave acme/widgets"},
		{kind: reconcile.KindPullRequest, number: 3, does: "issues of pull acme/widgets#3"},
		{kind: reconcile.KindCommit, does: "pulls of acme/widgets at "},
		{kind: reconcile.KindDependents, number: 3, does: "dependents of acme/widgets#3, also bugs: false, also done: true"},
		{kind: reconcile.KindDashboard, does: "mode acme/widgets: enforce"},
		{kind: reconcile.KindSweep, does: "sweep acme/widgets#0 page 1, asked 08:59:00, failed 0", off: "sweep acme/widgets#0 page 1, asked 08:59:00, failed 0", left: "leave acme/widgets"},
		{kind: "nonsense"},
	} {
		for where, want := range map[string]string{"works": test.does, "off": test.off, "left": test.left} {
			r := newRoom(t)
			r.policy.Lifecycle = withTriggers(t, lifecycle.Trigger{On: "checks-failed", In: []string{"in-review"}}, lifecycle.Trigger{On: "dependency-open", In: []string{"in-development"}})
			if where == "off" {
				r.policy.Mode = lifecycle.ModeOff
			}
			r.without["widgets"] = where == "left"
			_, _, err := r.take(request(test.kind, test.number))
			if (err != nil) != (test.kind == "nonsense" && where == "works") {
				t.Errorf("%s, %s: %v", test.kind, where, err)
			}
			switch {
			case want == "" && len(r.said) > 0, want != "" && (len(r.said) == 0 || r.said[0] != want):
				t.Errorf("%s, %s: %q, want %q first", test.kind, where, r.said, want)
			}
		}
	}
}

// A request that depends on the policy does nothing where the policy has no use for it.
func TestRequestsWithoutUse(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	item := request(reconcile.KindIssue, 3)
	item.OnlyStates = []string{"bug"}
	_, _, err := r.take(item)
	r.heard("a label that no state has")
	item.OnlyStates = []string{"colony:done"}
	_, _, err2 := r.take(item)
	r.heard("one of a state", "reconcile acme/widgets#3 waited 0")
	r.fails["policy"] = errDown
	_, _, err3 := r.take(item)
	r.heard("nothing is known")
	if err != nil || err2 != nil || !errors.Is(err3, errDown) {
		t.Error(err, err2, err3)
	}
	r = newRoom(t)
	item = request(reconcile.KindRepository, 0)
	item.OnlyIntake = true
	if _, _, err := r.take(item); err != nil {
		t.Error(err)
	}
	r.heard("what can change the policy, if it depends on it")
}

// What came of a request says whether it comes back, and what else is to be done.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	gone, tried403 := issues.ErrGone, forbidden(403)
	for name, test := range map[string]struct {
		item      Item
		fails     error
		result    *reconcile.Result
		want      []string
		after     string
		permanent bool
		unknown   bool  // GitHub does not tell where the repository is
		left      bool  // the repository has no installation any more
		home      int64 // another installation, to which it belongs
		err       error
	}{
		"done":       {item: request(reconcile.KindIssue, 3), want: []string{"reconcile acme/widgets#3 waited 0"}},
		"comes back": {item: request(reconcile.KindIssue, 3), result: &reconcile.Result{RequeueAfter: time.Minute}, want: []string{"reconcile acme/widgets#3 waited 0"}, after: "1m0s for wait/7/2"},
		"fails":      {item: request(reconcile.KindIssue, 3), fails: errDown, want: []string{"reconcile acme/widgets#3 waited 0"}, err: errDown},
		"is gone":    {item: request(reconcile.KindIssue, 3), fails: gone, want: []string{"reconcile acme/widgets#3 waited 0", "gone acme/widgets#3"}},
		"is gone, of a repository": {
			item: request(reconcile.KindSweep, 0), fails: gone, want: []string{"sweep acme/widgets#0 page 1, asked 08:59:00, failed 0", "gone acme/widgets#0"},
		},
		"is gone, of another kind": {item: request(reconcile.KindRepository, 0), fails: gone, want: []string{"labels of acme/widgets"}},
		"is gone, of everything": {
			item:  Item{Request: reconcile.Request{Kind: reconcile.KindSweep, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}}},
			fails: gone, want: []string{"sweep /#0 page 1, asked 08:59:00, failed 0"},
		},
		"is forbidden": {
			item: request(reconcile.KindIssue, 3), fails: forbidden(403), permanent: true,
			want: []string{"reconcile acme/widgets#3 waited 0", "where acme/widgets is", "forget the token of 7", "ask what 7 still grants", `tell ungranted {"7":["issues: write"]}`},
		},
		"is forbidden, and GitHub does not tell where": {
			item: request(reconcile.KindIssue, 3), fails: tried403, unknown: true, err: tried403,
			want: []string{"reconcile acme/widgets#3 waited 0", "where acme/widgets is"},
		},
		"has left": {
			item: request(reconcile.KindRepository, 0), fails: forbidden(404), left: true, want: []string{"labels of acme/widgets", "where acme/widgets is"},
		},
		"has another installation": {
			item: request(reconcile.KindRepository, 0), fails: forbidden(403), home: 8,
			want: []string{"labels of acme/widgets", "where acme/widgets is", "ask what 7 still grants", `tell ungranted {"7":["issues: write"]}`},
		},
		"is no request that GitHub takes": {
			item: request(reconcile.KindIssue, 3), fails: forbidden(422), permanent: true, want: []string{"reconcile acme/widgets#3 waited 0", "forget the token of 7"},
		},
	} {
		r := newRoom(t)
		r.lacking, r.result = map[int64][]string{7: {"issues: write"}}, test.result
		for _, does := range []string{"reconcile", "sweep", "labels"} {
			r.fails[does] = test.fails
		}
		if test.unknown {
			r.fails["where"] = errDown
		}
		if test.home != 0 || test.left {
			r.home = test.home
		}
		_, after, err := r.take(test.item)
		r.heard(name, test.want...)
		if test.err == nil && test.permanent {
			test.err = test.fails
		}
		if after != test.after || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) || queue.IsPermanent(err) != test.permanent {
			t.Errorf("%s: %q, %v", name, after, err)
		}
	}
}

// A request that was answered before it began is dropped, unless it has done something or failed since.
func TestAnsweredRequests(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*Item)
		want   []string
	}{
		"is dropped":        {func(*Item) {}, nil},
		"has begun":         {func(i *Item) { i.Begun = true }, []string{"reconcile acme/widgets#3 waited 0"}},
		"has failed before": {func(i *Item) { i.failures = 1 }, []string{"reconcile acme/widgets#3 waited 0"}},
	} {
		r := newRoom(t)
		r.answered = true
		item := request(reconcile.KindIssue, 3)
		test.change(&item)
		if _, _, err := r.take(item); err != nil {
			t.Error(err)
		}
		r.heard(name, test.want...)
	}
}

// What begins anew comes back with points for what it has done before: those that it reads again.
func TestALimitUnderWayAsksForMore(t *testing.T) {
	t.Parallel()
	swept := request(reconcile.KindIssue, 3)
	swept.Cause = reconcile.CauseSweep
	for budget, item := range map[ratelimit.Budget]Item{ratelimit.BudgetPoints: request(reconcile.KindIssue, 3), ratelimit.BudgetBackground: swept} {
		r := newRoom(t)
		r.writes, r.fails["reconcile"] = 6, &ratelimit.Error{Budget: budget, Wait: time.Minute}
		want := 6*ratelimit.PointsOfWrite + ratelimit.PointsOfReconciliation
		if back, after, err := r.take(item); err != nil || back.Needs != want {
			t.Errorf("%s: it needs %d points, want %d, after %s: %v", budget, back.Needs, want, after, err)
		}
	}
}

// What requests of a kind and a cause need is learned: dearer ones with the first, cheaper ones little by little.
func TestCostsAreLearned(t *testing.T) {
	t.Parallel()
	c := newCosts()
	by := func(cause string) *Item {
		i := request(reconcile.KindIssue, 3)
		i.Cause = cause
		return &i
	}
	moves, commands := by("issues.labeled"), by("issue_comment.created")
	learn := func(i *Item, spent ...int) int {
		for _, points := range spent {
			c.learn(i, points)
		}
		return c.expected(i)
	}
	for _, step := range []struct {
		about     string
		got, want int
	}{
		{"nothing is known", learn(moves), ratelimit.PointsOfReconciliation},
		{"a cheap one", learn(moves, 2), 17},
		{"many cheap ones", learn(moves, slices.Repeat([]int{7}, 100)...), 8},
		{"a dear one", learn(moves, 24), 24},
		{"some cheap ones after it", learn(moves, slices.Repeat([]int{7}, 11)...), 16},
		{"another cause", learn(commands), ratelimit.PointsOfReconciliation},
		{"some that cost nothing", learn(commands, make([]int, 200)...), 1},
	} {
		if step.got != step.want {
			t.Errorf("%s: %d points, want %d", step.about, step.got, step.want)
		}
	}
	if got := learn(&Item{Request: commands.Request, Needs: 30}); got != 30 {
		t.Errorf("one that knows what it needs: %d", got)
	}
}

// A request that meets a limit under way comes back; only some go on where they were.
func TestLimitsUnderWay(t *testing.T) {
	t.Parallel()
	limit := func(b ratelimit.Budget) error { return &ratelimit.Error{Budget: b, Wait: time.Minute} }
	r := newRoom(t)
	r.fails["reconcile"], r.fails["sweep"] = limit(ratelimit.BudgetPoints), limit(ratelimit.BudgetGraphQL)
	back, after, err := r.take(request(reconcile.KindIssue, 3))
	if err != nil || after != "1m0s for points/7/2, with rank 0 at points/7/2/, held true" || !back.Begun || back.Shares != 0 || back.Needs != ratelimit.PointsOfReconciliation {
		t.Errorf("%+v comes back after %s: %v", back, after, err)
	}
	back, after, err = r.take(request(reconcile.KindSweep, 0))
	if err != nil || after != "1m0s for graphql/7/2, with rank 3 at graphql/7, held false" || back.Needs > 0 || back.Sweep.Page != 1 {
		t.Errorf("%+v comes back after %s: %v", back, after, err)
	}
	r.fails["reconcile"] = limit(ratelimit.BudgetContent)
	if back, _, _ = r.take(request(reconcile.KindIssue, 3)); back.Needs == 0 {
		t.Error("it does not go before later ones")
	}
	r.said = nil
	r.fails["reconcile"] = limit(ratelimit.BudgetGitHub)
	back, after, _ = r.take(request(reconcile.KindIssue, 3))
	if after != "1m0s for github/7/2, with rank 0 at github/7, held true" || back.Needs > 0 {
		t.Errorf("%+v comes back after %s", back, after)
	}
	r.heard("the other replicas know", "reconcile acme/widgets#3 waited 0", `tell limited {"installation":7,"until":"2026-03-02T09:01:00Z"}`)
	_, after, _ = r.take(request(reconcile.KindIssue, 4))
	if after != "1m0s for github/7/2, with rank 0 at github/7, held true" {
		t.Errorf("the next one waits %s", after)
	}
	r.heard("nothing is asked while the limit lasts")
	r.clock.Advance(time.Minute)
	delete(r.fails, "reconcile")
	if _, after, _ = r.take(request(reconcile.KindIssue, 4)); after != "" {
		t.Errorf("it waits on: %s", after)
	}
}

// What comes before the first call can make a request wait.
func TestAdmission(t *testing.T) {
	t.Parallel()
	onlyApp := Item{Request: reconcile.Request{Kind: reconcile.KindSweep}}
	for name, test := range map[string]struct {
		item  Item
		spend int // points of 900
		share time.Duration
		after string
	}{
		"not due yet":                {item: Item{Request: request(reconcile.KindDashboard, 0).Request, Due: began.Add(time.Minute)}, after: "1m0s for wait/7/2"},
		"a share":                    {item: request(reconcile.KindIssue, 3), share: time.Second, after: "1s for share/7/2"},
		"people find points":         {item: request(reconcile.KindIssue, 3), spend: 870},
		"people wait":                {item: request(reconcile.KindIssue, 3), spend: 885, after: "1m0s for points/7/2, with rank 0 at points/7/2/, held true"},
		"the labels of a repository": {item: request(reconcile.KindRepository, 0), spend: 850, after: "1m0s for background/7/2, with rank 2 at background/7, held true"},
		"policies":                   {item: request(reconcile.KindPolicy, 0), spend: 885, after: "1m0s for background/7/2, with rank 2 at background/7, held true"},
		"a sweep":                    {item: request(reconcile.KindSweep, 0), spend: 885, after: "1m0s for background/7/2, with rank 3 at background/7, held true"},
		"a dashboard":                {item: request(reconcile.KindDashboard, 0), spend: 885, after: "1m0s for background/7/2, with rank 3 at background/7, held true"},
		"an onboarding":              {item: request(reconcile.KindInstallation, 0), spend: 850, after: "1m0s for background/7/2, with rank 2 at background/7, held true"},
		"the App itself":             {item: onlyApp, spend: 400},
	} {
		r := newRoom(t)
		r.share = test.share
		for ; test.spend > 0; test.spend -= ratelimit.PointsOfWrite {
			r.spend(7)
		}
		back, after, err := r.take(test.item)
		if err != nil || after != test.after || test.share > 0 && back.Shares != 1 {
			t.Errorf("%s: %q, %v", name, after, err)
		}
		if after != "" && len(r.said) > 0 {
			t.Errorf("%s: it waits, and asks %q", name, r.said)
		}
	}
}

// spend uses the points of a write, in a repository of its own.
func (r *room) spend(installation int64) {
	r.Helper()
	r.spent++
	ctx := ratelimit.WithCaller(context.Background(), ratelimit.Caller{Installation: installation, Repository: 1000 + r.spent})
	r.write(ctx)
}

// write uses the points of a write, for a context.
func (r *room) write(ctx context.Context) {
	r.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://github.test/repos/acme/widgets/labels", http.NoBody)
	if err != nil {
		r.Fatal(err)
	}
	call(r, request, r.limiter)
}

func TestRanks(t *testing.T) {
	t.Parallel()
	because := func(kind reconcile.Kind, cause string) *Item {
		return &Item{Request: reconcile.Request{Kind: kind, Cause: cause}}
	}
	for _, test := range []struct {
		item       *Item
		rank       int
		background bool
	}{
		{because(reconcile.KindIssue, "issues.labeled"), rankPeople, false},
		{because(reconcile.KindIssue, "issue_comment.created"), rankPeople, false},
		{because(reconcile.KindIssue, "pull_request.closed"), rankEvents, false},
		{because(reconcile.KindDispatch, ""), rankEvents, false},
		{because(reconcile.KindIssue, reconcile.CauseRetry), rankProvision, true},
		{because(reconcile.KindIssue, reconcile.CauseSweep), rankSweep, true},
		{because(reconcile.KindConflicts, "push"), rankProvision, true},
		{because(reconcile.KindRepository, ""), rankProvision, true},
		{because(reconcile.KindPolicy, ""), rankProvision, true},
		{because(reconcile.KindInstallation, ""), rankProvision, true},
		{because(reconcile.KindSweep, ""), rankSweep, true},
		{because(reconcile.KindDashboard, ""), rankSweep, true},
	} {
		body, _ := json.Marshal(test.item)
		if got := test.item.rank(); got != test.rank || Background(queue.Task{Body: body}) != test.background {
			t.Errorf("%s because of %q: rank %d, want %d", test.item.Kind, test.item.Cause, got, test.rank)
		}
		if Background(queue.Task{Body: body, Issue: 3}) {
			t.Error("a person may wait behind what is about an issue")
		}
	}
	if Background(queue.Task{Body: []byte("nonsense")}) {
		t.Error("a task that cannot be read is in the background")
	}
}

// A worker takes nothing before Colony knows who it is, and nothing that it cannot read.
func TestTake(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	if _, err := r.worker.Take(t.Context(), queue.Task{Body: []byte("nonsense")}); err == nil {
		t.Error("nonsense is done")
	}
	r.worker.ready = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	requeue, err := r.worker.Take(ctx, queue.Task{Body: []byte(`{"scope": "issue"}`)})
	if diff := cmp.Diff(&queue.Requeue{After: time.Second}, requeue); diff != "" || err != nil {
		t.Error(diff, err)
	}
	r.heard("nothing")
}

// The policy of a repository is asked for by what receives webhooks.
func TestPolicyForWebhooks(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.without["gadgets"] = true
	if found, known := r.worker.KnownPolicy(widgets); !known || found.Lifecycle == nil {
		t.Error("the policy is not known")
	}
	if !r.worker.Has(widgets) || r.worker.Has(issues.Repository{Name: "gadgets"}) {
		t.Error("Colony works elsewhere")
	}
	r.worker.ForgetPolicy(widgets)
	r.heard("it may have changed", "invalidate acme/widgets of 7", "tell rules acme/widgets#0")
}

// A changed policy is read again, and what follows from it is asked for; for the repository that speaks for others, also theirs.
func TestChangedPolicies(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.pages = [][]string{{".github", "gadgets"}}
	speaks := Item{Request: reconcile.Request{Kind: reconcile.KindPolicy, Ref: issues.Ref{Repository: issues.Repository{Installation: 7, ID: 9, Owner: "acme", Name: ".github"}}, Delivery: "d", Extent: reconcile.Extent{AllOfOwner: true}}}
	speaks.Waited = 2
	r.policy.Dashboard = true
	r.policy.Lifecycle = withCapacity(t)
	if _, _, err := r.take(speaks); err != nil {
		t.Error(err)
	}
	r.heard("of all", "tell rules acme/.github#0", "refresh acme/.github waited 2", "publish d/dispatch/9/2: dispatch of acme/.github#0",
		"publish d/dashboard/9/2: dashboard of acme/.github#0", "GET /installation/repositories?page=1&per_page=100 as 7",
		"publish d/others/2/repository/1: rules of acme/.github#0", "publish d/others/2/repository/2: rules of acme/gadgets#0")
	r.fails["refresh"] = errDown
	if _, _, err := r.take(speaks); !errors.Is(err, errDown) {
		t.Error(err)
	}
	r.heard("it cannot be read", "tell rules acme/.github#0", "refresh acme/.github waited 2")
	delete(r.fails, "refresh")
	r.policy = policy.Effective{Policy: policy.Policy{Mode: lifecycle.ModeObserve, Lifecycle: shipped(t)}}
	one := request(reconcile.KindPolicy, 0)
	one.AllOfOwner = true
	_, _, err := r.take(one)
	r.heard("of one", "tell rules acme/widgets#0", "refresh acme/widgets waited 0")
	speaks.AllOfOwner = false
	_, _, err2 := r.take(speaks)
	r.heard("of the one that speaks for others, and only of that", "tell rules acme/.github#0", "refresh acme/.github waited 2")
	if err != nil || err2 != nil {
		t.Error(err, err2)
	}
}
