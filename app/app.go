// Package app wires Colony together: configuration, GitHub's clients, the queue, the reconciler, and the HTTP server.
package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Options are what a process gives to Colony besides its configuration; tests give others. The zero value is right for
// a process of its own.
type Options struct {
	Clock     clockwork.Clock
	Transport http.RoundTripper // to GitHub
	Log       zerolog.Logger
	Guard     func(http.Handler) http.Handler // around Handler; nil: every request is answered, as behind a proxy
}

// Server is one running Colony.
type Server struct {
	config   config.Config
	clock    clockwork.Clock
	log      zerolog.Logger
	queue    *queue.Queue
	worker   *worker
	actors   *issues.Actors
	clients  *client.Clients
	handler  http.Handler
	prefixes *handlers.Prefixes
	identity chan struct{} // closed once GitHub told who Colony is
	begun    chan struct{} // closed once the first sweep was asked for
}

// New opens the queue and makes everything ready; Run starts it. It fails with an error that names the setting if
// Colony cannot run with the configuration.
func New(ctx context.Context, c config.Config, seams Options) (*Server, error) {
	if seams.Clock == nil {
		seams.Clock = clockwork.NewRealClock()
	}
	if seams.Transport == nil {
		seams.Transport = client.NewTransport()
	}
	metrics := prometheus.NewRegistry()
	s, err := assemble(c, seams, metrics)
	if err != nil {
		return nil, err
	}
	s.queue, err = queue.Open(ctx, queue.Options{
		Dir: c.Queue.Dir, URL: c.Queue.URL, Concurrency: c.Queue.Concurrency, Partitions: c.Queue.Partitions, MaxBytes: c.Queue.MaxBytes,
		Drain: c.Server.Drain, Join: joinTasks, Clock: seams.Clock, Log: seams.Log, Registerer: metrics,
	})
	if err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	s.worker.queue, s.worker.broadcast, s.worker.reconciler.Notes, s.worker.sweeps.notes = s.queue, s.queue.Broadcast, s.queue, s.queue
	s.worker.revive = s.reviveInstallation
	if err := s.queue.Subscribe(s.worker.onBroadcast); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	metrics.MustRegister(newDepths(s.queue.Pending, s.worker.limitedNow, s.worker.reconciler.Policies.InvalidFiles))
	return s, nil
}

// assemble makes everything but the queue.
func assemble(c config.Config, seams Options, metrics *prometheus.Registry) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	settings, err := c.Settings()
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, clock: seams.Clock, log: seams.Log, prefixes: &handlers.Prefixes{}, identity: make(chan struct{}), begun: make(chan struct{})}
	pace := ratelimit.NewLimiter(c.GitHub.Pace, seams.Clock)
	s.clients = client.New(client.Options{
		App: c.GitHubApp(), Timeout: c.GitHub.Timeout, Transport: seams.Transport, Limiter: pace, Metrics: client.NewCallMetrics(metrics), Clock: seams.Clock,
	})
	s.actors = &issues.Actors{
		AppID: c.GitHub.App.IntegrationID, Former: c.Identities.Former, Executors: c.Executors.Logins,
	}
	appClient, err := s.clients.NewAppClient()
	if err != nil {
		return nil, fmt.Errorf("make the App's client: %w", err)
	}
	store := issues.NewStore(s.clients, s.actors)
	store.Clock, store.Settled = seams.Clock, settings.Horizon
	if store.Branches, err = issues.ParseBranches(c.PullRequests.Branches); err != nil {
		return nil, fmt.Errorf("pull_requests.branches: %w", err)
	}
	s.worker = &worker{
		clients: s.clients, app: appClient, ready: s.identity, log: seams.Log,
		limits: ratelimit.NewLimits(), limiter: pace, clock: seams.Clock, sweeps: newSweeps(), brake: c.Sweep.Brake, watch: c.Sweep.Watch,
		reconciler: reconcile.New(reconcile.Options{
			Store: store, Policies: policy.NewCache(s.clients, c.ServerPolicy(settings.Lifecycle), c.Repositories.Keep, seams.Clock, seams.Log),
			Settings: settings, Budget: c.GitHub.Pace, Clock: seams.Clock, Log: seams.Log, Web: c.GitHub.WebURL, Prefixes: s.prefixes,
			Metrics: reconcile.NewMetrics(metrics, handlers.Events()),
		}),
	}
	s.worker.reconciler.OnCapacity = s.worker.askForDispatch
	s.handler = s.routes(metrics)
	if seams.Guard != nil {
		s.handler = seams.Guard(s.handler)
	}
	return s, nil
}

