package app

import (
	"context"
	"encoding/json"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// keepUp lets the index of the board see what this process sees, tells other replicas of it, and takes in what they tell.
func (s *Server) keepUp(index *board.Index) {
	r := s.parts.Reconciler
	observed := func(o reconcile.Observed) {
		if i := index.Observe(o); s.config.Queue.URL != "" {
			s.tellBoards(i.Record())
		}
	}
	s.filler = board.NewFiller(board.FillerOptions{
		Index: index, Inspector: s.parts.Inspector(), Clients: s.parts.Clients, Limiter: s.parts.Limiter, Limits: s.worker.Limits,
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
	s.worker.OnWord(wordBoard, func(record json.RawMessage) error {
		unknown, is, err := index.Heed(record)
		if is {
			s.filler.Ask(unknown)
		}
		return err
	})
}

// wordBoard is what became of an issue, for the boards of the other replicas.
const wordBoard = "board"

func (s *Server) tellBoards(record []byte, err error) {
	if err != nil {
		s.log.Error().Err(err).Msg("other replicas do not learn what became of an issue; their boards show it when they list issues again")
		return
	}
	s.worker.Tell(wordBoard, json.RawMessage(record))
}

// fillBoard makes the board complete until ctx ends, once Colony knows who it is.
func (s *Server) fillBoard(ctx context.Context) {
	select {
	case <-s.identity:
		s.filler.Run(ctx)
	case <-ctx.Done():
	}
}
