package app

import (
	"bytes"
	"context"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// keepUp lets the index of the board see what this process sees, tells other replicas of it, and heeds what they tell.
func (s *Server) keepUp(index *board.Index) {
	r := s.parts.Reconciler
	observed := func(o reconcile.Observed) {
		if i := index.Observe(o); s.config.Queue.URL != "" {
			s.tellBoards(i.Record())
		}
	}
	s.filler = board.NewFiller(board.FillerOptions{
		Index: index, Reconciler: r, Clients: s.parts.Clients, App: s.parts.App, Limiter: s.parts.Limiter, Limits: s.worker.Limits,
		Observed: observed, Clock: s.clock, Log: s.log,
	})
	r.OnObserved, r.OnPolicy = observed, s.filler.Ask
	r.OnGone = func(ref issues.Ref) {
		index.Forget(ref)
		if s.config.Queue.URL != "" {
			s.tellBoards(board.RecordGone(ref))
		}
	}
	s.news.Closed = func(ref issues.Ref) {
		if i, known := index.Close(ref); known && s.config.Queue.URL != "" {
			s.tellBoards(i.Record())
		}
	}
	s.heedBoard = func(word []byte) {
		unknown, is, err := index.Heed(word)
		switch {
		case err != nil:
			s.log.Debug().Err(err).Msg("a replica of another version tells something")
		case is:
			s.filler.Ask(unknown)
		}
	}
}

// wordBoard begins what replicas tell each other for the board.
var wordBoard = []byte("board ")

// tellBoards lets the boards of the other replicas know what this one knows.
func (s *Server) tellBoards(record []byte, err error) {
	if err == nil {
		err = s.queue.Broadcast(append(bytes.Clone(wordBoard), record...))
	}
	if err != nil {
		s.log.Warn().Err(err).Msg("other replicas do not hear what became of an issue; their boards show it when they list issues again")
	}
}

// hear heeds what another replica tells.
func (s *Server) hear(word []byte) {
	switch record, is := bytes.CutPrefix(word, wordBoard); {
	case !is:
		s.worker.OnBroadcast(word)
	case s.heedBoard != nil:
		s.heedBoard(record)
	}
}

// fillBoard makes the board complete until ctx ends, once Colony knows who it is.
func (s *Server) fillBoard(ctx context.Context) {
	select {
	case <-s.identity:
		s.filler.Run(ctx)
	case <-ctx.Done():
	}
}
