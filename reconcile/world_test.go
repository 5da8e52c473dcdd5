package reconcile_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/github/teams"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

const hour = time.Hour

var ctx = context.Background()

// world is a world whose Colony is a reconciler, and a list of requests that wait for it.
type world struct {
	*acme.World

	t      testing.TB
	clock  *clockwork.FakeClock
	github *acme.GitHub
	room   *room
	// remembers says that a conversation relies on what Colony remembers of issues: see TestConversationsWithoutMemoryAndRowByRow.
	remembers bool
	// sweeps says how a sweep finds out what changed.
	sweeps sweeping
}

// sweeping is how a sweep looks at an issue that changed.
type sweeping int

const (
	asksAndReads sweeping = iota // it asks whether the issue is as Colony left it, and reads it all the same: that must not tell otherwise
	asksOnly                     // it does not read what is as Colony left it
	readsAll                     // it asks nothing
)

// newWorld makes a GitHub with the repository acme/widgets and its people, and Colony installed on it.
func newWorld(t testing.TB, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldWithoutColony(t, change...)
	w.MakeLabels()
	w.start()
	w.install()
	return w
}

func newWorldWithoutColony(t testing.TB, change ...func(*config.Config)) *world {
	t.Helper()
	g := acme.Within(t, acme.Today())
	g.Configure(change...)
	w := &world{World: acme.NewWorld(g), t: t, clock: g.Clock, github: g}
	t.Cleanup(w.Silence)
	return w
}

// start makes a Colony that remembers nothing; the App's webhooks go to it. It has the requests and notes of one that was stopped, and begins
// with a sweep.
func (w *world) start() {
	w.t.Helper()
	before := w.room
	if before != nil { // what is on its way to it arrives there
		w.Must(w.Playground.Quiet(ctx))
	}
	w.room = newRoom(w)
	w.Colony = w.room
	byEvent := map[string]githubapp.EventHandler{}
	for _, h := range handlers.All(w.room, w.room.actors, w.room, handlers.News{Gone: w.room.Gone}, zerolog.Nop()) {
		for _, event := range h.Handles() {
			byEvent[event] = h
		}
	}
	w.SendTo(func(event, delivery string, payload []byte) error {
		return byEvent[event].Handle(ctx, event, delivery, payload)
	})
	if before != nil {
		w.room.known, w.room.tasks, w.room.notes, w.room.began = before.known, before.tasks, before.notes, before.began
		w.Must(w.room.BeginSweep(ctx))
	}
}

// stopColony ends the Colony. Webhooks find none from now on.
func (w *world) stopColony() {
	w.Colony = nil
	w.SendTo(nil)
}

// restart stops Colony and starts another one a minute later, which may have lost the requests and notes.
func (w *world) restart(forget bool) {
	w.t.Helper()
	w.stopColony()
	w.clock.Advance(time.Minute)
	if forget {
		w.room = nil
	}
	w.start()
	w.Sweep()
}

func (w *world) install() {
	w.t.Helper()
	w.Install("acme")
	w.Settle()
}

// issue is one issue of acme/widgets as the people of a test see it.
type issue = acme.Issue

// open opens an issue, with labels.
func (w *world) open(by, body string, labels ...string) *issue {
	w.t.Helper()
	return w.NewIssue(by, body, labels...)
}

// stateful opens an issue that is settled in a state.
func (w *world) stateful(label string) *issue {
	w.t.Helper()
	i := w.OpenIn(label, "")
	w.Settle()
	return i
}

// fixedIn opens an issue with a pull request that fixes it, and settles it in a state.
func (w *world) fixedIn(label string) (i *issue, pull int) {
	w.t.Helper()
	i = w.open("ada", "Paint it.")
	pull = i.Fixed()
	i.Label("olivia", label)
	w.Settle()
	return i, pull
}

// newFactsWorld is a world whose repository has a lifecycle of its own, and where everything moves issues that it has triggers for.
func newFactsWorld(t *testing.T, life string, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorld(t, append([]func(*config.Config){func(c *config.Config) { c.Follow = lifecycle.EveryReading() }}, change...)...)
	w.Bring(life)
	return w
}

// notifiedAndSwept runs a test with webhooks, and once more with none after Colony was installed: then only a sweep can notice.
func notifiedAndSwept(t *testing.T, change func(*config.Config), test func(w *world, after func()), more ...func(*config.Config)) {
	t.Helper()
	for _, way := range []string{"told", "swept"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, append(more, change)...)
			after := w.Settle
			if way == "swept" {
				w.Deaf()
				after = w.Sweep
			}
			test(w, after)
		})
	}
}

// metrics are those of the Colony that runs.
func (w *world) metrics() map[string]*dto.MetricFamily {
	w.t.Helper()
	all, err := w.room.registry.Gather()
	w.Must(err)
	families := map[string]*dto.MetricFamily{}
	for _, f := range all {
		families[f.GetName()] = f
	}
	return families
}

