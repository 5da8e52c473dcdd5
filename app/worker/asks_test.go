package worker

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/dashboard"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

var dotGitHub = issues.Repository{Installation: 7, Owner: "acme", Name: ".github"}

// A dashboard is asked for once in an interval, at its end.
func TestRequestsForDashboards(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx := t.Context()
	settings := reconcile.Settings{Policy: policy.Policy{Dashboard: true, OfOwner: true, Mode: lifecycle.ModeEnforce}}
	ask := func(settings reconcile.Settings) {
		t.Helper()
		if err := r.shows.request(ctx, widgets, settings); err != nil {
			t.Error(err)
		}
	}
	ask(settings)
	due := func(repo issues.Repository, interval time.Duration) time.Time {
		at := dueAt(dashboard.Key(repo), interval, r.clock.Now())
		if left := at.Sub(r.clock.Now()); left <= 0 || left > interval {
			t.Errorf("the interval of %s ends in %s", repo, left)
		}
		return at
	}
	if len(r.said) != 2 || !strings.HasSuffix(r.said[0], "dashboard of acme/.github#0 due "+due(dotGitHub, ownerInterval).Format(time.TimeOnly)) ||
		!strings.HasSuffix(r.said[1], "dashboard of acme/widgets#0 due "+due(widgets, dashboardInterval).Format(time.TimeOnly)) {
		t.Errorf("%q", r.said)
	}
	r.said = nil
	ask(settings)
	r.heard("the same interval")
	r.clock.Advance(dashboardInterval)
	ask(reconcile.Settings{Policy: policy.Policy{Dashboard: true, Mode: lifecycle.ModeEnforce}})
	if len(r.said) != 1 {
		t.Errorf("the next interval: %q", r.said)
	}
	r.said = nil
	r.clock.Advance(ownerInterval)
	ask(reconcile.Settings{Policy: policy.Policy{Mode: lifecycle.ModeEnforce}})
	ask(reconcile.Settings{Policy: policy.Policy{Dashboard: true, Mode: lifecycle.ModeObserve}})
	r.heard("it has no dashboard")
	r.fails["publish"] = errDown
	for range 2 { // it is asked for again
		if r.shows.request(ctx, widgets, settings) == nil || r.shows.request(ctx, widgets, reconcile.Settings{Policy: policy.Policy{Dashboard: true, Mode: lifecycle.ModeEnforce}}) == nil {
			t.Error("it is safe in a queue that is down")
		}
	}
	if len(r.said) != 4 {
		t.Errorf("%q", r.said)
	}
}

// After a policy changed, a dashboard is asked for immediately, where there is one or was one.
func TestDashboardsAfterAPolicy(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*room)
		want   []string // after a policy changed, and for a sweep
		err    error
	}{
		"none":                  {func(*room) {}, nil, nil},
		"one":                   {func(r *room) { r.policy.Dashboard = true }, []string{"widgets", "widgets"}, nil},
		"one, without writes":   {func(r *room) { r.policy.Dashboard, r.policy.Mode = true, lifecycle.ModeObserve }, nil, nil},
		"one before":            {func(r *room) { r.noted = true }, []string{"widgets", "widgets"}, nil},
		"one of the owner":      {func(r *room) { r.policy.OfOwner = true }, []string{".github"}, nil},
		"of the owner, off":     {func(r *room) { r.policy.OfOwner, r.policy.Mode = true, lifecycle.ModeOff }, nil, nil},
		"the policy is unknown": {func(r *room) { r.fails["policy"] = errDown }, nil, errDown},
		"notes are unknown":     {func(r *room) { r.fails["noted"] = errDown }, nil, errDown},
	} {
		r := newRoom(t)
		test.change(r)
		one := request(reconcile.KindPolicy, 0).Request
		err, err2 := r.shows.afterPolicy(t.Context(), one, 4), r.shows.DashboardIfSet(t.Context(), one)
		if !errors.Is(err, test.err) || !errors.Is(err2, test.err) || (err2 == nil) != (test.err == nil) {
			t.Errorf("%s: %v, %v", name, err, err2)
		}
		var of []string
		for _, line := range r.said {
			_, repo, _ := strings.Cut(line, "dashboard of acme/")
			repo, _, due := strings.Cut(repo, "#0 due ")
			if immediately := strings.HasPrefix(line, "publish d/dashboard/2/4: "); immediately == due {
				t.Errorf("%s: %s", name, line)
			}
			of = append(of, strings.TrimSuffix(repo, "#0"))
		}
		if diff := cmp.Diff(test.want, of); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	r := newRoom(t)
	r.policy.OfOwner, r.policy.Dashboard, r.fails["publish"] = true, true, errDown
	if err := r.shows.DashboardIfSet(t.Context(), request(reconcile.KindPolicy, 0).Request); !errors.Is(err, errDown) || len(r.said) != 1 {
		t.Errorf("%v, %q", err, r.said)
	}
}

