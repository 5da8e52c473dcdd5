package worker

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// call makes a call that writes, for the caller of a context.
func call(r *room, request *http.Request, limiter *ratelimit.Limiter) {
	r.Helper()
	wire := limiter.Middleware(ratelimit.RoundTripperFunc(func(*http.Request) (*http.Response, error) { return &http.Response{}, nil }))
	if _, err := wire.RoundTrip(request); err != nil {
		r.Fatal(err)
	}
}

// withCapacity is the lifecycle of Colony where at most 3 issues are in development.
func withCapacity(t *testing.T) *statemachine.Table {
	t.Helper()
	return shipped(t).With(statemachine.Options{Dispatch: []lifecycle.Dispatch{{From: []string{"ready-for-dev"}, To: "in-development", AtMost: 3}}})
}

// withTriggers is the lifecycle of Colony with other triggers.
func withTriggers(t *testing.T, triggers ...lifecycle.Trigger) *statemachine.Table {
	t.Helper()
	life := *shipped(t)
	life.Triggers = triggers
	return &life
}

// What a webhook is about leads to the issues that it can move, and to nothing where it can move none.
func TestFanOut(t *testing.T) {
	t.Parallel()
	conflicting := lifecycle.Trigger{On: "pull-request-conflicting", In: []string{"in-review", "in-development"}, To: "failure-blocked"}
	freed := lifecycle.Trigger{On: "files-clear", In: []string{"in-review"}, To: "in-development"}
	blocked := lifecycle.Trigger{On: "dependency-open", In: []string{"in-development"}, To: "dependency-blocked"}
	conflict := func(known, open []int) func(*room) {
		return func(r *room) { r.store.conflicts = &issues.Conflicts{Known: known, Open: open} }
	}
	commit := request(reconcile.KindCommit, 0)
	commit.Commit = "abc"
	for name, test := range map[string]struct {
		item     Item
		triggers []lifecycle.Trigger
		change   func(*room)
		want     []string
		err      error
	}{
		"a pull request": {item: request(reconcile.KindPullRequest, 5), triggers: []lifecycle.Trigger{conflicting}, want: []string{
			"issues of pull acme/widgets#5", "publish d/pull/2/5/1: issue of acme/widgets#1 with pull 5", "publish d/pull/2/5/4: issue of acme/widgets#4 with pull 5",
		}},
		"a pull request that moves nothing": {item: request(reconcile.KindPullRequest, 5), triggers: []lifecycle.Trigger{blocked}},
		"a pull request of which GitHub does not tell": {
			item: request(reconcile.KindPullRequest, 5), triggers: []lifecycle.Trigger{conflicting}, change: func(r *room) { r.fails["issues"] = issues.ErrForbidden }, want: []string{
				"issues of pull acme/widgets#5", "publish d/pull/2/5/1: issue of acme/widgets#1 with pull 5", "publish d/pull/2/5/4: issue of acme/widgets#4 with pull 5",
			},
		},
		"a pull request, and GitHub is down": {item: request(reconcile.KindPullRequest, 5), triggers: []lifecycle.Trigger{conflicting}, change: func(r *room) { r.fails["issues"] = errDown }, want: []string{"issues of pull acme/widgets#5"}, err: errDown},
		"a commit":                           {item: commit, triggers: []lifecycle.Trigger{conflicting, {On: "checks-failed", In: []string{"in-review"}}}, want: []string{"pulls of acme/widgets at abc", "publish d/pull/2/8: pull-request of acme/widgets#8", "publish d/pull/2/9: pull-request of acme/widgets#9"}},
		"a commit that moves nothing":        {item: commit, triggers: []lifecycle.Trigger{blocked}},
		"a commit, and GitHub is down":       {item: commit, triggers: []lifecycle.Trigger{{On: "checks-failed", In: []string{"in-review"}}}, change: func(r *room) { r.fails["pulls"] = errDown }, want: []string{"pulls of acme/widgets at abc"}, err: errDown},
		"a commit, and the queue is full":    {item: commit, triggers: []lifecycle.Trigger{{On: "checks-failed", In: []string{"in-review"}}}, change: func(r *room) { r.fails["publish"] = errDown }, want: []string{"pulls of acme/widgets at abc", "publish d/pull/2/8: pull-request of acme/widgets#8"}, err: errDown},
		"a push": {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{conflicting}, want: []string{
			"list colony:in-development, 3 a page", "list colony:in-review, 1 a page", "conflicts of acme/widgets",
			"publish d/conflicts/2/11: issue of acme/widgets#11", "publish d/conflicts/2/12: issue of acme/widgets#12", "publish d/conflicts/2/21: issue of acme/widgets#21",
		}},
		"a push, and nothing waits":                       {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{conflicting}, change: func(r *room) { r.store.labeled = nil }, want: []string{"list colony:in-development, 3 a page", "list colony:in-review, 3 a page"}},
		"a push, and some conflict":                       {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{conflicting}, change: conflict([]int{12, 99}, []int{98}), want: []string{"list colony:in-development, 3 a page", "list colony:in-review, 1 a page", "conflicts of acme/widgets", "publish d/conflicts/2/12: issue of acme/widgets#12"}},
		"a push, and none conflicts":                      {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{conflicting}, change: conflict(nil, nil), want: []string{"list colony:in-development, 3 a page", "list colony:in-review, 1 a page", "conflicts of acme/widgets"}},
		"a push, and GitHub does not tell what conflicts": {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{conflicting}, change: func(r *room) { r.fails["conflicts"] = errDown }, want: []string{"list colony:in-development, 3 a page", "list colony:in-review, 1 a page", "conflicts of acme/widgets"}, err: errDown},
		"a push that moves nothing":                       {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{blocked}},
		"a push, and GitHub is down":                      {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{conflicting}, change: func(r *room) { r.fails["list"] = errDown }, want: []string{"list colony:in-development, 3 a page"}, err: errDown},
		"a push, and the queue is full":                   {item: request(reconcile.KindConflicts, 0), triggers: []lifecycle.Trigger{freed, conflicting}, change: func(r *room) { r.fails["publish"], r.store.labeled["colony:in-development"] = errDown, nil }, want: []string{"list colony:in-development, 3 a page", "list colony:in-review, 3 a page", "conflicts of acme/widgets", "publish d/conflicts/2/21: issue of acme/widgets#21"}, err: errDown},
		"files": {item: request(reconcile.KindFiles, 5), triggers: []lifecycle.Trigger{freed}, want: []string{
			"list colony:in-review, 3 a page", "overlapping acme/widgets#5 of [21 22]", "publish d/files/2/22: issue of acme/widgets#22",
		}},
		"files, also of those that are planned": {
			item: request(reconcile.KindFiles, 5), triggers: []lifecycle.Trigger{freed, {On: "files-overlap", In: []string{"ready-for-dev", "in-development", "in-review"}, PlannedIn: []string{"Files"}}},
			want: []string{
				"list colony:in-review, 3 a page", "list colony:in-development, 3 a page",
				"overlapping acme/widgets#5 of [21 22], or [21 22 11 12] without a pull request", "publish d/files/2/22: issue of acme/widgets#22",
			},
		},
		"files that move nothing":   {item: request(reconcile.KindFiles, 5), triggers: []lifecycle.Trigger{conflicting}},
		"files, and GitHub is down": {item: request(reconcile.KindFiles, 5), triggers: []lifecycle.Trigger{freed}, change: func(r *room) { r.fails["overlapping"] = errDown }, want: []string{"list colony:in-review, 3 a page", "overlapping acme/widgets#5 of [21 22]"}, err: errDown},
		"dependents": {item: request(reconcile.KindDependents, 5), triggers: []lifecycle.Trigger{blocked}, want: []string{
			"dependents of acme/widgets#5, also bugs: false, also done: true", "publish d/dependent/2/6: issue of acme/widgets#6", "repository other/gears",
			"publish d/dependent/44/7: issue of other/gears#7",
		}},
		"dependents where Colony is not": {item: request(reconcile.KindDependents, 5), triggers: []lifecycle.Trigger{blocked}, change: func(r *room) { r.fails["repository"] = issues.ErrGone }, want: []string{
			"dependents of acme/widgets#5, also bugs: false, also done: true", "publish d/dependent/2/6: issue of acme/widgets#6", "repository other/gears",
		}},
		"dependents that Colony may not read": {item: request(reconcile.KindDependents, 5), triggers: []lifecycle.Trigger{blocked}, change: func(r *room) { r.fails["repository"] = forbidden(403) }, want: []string{
			"dependents of acme/widgets#5, also bugs: false, also done: true", "publish d/dependent/2/6: issue of acme/widgets#6", "repository other/gears",
		}},
		"dependents, and GitHub is down for one": {item: request(reconcile.KindDependents, 5), triggers: []lifecycle.Trigger{blocked}, change: func(r *room) { r.fails["repository"] = errDown }, want: []string{
			"dependents of acme/widgets#5, also bugs: false, also done: true", "publish d/dependent/2/6: issue of acme/widgets#6", "repository other/gears",
		}, err: errDown},
		"dependents, and GitHub is down":    {item: request(reconcile.KindDependents, 5), triggers: []lifecycle.Trigger{blocked}, change: func(r *room) { r.fails["dependents"] = errDown }, want: []string{"dependents of acme/widgets#5, also bugs: false, also done: true"}, err: errDown},
		"dependents, and the queue is full": {item: request(reconcile.KindDependents, 5), triggers: []lifecycle.Trigger{blocked}, change: func(r *room) { r.fails["publish"] = errDown }, want: []string{"dependents of acme/widgets#5, also bugs: false, also done: true", "publish d/dependent/2/6: issue of acme/widgets#6"}, err: errDown},
		"dependents that nothing moves":     {item: request(reconcile.KindDependents, 5), triggers: []lifecycle.Trigger{conflicting}},
	} {
		r := newRoom(t)
		r.policy.Lifecycle = withTriggers(t, test.triggers...)
		r.store.linked, r.store.pulls, r.store.overlapping = []int{1, 4}, []int{8, 9}, []int{22}
		r.store.labeled["colony:in-development"], r.store.labeled["colony:in-review"] = []issues.Entry{{Number: 11}, {Number: 12}}, []issues.Entry{{Number: 21}, {Number: 22}}
		r.store.dependents = []issues.Ref{{Repository: widgets, Number: 6}, {Repository: issues.Repository{Owner: "other", Name: "gears"}, Number: 7}}
		if test.change != nil {
			test.change(r)
		}
		_, after, err := r.take(test.item)
		r.heard(name, test.want...)
		if after != "" || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%s: %q, %v", name, after, err)
		}
		r.said = nil
		r.fails["policy"] = errDown
		r.policy.Mode = lifecycle.ModeEnforce
		if _, _, err := r.take(test.item); !errors.Is(err, errDown) {
			t.Errorf("%s, and nothing is known of the policy: %v", name, err)
		}
	}
}

