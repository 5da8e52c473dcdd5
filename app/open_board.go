package app

import (
	"context"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/github/issues"
)

// openBoard makes the pages of the board, if there is one, and lets it see what Colony sees.
func (s *Server) openBoard(o Options) {
	if o.Board == nil {
		return
	}
	r := s.parts.Reconciler
	index := board.NewIndex(s.config.GitHub.WebURL, board.Window, s.clock)
	r.OnObserved = index.Observe
	s.board = board.NewPages(board.Options{
		Index: index, Gate: o.Board, GitHub: s.config.GitHub.WebURL, Clock: s.clock, Log: s.log,
		Read: func(ctx context.Context, ref issues.Ref) (board.Story, error) { return board.ReadStory(ctx, r, ref) },
	})
}
