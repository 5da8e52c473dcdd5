package lifecycle

import (
	"os"
	"strings"
	"testing"

	"github.com/colony-app/colony/golden"
	"github.com/google/go-cmp/cmp"
)

func colony(t testing.TB) *Lifecycle {
	t.Helper()
	return shipped(t, "colony")
}

func shipped(t testing.TB, name string) *Lifecycle {
	t.Helper()
	life, err := Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// conditional has every kind of move, and everything that a move can depend on.
func conditional(t testing.TB) *Lifecycle {
	t.Helper()
	text, err := os.ReadFile("testdata/conditional.yml")
	if err != nil {
		t.Fatal(err)
	}
	life, err := Parse("conditional.yml", text)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

func TestEveryShippedLifecycleParses(t *testing.T) {
	for _, name := range ShippedNames() {
		text, err := ShippedFile(name)
		if err != nil {
			t.Fatal(err)
		}
		life, err := Parse(name+".yml", text)
		if err != nil {
			t.Errorf("%s does not parse:\n%v", name, err)
			continue
		}
		if life.Name != name {
			t.Errorf("%s.yml is called %q inside", name, life.Name)
		}
	}
}

func TestAnUnknownLifecycleNamesTheKnown(t *testing.T) {
	_, err := Shipped("kanban")
	if err == nil || !strings.Contains(err.Error(), `"kanban"`) || !strings.Contains(err.Error(), "colony") {
		t.Errorf("error %v", err)
	}
	if _, err := ShippedFile("../state"); err == nil {
		t.Error("a file outside of the lifecycles was read")
	}
}

func TestMermaidDrawsEachStateAndEachMoveThatIsNoSum(t *testing.T) {
	life := colony(t)
	text := life.Mermaid()
	for _, want := range []string{
		"stateDiagram-v2\n", "  [*] --> unlabeled\n", "  done --> [*]\n",
		"  merge_pending --> ready_for_dev: ",            // backward, and the trigger that makes it
		"  new --> planning: guard dependencies-first\n", // the nearest forward move
		"  planning --> paused\n",                        // a pause
		"  note right of paused\n    resumes to\n    new\n    planning\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the diagram lacks %q", want)
		}
	}
	// 36 backward pairs, 7 pauses, 14 steps from one state of the order to the next, the beginning and the end, and 16 moves further
	// on that Colony makes automatically: 13 to done, 3 to failure-blocked.
	if n := strings.Count(text, " --> "); n != 36+7+14+2+16 {
		t.Errorf("%d arrows", n)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if from, _, ok := strings.Cut(line, " --> "); ok && strings.Contains(from, "-") {
			t.Errorf("Mermaid takes no hyphen in an identifier: %q", line)
		}
	}
}

func TestMermaidSaysWhatMovesDependOn(t *testing.T) {
	life := conditional(t)
	want := `%% Lifecycle desk, drawn from its table of 10 legal moves.
%% Forward moves are drawn to the nearest later state only. Resumes are listed in a note.
stateDiagram-v2
  direction LR
  state "state" as state_
  state "in-work" as in_work
  state "rest" as rest
  state "end" as end
  [*] --> state_
  state_ --> in_work: pull-request-opened, after 1h30m, at most twice
  state_ --> rest
  in_work --> state_
  in_work --> in_work: author-replied, again
  in_work --> rest
  in_work --> end: with a reason
  rest --> end
  note right of rest
    resumes to
    in-work
    resumes only to where it came from
    state
  end note
  end --> [*]
`
	if diff := cmp.Diff(want, life.Mermaid()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMermaidNamesGuards(t *testing.T) {
	golden.Hold(t, "testdata/whole.mermaid", whole(t).Mermaid())
}
