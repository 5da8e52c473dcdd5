package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

var (
	began   = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	widgets = issues.Repository{Installation: 7, ID: 2, Owner: "acme", Name: "widgets"}
	errDown = errors.New("GitHub is down")
)

// room is a sweeper whose neighbors are in memory: it is the queue, its notes, and GitHub as the App sees it.
type room struct {
	*testing.T
	*Sweeper
	clock         *clockwork.FakeClock
	said          []string // what the sweeper asked of them, a line each
	fails         map[string]error
	notes         map[string]string
	installations []client.Installation
	deliveries    [][]client.Delivery
	pages         [][]string
	metrics       *prometheus.Registry
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{T: t, clock: clockwork.NewFakeClockAt(began), fails: map[string]error{}, notes: map[string]string{}, metrics: prometheus.NewRegistry()}
	r.Sweeper = New(Options{
		Publisher: r, Clients: r, App: r, Reconciler: &reconcile.Reconciler{Options: reconcile.Options{
			Store: issues.NewStore(r, &issues.Actors{}), Policies: policy.NewCache(r, policy.Policy{}, time.Hour, r.clock, zerolog.Nop()), Metrics: reconcile.NewMetrics(r.metrics, nil), ServerSettings: reconcile.Settings{Horizon: 72 * time.Hour},
		}},
		Limiter: ratelimit.NewLimiter(ratelimit.Settings{Points: 900}, r.clock), Notes: r, Brake: 2, Watch: 3, Clock: r.clock, Log: zerolog.Nop(),
		Listed: func(all []client.Installation) { _ = r.say("listed %d", len(all)) },
	})
	return r
}

func (r *room) say(format string, args ...any) error {
	line := fmt.Sprintf(format, args...)
	r.said = append(r.said, line)
	for prefix, err := range r.fails {
		if strings.HasPrefix(line, prefix) {
			return err
		}
	}
	return nil
}

// heard compares what was said since it was called last.
func (r *room) heard(about string, want ...string) {
	r.Helper()
	if diff := cmp.Diff(want, r.said); diff != "" {
		r.Errorf("%s: -want +got:\n%s", about, diff)
	}
	r.said = nil
}

func (r *room) Publish(_ context.Context, id string, request reconcile.Request) error {
	return r.say("publish %s: %s, commands %t", id, request.Ref, request.Commands)
}

func (r *room) PublishSweep(_ context.Context, id string, request reconcile.Request, p *Progress) error {
	return r.say("sweep %s of %d %s, %q", id, request.Installation, request.Repository, p.Kind)
}

func (r *room) DispatchIfSet(_ context.Context, id string, _ reconcile.Request) error {
	return r.say("dispatch %s", id)
}

func (r *room) DashboardIfSet(context.Context, reconcile.Request) error { return r.say("dashboard") }

func (r *room) BroadcastSwept(repo issues.Repository) { _ = r.say("swept %s", repo) }
func (r *room) NotesSince() time.Time                 { return time.Time{} }

func (r *room) Note(_ context.Context, key string, note []byte) error {
	r.notes[key] = string(note)
	return r.say("note %s", key)
}

func (r *room) Noted(_ context.Context, key string) ([]byte, bool, error) {
	note, there := r.notes[key]
	return []byte(note), there, r.fails["noted"]
}

func (r *room) Installations(context.Context) ([]client.Installation, error) {
	return r.installations, r.fails["installations"]
}

func (r *room) Deliveries(_ context.Context, cursor string) (page []client.Delivery, next string, err error) {
	n := 0
	_, _ = fmt.Sscan(cursor, &n)
	if n+1 < len(r.deliveries) {
		next = fmt.Sprint(n + 1)
	}
	err = r.say("deliveries at %q", cursor)
	return r.deliveries[n], next, err
}

func (r *room) Redeliver(_ context.Context, id int64) error { return r.say("redeliver %d", id) }

