package advice

import (
	"slices"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A bot that asks again after a retry has the same failure; after a person's own move it has a new one.
func TestBadRequestsOfAKindAreCounted(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for _, row := range []struct {
		name  string
		story []string
		want  []int
	}{
		{"once", []string{"olivia +in-development", "bot +done"}, []int{1}},
		{"again after a retry", []string{"olivia +in-development", "bot +done", "olivia +in-development", "bot +done"}, []int{1, 2}},
		{"another request", []string{"olivia +in-development", "bot +done", "olivia +in-development", "bot +merge-pending"}, []int{1, 1}},
		{"another role's", []string{"olivia +in-development", "dev +done", "olivia +in-development", "rev +done"}, []int{1, 1}},
		{"for no state", []string{"olivia +in-development", "bot +dnoe", "olivia +in-development", "bot +dnoe"}, []int{1, 2}},
		{"from another state", []string{"olivia +in-development", "bot +done", "olivia +in-review", "bot +done"}, []int{1, 1}},
		{"after a person began again", []string{"olivia +in-development", "bot +done", "olivia +new", "olivia +in-development", "bot +done"}, []int{1, 1}},
		{"a person's wrong label", []string{"olivia +done", "olivia +new"}, []int{0}},
	} {
		standing := told(t, life, row.story...)
		var got []int
		for _, r := range standing.Rejections {
			got = append(got, Repeated(life, standing, r))
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

// What counts is what an executor asked for without the right to, and what came of it.
func TestOnlyBadRequestsAreCounted(t *testing.T) {
	t.Parallel()
	life := colony(t)
	bad := statemachine.Rejection{IDs: []int64{4, 5}, By: bot, Moment: statemachine.Moment{At: morning, ID: 5}, From: "in-development", To: "done", Ruling: statemachine.Ruling{Verdict: lifecycle.NotForRole, LedTo: "failure-blocked"}}
	for name, c := range map[string]struct {
		change func(*statemachine.Rejection)
		want   int
	}{
		"not for its role":  {func(*statemachine.Rejection) {}, 1},
		"not in the table":  {func(r *statemachine.Rejection) { r.Verdict = lifecycle.NotInTable }, 1},
		"no state":          {func(r *statemachine.Rejection) { r.Verdict = lifecycle.NotAState }, 1},
		"too often":         {func(r *statemachine.Rejection) { r.Verdict = lifecycle.LimitReached }, 0},
		"guarded":           {func(r *statemachine.Rejection) { r.Verdict = lifecycle.Guarded }, 0},
		"a person":          {func(r *statemachine.Rejection) { r.By = olivia }, 0},
		"a label taken off": {func(r *statemachine.Rejection) { r.To = "" }, 0},
		"it came late":      {func(r *statemachine.Rejection) { r.LedTo = "" }, 0},
	} {
		r := bad
		c.change(&r)
		s := statemachine.Standing{State: "failure-blocked", Rejections: []statemachine.Rejection{r}}
		if got := Repeated(life, s, r); got != c.want {
			t.Errorf("%s: %d times", name, got)
		}
		failing, got := Failing(life, s)
		if got != c.want || c.want == 1 && failing.To != "done" {
			t.Errorf("%s: failing by %q, %d times", name, failing.To, got)
		}
	}
	second := bad
	second.IDs, second.Moment = []int64{7, 9}, statemachine.Moment{At: morning.Add(time.Minute), ID: 9}
	both := statemachine.Standing{State: "failure-blocked", Rejections: []statemachine.Rejection{bad, second}}
	if first, last := Repeated(life, both, bad), Repeated(life, both, second); first != 1 || last != 2 {
		t.Errorf("counted %d and %d", first, last)
	}
}

// A status shows the last failure until a person decides about the work.
func TestFailing(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for _, row := range []struct {
		name  string
		story []string
		to    string
		want  int
	}{
		{"none", []string{"olivia +in-development"}, "", 0},
		{"once", []string{"olivia +in-development", "bot +done"}, "done", 1},
		{"again after a retry", []string{"olivia +in-development", "bot +done", "olivia +in-development", "bot +done"}, "done", 2},
		{"retried once more", []string{"olivia +in-development", "bot +done", "olivia +in-development", "bot +done", "olivia +in-development"}, "done", 2},
		{"the last of two kinds", []string{"olivia +in-development", "bot +done", "olivia +in-development", "bot +merge-pending"}, "merge-pending", 1},
		{"a person decided since", []string{"olivia +in-development", "bot +done", "olivia +in-development", "bot +done", "olivia +new"}, "", 0},
		{"a person's wrong label", []string{"olivia +done", "olivia +new"}, "", 0},
		{"a person's wrong label after it", []string{"olivia +in-development", "bot +done", "olivia +needs-clarification"}, "done", 1},
	} {
		s := told(t, life, row.story...)
		if r, n := Failing(life, s); r.To != row.to || n != row.want {
			t.Errorf("%s: %s, %d times", row.name, r.To, n)
		}
	}
}