// After a push GitHub is asked again which pull requests conflict, while it is finding that out. What it leaves open is asked about each issue.
func TestConflictsThatGitHubIsFindingOut(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.policy.Lifecycle = withTriggers(t, lifecycle.Trigger{On: "pull-request-conflicting", In: []string{"in-review"}, To: "failure-blocked"})
	r.store.labeled["colony:in-review"] = []issues.Entry{{Number: 21}, {Number: 22}, {Number: 23}}
	r.store.conflicts = &issues.Conflicts{Known: []int{22}, Open: []int{23}}
	item := request(reconcile.KindConflicts, 0)
	for n := range conflictsOpen {
		back, after, err := r.take(item)
		if want := "1s for " + whyWait + "/7/2"; after != want || err != nil {
			t.Fatalf("round %d: it comes back after %q, not %q: %v", n, after, want, err)
		}
		r.heard("while it finds out", "list colony:in-review, 3 a page", "conflicts of acme/widgets")
		item = back
	}
	if _, after, err := r.take(item); after != "" || err != nil {
		t.Errorf("it comes back after %q: %v", after, err)
	}
	r.heard("at the end", "list colony:in-review, 3 a page", "conflicts of acme/widgets", "publish d/conflicts/2/22: issue of acme/widgets#22", "publish d/conflicts/2/23: issue of acme/widgets#23")
}