// NewInstallationClient implements issues.Clients. Its GitHub lists the repositories of the room, and answers no question by GraphQL.
func (r *room) NewInstallationClient(int64) (*github.Client, error) {
	return github.NewClient(&http.Client{Transport: ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		if strings.HasSuffix(request.URL.Path, "/graphql") {
			return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: request}, r.say("ask")
		}
		page := 1
		_, _ = fmt.Sscan(request.URL.Query().Get("page"), &page)
		if err := r.say("list %d", page); err != nil {
			return nil, err
		}
		list := []map[string]any{}
		for n, name := range r.pages[page-1] {
			list = append(list, map[string]any{"id": 100*page + n, "name": name, "owner": map[string]string{"login": "acme"}})
		}
		header := http.Header{}
		if page < len(r.pages) {
			header.Set("Link", fmt.Sprintf(`<https://api.github.com/installation/repositories?page=%d>; rel="next"`, page+1))
		}
		text, err := json.Marshal(map[string]any{"repositories": list})
		return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(string(text))), Request: request}, err
	})}), nil
}

// task is a step of a sweep of widgets.
func task(p Progress) *Task {
	return &Task{Request: reconcile.Request{Kind: reconcile.KindSweep, Ref: issues.Ref{Repository: widgets}, Delivery: "d"}, Progress: &p, Asked: began}
}

// A sweep of everything asks for one of each installation that works, and then for the webhooks that did not arrive.
func TestSweepsOfEverything(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	if err := errors.Join(r.Sweep(t.Context()), r.SweepAsTimer(t.Context())); err != nil {
		t.Error(err)
	}
	r.heard("two sweeps", `sweep sweep/20260302T090000.000 of 0 /, ""`, `sweep sweep/timer/20260302T090000.000 of 0 /, "timer"`)
	r.installations = []client.Installation{{ID: 7}, {ID: 8, Suspended: began}, {ID: 9}}
	failed := func(id int64, guid string, ago time.Duration) client.Delivery {
		return client.Delivery{ID: id, GUID: guid, At: began.Add(-ago), Code: 500}
	}
	again := failed(6, "again", 3*time.Minute)
	again.Again = true
	r.deliveries = [][]client.Delivery{
		{failed(1, "new", time.Second), failed(2, "a", 2*time.Minute), {ID: 3, GUID: "fine", At: began.Add(-2 * time.Minute), Code: 200}, again},
		{failed(7, "again", time.Hour), failed(8, "b", time.Hour), failed(9, "old", 80*time.Hour), failed(10, "older", time.Minute)},
	}
	everything := &Task{Request: reconcile.Request{Delivery: "d"}, Progress: &Progress{Kind: byTimer}}
	result, err := r.Step(t.Context(), everything)
	if result != nil || err != nil {
		t.Error(result, err)
	}
	r.heard("the first step", "listed 3", `sweep d/installation/7 of 7 /, "timer"`, `sweep d/installation/9 of 9 /, "timer"`, `deliveries at ""`, `deliveries at "1"`,
		"redeliver 8", "redeliver 6", "redeliver 2", "note swept.log")
	if want := `{"until":"2026-03-02T08:59:00Z"}`; r.notes["swept.log"] != want {
		t.Errorf("%s is noted, want %s", r.notes["swept.log"], want)
	}
	r.fails["redeliver"] = errDown
	r.deliveries = [][]client.Delivery{{failed(2, "a", 2*time.Minute), failed(3, "before", 3*time.Minute+time.Second)}}
	everything.Progress.Log = &logProgress{Begun: began}
	result, err = r.Step(t.Context(), everything)
	if result == nil || err != nil || result.RequeueAfter != 0 { // what was done counts
		t.Error(result, err)
	}
	r.heard("the next sweep reads on from there", `deliveries at ""`, "redeliver 2")
	r.fails["installations"] = errDown
	if _, err := r.Step(t.Context(), &Task{Progress: &Progress{}}); !errors.Is(err, errDown) {
		t.Error(err)
	}
	delete(r.fails, "installations")
	r.fails["sweep"] = errDown
	if _, err := r.Step(t.Context(), &Task{Progress: &Progress{}}); !errors.Is(err, errDown) {
		t.Error(err)
	}
}