// A dashboard shows the figures, or is closed; where GitHub lets Colony write none, it is left.
func TestDashboards(t *testing.T) {
	t.Parallel()
	const mode, figures = "mode acme/widgets: enforce", "figures of acme/widgets"
	const show = "show in acme/widgets (there: false):  [acme/widgets], 1 waiting and 2 left, [] apart, 0 hidden"
	for name, test := range map[string]struct {
		change func(*room)
		want   []string
		err    error
	}{
		"there is none":          {func(*room) {}, []string{mode, figures, show}, nil},
		"there is one":           {func(r *room) { r.shown = &issues.Dashboard{} }, []string{mode, figures, strings.Replace(show, "false", "true", 1)}, nil},
		"a person closed it":     {func(r *room) { r.shown = &issues.Dashboard{Closed: true} }, []string{mode}, nil},
		"nothing is written":     {func(r *room) { r.policy.Mode = lifecycle.ModeObserve }, []string{"mode acme/widgets: observe"}, nil},
		"it was switched off":    {func(r *room) { r.policy.Dashboard = false }, []string{mode, "end acme/widgets"}, nil},
		"it cannot be found":     {func(r *room) { r.fails["find"] = errDown }, []string{mode}, errDown},
		"it cannot be read":      {func(r *room) { r.fails["figures"] = errDown }, []string{mode, figures}, errDown},
		"the repository is gone": {func(r *room) { r.fails["show"] = issues.ErrGone }, []string{mode, figures, show}, nil},
		"it is archived":         {func(r *room) { r.fails["show"] = forbidden(403) }, []string{mode, figures, show}, nil},
		"GitHub is down":         {func(r *room) { r.fails["show"] = errDown }, []string{mode, figures, show}, errDown},
	} {
		r := newRoom(t)
		r.policy.Dashboard = true
		r.figures = dashboard.Figures{Of: wording.DashboardRepository{Waiting: 3}, Waiting: make([]wording.DashboardIssue, 1)}
		test.change(r)
		_, after, err := r.take(request(reconcile.KindDashboard, 0))
		r.heard(name, test.want...)
		if after != "" || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%s: %q, %v", name, after, err)
		}
	}
	r := newRoom(t)
	if !r.shows.refused(1) || r.shows.refused(1) || !r.shows.refused(2) {
		t.Error("a dashboard that GitHub does not take is news once")
	}
}

