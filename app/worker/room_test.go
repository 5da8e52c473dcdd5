package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/dashboard"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// began is the time at which each room begins.
var began = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// widgets is the repository that most requests are about.
var widgets = issues.Repository{Installation: 7, ID: 2, Owner: "acme", Name: "widgets"}

// room is a worker whose neighbors are in memory. It is the reconciler, the policies and the sweeper.
type room struct {
	*testing.T
	clock *clockwork.FakeClock
	// said is what the worker asked of its neighbors and of the queue, a line each; fails makes the lines fail that begin so.
	said  []string
	fails map[string]error

	policy      policy.Effective
	without     map[string]bool // repositories in which Colony does not work
	answered    bool
	share       time.Duration
	result      *reconcile.Result
	dispatched  map[int]reconcile.Dispatched
	later       map[int]*reconcile.Result // of a dispatch
	noted       bool                      // there is a dashboard as far as is noted
	shown       *issues.Dashboard
	figures     dashboard.Figures
	refused     []issues.Ref
	dead        []queue.DeadLetter
	pages       [][]string // the repositories of the installation
	visibility  map[string]string
	store       hub
	metrics     *prometheus.Registry
	limiter     *ratelimit.Limiter
	labels      int   // that are made in a repository which is onboarded
	spent       int64 // in how many repositories points were used
	writes      int   // how many a reconciliation makes
	sender      *sender
	worker      *Worker
	onboards    *onboarder
	tasks       map[string]queue.Task
	shows       *dashboards
	fills       *dispatcher
	lacking     map[int64][]string
	unanswering bool              // GitHub does not tell what an installation grants
	home        int64             // the installation of the repositories; 0: none any more
	slow        func(line string) // takes the time of a line
}

// hub is what the issues of GitHub show.
type hub struct {
	*room
	linked, overlapping []int
	pulls               []int
	conflicts           *issues.Conflicts // nil: GitHub does not tell
	dependents          []issues.Ref
	labeled             map[string][]issues.Entry
	waiting             []lifecycle.Candidate
}

type sender struct {
	*room
	hooks []notify.Webhook
	later *notify.Later
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{
		T: t, clock: clockwork.NewFakeClockAt(began), fails: map[string]error{}, without: map[string]bool{}, dispatched: map[int]reconcile.Dispatched{},
		home: 7, later: map[int]*reconcile.Result{}, visibility: map[string]string{}, metrics: prometheus.NewRegistry(), tasks: map[string]queue.Task{},
	}
	r.policy.Lifecycle, r.policy.Mode = shipped(t), lifecycle.ModeEnforce
	r.store = hub{room: r, labeled: map[string][]issues.Entry{}}
	r.limiter = ratelimit.NewLimiter(ratelimit.Settings{Points: 900}, r.clock)
	r.sender = &sender{room: r}
	limits, log, measured := ratelimit.NewLimits(), zerolog.Nop(), reconcile.NewMetrics(prometheus.NewRegistry(), nil)
	publisher := &Publisher{queue: r, log: log}
	others := &peers{queue: r, log: log}
	watch := &grantWatch{Grants: r, modes: r, peers: others}
	admits := &admission{limits: limits, limiter: r.limiter, shares: r.WaitOfShare, costs: newCosts(), metrics: measured, peers: others, clock: r.clock, log: log}
	r.shows = &dashboards{Publisher: publisher, keeper: r, policies: r, clients: r, clock: r.clock}
	r.fills = &dispatcher{
		Publisher: publisher, reconciler: r, store: &r.store, policies: r, namesOf: namesOfStates, locks: &issueLocks{}, peers: others, dashboards: r.shows,
		metrics: measured, lag: 5 * time.Second, clock: r.clock,
	}
	rules := &policies{Publisher: publisher, reconciler: r, cache: r, labels: labels{r}, clients: r, peers: others, dispatcher: r.fills, dashboards: r.shows}
	again := &retries{Publisher: publisher, refusedOn: func(int64) []issues.Ref { return r.refused }}
	r.onboards = &onboarder{
		Publisher: publisher, reconciler: r, clients: r, grants: watch, admission: admits, policies: rules, retries: again, peers: others, clock: r.clock,
	}
	spreads := &fanOut{
		Publisher: publisher, reconciler: r, store: &r.store, policies: r, namesOf: namesOfStates, metrics: measured, watch: 3, horizon: 72 * time.Hour, clock: r.clock,
	}
	notifies := &notifier{Publisher: publisher, sender: r.sender, sendings: NewSendings(r.metrics), web: "https://github.test", clock: r.clock}
	ready := make(chan struct{})
	close(ready)
	others.words = words(r, r.fills, admits, watch, r.onboards, rules)
	does := doers{issues: r, sweeps: r, dispatcher: r.fills, policies: rules, onboarder: r.onboards, fanOut: spreads, dashboards: r.shows}
	r.worker = &Worker{
		Publisher: publisher, policies: rules, peers: others, retries: again, onboarder: r.onboards, notifier: notifies, Limits: limits, ready: ready,
		execution: &execution{
			reconciler: r, policies: r, doers: does, kinds: does.kinds(), admission: admits,
			grants: watch, tokens: r, homes: r, metrics: measured, log: log,
		},
	}
	return r
}