// Handler returns the HTTP side of Colony: the webhook, /healthz, /readyz and /metrics.
func (s *Server) Handler() http.Handler { return s.handler }

func (s *Server) routes(metrics *prometheus.Registry) http.Handler {
	webhook := githubapp.NewEventDispatcher(
		handlers.All(s.worker, s.actors, s.prefixes, s.log), s.config.GitHub.App.WebhookSecret, // it checks again what Authenticate lets through
		githubapp.WithScheduler(queue.NewScheduler(queue.SchedulerOptions{Log: s.log})),
	)
	mux := http.NewServeMux()
	secret := s.config.GitHub.App.WebhookSecret
	mux.Handle("POST "+githubapp.DefaultWebhookRoute, handlers.Authenticate(secret, webhook, newWebhookMetrics(metrics)))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("GET /readyz", s.readyz)
	s.adminRoutes(mux)
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	return s.withLog(mux)
}

// withLog gives every request the log; go-githubapp's handlers take it from the context.
func (s *Server) withLog(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(s.log.WithContext(r.Context())))
	})
}

// Run receives webhooks at a listener and carries out looks until ctx ends; then it answers what it has begun to receive
// and finishes what it has begun to do, within the configured time. It closes the listener and the queue.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	work, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	web := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ReadTimeout:    10 * time.Second, // GitHub gives up after as long
		MaxHeaderBytes: 32 << 10,
	}

	webDone, workDone := make(chan error, 1), make(chan error, 1)
	go func() { webDone <- web.Serve(listener) }()
	go func() { workDone <- s.queue.Run(work, s.worker.work) }()
	go func() {
		if err := s.identify(work); err != nil {
			stop(err)
		}
	}()
	go s.sweepForEver(work)
	s.log.Info().Str("address", listener.Addr().String()).Str("lifecycle", s.config.Lifecycle).Msg("Colony is listening")

	var err error
	select {
	case <-work.Done():
		if err = context.Cause(work); errors.Is(err, context.Canceled) {
			err = nil
		}
	case webErr := <-webDone:
		err = fmt.Errorf("receive webhooks: %w", webErr)
		stop(err)
	case workErr := <-workDone:
		if ctx.Err() != nil { // it was asked to stop, and had nothing to finish
			workDone <- workErr
			break
		}
		err = fmt.Errorf("work on the queue: %w", workErr)
		workDone <- nil
		stop(err)
	}
	return errors.Join(err, s.drain(web, workDone))
}

// identify learns who Colony is and lets the work begin.
func (s *Server) identify(ctx context.Context) error {
	err := client.Identify(ctx, s.worker.app, s.actors, s.clock, s.log)
	switch {
	case err == nil:
		s.compareGrants(ctx)
		close(s.identity)
	case errors.Is(err, context.Canceled): // asked to stop before GitHub answered
		err = nil
	}
	return err
}

func (s *Server) drain(web *http.Server, workDone <-chan error) error {
	s.log.Info().Msg("Colony is stopping")
	ctx, cancel := context.WithTimeout(context.Background(), s.config.Server.Drain)
	defer cancel()
	webErr := web.Shutdown(ctx)
	workErr := <-workDone
	if errors.Is(workErr, context.Canceled) {
		workErr = nil
	}
	return errors.Join(webErr, workErr, s.Close(ctx))
}

// Close closes the queue of a server that does not run.
func (s *Server) Close(ctx context.Context) error {
	if err := s.queue.Close(ctx); err != nil {
		return fmt.Errorf("close the queue: %w", err)
	}
	return nil
}

// Idle returns when the first sweep was asked for and no look is waiting or under way; looks that are put off do not count.
func (s *Server) Idle(ctx context.Context) error {
	select {
	case <-s.begun:
	case <-ctx.Done():
		return fmt.Errorf("wait for the first sweep: %w", ctx.Err())
	}
	// The queue waits for what was published before it is asked. A sweep publishes looks at the installations, each of them
	// looks at its repositories, and each of those looks at issues; so it is asked again when one of these is done.
	for range 4 {
		if err := s.queue.Idle(ctx); err != nil {
			return fmt.Errorf("wait for the queue: %w", err)
		}
	}
	return nil
}