// The dashboard of an owner is read some repositories at a time, and shows those only that everyone may read who reads it.
func TestDashboardsOfOwners(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.policy.Dashboard = true
	r.figures = dashboard.Figures{Of: wording.DashboardRepository{Waiting: 1}, Waiting: make([]wording.DashboardIssue, 1)}
	r.pages = [][]string{{"secret", "without", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "broken", "b1"}, {"hidden", "c1"}}
	r.visibility["secret"], r.visibility["hidden"], r.without["without"] = "private", "private", true
	r.fails["figures of acme/broken"] = issues.ErrForbidden
	item := Item{Request: reconcile.Request{Kind: reconcile.KindDashboard, Ref: issues.Ref{Repository: dotGitHub}}}
	item, after, err := r.take(item)
	if err != nil || after != "10s for wait/7/0" || item.Figures.Page != 1 || item.Figures.Next != 11 || item.Figures.Visibility != client.Public || len(r.said) != 3+10 {
		t.Fatalf("%+v, %s, %v, %q", item.Figures, after, err, r.said)
	}
	r.said = nil
	item, after, err = r.take(item)
	if err != nil || after != "10s for wait/7/0" || item.Figures.Page != 2 || item.Figures.Next != 0 {
		t.Fatalf("%+v, %s, %v", item.Figures, after, err)
	}
	r.heard("the rest of the page", "mode acme/.github: enforce", "GET /installation/repositories?page=1&per_page=100 as 7", "figures of acme/b1")
	_, after, err = r.take(item)
	r.heard("the last page", "mode acme/.github: enforce", "GET /installation/repositories?page=2&per_page=100 as 7", "figures of acme/c1",
		"show in acme/.github (there: false): acme [acme/a1 acme/a2 acme/a3 acme/a4 acme/a5 acme/a6 acme/a7 acme/a8 acme/a9 acme/b1 acme/c1], 11 waiting and 0 left, [acme/broken] apart, 2 hidden")
	if after != "" || err != nil {
		t.Error(after, err)
	}
	r.policy.Mode = lifecycle.ModeWarn
	r.shown = &issues.Dashboard{Closed: true}
	_, after, err = r.take(item)
	r.heard("a person closed it in between", "mode acme/.github: warn", "GET /installation/repositories?page=2&per_page=100 as 7", "figures of acme/c1")
	item.Figures = nil
	_, after2, err2 := r.take(item)
	r.heard("a person closed it", "mode acme/.github: warn")
	if after != "" || err != nil || after2 != "" || err2 != nil {
		t.Error(after, err, after2, err2)
	}
	r.shown = nil
	for _, fails := range []string{"figures", "GET /repos", "GET /installation", "find"} {
		r.fails[fails] = errDown
		if _, _, err := r.take(item); !errors.Is(err, errDown) {
			t.Errorf("%s: %v", fails, err)
		}
		delete(r.fails, fails)
	}
	r.fails["figures"] = &ratelimit.Error{Budget: ratelimit.BudgetBackground, Wait: time.Second}
	if back, after, err := r.take(item); err != nil || after != "1s for background/7/0, with rank 3 at background/7, held false" || back.Figures == nil {
		t.Error("it begins again after a limit", after, err)
	}
}

// Verdicts go to the webhooks that want them, each once and in a line of its own.
func TestNotices(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	ctx := t.Context()
	r.sender.hooks = []notify.Webhook{{Name: "chat"}, {Name: "elsewhere", Repositories: []string{"other/*"}}, {Name: "pager"}}
	v := reconcile.Verdict{Occasion: reconcile.Occasion{Ref: issues.Ref{Repository: widgets, Number: 3}, Delivery: "d"}}
	for range 2 {
		if err := r.worker.notify(ctx, v, reconcile.Subject{Title: "T"}); err != nil {
			t.Error(err)
		}
	}
	r.heard("a verdict, twice", "publish notify/chat/"+v.Key()+" to chat", "publish notify/pager/"+v.Key()+" to pager", "again notify/chat/"+v.Key(), "again notify/pager/"+v.Key())
	task := r.tasks["notify/chat/"+v.Key()]
	if other := r.tasks["notify/pager/"+v.Key()]; task.Issue != 0 || task.Repository == other.Repository || task.Repository <= 0 {
		t.Errorf("lines %d and %d", task.Repository, other.Repository)
	}
	r.fails["publish"] = errDown
	v.Ref.Number = 4
	if err := r.worker.notify(ctx, v, reconcile.Subject{}); !errors.Is(err, errDown) || len(r.said) != 1 {
		t.Error("a verdict is lost", err, r.said)
	}
	delete(r.fails, "publish")
	r.said = nil
	if err := r.worker.NotifyDigest(ctx, "chat", notify.Digest{ID: "week"}); err != nil {
		t.Error(err)
	}
	r.heard("a digest", "publish notify/week to chat")

	item, err := ReadItem(task)
	if err != nil || item.Notify.Event.Title != "T" || item.Notify.Event.URL != "https://github.test/acme/widgets/issues/3" {
		t.Fatal(item, err)
	}
	sends := func(about, after string, counted string, tries int, fails error) {
		t.Helper()
		r.fails["send"] = fails
		back, got, err := r.take(item)
		if got != after || !errors.Is(err, fails) || back.Notify != nil && back.Notify.Tries != tries {
			t.Errorf("%s: %q, %v, %+v", about, got, err, back.Notify)
		}
		if counted != "" && r.sent(counted) != 1 {
			t.Errorf("%s is not counted", about)
		}
		r.heard(about, "send "+item.Notify.ID()+" to chat, tried 0")
	}
	sends("is taken", "", outcomeDone, 0, nil)
	sends("is given up", "", outcomeRefused, 0, errDown)
	r.sender.later = &notify.Later{After: time.Minute}
	sends("waits", "1m0s for notify", "", 0, nil)
	r.sender.later = &notify.Later{After: time.Hour, Tried: errDown}
	sends("is tried again", "1h0m0s for notify", outcomeRequeued, 1, nil)
	r.worker.sender = nil
	if _, after, err := r.take(item); after != "" || err != nil {
		t.Error("there is no webhook now:", after, err)
	}
	r.heard("there is no webhook now")
}