func namesOfStates(_ issues.Repository, life *statemachine.Table, state string) []string {
	return []string{life.Label(state)}
}

func (r *room) InstallationOn(_ context.Context, owner, name string) (client.Installation, error) {
	err := r.say("where %s/%s is", owner, name)
	if r.home == 0 {
		err = client.ErrNotInstalled
	}
	return client.Installation{ID: r.home}, err
}

// say notes a line, and returns with what it fails.
func (r *room) say(format string, args ...any) error {
	line := fmt.Sprintf(format, args...)
	r.said = append(r.said, line)
	if r.slow != nil {
		r.slow(line)
	}
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

// take gives the worker an item, and returns the item with which it comes back and when; the text is empty if it does not.
func (r *room) take(item Item) (back Item, after string, err error) {
	r.Helper()
	body, err := item.encode()
	if err != nil {
		r.Fatal(err)
	}
	requeue, err := r.worker.Take(r.Context(), queue.Task{ID: "t", Body: body, Published: began.Add(-time.Minute), Failures: item.failures})
	if err != nil || requeue == nil {
		return back, "", err
	}
	if back, err = ReadItem(queue.Task{Body: requeue.Body}); err != nil {
		r.Fatal(err)
	}
	after = fmt.Sprintf("%s for %s", requeue.After, requeue.Reason)
	if requeue.Gate != "" {
		after += fmt.Sprintf(", with rank %d at %s, held %t", requeue.Rank, requeue.Gate, requeue.Hold)
	}
	return back, after, nil
}

// request is an item of some kind about widgets, or an issue of it.
func request(kind reconcile.Kind, number int) Item {
	return Item{Request: reconcile.Request{Kind: kind, Ref: issues.Ref{Repository: widgets, Number: number}, Cause: "issues.labeled", Delivery: "d"}}
}

// Publish implements Queue. It says what a task asks for.
func (r *room) Publish(_ context.Context, t queue.Task) (bool, error) {
	if _, again := r.tasks[t.ID]; again {
		return true, r.say("again %s", t.ID)
	}
	i, err := ReadItem(t)
	if err != nil {
		return false, err
	}
	line := fmt.Sprintf("publish %s: %s of %s", t.ID, i.Kind, i.Ref)
	for _, more := range []struct {
		is   bool
		word string
	}{
		{i.Retry, "to retry"},
		{i.Commit != "", "at " + i.Commit},
		{i.Expect.PullRequest != 0, fmt.Sprintf("with pull %d", i.Expect.PullRequest)},
		{!i.Due.IsZero(), "due " + i.Due.UTC().Format(time.TimeOnly)},
		{i.Renamed != nil, "renamed"},
		{i.Added != nil, "added"},
		{i.AllOfOwner, "and others"},
	} {
		if more.is {
			line += " " + more.word
		}
	}
	if i.Notify != nil {
		line = fmt.Sprintf("publish %s to %s", t.ID, i.Notify.Webhook)
	}
	if err := r.say("%s", line); err != nil {
		return false, err
	}
	r.tasks[t.ID] = t
	return false, nil
}

func (r *room) Broadcast(text []byte) error {
	var b broadcast[json.RawMessage]
	if err := json.Unmarshal(text, &b); err != nil {
		r.Error(err)
	}
	if slices.Contains([]string{wordRules, wordSwept, wordSent}, b.Word) {
		var about movedIssue
		if err := json.Unmarshal(b.About, &about); err != nil {
			r.Error(err)
		}
		return r.say("%s", strings.TrimSpace(fmt.Sprintf("tell %s %s %s", b.Word, about.Ref, about.State)))
	}
	return r.say("tell %s %s", b.Word, b.About)
}

func (r *room) Note(context.Context, string, []byte) error        { return nil }
func (r *room) NotesSince() time.Time                             { return time.Time{} }
func (r *room) RetryDeadLetter(_ context.Context, n uint64) error { return r.say("letter %d", n) }

func (r *room) Noted(context.Context, string) ([]byte, bool, error) { return nil, false, nil }

func (r *room) DeadLetters(context.Context) ([]queue.DeadLetter, error) {
	return r.dead, r.fails["letters"]
}

func (r *room) Get(context.Context, issues.Repository) (policy.Effective, error) {
	return r.policy, r.fails["policy"]
}

func (r *room) PolicyOf(context.Context, issues.Repository) (policy.Effective, issues.Epoch, error) {
	return r.policy, issues.Epoch{}, r.fails["policy"]
}

func (r *room) Known(issues.Repository) (policy.Policy, bool) { return r.policy.Policy, true }
func (r *room) Invalidate(repo issues.Repository) {
	_ = r.say("invalidate %s of %d", repo, repo.Installation)
}

func (r *room) PolicyChanged(repo issues.Repository) { _ = r.say("changed %s", repo) }

func (r *room) SweptElsewhere(repo issues.Repository) { _ = r.say("swept %s", repo) }

func (r *room) Has(repo issues.Repository) bool { return !r.without[repo.Name] }

func (r *room) Leave(_ context.Context, repo issues.Repository) error { return r.say("leave %s", repo) }
func (r *room) Gone(ref issues.Ref)                                   { _ = r.say("gone %s", ref) }
func (r *room) IsAnswered(reconcile.Request) bool                     { return r.answered }
func (r *room) KeepModes(installations []int64)                       { _ = r.say("installed %v", installations) }

func (r *room) Forget(installation int64) { _ = r.say("forget the token of %d", installation) }

type labels struct{ *room }

func (l labels) Forget(repo issues.Repository) { _ = l.say("forget the labels of %s", repo) }

func (r *room) WaitOfShare(_ reconcile.Request, passed int) (time.Duration, int) {
	if r.share > 0 {
		passed++
	}
	return r.share, passed
}

func (r *room) Reconcile(ctx context.Context, request reconcile.Request, carry reconcile.Carry) (*reconcile.Result, error) {
	for range r.writes {
		r.write(ctx)
	}
	return r.result, r.say("reconcile %s waited %d", request.Ref, carry.Waited)
}

func (r *room) Step(_ context.Context, t *sweep.Task) (*reconcile.Result, error) {
	t.Progress.Page++
	return r.result, r.say("sweep %s page %d, asked %s, failed %d", t.Ref, t.Progress.Page, t.Asked.Format(time.TimeOnly), t.Failures)
}

func (r *room) Repository(_ context.Context, request reconcile.Request) error {
	return r.say("labels of %s", request.Repository)
}

func (r *room) RefreshPolicy(_ context.Context, request reconcile.Request, waited int) (*reconcile.Result, error) {
	return r.result, r.say("refresh %s waited %d", request.Repository, waited)
}

func (r *room) Onboard(ctx context.Context, repo issues.Repository, since time.Time) error {
	for range r.labels {
		r.write(ctx)
	}
	return r.say("onboard %s since %s", repo, since.Format(time.TimeOnly))
}

func (r *room) Dispatch(_ context.Context, request reconcile.Request, waited int, row lifecycle.Dispatch) (reconcile.Dispatched, *reconcile.Result, error) {
	return r.dispatched[request.Number], r.later[request.Number], r.say("dispatch %s %s to %s waited %d", request.Kind, request.Ref, row.To, waited)
}

func (r *room) NoteMode(repo issues.Repository, found policy.Effective) {
	_ = r.say("mode %s: %s", repo, found.Mode)
}

func (r *room) Exists(context.Context, issues.Repository) (bool, error) {
	return r.noted, r.fails["noted"]
}

func (r *room) Find(context.Context, issues.Repository) (*issues.Dashboard, error) {
	return r.shown, r.fails["find"]
}

func (r *room) End(_ context.Context, repo issues.Repository) error {
	return r.say("end %s", repo)
}

func (r *room) Read(_ context.Context, repo issues.Repository) (dashboard.Figures, error) {
	f := r.figures
	f.Of.Name = repo.String()
	return f, r.say("figures of %s", repo)
}

func (r *room) Show(_ context.Context, repo issues.Repository, d *issues.Dashboard, shows wording.Dashboard) error {
	var names []string
	for _, one := range shows.Repositories {
		names = append(names, one.Name)
	}
	return r.say("show in %s (there: %t): %s %v, %d waiting and %d left, %v apart, %d hidden", repo, d != nil, shows.Owner, names, len(shows.Waiting), shows.Left, shows.Apart, shows.Hidden)
}

func (r *room) Compare(all []client.Installation, _ ...string) {
	_ = r.say("compare %d installations", len(all))
}
func (r *room) Lacking() map[int64][]string        { return r.lacking }
func (r *room) Replace(lacking map[int64][]string) { _ = r.say("lacking %v", lacking) }

func (r *room) Ask(_ context.Context, _ *client.App, installation int64) bool {
	return r.say("ask what %d grants", installation) == nil && !r.unanswering
}

func (r *room) Doubt(_ context.Context, _ *client.App, installation int64) bool {
	return r.say("ask what %d still grants", installation) == nil && !r.unanswering
}

// NewInstallationClient implements issues.Clients. Its GitHub lists the repositories of the room.
func (r *room) NewInstallationClient(installation int64) (*github.Client, error) {
	return github.NewClient(&http.Client{Transport: ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		if err := r.say("GET %s as %d", request.URL.RequestURI(), installation); err != nil {
			return nil, err
		}
		var body any = map[string]any{"visibility": "public"}
		header := http.Header{"Content-Type": {"application/json"}}
		if request.URL.Path == "/installation/repositories" {
			page, total := 1, 0
			_, _ = fmt.Sscan(request.URL.Query().Get("page"), &page)
			list := []map[string]any{}
			for n, names := range r.pages {
				for m, name := range names {
					total++
					if n == page-1 {
						one := map[string]any{"id": 10*n + m + 1, "name": name, "owner": map[string]string{"login": "acme"}, "visibility": "public"}
						if v, other := r.visibility[name]; other {
							one["visibility"] = v
						}
						list = append(list, one)
					}
				}
			}
			if page < len(r.pages) {
				header.Set("Link", fmt.Sprintf(`<https://api.github.com/installation/repositories?page=%d>; rel="next"`, page+1))
			}
			body = map[string]any{"total_count": total, "repositories": list}
		}
		text, err := json.Marshal(body)
		return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(string(text))), Request: request}, err
	})}), nil
}

