package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/reconcile"
)

// RefusedWritesPath is where a server lists the comments, reactions and links that GitHub refused for good.
const RefusedWritesPath = "/api/refused-writes"

// retryRefused asks for a look at each issue of an installation on which GitHub refused something, and for what was given up there:
// it may be granted now. 0 is all installations.
func (d *worker) retryRefused(ctx context.Context, delivery string, installation int64) error {
	for _, ref := range d.reconciler.RefusedOn(installation) {
		request := reconcile.Request{
			Kind: reconcile.KindIssue, Installation: ref.Installation, RepositoryID: ref.ID, Owner: ref.Owner, Repo: ref.Name, Issue: ref.Number,
			Cause: reconcile.CauseRetry, Delivery: delivery, Retry: true,
		}
		if err := d.Publish(ctx, fmt.Sprintf("%s/retry/%d/%d", delivery, ref.ID, ref.Number), request); err != nil {
			return err
		}
	}
	if installation == 0 || d.revive == nil {
		return nil
	}
	return d.revive(ctx, installation)
}

// reviveInstallation tries again what was given up of an installation.
func (s *Server) reviveInstallation(ctx context.Context, installation int64) error {
	dead, err := s.queue.DeadLetters(ctx)
	if err != nil {
		return err
	}
	for _, d := range dead {
		if deadLetterOf(d).Installation != installation {
			continue
		}
		if err := s.queue.RetryDeadLetter(ctx, d.Letter); err != nil && !errors.Is(err, queue.ErrNoLetter) {
			return err
		}
	}
	return nil
}

func (s *Server) listRefusedWrites(w http.ResponseWriter, _ *http.Request) {
	s.answer(w, reconcile.RefusedWrites{RefusedWrites: s.worker.reconciler.RefusedWrites()})
}

func (s *Server) retryRefusedWrites(w http.ResponseWriter, r *http.Request) {
	n := len(s.worker.reconciler.RefusedWrites())
	if err := s.worker.retryRefused(r.Context(), "retry/"+rand.Text(), 0); err != nil {
		s.adminFailed(w, "retry refused writes", err)
		return
	}
	s.answer(w, struct {
		Retried int `json:"retried"`
	}{n})
}
