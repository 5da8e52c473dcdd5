package app_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/app/apptest/acme"
)

// The lists of the states that no open issue is in are not read, however many of them something beside an issue can move.
func TestSweepReadsNoEmptyStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("olivia", "", "colony:in-review")
	i.Fixed()
	w.Sweep()
	w.Sweep()
	w.github.ResetCalls()
	w.Sweep()
	lists := 0
	for _, c := range w.github.Calls() {
		if strings.HasSuffix(c.Path, "/widgets/issues") && strings.Contains(c.Query, "labels=") {
			lists++
		}
	}
	if questions := w.Spent().Questions; lists != 1 || questions != 2 { // one which states have issues, and one for the pull request's links
		t.Errorf("%d lists of states and %d questions", lists, questions)
		w.logCalls()
	}
	i.Has("colony:in-review")
}

func (w *world) logCalls() {
	for _, c := range w.github.Calls() {
		w.t.Log(c.Actor, c.Method, c.Path, c.Query, c.Status)
	}
}
