package app

import (
	"net/http"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/handlers"
)

// Handler returns the HTTP side of Colony: the webhook, /healthz, /readyz and /metrics.
func (s *Server) Handler() http.Handler { return s.handler }

func (s *Server) routes(metrics *prometheus.Registry) http.Handler {
	webhook := githubapp.NewEventDispatcher(
		handlers.All(s.worker, s.parts.Actors, s.parts.Prefixes, s.log), s.config.GitHub.App.WebhookSecret, // it checks again what Authenticate lets through
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