// An issue that was closed frees capacity.
func TestTheEndOfAnIssueFreesCapacity(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.policy.Lifecycle = withCapacity(t)
	if _, _, err := r.take(request(reconcile.KindDependents, 5)); err != nil {
		t.Error(err)
	}
	r.heard("of an issue", "dependents of acme/widgets#5, also bugs: false, also done: true", "publish d/dispatch: dispatch of acme/widgets#0")
	r.fails["dependents"] = errDown
	if _, _, err := r.take(request(reconcile.KindDependents, 5)); !errors.Is(err, errDown) {
		t.Error(err)
	}
	r.heard("it comes back", "dependents of acme/widgets#5, also bugs: false, also done: true")
}

// While a state has free capacity, the issues whose turn it is move there.
func TestDispatches(t *testing.T) {
	t.Parallel()
	in := func(numbers ...int) (list []issues.Entry) {
		for _, n := range numbers {
			list = append(list, issues.Entry{Number: n, Labels: []string{"colony:in-development"}})
		}
		return list
	}
	waits := func(numbers ...int) (list []lifecycle.Candidate) {
		for _, n := range numbers {
			list = append(list, lifecycle.Candidate{Number: n, State: "ready-for-dev"})
		}
		return list
	}
	const list, waiting = "list colony:in-development, 0 a page", "waiting for in-development in [colony:ready-for-dev]"
	moved := reconcile.Dispatched{Moved: true}
	for name, test := range map[string]struct {
		change func(*room)
		want   []string
		after  string
		err    error
	}{
		"it is full": {func(r *room) { r.store.labeled["colony:in-development"], r.store.waiting = in(1, 2, 3), waits(4) }, []string{list}, "", nil},
		"one may go": {func(r *room) {
			r.store.labeled["colony:in-development"], r.store.waiting, r.dispatched[5] = in(1, 2), waits(4, 5, 6), moved
		}, []string{list, waiting, "dispatch issue acme/widgets#4 to in-development waited 2", "dispatch issue acme/widgets#5 to in-development waited 2", "tell sent acme/widgets#5 in-development"}, "", nil},
		"two may go, and one is seen only": {func(r *room) {
			r.store.labeled["colony:in-development"], r.store.waiting = in(1), waits(4, 5, 6)
			r.dispatched[4], r.dispatched[5] = reconcile.Dispatched{Observed: true}, moved
		}, []string{list, waiting, "dispatch issue acme/widgets#4 to in-development waited 2", "dispatch issue acme/widgets#5 to in-development waited 2", "tell sent acme/widgets#5 in-development"}, "", nil},
		"one has to be finished": {func(r *room) {
			r.store.labeled["colony:in-development"] = append(in(1, 2), issues.Entry{Number: 3, Labels: []string{"colony:in-development", "colony:in-review"}})
		}, []string{list, "publish d/finish/3: issue of acme/widgets#3"}, "", nil},
		"one has to be finished, and the queue is full": {func(r *room) {
			r.store.labeled["colony:in-development"] = []issues.Entry{{Number: 3, Labels: []string{"colony:in-development", "colony:in-review"}}}
			r.fails["publish"] = errDown
		}, []string{list, "publish d/finish/3: issue of acme/widgets#3"}, "", errDown},
		"one has to be reconciled after": {func(r *room) {
			r.store.labeled["colony:in-development"], r.store.waiting, r.dispatched[4] = in(1, 2), waits(4), reconcile.Dispatched{Moved: true, Finish: "after"}
		}, []string{list, waiting, "dispatch issue acme/widgets#4 to in-development waited 2", "tell sent acme/widgets#4 in-development", "publish d/after/4: issue of acme/widgets#4"}, "", nil},
		"one comes back": {func(r *room) {
			r.store.waiting, r.later[4] = waits(4, 5), &reconcile.Result{RequeueAfter: time.Minute}
		}, []string{list, waiting, "dispatch issue acme/widgets#4 to in-development waited 2"}, "1m0s for wait/7/2", nil},
		"one is gone": {func(r *room) {
			r.store.waiting, r.dispatched[4], r.dispatched[5], r.fails["dispatch issue acme/widgets#4"] = waits(4, 5), moved, moved, issues.ErrGone
		}, []string{list, waiting, "dispatch issue acme/widgets#4 to in-development waited 2", "dispatch issue acme/widgets#5 to in-development waited 2", "tell sent acme/widgets#5 in-development"}, "", nil},
		"one fails": {func(r *room) {
			r.store.waiting, r.dispatched[4], r.fails["dispatch"] = waits(4, 5), moved, errDown
		}, []string{list, waiting, "dispatch issue acme/widgets#4 to in-development waited 2"}, "", errDown},
		"one is blocked": {func(r *room) {
			life := *withCapacity(t)
			life.Triggers = lifecycle.Triggers{{On: "dependency-open", In: []string{"ready-for-dev"}, To: "dependency-blocked", Holds: true}}
			r.policy.Lifecycle, r.store.waiting = &life, []lifecycle.Candidate{{Number: 4, State: "ready-for-dev", Blocked: 1}}
		}, []string{list, waiting}, "", nil},
		"one was moved, and GitHub does not show it": {func(r *room) {
			r.fills.recentMoves.add(issues.Ref{Repository: widgets, Number: 4}, "in-development", r.clock.Now())
			r.store.labeled["colony:in-development"], r.store.waiting, r.dispatched[5], r.dispatched[6] = in(1), waits(4, 5, 6), moved, moved
		}, []string{list, waiting, "dispatch issue acme/widgets#5 to in-development waited 2", "tell sent acme/widgets#5 in-development"}, "5s for wait/7/2", nil},
		"the moves that GitHub does not show fill it": {func(r *room) {
			for n := range 3 {
				r.fills.recentMoves.add(issues.Ref{Repository: widgets, Number: n + 1}, "in-development", r.clock.Now())
			}
			r.store.waiting = waits(4)
		}, []string{list}, "5s for wait/7/2", nil},
		"nothing can be listed":   {func(r *room) { r.fails["list"] = errDown }, []string{list}, "", errDown},
		"nobody knows what waits": {func(r *room) { r.fails["waiting"] = errDown }, []string{list, waiting}, "", errDown},
	} {
		r := newRoom(t)
		r.policy.Lifecycle = withCapacity(t)
		test.change(r)
		item := request(reconcile.KindDispatch, 0)
		item.Waited = 2
		_, after, err := r.take(item)
		r.heard(name, test.want...)
		if after != test.after || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%s: %q, %v", name, after, err)
		}
	}
}