// A delivery that GitHub does not redeliver is tried again with the task's pauses, and does not hold up the younger ones for good.
func TestADeliveryThatFailsIsLeftToTheNextSweep(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err   error
		tries int
	}{
		"GitHub is down":        {errDown, redeliverTries},
		"GitHub has it no more": {issues.ErrGone, 1},
	} {
		r := newRoom(t)
		r.fails["redeliver 8"] = test.err
		everything := &Task{Progress: &Progress{Log: &logProgress{Begun: began, Pages: 1, Read: true, Failed: []failedDelivery{{ID: 2}, {ID: 8}}}}}
		for everything.Failures = range test.tries - 1 {
			result, err := r.Step(t.Context(), everything)
			if result != nil || !errors.Is(err, test.err) {
				t.Errorf("%s: attempt %d is no failure of the task: %v, %v", name, everything.Failures+1, result, err)
			}
			r.heard(name, "redeliver 8")
		}
		everything.Failures = test.tries - 1
		if result, err := r.Step(t.Context(), everything); result != nil || err != nil {
			t.Errorf("%s: the last attempt comes to %v, %v", name, result, err)
		}
		r.heard(name+": the log is read again from where it was", "redeliver 8", "redeliver 2")
		if !everything.Progress.Log.More || len(everything.Progress.Log.Failed) != 0 {
			t.Errorf("%s: %+v", name, everything.Progress.Log)
		}
	}
	r := newRoom(t)
	limited := &ratelimit.Error{Budget: ratelimit.BudgetGitHub}
	r.fails["redeliver 8"] = limited
	everything := &Task{Failures: redeliverTries, Progress: &Progress{Log: &logProgress{Pages: 1, Read: true, Failed: []failedDelivery{{ID: 8}}}}}
	if _, err := r.Step(t.Context(), everything); !errors.Is(err, limited) || len(everything.Progress.Log.Failed) != 1 {
		t.Errorf("a limit is no failure: %v", err)
	}
}

// Only so many deliveries are asked for again, the oldest ones.
func TestManyFailedDeliveries(t *testing.T) {
	t.Parallel()
	p := &logProgress{Since: began.Add(-time.Hour)}
	var page []client.Delivery
	for n := range redeliverMost + 3 {
		page = append(page, client.Delivery{ID: int64(n), GUID: fmt.Sprint(n), At: began.Add(-redeliverAfter), Code: 502})
	}
	if p.add(page, began) || len(p.Failed) != redeliverMost || p.Failed[0].ID != 3 || !p.More {
		t.Errorf("%d are to be asked for, from %+v on", len(p.Failed), p.Failed[0])
	}
	if !p.add([]client.Delivery{{At: p.Since.Add(-1)}}, began) || p.add([]client.Delivery{{At: p.Since}}, began) {
		t.Error("the end of the log")
	}
}

// A sweep of an installation asks for some repositories in a step.
func TestSweepsOfInstallations(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.pages = [][]string{make([]string, repositoriesPerStep+1), {"last"}}
	one := &Task{Request: reconcile.Request{Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}, Delivery: "d"}, Progress: &Progress{Kind: atStart}}
	for step, want := range []struct {
		lines, page, next int
		more              bool
	}{{2 + repositoriesPerStep, 0, repositoriesPerStep, true}, {2, 2, 0, true}, {2, 2, 0, false}} {
		result, err := r.Step(t.Context(), one)
		if err != nil || (result != nil) != want.more || want.more && result.RequeueAfter != repositoriesPause {
			t.Errorf("step %d: %v, %v", step, result, err)
		}
		if len(r.said) != want.lines || one.Progress.Page != want.page || one.Progress.Next != want.next {
			t.Errorf("step %d: %+v, %q", step, one.Progress, r.said)
		}
		if step == 2 {
			r.heard("the last", "list 2", `sweep d/repository/200 of 7 acme/last, "start"`)
		}
		r.said = nil
	}
	for _, fails := range []string{"sweep", "list"} {
		r.fails[fails] = errDown
		if _, err := r.Step(t.Context(), one); !errors.Is(err, errDown) {
			t.Errorf("%s: %v", fails, err)
		}
	}
}

