package statemachine

import (
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

func TestOpening(t *testing.T) {
	life := colony(t)
	for _, row := range []struct {
		name     string
		log      []string
		onlyAsks bool
		age      time.Duration
		state    string
		asks     bool   // whether it matters what the author may
		refused  string // what became of a label of the opening that is no more than a request: refused, or withdrawn, as it was taken back, or overtaken by a move
	}{
		{name: "no label", state: "unlabeled"},
		{name: "a label of the author's", log: []string{"olga +done @0s"}, state: "done", asks: true},
		{name: "who only asks", log: []string{"olga +done @0s"}, onlyAsks: true, state: "unlabeled", asks: true, refused: "refused"},
		{name: "later", log: []string{"olga +done @30s"}, state: "done"},
		{name: "by somebody else", log: []string{"omar +done @0s"}, state: "done"},
		{name: "no state", log: []string{"olga +bug @0s"}, state: "unlabeled"},
		{name: "refused", log: []string{"olga +done @0s", "colony -done"}, state: "unlabeled", refused: "refused"},
		{name: "refused, both", log: []string{"olga +new @0s", "olga +done @0s", "colony -new", "colony -done"}, state: "unlabeled", refused: "refused"},
		{name: "refused in part", log: []string{"olga +new @0s", "olga +done @0s", "colony -new"}, state: "done", asks: true},
		{name: "refused and taken in", log: []string{"olga +done @0s", "colony -done", "colony +new"}, state: "new", refused: "withdrawn"},
		{name: "refused and set by a person", log: []string{"olga +done @0s", "colony -done", "omar +new"}, state: "new", refused: "withdrawn"},
		{name: "one more round", log: []string{"olga +new @0s", "colony -new", "colony +new"}, state: "new"},
		{name: "tidied after a move", log: []string{"olga +new @0s", "omar +analyzing", "colony -new"}, state: "analyzing"},
		{name: "moved by Colony", log: []string{"olga +in-review @0s", "colony +changes-requested", "colony -in-review"}, state: "changes-requested"},
		{name: "moved by the author within seconds, and back", log: []string{
			"olga +new @0s", "olga +in-review @2s", "colony -new @3s", "olga +merge-pending @4s", "colony -in-review @5s", "olga +in-review @6s", "colony -merge-pending @7s",
		}, state: "in-review", asks: true},
		{name: "the author edits labels later", log: []string{"olga +new @0s", "olga +bug @60s"}, state: "new"},
		{name: "taken off by a person", log: []string{"olga +new @0s", "omar -new"}, state: "new", asks: true},
		{name: "taken off by a person, who only asks", log: []string{"olga +new @0s", "omar -new"}, onlyAsks: true, state: "unlabeled", asks: true, refused: "withdrawn"},
		{name: "claimed by an executor", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, state: "in-development", asks: true},
		{name: "claimed by an executor, who only asks", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, onlyAsks: true, state: "unlabeled", asks: true, refused: "refused"},
		{name: "claimed by an executor long ago", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, age: time.Hour, state: "in-development"},
		{name: "ten seconds after the opening", log: []string{"olga +done @10s"}, state: "done", asks: true},
		{name: "eleven seconds after it", log: []string{"olga +done @11s"}, state: "done"},
		{name: "claimed by an executor ten minutes ago", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, age: 9 * time.Minute, state: "in-development"},
		{name: "claimed by an executor, a second less", log: []string{"olga +ready-for-dev @0s", "bot +in-development"}, age: 9*time.Minute - time.Second, state: "in-development", asks: true},
		{name: "refused, whoever only asks", log: []string{"olga +done @0s", "colony -done"}, onlyAsks: true, state: "unlabeled", refused: "refused"},
		{name: "refused, and put back by a person", log: []string{"olga +done @0s", "colony -done", "omar +done"}, state: "done", refused: "withdrawn"},
		{name: "refused, and another label taken off", log: []string{"olga +done @0s", "olga +bug @0s", "colony -done", "omar -bug"}, state: "unlabeled", refused: "refused"},
		{name: "one by Colony, the last by a person", log: []string{"olga +new @0s", "olga +done @0s", "colony -new", "omar -done"}, state: "done", asks: true},
		{name: "one by a person, the last by Colony", log: []string{"olga +new @0s", "olga +done @0s", "omar -new", "colony -done"}, state: "unlabeled", refused: "refused"},
		{name: "by a bot", log: []string{"bot +new @0s"}, state: "new"},
	} {
		t.Run(row.name, func(t *testing.T) {
			log := changes(t, row.log...)
			h := History{Changes: log, Labels: labelsAfter(log), Terms: Terms{JudgedSince: morning.Add(-time.Hour)}, Opening: Opening{By: "Olga", At: morning, OnlyAsks: row.onlyAsks}}
			if row.name == "by a bot" {
				h.Opening.By = cast["bot"].Login
			}
			if got := life.Fold(h); got.State != row.state {
				t.Errorf("it stands in %s, want %s; %+v", got.State, row.state, got.Rejections)
			}
			refused := ""
			for _, r := range life.Fold(h).Rejections {
				switch {
				case r.By.Kind != lifecycle.Author || r.To == "":
				case r.Withdrawn:
					refused = "withdrawn"
				default:
					refused = "refused"
				}
			}
			if refused != row.refused {
				t.Errorf("a label of the opening is %q, want %q", refused, row.refused)
			}
			if got := life.AsksForAuthorsRight(h, morning.Add(time.Minute+row.age)); got != row.asks {
				t.Errorf("asks for the right: %t", got)
			}
		})
	}
	// Names that labels had before mean the same.
	renamed := adopting(t, "colony")
	for _, row := range []struct {
		log            []string
		state          string
		asks, onlyAsks bool
	}{
		{log: []string{"olga +Old done @0s"}, state: "done", asks: true},
		{log: []string{"olga +Old done @0s"}, onlyAsks: true, state: "unlabeled", asks: true},
		{log: []string{"olga +Old done @0s", "colony -Old done"}, state: "unlabeled"},
		{log: []string{"olga +Old done @0s", "colony -done"}, state: "unlabeled"}, // it was renamed meanwhile
		{log: []string{"olga +Old new @0s", "colony +new", "colony -Old new"}, state: "new"},
		{log: []string{"olga +Old new @0s", "colony -Old new", "colony +new"}, state: "new"},
		{log: []string{"olga +Old new @0s", "olga +Old done @0s", "colony -done", "colony -Old new"}, state: "unlabeled"},
		{log: []string{"olga +Old new @0s", "olga +Old done @0s", "colony -done"}, state: "done", asks: true},
	} {
		log := changes(t, row.log...)
		h := History{Changes: log, Labels: labelsAfter(log), Opening: Opening{By: "olga", At: morning, OnlyAsks: row.onlyAsks}}
		if got := renamed.Fold(h); got.State != row.state {
			t.Errorf("%v: it stands in %s, want %s; %+v", row.log, got.State, row.state, got.Rejections)
		}
		if got := renamed.AsksForAuthorsRight(h, morning.Add(time.Minute)); got != row.asks {
			t.Errorf("%v: asks for the right: %t", row.log, got)
		}
	}
	// The labels from before the horizon are settled, and Colony asks about no unknown account.
	log := changes(t, "olga +done @0s")
	for name, h := range map[string]History{
		"settled": {Changes: log, Labels: labelsAfter(log), Terms: Terms{JudgedSince: morning.Add(time.Minute)}, Opening: Opening{By: "olga", At: morning}},
		"a ghost": {Changes: log, Labels: labelsAfter(log), Opening: Opening{At: morning}},
	} {
		if life.AsksForAuthorsRight(h, morning.Add(time.Minute)) || life.Fold(h).State != "done" {
			t.Errorf("%s: %+v", name, life.Fold(h))
		}
	}
}
