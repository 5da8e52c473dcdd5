package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/colony-app/colony/app/connections"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// Run receives webhooks at a listener and carries out what they ask for until ctx ends; then it answers what it has begun to receive
// and finishes what it has begun to do, within the configured time. It closes the listener and the queue.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	work, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	bounds := connections.New(connections.OfAddress, connections.InAll)
	web := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ReadTimeout:    10 * time.Second, // GitHub gives up after as long
		WriteTimeout:   time.Minute,      // drops who never reads; a stream of the board bounds each write itself
		MaxHeaderBytes: 32 << 10,
		ConnState:      bounds.Note,
		BaseContext:    func(net.Listener) context.Context { return s.log.WithContext(context.Background()) },
	}

	if s.board != nil {
		web.RegisterOnShutdown(s.board.Close)
	}
	s.log.Info().Str("address", listener.Addr().String()).Str("lifecycle", s.config.Lifecycle).
		Str("mode", cmp.Or(string(s.config.Mode), policy.UnnamedMode)).
		Str("mode_ceiling", string(lifecycle.ModeEnforce.AtMost(s.config.ModeCeiling))).Msg("Colony is listening")
	webDone, workDone := make(chan error, 1), make(chan error, 1)
	go func() { webDone <- web.Serve(bounds.Listen(listener)) }()
	go func() { workDone <- s.queue.Run(work, s.Work) }()
	go func() {
		if err := s.identify(work); err != nil {
			stop(err)
		}
	}()
	go s.scheduleSweeps(work)
	go s.parts.Limiter.KeepShares(work, func(err error) {
		s.log.Warn().Err(err).Msg("without an answer of NATS this replica uses what it has of GitHub's budgets, for 30 s")
	})
	if s.digester != nil {
		s.digester.start(work)
	}
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		if s.filler != nil {
			s.fillBoard(work)
		}
	}()

	err := firstEnd(work, webDone, workDone)
	stop(err)
	<-filled
	return errors.Join(err, s.drain(web, workDone))
}

// firstEnd waits until the context, the web server or the work on the queue ends, and returns why. That is the context's cause, no matter which
// of the ends that it leads to is seen first. It is nil where it was asked to stop. The work's own end stays to be read.
func firstEnd(ctx context.Context, webDone <-chan error, workDone chan error) (err error) {
	select {
	case <-ctx.Done():
	case webErr := <-webDone:
		err = fmt.Errorf("receive webhooks: %w", webErr)
	case workErr := <-workDone:
		if ctx.Err() == nil {
			if workErr == nil {
				workErr = queue.ErrClosed
			}
			err, workErr = fmt.Errorf("work on the queue: %w", workErr), nil
		}
		workDone <- workErr
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// Work carries out one task of the queue, once Colony knows who it is. It implements queue.Handler.
func (s *Server) Work(ctx context.Context, task queue.Task) (*queue.Requeue, error) {
	return s.worker.Take(ctx, task)
}

// scheduleSweeps asks for sweeps until ctx ends.
func (s *Server) scheduleSweeps(ctx context.Context) {
	select {
	case <-s.identity:
	case <-ctx.Done():
		return
	}
	c := s.config
	schedule := sweep.Schedule{Interval: c.Sweep.Interval, AppID: c.GitHub.App.IntegrationID, OwnQueue: c.Queue.URL == ""}
	s.worker.Sweeper.Schedule(ctx, schedule, func() { close(s.begun) })
}

// Sweep asks for a sweep now, in addition to the sweeps that the timer asks for.
func (s *Server) Sweep(ctx context.Context) error { return s.worker.Sweeper.Sweep(ctx) }

// identify learns who Colony is and lets the work begin.
func (s *Server) identify(ctx context.Context) error {
	if s.parts.Actors.Self() != "" {
		return nil
	}
	err := client.Identify(ctx, s.parts.App, s.parts.Actors, s.clock, s.log)
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
	ctx, cancel := context.WithTimeout(context.Background(), queue.Drain)
	defer cancel()
	webErr := web.Shutdown(ctx)
	workErr := <-workDone
	if errors.Is(workErr, context.Canceled) {
		workErr = nil
	}
	if err := s.parts.Limiter.LeaveShares(ctx); err != nil {
		s.log.Warn().Err(err).Msg("the other replicas get this one's share of GitHub's budgets in two minutes")
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

// Idle returns when the first sweep was asked for, no request is waiting or under way, and the board has read what it can now. What was
// delayed does not count.
func (s *Server) Idle(ctx context.Context) error {
	select {
	case <-s.begun:
	case <-ctx.Done():
		return fmt.Errorf("wait for the first sweep: %w", ctx.Err())
	}
	if err := s.queue.Idle(ctx); err != nil {
		return fmt.Errorf("wait for the queue: %w", err)
	}
	if s.filler != nil {
		return s.filler.Idle(ctx)
	}
	return nil
}