// What GitHub refused is tried again once it may be granted.
func TestRetries(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	letter := func(n uint64, body string) queue.DeadLetter {
		return queue.DeadLetter{Letter: n, Task: queue.Task{Body: []byte(body)}}
	}
	r.refused = []issues.Ref{{Repository: widgets, Number: 3}}
	r.dead = []queue.DeadLetter{letter(1, "nonsense"), letter(2, `{"installation": 8}`), letter(3, `{"installation": 7}`), letter(4, `{"installation": 7}`)}
	r.fails["letter 3"] = queue.ErrNoLetter // another replica was quicker
	if err := r.worker.RetryRefused(t.Context(), "x", 7); err != nil {
		t.Error(err)
	}
	r.heard("of an installation", "publish x/retry/2/3: issue of acme/widgets#3 to retry", "letter 3", "letter 4")
	if err := r.worker.RetryRefused(t.Context(), "y", 0); err != nil {
		t.Error(err)
	}
	r.heard("of all", "publish y/retry/2/3: issue of acme/widgets#3 to retry")
	for _, fails := range []string{"letter 4", "letters", "publish"} {
		r.fails[fails] = errDown
		if err := r.worker.RetryRefused(t.Context(), "z"+fails, 7); !errors.Is(err, errDown) {
			t.Errorf("%s: %v", fails, err)
		}
	}
}

// An onboarding makes the labels of one repository after the other, and shows how far it is.
func TestOnboardings(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.pages = [][]string{{"a", "without"}, {"b"}}
	r.without["without"], r.lacking = true, map[int64][]string{}
	item := Item{Request: reconcile.Request{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}, Delivery: "d"}}
	told := func(done, of int, ends string) string {
		if ends != "" {
			ends = `,"ends_about":"2026-03-02T` + ends + `Z"`
		}
		began := `"2026-03-02T09:00:00Z"`
		seen := `"` + r.clock.Now().Format(time.RFC3339) + `"`
		if of == 0 {
			began, seen = `"0001-01-01T00:00:00Z"`, `"0001-01-01T00:00:00Z"`
		}
		return `tell onboarding {"installation":7,"done":` + string(rune('0'+done)) + `,"of":` + string(rune('0'+of)) + `,"began":` + began + ends + `,"name":"d","seen":` + seen + `}`
	}
	_, after, err := r.take(item)
	r.heard("all", "forget the token of 7", "ask what 7 grants", "tell ungranted {}", "GET /installation/repositories?page=1&per_page=100 as 7",
		"tell rules acme/a#0", "onboard acme/a since 09:00:00", told(1, 3, "09:00:00"), "leave acme/without", told(2, 3, "09:00:00"),
		"GET /installation/repositories?page=2&per_page=100 as 7", "tell rules acme/b#0", "onboard acme/b since 09:00:00", told(3, 3, "09:00:00"), told(0, 0, ""))
	if after != "" || err != nil || len(r.worker.Onboardings()) > 0 {
		t.Error(after, err, r.worker.Onboardings())
	}

	given := item
	given.Added = []issues.Repository{widgets, {Installation: 7, ID: 3, Owner: "acme", Name: "gadgets"}}
	r.policy.Dashboard = true
	r.fails["onboard acme/widgets"] = errDown // it gets a task of its own
	r.fails["onboard acme/gadgets"] = &ratelimit.Error{Budget: ratelimit.BudgetBackground, Wait: time.Minute}
	back, after, err := r.take(given)
	if err != nil || after != "1m0s for background/7/0, with rank 2 at background/7, held false" || back.Onboarding.Done != 1 || back.Onboarding.Apart != 1 || back.Onboarding.Next != 1 {
		t.Errorf("%+v, %s, %v", back.Onboarding, after, err)
	}
	list := r.worker.Onboardings()
	if len(list) != 1 || list[0].Done != 1 || list[0].Of != 2 || list[0].Name != "d/2" || !r.onboards.shown.of(7, r.clock.Now()) || r.onboards.shown.of(8, r.clock.Now()) {
		t.Errorf("%+v", list)
	}
	if !strings.Contains(strings.Join(r.said, "\n"), "publish d/repository/2: rules of acme/widgets#0 and others") || strings.HasPrefix(r.said[0], "forget") {
		t.Errorf("%q", r.said)
	}
	r.said = nil
	delete(r.fails, "onboard acme/gadgets")
	r.fails["onboard acme/widgets"] = issues.ErrGone
	r.clock.Advance(10 * time.Second)
	if _, after, err := r.take(back); err != nil || after != "" || len(r.worker.Onboardings()) > 0 {
		t.Error(after, err, r.worker.Onboardings())
	}
	if !strings.Contains(r.said[0], `"ends_about":"2026-03-02T09:00:20Z"`) || !strings.Contains(r.said[0], `"began":"2026-03-02T09:00:00Z"`) {
		t.Errorf("after a restart, nobody knows of it: %s", r.said[0])
	}
}

