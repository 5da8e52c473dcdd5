package app

import (
	"net/http"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/handlers"
)

// Handler returns the HTTP side of Colony: the webhook, /healthz, /readyz and /metrics, the JSON API where it is enabled, and the board
// if there is one.
func (s *Server) Handler() http.Handler { return s.handler }

func (s *Server) routes(metrics *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+githubapp.DefaultWebhookRoute, handlers.Webhook(s.config.GitHub.App.WebhookSecret,
		handlers.All(s.worker, s.parts.Actors, s.worker, s.news, s.log), newWebhookMetrics(metrics), s.clock, s.log))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("GET /readyz", s.readyz)
	s.adminRoutes(mux)
	if s.config.API.Enabled {
		mux.Handle(api.Prefix, api.Handler(api.Options{
			Access: s.parts.Access, Inspector: s.parts.Inspector(), Limiter: s.parts.Limiter, Limits: s.worker.Limits,
			Ready: func() bool { return s.parts.Actors.Self() != "" }, Clock: s.clock, Log: s.log, Metrics: metrics,
		}))
	}
	if s.board != nil {
		mux.Handle(board.Root, s.board.Handler())
		mux.Handle(board.Root+"/", s.board.Handler())
		mux.Handle("GET /{$}", http.RedirectHandler(board.Root, http.StatusFound))
	}
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	return access.WithAddresses(s.config.Server.Proxies(), mux)
}
