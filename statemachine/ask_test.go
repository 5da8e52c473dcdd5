package statemachine

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-cmp/cmp"
)

// A row that leads nowhere asks once: before Colony asks, it has to know what it asked.
func TestARowThatAsksAsksOnce(t *testing.T) {
	life, err := Parse("x.yml", []byte(strings.Replace(errands, "\ntriggers:\n", `
triggers:
  - {on: sub-issues-closed, in: doing, asks-person: true, why: Nobody knows whether it is over}
`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	olga := lifecycle.Actor{Login: "olga", Kind: lifecycle.Operator}
	in := Case{
		Standing: Standing{State: "todo"}.Move(Move{From: "todo", To: "doing", Kind: Moved, By: olga, At: at, EventID: 1}),
		Labels:   []string{"colony:doing"}, Now: at.Add(time.Minute),
	}
	read := Evidence{Facts: Facts{Read: []lifecycle.Reading{lifecycle.ReadDependencies, lifecycle.ReadPullRequests, lifecycle.ReadSubIssues}}}
	if d, n := life.Decide(Thresholds{}, in, read); n.Said || len(d.Ask) > 0 || len(d.Add) > 0 {
		t.Errorf("without the fact there is nothing to ask: %+v, %v", d, n)
	}
	read.Facts.Observed = []Observation{{Fact: "sub-issues-closed", At: at, About: "#7"}}
	if d, n := life.Decide(Thresholds{}, in, read); !n.Said || len(d.Ask) > 0 || len(d.Add) > 0 {
		t.Errorf("before it is known what was asked: %+v, %v", d, n)
	}
	var asked bool
	read.Answered, read.Asked = func(int64) bool { return false }, func(int64) bool { return asked }
	want := []Asked{{State: "doing", Why: "Nobody knows whether it is over", AsksPerson: true, About: "#7", ID: at.Unix()}}
	d, n := life.Decide(Thresholds{}, in, read)
	if diff := cmp.Diff(want, d.Ask); diff != "" || n.Said || !lifecycle.HasLabel(d.Add, lifecycle.NeedsHuman) {
		t.Errorf("once it is known (-want +asked):\n%s\n%+v", diff, d)
	}
	asked = true
	if d, n := life.Decide(Thresholds{}, in, read); n.Said || len(d.Ask) > 0 {
		t.Errorf("a second time: %+v, %v", d, n)
	}
}