// An onboarding leaves time and points to others.
func TestOnboardingsPause(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.pages = [][]string{{"a", "b", "c"}}
	item := Item{Request: reconcile.Request{Kind: reconcile.KindInstallation, Ref: issues.Ref{Repository: issues.Repository{Installation: 7}}, Delivery: "d"}}
	slow := true
	r.slow = func(line string) {
		if slow && strings.HasPrefix(line, "onboard") {
			r.clock.Advance(onboardingStep)
		}
	}
	back, after, err := r.take(item)
	if err != nil || after != "0s for wait/7/0" || back.Onboarding.Done != 1 || back.Onboarding.Of != 3 {
		t.Errorf("the time is up: %+v, %s, %v", back.Onboarding, after, err)
	}
	slow = false
	r.slow = func(line string) {
		if strings.HasPrefix(line, "onboard") {
			for range 140 {
				r.spend(7)
			}
		}
	}
	r.labels = 17
	back, after, err = r.take(back)
	if err != nil || !strings.Contains(after, "for background/7/0") || back.Onboarding.Done != 2 {
		t.Errorf("the points are used up: %+v, %s, %v", back.Onboarding, after, err)
	}
	r.slow = nil
	r.clock.Advance(time.Hour)
	r.fails["GET"] = errDown
	if _, _, err := r.take(back); !errors.Is(err, errDown) {
		t.Error(err)
	}
	r.fails["GET"] = forbidden(403)
	if _, _, err := r.take(back); !queue.IsPermanent(err) || len(r.worker.Onboardings()) > 0 {
		t.Error(err)
	}
	r.fails["GET"] = forbidden(404) // this GitHub lists none
	if _, after, err := r.take(back); err != nil || after != "" {
		t.Error(after, err)
	}
	item.Onboarding = nil
	r.fails["publish"], r.refused = errDown, []issues.Ref{{Repository: widgets, Number: 3}}
	if _, _, err := r.take(item); !errors.Is(err, errDown) {
		t.Error(err)
	}
}

