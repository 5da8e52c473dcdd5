package demo

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/playground"
)

// opened is an issue that is there before Colony is: who wrote it, and which states it has been in, each with who moved it
// there. Every move is one of the table, so that Colony finds nothing to complain about.
type opened struct {
	by, title, body string
	moves           []moved
}

type moved struct{ by, to string }

// fillBoard opens the issues and moves them through their past, through the REST API, as everybody does there.
func fillBoard(ctx context.Context, p *playground.Playground, board []opened) error {
	hands := newHands(p)
	for _, issue := range board {
		number, err := hands.open(ctx, issue.by, issue.title, issue.body)
		if err != nil {
			return fmt.Errorf("fill the board: %w", err)
		}
		before := ""
		for _, m := range issue.moves {
			if err := hands.put(ctx, m.by, number, label(m.to)); err != nil {
				return fmt.Errorf("fill the board: %w", err)
			}
			if before != "" {
				if err := hands.take(ctx, m.by, number, label(before)); err != nil {
					return fmt.Errorf("fill the board: %w", err)
				}
			}
			before = m.to
		}
	}
	return nil
}

// label is the label of a state, and of the mark needs-human.
func label(state string) string { return "colony:" + state }
