package statemachine

import (
	"strings"
	"testing"
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
		"  in_review --> changes_requested\n",      // backward
		"  ready_for_dev --> dependency_blocked\n", // the nearest forward move
		"  planning --> paused\n",                  // a pause
		"  note right of paused\n    resumes to\n    new\n    planning\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the diagram lacks %q", want)
		}
	}
	// 36 backward pairs, 7 pauses, 14 steps from one state of the order to the next, the beginning and the end.
	if n := strings.Count(text, " --> "); n != 36+7+14+2 {
		t.Errorf("%d arrows", n)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if from, _, ok := strings.Cut(line, " --> "); ok && strings.Contains(from, "-") {
			t.Errorf("Mermaid takes no hyphen in an identifier: %q", line)
		}
	}
}
