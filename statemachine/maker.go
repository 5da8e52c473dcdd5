package statemachine

import "github.com/colony-app/colony/lifecycle"

// The writer of a command made its move. The log names Colony for it, and only the comments tell for whom Colony made a move: see
// Standing.Unordered.

// maker returns the kind of actor that made a move. A move of Colony's without a known command is Colony's own if a row of the lifecycle
// makes it, and otherwise a person's: then the comment is gone, or was not read.
func (t *Table) maker(m Move) lifecycle.ActorKind {
	switch {
	case m.By.Kind != lifecycle.Colony:
		return m.By.Kind
	case m.Ordered.Kind != "":
		return m.Ordered.Kind
	case t.MakesItself(m.From, m.To):
		return lifecycle.Colony
	}
	return lifecycle.Operator
}

// intervened reports whether a person made a move that counts, with the label or by a command.
func (t *Table) intervened(m Move) bool {
	return m.Kind == ForcedMove || m.Kind == Moved && t.maker(m) == lifecycle.Operator
}
