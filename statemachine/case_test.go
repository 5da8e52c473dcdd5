package statemachine

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
)

// caseExamples are logs that end, before the stroke, with the case of their name, and the state of the issue after it. In asked, no one knows whether guards
// grant what leads to planning, and in unasked no one has asked.
var caseExamples = []struct{ name, log, state, asked string }{
	{name: "other-name", log: "olga +planning, olga +status: planning", state: "planning"},
	{name: "not-yet-read", log: "olga +new, olga +planning, olga +paused", state: "new", asked: "unasked"},
	{name: "back", log: "olga +new, omar -new, olga +new", state: "new"},
	{name: "forced", log: "olga +new, colony +colony:forced, colony +done", state: "done"},
	{name: "late-repair", log: "olga +planning, omar -planning, olga +paused, colony +planning", state: "paused"},
	{name: "withdrawn", log: "olga +new, olga +planning | olga -planning", state: "new", asked: "asked"},
	{name: "unknown", log: "olga +new, olga +planning", state: "new", asked: "asked"},
	{name: "accepted", log: "olga +new, olga +planning", state: "planning"},
	{name: "limit", log: "olga +in-review, rev +changes-requested, dev +in-development, dev +in-review, rev +changes-requested", state: "failure-blocked"},
	{name: "stale-repair", log: "olga +in-review, colony +new", state: "in-review"},
	{name: "refused", log: "olga +in-review, olga +new", state: "in-review"},
	{name: "form", log: "rita +colony:in-reveiw", state: "unlabeled"},
	{name: "misnamed", log: "olga +new, olga +colony:in-reveiw", state: "new"},
	{name: "by-name", log: "olga +done, olga +bug, olga +bug, colony -new", state: "done"},
	{name: "elsewhere", log: "olga +new, olga +planning, olga -new", state: "planning"},
	{name: "other-half", log: "olga +new, olga +planning, olga -new", state: "new", asked: "asked"},
	{name: "stale-removal", log: "olga +new, colony -new", state: "new"},
	{name: "undone", log: "olga +new, olga +planning, olga -planning", state: "new"},
	{name: "left", log: "olga +new, olga -new", state: "new"},
}

func TestEachCaseHasItsExample(t *testing.T) {
	life := adopting(t, "colony").With(Options{Limits: map[string]int{"review cycles": 1}})
	life.Guards = nil
	guarded := *life
	guarded.Guards = []lifecycle.Guard{{Name: "a", To: []string{"planning"}, Requires: []lifecycle.Condition{{Kind: lifecycle.OnIssueLabel, Words: []string{"security"}}}}}
	if len(Cases()) != len(caseExamples) {
		t.Errorf("%d cases and %d examples", len(Cases()), len(caseExamples))
	}
	for i, spec := range Cases() {
		example := caseExamples[i]
		if example.name != spec.Name {
			t.Fatalf("example %d is one of %s, not of %s", i, example.name, spec.Name)
		}
		t.Run(spec.Name, func(t *testing.T) {
			script, _, _ := strings.Cut(example.log, " | ")
			whole := strings.Split(strings.Replace(example.log, " | ", ", ", 1), ", ")
			h := traced(changes(t, whole...))
			if script == "rita +colony:in-reveiw" {
				h.Changes[0].By, h.Opening = cast["olga"], Opening{By: "olga", At: morning}
			}
			judging := life
			switch example.asked {
			case "asked":
				judging, h.Answers = &guarded, func(lifecycle.Asking, lifecycle.Condition) lifecycle.Answer { return lifecycle.Unknown }
			case "unasked":
				judging = &guarded
			}
			f := newFolder(judging, h)
			var of ChangeCase
			for i := range strings.Split(script, ", ") {
				of = f.next(i)
			}
			if of.String() != spec.Name || f.course.state != example.state {
				t.Errorf("the last change is the case %q, and the issue is in %s", of, f.course.state)
			}
		})
	}
}

// In mode warn a case is another one only where docs/design.md says so.
func TestCasesThatAreOthersInModeWarn(t *testing.T) {
	want := map[string]string{"withdrawn": "accepted", "unknown": "accepted", "limit": "refused", "by-name": "elsewhere"}
	for _, spec := range Cases() {
		if got := spec.Warned.String(); got != want[spec.Name] {
			t.Errorf("the case %s is %q, want %q", spec.Name, got, want[spec.Name])
		}
	}
}

// Whatever happens, the trail is one way to the state, what does not count is in the log, and each case happens.
func TestAnyHistoryLeadsOneWay(t *testing.T) {
	defer setFlag(t, "rapid.checks", "10000")()
	lives := anyLives(t)
	happened := map[string]int{}
	long.Check(t, func(t *rapid.T) {
		life, h := drawHistory(t, lives)
		s := life.Fold(h)
		for i, m := range s.Trail {
			if next := append(s.Trail[i+1:], Move{From: s.State})[0]; m.To != next.From {
				t.Fatalf("after %+v the issue is in %s", m, next.From)
			}
		}
		for _, r := range s.Rejections {
			for _, id := range r.IDs {
				if c := h.Changes[id-1]; c.By.Login != r.By.Login && r.Verdict != lifecycle.NoEvent {
					t.Fatalf("%+v is refused as %+v", c, r)
				}
			}
		}
		f := newFolder(life, h)
		for i := range h.Changes {
			happened[f.next(i).String()]++
		}
	})
	t.Logf("%v", happened)
	for _, spec := range Cases() {
		if happened[spec.Name] == 0 {
			t.Errorf("the case %s never happened, but %v", spec.Name, slices.Sorted(maps.Keys(happened)))
		}
	}
}