// A sweep by the timer goes behind people who wait for points, but not for ever. One that someone asked for does not.
func TestPeopleGoBeforeSweepsByTheTimer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	if task(Progress{Kind: byTimer}).letsPass(r.Limiter, r.clock.Now()) {
		t.Error("no one waits, and the sweep does")
	}
	crowd := func() {
		for n := range int64(1000) {
			_, _ = r.Limiter.Begin(ratelimit.Caller{Installation: 7, Repository: n}, 1)
		}
	}
	for crowd(); r.clock.Since(began) < peopleFirst; crowd() {
		result, err := r.Step(t.Context(), task(Progress{Kind: byTimer}))
		if result == nil || err != nil || result.RequeueAfter != repositoriesPause {
			t.Fatalf("it takes points from people after %s: %v, %v", r.clock.Since(began), result, err)
		}
		for _, kind := range []kind{asked, atStart} {
			if task(Progress{Kind: kind}).letsPass(r.Limiter, r.clock.Now()) {
				t.Errorf("a sweep of the kind %q waits", kind)
			}
		}
		r.clock.Advance(repositoriesPause)
	}
	if task(Progress{Kind: byTimer}).letsPass(r.Limiter, r.clock.Now()) {
		t.Error("it waits for ever")
	}
}

// There is one sweep of a repository at a time.
func TestWhichSweepGoesOn(t *testing.T) {
	t.Parallel()
	other := func(alive time.Duration, failing bool) record {
		return record{UnderWay: &underWay{Delivery: "other", Alive: began.Add(-alive), Failing: failing, Progress: Progress{Page: 5}}}
	}
	for name, test := range map[string]struct {
		known  record
		kind   kind
		begins bool
		page   int
	}{
		"its own first step was cut": {record{UnderWay: &underWay{Delivery: "d", Progress: Progress{Page: 3}}}, byTimer, true, 3},
		"another goes on":            {other(time.Minute, false), byTimer, false, 0},
		"another has failed":         {other(time.Minute, true), byTimer, true, 5},
		"another is lost":            {other(sweepLost, false), byTimer, true, 5},
		"a later one has ended":      {record{Until: began}, byTimer, false, 0},
	} {
		r := newRoom(t)
		one := task(Progress{Kind: test.kind})
		begins, err := r.beginSweep(t.Context(), one, test.known)
		if begins != test.begins || err != nil || one.Progress.Page != test.page {
			t.Errorf("%s: %t, %v, %+v", name, begins, err, one.Progress)
		}
	}
	one := task(Progress{Begun: began})
	for name, test := range map[string]struct {
		known record
		want  bool
	}{
		"its own":          {record{UnderWay: &underWay{Delivery: "d"}}, false},
		"another":          {record{UnderWay: &underWay{Delivery: "other"}}, true},
		"none, and before": {record{Until: began.Add(-1)}, false},
		"none, and after":  {record{Until: began}, true},
	} {
		if one.superseded(test.known) != test.want {
			t.Errorf("%s supersedes it: %t", name, !test.want)
		}
	}
}

// A sweep that another has taken over ends; one whose policy is unknown, or whose stage is, fails and says so to the others.
func TestStepsOfRepositories(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.notes["swept.2"] = `{"until":"2026-03-02T10:00:00Z"}`
	result, err := r.Step(t.Context(), task(Progress{Begun: began, Stage: stageComments}))
	if result != nil || err != nil {
		t.Error(result, err)
	}
	r.heard("another has ended")
	r.notes["swept.2"] = "of another version"
	_, err = r.Step(t.Context(), task(Progress{Begun: began, Stage: "nonsense"}))
	if err == nil || !strings.Contains(r.notes["swept.2"], `"failing":true`) {
		t.Errorf("%v, %s", err, r.notes["swept.2"])
	}
	r.heard("a stage of another version", "note swept.2")
	r.fails["note"] = errDown
	if _, err := r.Step(t.Context(), task(Progress{Begun: began, Stage: "nonsense"})); errors.Is(err, errDown) {
		t.Error(err)
	}
	r.fails["noted"] = errDown
	if _, err := r.Step(t.Context(), task(Progress{})); !errors.Is(err, errDown) {
		t.Error(err)
	}
}

