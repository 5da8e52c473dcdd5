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

var board = []opened{
	{
		"ada", "Widgets lose their colour after a restart",
		"Every widget is grey once the server was restarted.", nil,
	},
	{
		"ada", "Import widgets from a spreadsheet",
		"We have about 400 of them in one.",
		[]moved{{Maintainer, "new"}},
	},
	{
		"ada", "Crash when a widget has no name",
		"Leave the name empty and press Save.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}},
	},
	{
		"ada", "Make it faster",
		"It is slow.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "needs-clarification"}},
	},
	{
		"ada", "Export widgets as CSV",
		"One row for each widget.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}},
	},
	{
		"ada", "Show the price beside the name",
		"In the currency of the shop.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}, {"dev-bot", "in-development"}},
	},
	{
		"ada", "Round corners",
		"They are sharp.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}, {"dev-bot", "in-development"}, {"dev-bot", "in-review"}},
	},
	{
		"ada", "A new catalogue",
		"Pages, search, pictures.",
		[]moved{{Maintainer, "new"}, {"planner-bot", "planning"}, {"planner-bot", "waiting-for-subtasks"}},
	},
	{
		"ada", "Upgrade the database driver",
		"Version 9 is out.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}, {Maintainer, "paused"}},
	},
}

// fillBoard opens the issues and moves them through their past, through the REST API, as everybody does there.
func fillBoard(ctx context.Context, p *playground.Playground) error {
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