func (h *hub) PullRequestIssues(_ context.Context, at issues.Ref) ([]int, error) {
	return h.linked, h.say("issues of pull %s", at)
}

func (h *hub) Conflicts(_ context.Context, repo issues.Repository) (issues.Conflicts, bool, error) {
	err := h.say("conflicts of %s", repo)
	if h.conflicts == nil {
		return issues.Conflicts{}, false, err
	}
	return *h.conflicts, true, err
}

func (h *hub) PullRequestsAt(_ context.Context, repo issues.Repository, commit string) ([]int, error) {
	return h.pulls, h.say("pulls of %s at %s", repo, commit)
}

func (h *hub) Overlapping(_ context.Context, at issues.Ref, waiting, without []int) ([]int, error) {
	if len(without) > 0 {
		return h.overlapping, h.say("overlapping %s of %v, or %v without a pull request", at, waiting, without)
	}
	return h.overlapping, h.say("overlapping %s of %v", at, waiting)
}

func (h *hub) Dependents(_ context.Context, of issues.Ref, watched func(string) bool) ([]issues.Ref, error) {
	return h.dependents, h.say("dependents of %s, also bugs: %t, also done: %t", of, watched("bug"), watched("colony:done"))
}

func (h *hub) Repository(_ context.Context, repo issues.Repository) (issues.Repository, error) {
	err := h.say("repository %s", repo)
	repo.ID = 44
	return repo, err
}