// room is a reconciler with the requests that it has to carry out. It carries them out one at a time, when somebody waits for it.
type room struct {
	*reconcile.Reconciler

	w        *world
	clients  *client.Clients
	actors   *issues.Actors
	registry *prometheus.Registry

	mu    sync.Mutex
	known map[string]bool
	tasks []*task
	notes map[string][]byte
	began time.Time
	dead  int // requests that were given up
}

// task is a request, and how far it came.
type task struct {
	reconcile.Request
	reconcile.Carry

	due              time.Time
	shares, failures int
	begun            bool
}

func newRoom(w *world) *room {
	w.t.Helper()
	c, log, registry := w.Config, zerolog.Nop(), prometheus.NewRegistry()
	settings, err := c.Settings()
	w.Must(err)
	r := &room{
		w: w, registry: registry, known: map[string]bool{}, notes: map[string][]byte{}, began: w.clock.Now(),
		actors: &issues.Actors{AppID: c.GitHub.App.IntegrationID, Former: c.Identities.Former, Executors: c.Executors.Logins},
	}
	r.clients = client.New(client.Options{
		App: c.GitHubApp(), Timeout: client.CallTimeout, Limiter: ratelimit.NewLimiter(c.GitHub.Budget, w.clock), Metrics: client.NewCallMetrics(registry), Clock: w.clock,
		Transport: client.Guard{Next: w.Wire, MayWrite: func(ctx context.Context, owner, name string) bool { return r.MayWrite(ctx, owner, name) }},
	})
	app, err := r.clients.NewApp()
	w.Must(err)
	r.actors.SetSelf(apptest.Login)
	store := issues.NewStore(r.clients, r.actors)
	store.Clock, store.Settled = w.clock, settings.Horizon
	store.Signer, err = issues.NewSigner(apptest.ShortKey())
	w.Must(err)
	store.Branches, err = issues.ParseBranches(c.PullRequests.Branches)
	w.Must(err)
	r.Reconciler = reconcile.New(reconcile.Options{
		Store: store, Policies: policy.NewCache(r.clients, c.ServerPolicy(settings.Lifecycle), policy.CacheTTL, w.clock, log),
		Teams: teams.NewReader(r.clients, func(ctx context.Context, installation int64) (map[string]string, error) {
			i, err := app.Installation(ctx, installation)
			return i.Grants, err
		}),
		Selection: c.Repositories, ServerSettings: settings, Budget: c.GitHub.Budget, Clock: w.clock, Log: log, Web: c.GitHub.WebURL,
		Metrics: reconcile.NewMetrics(registry, handlers.Events()), Notes: r,
	})
	r.OnEnd = func(ctx context.Context, ended reconcile.Request) error {
		return r.Publish(ctx, ended.Delivery, ended)
	}
	return r
}

// Publish implements reconcile.Enqueuer.
func (r *room) Publish(_ context.Context, id string, request reconcile.Request) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.known[id] {
		r.known[id] = true
		r.tasks = append(r.tasks, &task{Request: request, due: r.w.clock.Now()})
	}
	return nil
}

// KnownPolicy implements handlers.Policies.
func (r *room) KnownPolicy(repo issues.Repository) (policy.Policy, bool) {
	return r.Policies.Known(repo)
}

// ForgetPolicy implements handlers.Policies.
func (r *room) ForgetPolicy(repo issues.Repository) { r.Policies.Invalidate(repo) }

// Note implements reconcile.Notes.
func (r *room) Note(_ context.Context, key string, note []byte) error {
	r.notes[key] = note
	return nil
}

// Noted implements reconcile.Notes.
func (r *room) Noted(_ context.Context, key string) (note []byte, ok bool, err error) {
	note, ok = r.notes[key]
	return note, ok, nil
}

// NotesSince implements reconcile.Notes.
func (r *room) NotesSince() time.Time { return r.began }

// Idle implements acme.Colony: it carries out what is due.
func (r *room) Idle(ctx context.Context) error {
	for t := r.next(); t != nil; t = r.next() {
		if wait, again := r.carryOut(ctx, t); again {
			r.mu.Lock()
			t.due = r.w.clock.Now().Add(wait)
			r.tasks = append(r.tasks, t)
			r.mu.Unlock()
		}
	}
	return nil
}

// next takes the first request that is due.
func (r *room) next() *task {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.tasks, func(t *task) bool { return !t.due.After(r.w.clock.Now()) })
	if i < 0 {
		return nil
	}
	t := r.tasks[i]
	r.tasks = slices.Delete(r.tasks, i, i+1)
	return t
}

// Delayed implements acme.Colony.
func (r *room) Delayed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.tasks)
}

// Paced implements acme.Colony.
func (r *room) Paced() map[int64]time.Time { return nil }