// The labels of a repository are asked for by name each time, unless an onboarding makes them.
func TestRequestsForLabels(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	for range 2 {
		if asked, err := r.onboards.requestLabels(t.Context(), widgets); !asked || err != nil {
			t.Error(asked, err)
		}
	}
	if len(r.tasks) != 2 || !strings.HasSuffix(r.said[0], ": repository of acme/widgets#0") {
		t.Errorf("%q", r.said)
	}
	r.fails["publish"] = errDown
	if asked, err := r.onboards.requestLabels(t.Context(), widgets); asked || !errors.Is(err, errDown) {
		t.Error(asked, err)
	}
	r.said = nil
	r.worker.OnBroadcast([]byte(`{"word":"onboarding","about":{"installation":7,"of":3,"name":"x","seen":"2026-03-02T09:00:00Z"}}`))
	if asked, err := r.onboards.requestLabels(t.Context(), widgets); asked || err != nil {
		t.Error(asked, err)
	}
	r.heard("they are made by another replica")
	r.clock.Advance(shownFor + time.Second)
	if len(r.worker.Onboardings()) > 0 {
		t.Error("an onboarding is shown permanently")
	}
}

func TestOnboardingsAreShownOldestFirst(t *testing.T) {
	t.Parallel()
	var o onboardings
	for _, name := range []string{"b", "a", "c"} {
		o.take(OnboardingState{Name: name, Of: 1, Installation: 2, Began: began, Seen: began})
	}
	o.take(OnboardingState{Name: "z", Of: 1, Installation: 1, Began: began, Seen: began})
	o.take(OnboardingState{Name: "first", Of: 1, Installation: 9, Began: began.Add(-1), Seen: began})
	var names []string
	for _, s := range o.list(began.Add(shownFor)) {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"first", "z", "a", "b", "c"}, names); diff != "" {
		t.Error(diff)
	}
}

// What another replica says is taken in; what cannot be understood changes nothing.
func TestWordsOfReplicas(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	const repo = `{"installation":7,"repository_id":2,"owner":"acme","repo":"widgets"`
	for about, want := range map[string][]string{
		`"rules","about":` + repo + `}`:                                       {"invalidate acme/widgets of 7", "forget the labels of acme/widgets", "changed acme/widgets"},
		`"swept","about":` + repo + `}`:                                       {"swept acme/widgets"},
		`"installed","about":[7,8]`:                                           {"installed [7 8]"},
		`"ungranted","about":{"7":["a"]}`:                                     {"lacking map[7:[a]]"},
		`"sent","about":` + repo + `,"issue":3,"state":"doing"}`:              nil,
		`"limited","about":{"installation":7,"until":"2026-03-02T09:01:00Z"}`: nil,
	} {
		r.worker.OnBroadcast([]byte(`{"word":` + about + `}`))
		r.heard(about, want...)
	}
	if left := r.worker.Limits.Left(7, r.clock.Now()); left != time.Minute {
		t.Errorf("the limit of another replica lasts %s", left)
	}
	if diff := cmp.Diff([]int{3}, r.fills.recentMoves.unseen(widgets, "doing", nil, r.clock.Now().Add(-time.Second))); diff != "" {
		t.Error(diff)
	}
	for _, word := range []string{
		`{"word":"rules"}`, `{"word":"swept","about":"x"}`, `{"word":"installed","about":{}}`, `{"word":"ungranted","about":[]}`, `{"word":"sent","about":3}`,
		`{"word":"limited","about":"x"}`, `{"word":"onboarding","about":[]}`, `{"word":"unknown","about":{}}`, `{}`, "rules x", "",
	} {
		r.worker.OnBroadcast([]byte(word))
		r.heard("of another version: " + word)
	}
	if len(r.worker.Limits.List(r.clock.Now())) != 1 || len(r.worker.Onboardings()) > 0 {
		t.Error("a word that cannot be understood changes something")
	}
	r.worker.BroadcastSwept(widgets)
	r.heard("this replica swept one", "tell swept acme/widgets#0")
	r.fails["tell"] = errDown
	r.worker.BroadcastSwept(widgets) // and nothing fails
}

// GitHub is asked what an installation grants if it forbids something.
func TestGrantsAreAskedFor(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	g := r.onboards.grants
	g.forbidden(t.Context(), 7, issues.ErrForbidden)
	r.heard("forbidden", "ask what 7 still grants", "tell ungranted null")
	g.forbidden(t.Context(), 0, issues.ErrForbidden)
	g.forbidden(t.Context(), 7, errDown)
	r.heard("of no installation, or not forbidden")
	r.unanswering = true
	g.forbidden(t.Context(), 7, forbidden(403))
	g.ask(t.Context(), 7)
	r.heard("without an answer", "ask what 7 still grants", "ask what 7 grants")
	g.compare([]client.Installation{{ID: 7}, {ID: 8}})
	r.heard("a sweep lists them", "compare 2 installations", "tell ungranted null", "installed [7 8]", "tell installed [7,8]")
}