func TestStages(t *testing.T) {
	t.Parallel()
	names := func(p *Progress) (all []stage) {
		for n := range stages {
			all = append(all, p.after(n))
		}
		return all
	}
	if diff := cmp.Diff([]stage{stageReflections, stageChanged, stageWatched, stageWatched, ""}, names(&Progress{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]stage{stageReflections, stageChanged, stageUnlabeled, stageWatched, ""}, names(&Progress{Unlabeled: true})); diff != "" {
		t.Error(diff)
	}
	now := &Progress{Stage: stageComments}
	now.begin(stageWatched)
	now.Cut = 2
	now.saw(4)
	if now.Stage != stageWatched || now.Page != 1 || len(now.Seen) != 1 || now.Cut != 0 {
		t.Error(now)
	}
}

// A sweep that ends asks for what refuses something, unless that is too much.
func TestEndsOfSweeps(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		progress Progress
		want     []string
		noted    string
		held     int
	}{
		"little": {Progress{Begun: began, Refusing: []int{4, 5}, Unread: []int{6}, Watching: &watchProgress{cursor: cursor{State: 1, Page: 2}}}, []string{
			"publish d/2/4/false: acme/widgets#4, commands false", "publish d/2/5/false: acme/widgets#5, commands false", "publish d/2/6/false: acme/widgets#6, commands false",
		}, `{"until":"2026-03-02T09:00:00Z","place":{"state":1,"page":2}}`, 0},
		"much": {Progress{Begun: began, Refusing: []int{4, 5, 6}, Watching: &watchProgress{All: true}}, nil, `{"until":"0001-01-01T00:00:00Z"}`, 3},
		"unread": {Progress{Begun: began, Unread: []int{4, 5, 6}}, []string{
			"publish d/2/4/false: acme/widgets#4, commands false", "publish d/2/5/false: acme/widgets#5, commands false",
		}, `{"until":"0001-01-01T00:00:00Z","place":{"state":9,"page":9}}`, 0},
	} {
		r := newRoom(t)
		known := record{Place: &cursor{9, 9}, UnderWay: &underWay{}}
		if err := r.endSweep(t.Context(), task(test.progress), known); err != nil {
			t.Error(name, err)
		}
		r.heard(name, append(test.want, "dispatch d/2/dispatch", "dashboard", "note swept.2", "swept acme/widgets")...)
		if diff := cmp.Diff(test.noted, r.notes["swept.2"]); diff != "" || r.HeldBack() != test.held {
			t.Errorf("%s: %d held back, %s", name, r.HeldBack(), diff)
		}
		r.SweptElsewhere(widgets)
		if r.HeldBack() != 0 {
			t.Error("another replica swept it")
		}
		for _, fails := range []string{"note", "dashboard", "dispatch", "publish"} {
			r.fails[fails] = errDown
			if err := r.endSweep(t.Context(), task(test.progress), known); !errors.Is(err, errDown) && (fails != "publish" || test.want != nil) {
				t.Errorf("%s, %s: %v", name, fails, err)
			}
		}
	}
}

// An end tells how long ago the sweep before it began: what no webhook told in between was found by then.
func TestEndsOfSweepsTellWithinWhichTimeTheyFind(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.clock.Advance(time.Minute)
	for _, before := range []time.Time{{}, began.Add(-10 * time.Minute)} {
		if err := r.endSweep(t.Context(), task(Progress{Begun: began}), record{Until: before}); err != nil {
			t.Fatal(err)
		}
	}
	r.said = nil
	families, err := r.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "colony_found_within_seconds" {
			continue
		}
		if h := f.GetMetric()[0].GetHistogram(); h.GetSampleCount() != 1 || h.GetSampleSum() != (11*time.Minute).Seconds() {
			t.Errorf("%d times, %v s in all", h.GetSampleCount(), h.GetSampleSum())
		}
		return
	}
	t.Error("it does not tell")
}

