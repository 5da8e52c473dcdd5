package statemachine

import (
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// A move is evident only if Colony made it by itself and only settings lead there.
func TestWhatIsEvidentIsNotWrittenDown(t *testing.T) {
	t.Parallel()
	life, _ := developing(t, 3)
	own, ordered := lifecycle.Actor{Kind: lifecycle.Colony}, lifecycle.Actor{Kind: lifecycle.Operator}
	for name, c := range map[string]struct {
		move Move
		want string
	}{
		"taken in":        {Move{From: life.Initial, To: life.Intake, Kind: Moved, By: own}, whyTakenIn},
		"dispatched":      {Move{From: "ready-for-dev", To: "in-development", Kind: Moved, By: own}, whyDispatched},
		"by a row":        {Move{From: "in-development", To: "in-review", Kind: Moved, By: own}, ""},
		"by a command":    {Move{From: "ready-for-dev", To: "in-development", Kind: Moved, By: own, Ordered: ordered}, ""},
		"by a label":      {Move{From: "ready-for-dev", To: "in-development", Kind: Moved, By: ordered}, ""},
		"forced":          {Move{From: "ready-for-dev", To: "in-development", Kind: ForcedMove, By: own}, ""},
		"by no row known": {Move{From: "done", To: "new", Kind: Moved, By: own}, ""},
	} {
		if why, ok := life.Evident(c.move); why != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %t", name, why, ok)
		}
	}
}

func TestARefusalNamesTheLimitThatItMet(t *testing.T) {
	t.Parallel()
	refused := standing(t, colony(t), append(cycles(5), "olga -in-review", "rev +changes-requested")...).Rejections
	if len(refused) != 2 || refused[0].Limit.Name != "" || refused[1].Limit.Name != "review cycles" {
		t.Errorf("%+v", refused)
	}
}

// A tripped breaker puts labels in order only after its window, and says when.
func TestATrippedBreakerTidiesAfterItsWindow(t *testing.T) {
	t.Parallel()
	life := colony(t)
	log := changes(t, fight(6, time.Minute)...)
	last := log[len(log)-1].At
	p := modelThresholds
	p.BreakerRejections, p.BreakerWindow = 5, 30*time.Minute
	s := life.Fold(History{Changes: log, Labels: labelsAfter(log), Terms: Terms{JudgedSince: morning.Add(-time.Hour)}, Ordered: traced(log).Ordered})
	in := Case{Standing: s, Labels: append(labelsAfter(log), "colony:planning"), Updated: last, Now: last.Add(10 * time.Minute)}
	d, n := life.Decide(p, in, Evidence{Said: Said{Answered: func(int64) bool { return true }, Stopped: func(int64) bool { return true }}})
	if d.Halted == nil || d.Wait != (Wait{Why: Tidy, Until: last.Add(p.BreakerWindow)}) {
		t.Errorf("halted %v, waits %+v, needs %+v", d.Halted, d.Wait, n)
	}
}

// Where Colony undoes nothing, its own mark of a forced move still goes once no command needs it.
func TestTheMarkOfAForcedMoveGoesWhereColonyOnlyWarns(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for pending, want := range map[bool]int{false: 1, true: 0} {
		s := Standing{State: "new", Terms: Terms{Stands: true}, Marks: Marks{ForcedByColony: true}, Logged: Logged{Present: []string{"colony:forced", "colony:new"}}}
		in := input{life: life, Case: Case{Standing: s, Labels: []string{"colony:new", lifecycle.Forced}}, Evidence: Evidence{Said: Said{ForcePending: pending}}}
		if gone := in.standingLabels("new"); len(gone) != want {
			t.Errorf("with a pending command %t, %v go", pending, gone)
		}
	}
}

// A guard knows the author of an issue without regard to case, and no author if none is known.
func TestAGuardKnowsTheAuthor(t *testing.T) {
	t.Parallel()
	life := colony(t)
	life.Guards = lifecycle.Guards{{Name: "author", To: []string{"planning"}, Requires: []lifecycle.Condition{{Kind: lifecycle.IsWho, Words: []string{lifecycle.TheAuthor}}}}}
	for _, c := range []struct {
		login, author string
		want          lifecycle.Answer
	}{{"Ada", "ada", lifecycle.Yes}, {"bob", "ada", lifecycle.No}, {"", "", lifecycle.No}} {
		a := lifecycle.Asking{By: lifecycle.Actor{Login: c.login, Kind: lifecycle.Operator}, From: "new", To: "planning"}
		if got := life.Guarded(Standing{State: "new", Author: c.author}, a, nil); got.Answer != c.want {
			t.Errorf("%q of an issue of %q: %s", c.login, c.author, got.Answer)
		}
	}
}