// The log says once a minute that people wait for Colony's own budgets.
func TestPaceLog(t *testing.T) {
	t.Parallel()
	var p paceLog
	for _, test := range []struct {
		reason string
		after  time.Duration
		due    bool
	}{{"a", 0, true}, {"a", time.Second, false}, {"b", time.Second, true}, {"a", paceLogged, true}, {"b", paceLogged, false}} {
		if p.due(test.reason, began.Add(test.after)) != test.due {
			t.Errorf("%s after %s", test.reason, test.after)
		}
	}
}

// What waits is told with its reason, its installation and its repositories, the one with most tasks first.
func TestWaiting(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	one := request(reconcile.KindIssue, 3)
	got := r.worker.Waiting([]queue.Delay{
		{Reason: "", Tasks: 3},
		{Reason: "github/7", Tasks: 3},
		{Reason: "points/7/1", Tasks: 9, Until: began},
		{Reason: reasonIn(&one, "points"), Tasks: 63, Until: began},
		{Reason: "points/7/3", Tasks: 9, Until: began.Add(30 * time.Second)},
		{Reason: "unknown/7/2", Tasks: 3},
		{Reason: "wait/0/0", Tasks: 1, Until: began},
	})
	want := []Waiting{
		// 81 requests of 18 points, of the 810 that people have a minute: where 9 wait, the last is the 27th.
		{Installation: 7, Why: "points", Tasks: 81, Until: began.Add(84 * time.Second), Repositories: []WaitingIn{
			{2, 63, began.Add(84 * time.Second)}, {1, 9, began.Add(18 * time.Second)}, {3, 9, began.Add(30 * time.Second)},
		}},
		{Why: whyWait, Tasks: 1, Until: began},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got[0].Because() == "" || got[1].Because() != "" || (Waiting{Why: "unknown"}).Because() != "" {
		t.Error("words for people")
	}
	many := Shorten([]Waiting{{Repositories: make([]WaitingIn, repositoriesShown+3)}, got[0]})
	if len(many[0].Repositories) != repositoriesShown || many[0].OtherRepositories != 3 || len(many[1].Repositories) != 3 || many[1].OtherRepositories != 0 {
		t.Errorf("%+v", many)
	}
}

// What waits for GitHub goes on from then on at Colony's pace.
func TestWaitingForGitHub(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	until := began.Add(time.Minute)
	for tasks, after := range map[int]time.Duration{15: 10 * time.Second, 60: 70 * time.Second} {
		want := []Waiting{{Installation: 7, Why: "github", Tasks: tasks, Until: until.Add(after)}}
		if diff := cmp.Diff(want, r.worker.Waiting([]queue.Delay{{Reason: "github/7/0", Tasks: tasks, Until: until}})); diff != "" {
			t.Error(diff)
		}
	}
}

// A sweep is published with its progress, and each kind has its line.
func TestLines(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	one := request(reconcile.KindSweep, 0).Request
	if err := r.worker.PublishSweep(t.Context(), "s", one, nil); err != nil {
		t.Error(err)
	}
	installation, figures := request(reconcile.KindInstallation, 0), request(reconcile.KindDashboard, 0)
	for _, test := range []struct {
		item       Item
		repository int64
		issue      int
	}{{request(reconcile.KindIssue, 3), 2, 3}, {installation, 7, 0}, {figures, dashboard.Key(widgets), 0}, {Item{Notify: &notify.Message{Webhook: "chat"}}, lineOf("chat"), 0}} {
		if repository, issue := test.item.line(); repository != test.repository || issue != test.issue {
			t.Errorf("%s: %d, %d", test.item.Kind, repository, issue)
		}
	}
	if lineOf("chat") == lineOf("pager") {
		t.Error("two webhooks have one line")
	}
}
