package app

import (
	"crypto/rand"
	"net/http"

	"github.com/colony-app/colony/reconcile"
)

// RefusedWritesPath is where a server lists the comments, reactions and links that GitHub refused for good.
const RefusedWritesPath = "/api/refused-writes"

func (s *Server) listRefusedWrites(w http.ResponseWriter, _ *http.Request) {
	s.answer(w, reconcile.RefusedWrites{RefusedWrites: s.parts.Reconciler.RefusedWrites()})
}

func (s *Server) retryRefusedWrites(w http.ResponseWriter, r *http.Request) {
	n := len(s.parts.Reconciler.RefusedWrites())
	if err := s.worker.RetryRefused(r.Context(), "retry/"+rand.Text(), 0); err != nil {
		s.adminFailed(w, "retry refused writes", err)
		return
	}
	s.answer(w, struct {
		Retried int `json:"retried"`
	}{n})
}