// A step ends when its time is up, or the points that sweeps may use; an issue that cannot be read is left after some attempts.
func TestStepsEnd(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	one := task(Progress{})
	step := r.newStep(t.Context())
	r.clock.Advance(stepTime)
	if isPaused(t.Context(), step) {
		t.Error("a step does nothing")
	}
	step.done = 1
	if !isPaused(t.Context(), step) {
		t.Error("the time is up, and it goes on")
	}
	r.clock.Advance(-1)
	if isPaused(t.Context(), step) {
		t.Error("there is time")
	}
	grant, wait := r.Limiter.Begin(ratelimit.Caller{Installation: 7, Class: ratelimit.Background}, ratelimit.PointsOfReconciliation)
	if wait > 0 || isPaused(ratelimit.With(t.Context(), grant), step) {
		t.Error("there are points")
	}
	ctx := ratelimit.With(t.Context(), grant)
	for n := range int64(1000) { // others take all that is left
		_, _ = r.Limiter.Begin(ratelimit.Caller{Installation: 7, Repository: n}, 1)
	}
	if isPaused(ctx, step) {
		t.Error("it does not go on with what it holds")
	}
	grant.End()
	if !isPaused(ctx, step) {
		t.Error("it goes on without points")
	}
	if step.deadline = time.Now().Add(stepMargin / 2); !step.over() {
		t.Error("the task has no time")
	}
	for _, test := range []struct {
		err  error
		done int
		goes bool
	}{{errDown, 0, false}, {errDown, 1, true}, {issues.ErrGone, 1, false}, {&ratelimit.Error{}, 1, false}} {
		result, err := r.interrupted(t.Context(), &currentStep{done: test.done}, test.err)
		if (result != nil) != test.goes || (err == nil) != test.goes {
			t.Errorf("%v after %d: %v, %v", test.err, test.done, result, err)
		}
	}
	stops, cancel := context.WithCancel(t.Context())
	cancel()
	if result, err := r.interrupted(stops, &currentStep{}, errDown); result == nil || err != nil {
		t.Error(result, err)
	}
	points := &ratelimit.Error{Budget: ratelimit.BudgetBackground, Wait: time.Second}
	for attempt := 1; attempt <= issueTries; attempt++ {
		result, err := r.cutOff(t.Context(), one, &currentStep{}, 4, points)
		if err != nil || (result == nil) != (attempt == issueTries) || one.Progress.Cut != attempt {
			t.Errorf("attempt %d: %v, %v, %+v", attempt, result, err, one.Progress)
		}
	}
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if result, err := r.cutOff(late, task(Progress{}), &currentStep{done: 1}, 4, errDown); result == nil || err != nil {
		t.Error(result, err)
	}
	slow := task(Progress{Cut: issueTries - 1})
	if result, err := r.cutOff(late, slow, &currentStep{}, 4, errDown); result == nil || err != nil || len(slow.Progress.Seen) != 1 || len(slow.Progress.Unread) != 1 {
		t.Error(result, err, slow.Progress)
	}
	for name, test := range map[string]struct {
		err      error
		failures int
		unread   int
		without  bool
	}{
		"fails":                    {errDown, 0, 0, false},
		"fails again and again":    {errDown, issueTries - 1, 0, true},
		"is refused for good":      {issues.ErrForbidden, 0, 0, true},
		"is refused, as many were": {issues.ErrForbidden, 0, 2, false},
		"is limited":               {&ratelimit.Error{Budget: ratelimit.BudgetGitHub}, issueTries, 0, false},
	} {
		one := task(Progress{Unread: make([]int, test.unread)})
		one.Failures = test.failures
		result, err := r.cutOff(t.Context(), one, &currentStep{}, 4, test.err)
		if result != nil || (err == nil) != test.without || (len(one.Progress.Unread) > test.unread) != test.without {
			t.Errorf("an issue %s: %v, %v", name, result, err)
		}
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		progress     *Progress
		repositories bool
		want         int
	}{{nil, true, 0}, {&Progress{}, true, 0}, {&Progress{Next: 1}, true, issueTries - 1}, {&Progress{Page: 1}, true, issueTries - 1}, {&Progress{Page: 1}, false, 0}, {&Progress{Cut: 9}, false, issueTries}, {&Progress{Cut: 2}, false, 2}} {
		if got := test.progress.Needs(test.repositories); got != test.want {
			t.Errorf("%+v: %d", test.progress, got)
		}
	}
}

