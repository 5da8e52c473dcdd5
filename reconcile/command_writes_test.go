package reconcile

import (
	"bytes"
	"slices"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// The label of the state that a command leads to goes first where it is on the issue already, also by a former name: it is renamed before
// that, and there would be no event.
func TestALabelThatIsThereIsPutOnAgain(t *testing.T) {
	t.Parallel()
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	life, err := statemachine.Parse("colony.yml", bytes.Replace(text, []byte("label: colony:planning\n"), []byte("label: colony:planning\n    previously: [\"old planning\"]\n"), 1))
	if err != nil {
		t.Fatal(err)
	}
	for had, want := range map[string][]string{
		"bug":             {"+colony:planning", "-colony:new"},
		"Colony:Planning": {"-Colony:Planning", "+colony:planning", "-colony:new"},
		"Old planning":    {"-Old planning", "-colony:planning", "+colony:planning", "-colony:new"},
	} {
		var wrote []string
		result := commands.Result{Moves: []commands.Move{{From: "new", To: "planning"}}}
		for _, w := range WritesOfCommands(life, 1, false, result, []string{"colony:new", had}) {
			for _, label := range w.Add {
				wrote = append(wrote, "+"+label)
			}
			if w.Remove != "" {
				wrote = append(wrote, "-"+w.Remove)
			}
		}
		if !slices.Equal(wrote, want) {
			t.Errorf("on an issue with %s the move is written as %q, want %q", had, wrote, want)
		}
	}
}

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