// A request reads no more than some issues in a row that turn out not to be ready.
func TestDispatchesEnd(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.policy.Lifecycle = withCapacity(t)
	for n := range 60 {
		r.store.waiting = append(r.store.waiting, lifecycle.Candidate{Number: n + 1, State: "ready-for-dev"})
	}
	r.dispatched[11] = reconcile.Dispatched{Moved: true}
	if _, _, err := r.take(request(reconcile.KindDispatch, 0)); err != nil {
		t.Error(err)
	}
	if got := len(r.said); got != 2+11+1+dispatchTries {
		t.Errorf("%d lines: %q", got, r.said)
	}
}

// Capacity is filled where a policy has any, each time under another name.
func TestRequestsForDispatches(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	one := request(reconcile.KindIssue, 3).Request
	ask := func() error { return r.fills.DispatchIfSet(t.Context(), "x", one) }
	if err := ask(); err != nil {
		t.Error(err)
	}
	r.heard("no capacity")
	r.policy.Lifecycle, r.policy.Mode = withCapacity(t), lifecycle.ModeOff
	if err := ask(); err != nil {
		t.Error(err)
	}
	r.heard("nothing is read")
	r.policy.Mode = lifecycle.ModeObserve
	if err := ask(); err != nil {
		t.Error(err)
	}
	r.heard("a capacity", "publish x: dispatch of acme/widgets#0")
	r.fails["policy"] = errDown
	if err := ask(); !errors.Is(err, errDown) {
		t.Error(err)
	}
	for range 2 {
		if err := r.fills.request(t.Context(), one); err != nil {
			t.Error(err)
		}
	}
	if len(r.said) != 2 || r.said[0] == r.said[1] {
		t.Errorf("two requests: %q", r.said)
	}
}