// The issues that nobody changed are checked in turn; the pages before the one where it began come with the next sweep.
func TestWatching(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.notes["swept.2"] = `{"place":{"state":1,"page":3}}`
	w, err := r.beginWatching(t.Context(), widgets, 3)
	if err != nil {
		t.Fatal(err)
	}
	var went []cursor
	for _, more := range []bool{true, false, false, false} {
		w.advance(more, 3)
		went = append(went, w.cursor)
	}
	if diff := cmp.Diff([]cursor{{1, 4}, {2, 1}, {0, 1}, {1, 3}}, went); diff != "" || w.cursor != w.Begun {
		t.Error(diff)
	}
	if at := w.stopsAt(); at == nil || *at != w.cursor {
		t.Error(at)
	}
	if w.All = true; w.stopsAt() != nil {
		t.Error("it has seen all")
	}
	if w, err = r.beginWatching(t.Context(), widgets, 1); err != nil || w.cursor != (cursor{0, 1}) {
		t.Error("the state is gone", w, err)
	}
	r.fails["noted"] = errDown
	if _, err = r.beginWatching(t.Context(), widgets, 1); !errors.Is(err, errDown) {
		t.Error(err)
	}
}

// All replicas ask for the sweep of an interval under one name; other Apps sweep at other times.
func TestSchedules(t *testing.T) {
	t.Parallel()
	hourly := Schedule{Interval: time.Hour, AppID: 1}
	begin := hourly.begin(began)
	for _, after := range []time.Duration{0, time.Hour - 1} {
		if got := hourly.begin(begin.Add(after)); !got.Equal(begin) {
			t.Errorf("%s after its begin, an interval begins at %s", after, got)
		}
	}
	if begin.After(began) || began.Sub(begin) >= time.Hour || !hourly.begin(begin.Add(time.Hour)).Equal(begin.Add(time.Hour)) || begin.Equal(Schedule{Interval: time.Hour, AppID: 2}.begin(began)) {
		t.Errorf("an interval begins at %s", begin)
	}
	if got := hourly.startID(began); got != "sweep/start/"+timestamp(begin) {
		t.Error(got)
	}
	if got := (Schedule{}).startID(began.Add(time.Second)); got != "sweep/start/20260302T090000.000" {
		t.Error(got)
	}
	own := Schedule{Interval: time.Hour, OwnQueue: true}
	if one := own.startID(began); one == own.startID(began) || !strings.HasPrefix(one, "sweep/start/20260302T090000.000/") {
		t.Error(one)
	}
	r := newRoom(t)
	r.Schedule(t.Context(), Schedule{}, func() { _ = r.say("begun") })
	r.heard("only at the start", `sweep sweep/start/20260302T090000.000 of 0 /, "start"`, "begun")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Schedule(ctx, hourly, func() {})
	}()
	if err := r.clock.BlockUntilContext(ctx, 1); err != nil {
		t.Error(err)
	}
	r.clock.Advance(time.Hour + 6*time.Minute)
	if err := r.clock.BlockUntilContext(ctx, 1); err != nil {
		t.Error(err)
	}
	cancel()
	<-done
	if len(r.said) != 2 || r.said[1] != `sweep `+timerID(hourly.begin(r.clock.Now()))+` of 0 /, "timer"` {
		t.Errorf("%q", r.said)
	}
}