func (h *hub) List(_ context.Context, _ issues.Repository, f issues.Filter) ([]issues.Entry, bool, error) {
	return h.labeled[f.Label], false, h.say("list %s %s since %s", f.State, f.Label, f.Since.Format(time.DateTime))
}

func (h *hub) WithAny(_ context.Context, _ issues.Repository, labels []string, filter func(string) issues.Filter) (list []issues.Entry, _ bool, _ error) {
	for _, label := range labels {
		f := filter(label)
		if err := h.say("list %s, %d a page", f.Label, f.Size); err != nil {
			return nil, false, err
		}
		list = append(list, h.labeled[f.Label]...)
	}
	return slices.Clone(list), false, nil
}

func (h *hub) WaitingFor(_ context.Context, _ issues.Repository, _ *statemachine.Table, row lifecycle.Dispatch, names func(string) []string) ([]lifecycle.Candidate, error) {
	return h.waiting, h.say("waiting for %s in %v", row.To, names(row.From[0]))
}

func (s *sender) Webhooks() []notify.Webhook { return s.hooks }

func (s *sender) Send(_ context.Context, m notify.Message) (*notify.Later, error) {
	return s.later, s.say("send %s to %s, tried %d", m.ID(), m.Webhook, m.Tries)
}

var errDown = errors.New("GitHub is down")

// forbidden is an answer of GitHub's.
func forbidden(code int) error {
	return &github.ErrorResponse{Response: &http.Response{StatusCode: code, Request: &http.Request{}}}
}

// sent is how many events for webhooks had an outcome.
func (r *room) sent(outcome string) (count float64) {
	r.Helper()
	families, err := r.metrics.Gather()
	if err != nil {
		r.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if m.GetLabel()[0].GetValue() == outcome {
				count += m.GetCounter().GetValue()
			}
		}
	}
	return count
}
