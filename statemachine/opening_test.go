package statemachine

import (
	"testing"
	"time"
)

func TestOpening(t *testing.T) {
	life := colony(t)
	for _, row := range []struct {
		name     string
		log      []string
		onlyAsks bool
		age      time.Duration
		state    string
		asks     bool // whether it matters what the author may
	}{
		{name: "no label", state: "unlabeled"},
		{name: "a label of the author's", log: []string{"olga +done @0s"}, state: "done", asks: true},
		{name: "who only asks", log: []string{"olga +done @0s"}, onlyAsks: true, state: "unlabeled", asks: true},
		{name: "later", log: []string{"olga +done @30s"}, state: "done"},
		{name: "by somebody else", log: []string{"omar +done @0s"}, state: "done"},
		{name: "no state", log: []string{"olga +bug @0s"}, state: "unlabeled"},
		{name: "refused", log: []string{"olga +done @0s", "colony -done"}, state: "unlabeled"},
		{name: "refused, both", log: []string{"olga +new @0s", "olga +done @0s", "colony -new", "colony -done"}, state: "unlabeled"},
		{name: "refused in part", log: []string{"olga +new @0s", "olga +done @0s", "colony -new"}, state: "done", asks: true},
		{name: "refused and taken in", log: []string{"olga +done @0s", "colony -done", "colony +new"}, state: "new"},
		{name: "refused and set by a person", log: []string{"olga +done @0s", "colony -done", "omar +new"}, state: "new"},
		{name: "one more round", log: []string{"olga +new @0s", "colony -new", "colony +new"}, state: "new"},
		{name: "tidied after a move", log: []string{"olga +new @0s", "omar +analyzing", "colony -new"}, state: "analyzing"},
		{name: "moved by Colony", log: []string{"olga +in-review @0s", "colony +changes-requested", "colony -in-review"}, state: "changes-requested"},
		{name: "moved by the author within seconds, and back", log: []string{
			"olga +new @0s", "olga +in-review @2s", "colony -new @3s", "olga +merge-pending @4s", "colony -in-review @5s", "olga +in-review @6s", "colony -merge-pending @7s",
		}, state: "in-review", asks: true},
		{name: "the author edits labels later", log: []string{"olga +new @0s", "olga +bug @60s"}, state: "new"},
		{name: "taken off by a person", log: []string{"olga +new @0s", "omar -new"}, state: "new", asks: true},
		{name: "taken off by a person, who only asks", log: []string{"olga +new @0s", "omar -new"}, onlyAsks: true, state: "unlabeled", asks: true},
		{name: "claimed by an executor", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, state: "in-development", asks: true},
		{name: "claimed by an executor, who only asks", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, onlyAsks: true, state: "unlabeled", asks: true},
		{name: "claimed by an executor long ago", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, age: time.Hour, state: "in-development"},
		{name: "by a bot", log: []string{"bot +new @0s"}, state: "new"},
	} {
		t.Run(row.name, func(t *testing.T) {
			log := changes(t, row.log...)
			h := History{Changes: log, Labels: labelsAfter(log), JudgedSince: morning.Add(-time.Hour), Opening: Opening{By: "Olga", At: morning, OnlyAsks: row.onlyAsks}}
			if row.name == "by a bot" {
				h.Opening.By = cast["bot"].Login
			}
			if got := life.Fold(h); got.State != row.state {
				t.Errorf("it stands in %s, want %s; %+v", got.State, row.state, got.Rejections)
			}
			if got := life.AsksForAuthorsRight(h, morning.Add(time.Minute+row.age)); got != row.asks {
				t.Errorf("asks for the right: %t", got)
			}
		})
	}
	// The labels from before the horizon are settled, and Colony asks about no unknown account.
	log := changes(t, "olga +done @0s")
	for name, h := range map[string]History{
		"settled": {Changes: log, Labels: labelsAfter(log), JudgedSince: morning.Add(time.Minute), Opening: Opening{By: "olga", At: morning}},
		"a ghost": {Changes: log, Labels: labelsAfter(log), Opening: Opening{At: morning}},
	} {
		if life.AsksForAuthorsRight(h, morning.Add(time.Minute)) || life.Fold(h).State != "done" {
			t.Errorf("%s: %+v", name, life.Fold(h))
		}
	}
}