// carryOut carries out a request, and says how long it waits then if it has to come back.
func (r *room) carryOut(ctx context.Context, t *task) (wait time.Duration, again bool) {
	if !t.begun && t.failures == 0 && r.IsAnswered(t.Request) {
		return 0, false
	}
	if wait, t.shares = r.WaitOfShare(t.Request, t.shares); wait > 0 {
		return wait, true
	}
	result, err := r.execute(ctx, t)
	limit := (*ratelimit.Error)(nil)
	switch {
	case errors.As(err, &limit):
		t.begun = true
		return limit.Wait, true
	case issues.IsGone(err):
		r.Gone(t.Ref)
		return 0, false
	case issues.IsPermanent(err):
		r.dead++
		return 0, false
	case err != nil:
		t.failures++
		return time.Second << (t.failures - 1), true
	case result == nil:
		return 0, false
	}
	t.failures, t.begun, t.Carry = 0, true, t.After(*result)
	return result.RequeueAfter, true
}

// execute does what a kind of request asks for, if the policy of its repository has a use for it.
func (r *room) execute(ctx context.Context, t *task) (*reconcile.Result, error) {
	if t.Kind == reconcile.KindInstallation {
		return nil, r.onboard(ctx, t.Request)
	}
	if !r.Has(t.Repository) {
		return nil, nil
	}
	switch t.Kind {
	case reconcile.KindPolicy:
		return r.RefreshPolicy(ctx, t.Request, t.Waited)
	case reconcile.KindRepository:
		return nil, r.Repository(ctx, t.Request)
	}
	found, err := r.Policies.Get(ctx, t.Repository)
	if err != nil || !found.Mode.Reads() || !t.HasReason(found.Policy) {
		return nil, err
	}
	if t.Kind == reconcile.KindIssue {
		if *forgets && !r.w.remembers {
			r.Forget()
		}
		return r.Reconcile(ctx, t.Request, t.Carry)
	}
	for _, i := range r.w.Issues { // something happened on which issues depend: it can be any of them
		one := t.OfIssue(i.Number)
		if t.Kind == reconcile.KindPullRequest {
			one.Expect.PullRequest = t.Number
		}
		if err := r.Publish(ctx, fmt.Sprintf("%s/%s/%d/%d", t.Delivery, t.Kind, t.Number, i.Number), one); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// BeginSweep implements acme.Colony: it looks at all issues as a sweep does, and asks to reconcile those on which there is something to do.
func (r *room) BeginSweep(ctx context.Context) error {
	repo, err := r.Store.Repository(ctx, issues.Repository{Owner: "acme", Name: "widgets", Installation: r.w.Installation})
	if err != nil {
		return err
	}
	found, _, err := r.PolicyOf(ctx, repo)
	if err != nil {
		return err
	}
	now := r.w.clock.Now()
	for _, i := range r.w.Issues {
		one := reconcile.Request{Kind: reconcile.KindIssue, Ref: issues.Ref{Repository: repo, Number: i.Number}, Cause: reconcile.CauseSweep, Delivery: fmt.Sprintf("sweep/%d", now.Unix())}
		is, _, err := r.w.As("mona").Issues.Get(ctx, "acme", "widgets", i.Number)
		if err != nil {
			continue // it is gone
		}
		texts := []string{is.GetBody()}
		for _, c := range i.AllComments() {
			texts = append(texts, c.GetBody())
		}
		one.Commands = slices.ContainsFunc(texts, func(text string) bool { return len(commands.Parse(text)) > 0 })
		updated := is.GetUpdatedAt().Time
		asks := one.Commands || found.Lifecycle.Reflection != nil && !r.HasReflection(one.Ref, updated, now)
		changed := !r.IsClean(one.Ref, updated, now)
		if changed && r.w.sweeps != readsAll {
			if err := r.Recognize(ctx, repo, []issues.Entry{{Number: i.Number, Updated: updated}}); err != nil {
				return err
			}
		}
		recognized := changed && r.IsClean(one.Ref, updated, now)
		if changed = changed && (!recognized || r.w.sweeps != asksOnly); !asks && changed {
			seen, err := r.Foresee(ctx, one)
			if err != nil {
				return err
			}
			if asks = seen != reconcile.Rests; asks && recognized {
				r.w.t.Errorf("%s counts as Colony left it, although there is something to do: %d", one.Ref, seen)
			}
		}
		if !asks {
			continue
		}
		if err := r.Publish(ctx, fmt.Sprintf("%s/%d", one.Delivery, i.Number), one); err != nil {
			return err
		}
	}
	return nil
}

// onboard reads the policies of the repositories that Colony was given, and makes their labels.
func (r *room) onboard(ctx context.Context, request reconcile.Request) error {
	r.clients.Forget(request.Installation) // its token allows what was granted before
	return client.EachRepository(ctx, r.clients, request.Installation, client.Once, func(repo issues.Repository) error {
		_, err := r.RefreshPolicy(ctx, reconcile.Request{Kind: reconcile.KindPolicy, Ref: issues.Ref{Repository: repo}}, 0)
		return err
	})
}
