package reconcile

import (
	"slices"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A bracket that a Colony before this one left open is closed before a command moves the issue in an ordinary way: the log would say that
// it was forced.
func TestABracketLeftOpenLendsNothingToTheNextCommand(t *testing.T) {
	t.Parallel()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	plan := func(moves ...commands.Move) []issues.Write {
		return WritesOfCommands(life, 1, false, commands.Result{Moves: moves}, []string{"colony:new", lifecycle.Forced})
	}
	place := func(moves ...commands.Move) (closed, moved int) {
		writes := plan(moves...)
		closed = slices.IndexFunc(writes, func(w issues.Write) bool { return w.Remove == lifecycle.Forced })
		moved = slices.IndexFunc(writes, func(w issues.Write) bool { return slices.Contains(w.Add, "colony:done") })
		return closed, moved
	}
	if closed, moved := place(commands.Move{From: "new", To: "done"}); closed < 0 || closed > moved {
		t.Errorf("the bracket is closed by write %d, the issue is moved by write %d", closed, moved)
	}
	// Somebody else's mark opens no bracket: there is an event of Colony's own only if that goes first.
	var marks []string
	for _, w := range plan(commands.Move{From: "new", To: "done", Forced: true}) {
		for _, label := range w.Add {
			marks = append(marks, "+"+label)
		}
		if w.Remove != "" {
			marks = append(marks, "-"+w.Remove)
		}
	}
	if want := []string{"-colony:forced", "+colony:forced", "+colony:done", "-colony:new", "-colony:forced"}; !slices.Equal(marks, want) {
		t.Errorf("a forced move is written as %v, want %v", marks, want)
	}
	if closed, _ := place(); closed != 0 {
		t.Errorf("nothing is moved, and the bracket is closed by write %d", closed)
	}
}
