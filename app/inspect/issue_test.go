package inspect

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

func colony(t *testing.T) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// What Colony would do about a move that is not legal depends on the mode first, and then on where it leads.
func TestThen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		mode  lifecycle.Mode
		asked reconcile.Asked
		want  string
	}{
		{lifecycle.ModeOff, reconcile.Asked{Verdict: lifecycle.Same}, ""},
		{lifecycle.ModeOff, reconcile.Asked{LedTo: "failure-blocked"}, "Colony would not see it: the mode is off (the server)."},
		{lifecycle.ModeWarn, reconcile.Asked{LedTo: "failure-blocked"}, "It would stand and not be undone: the mode is warn (the server)."},
		{lifecycle.ModeEnforce, reconcile.Asked{Stood: true, LedTo: "failure-blocked"}, "It would stand and not be undone: the mode is enforce (the server)."},
		{lifecycle.ModeEnforce, reconcile.Asked{LedTo: "failure-blocked"}, "Colony would move the issue to failure-blocked."},
		{lifecycle.ModeEnforce, reconcile.Asked{}, "Colony would undo it."},
		{lifecycle.ModeEnforce, reconcile.Asked{Halted: true}, "The label would stay: Colony undoes no label changes on this issue until a person makes a legal move."},
	} {
		a := Answer{Mode: test.mode, ModeBy: "the server"}
		if diff := cmp.Diff(test.want, a.then(test.asked)); diff != "" {
			t.Errorf("in mode %s, %+v: %s", test.mode, test.asked, diff)
		}
	}
}

// An answer says what it comes to, why, what it depends on, and what can be asked for instead.
func TestAnswers(t *testing.T) {
	t.Parallel()
	life := colony(t)
	dev := lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor, Roles: []string{"developer"}}
	guard := []lifecycle.Guard{{Name: "g", Why: "w", Link: "l"}}
	for name, test := range map[string]struct {
		who   lifecycle.Actor
		asked reconcile.Asked
		want  Answer
	}{
		"nobody can read a guard": {
			dev,
			reconcile.Asked{From: "in-development", To: "in-review", Unknown: true, Because: "GitHub is down", Guards: guard},
			Answer{Answer: NotKnown, Why: "Colony cannot read what a guard needs: GitHub is down.", Then: "Colony would leave the issue as it is, and try again.", Guards: []Guard{{"g", "w", "l"}}},
		},
		"nobody knows why": {
			dev,
			reconcile.Asked{From: "in-development", To: "in-review", Unknown: true},
			Answer{Answer: NotKnown, Why: "Colony cannot read what a guard needs.", Then: "Colony would leave the issue as it is, and try again."},
		},
		"a guard refuses": {
			dev,
			reconcile.Asked{From: "in-development", To: "in-review", Verdict: lifecycle.Guarded, Guards: guard, ByCommand: true},
			Answer{Answer: NotLegal, Why: "The table has this move, and a guard refuses it.", Then: "Colony would undo it.", Guards: []Guard{{"g", "w", "l"}}, ByCommand: true},
		},
		"it is too early": {
			dev,
			reconcile.Asked{From: "in-development", To: "in-review", Verdict: lifecycle.Guarded, Guards: guard, Awaited: "#5, #6"},
			Answer{Answer: NotLegal, Why: "Not yet: waits for #5, #6.", Then: "Colony would undo it.", Guards: []Guard{{"g", "w", "l"}}},
		},
		"the author asks": {
			lifecycle.Actor{Login: "ada", Kind: lifecycle.Author},
			reconcile.Asked{From: "in-development", To: "in-review", Verdict: lifecycle.NotForRole},
			Answer{Answer: NotLegal, Why: "ada may neither edit labels in the repository nor move issues by command.", Then: "Colony would undo it."},
		},
	} {
		a := Answer{life: life}
		a.by(test.who)
		a.tell(test.asked)
		got := Answer{Answer: a.Answer, Why: a.Why, Then: a.Then, Guards: a.Guards, ByCommand: a.ByCommand}
		if test.want.Guards == nil {
			test.want.Guards = []Guard{}
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Answer{})); diff != "" || a.From != "in-development" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	a := Answer{life: life}
	a.by(dev)
	a.tell(reconcile.Asked{From: "ready-for-dev", To: "in-development", Verdict: lifecycle.Legal, Next: []lifecycle.Pair{{To: "nowhere"}}})
	var next []string
	for _, n := range a.Next {
		next = append(next, n.To)
	}
	if a.Answer != Legal || !strings.HasSuffix(a.Why, ".") || len(a.Why) < 5 || strings.Contains(strings.Join(next, " "), "nowhere") || len(next) == 0 {
		t.Errorf("a legal move is answered with %+v", a)
	}
}

// A limit of GitHub's is no answer; anything else that cannot be read is.
func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	limit, down := &ratelimit.Error{Budget: ratelimit.BudgetGitHub}, errors.New("GitHub is down")
	a := Answer{As: "ada"}
	if err := a.unknown(limit); !errors.Is(err, limit) || a.Answer != "" {
		t.Errorf("%v, %+v", err, a)
	}
	if err := a.unknown(down); err != nil || a.Answer != NotKnown || !strings.Contains(a.Why, "which permission ada has") {
		t.Errorf("%v, %+v", err, a)
	}
}

func TestInRole(t *testing.T) {
	t.Parallel()
	bot := lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor, Roles: []string{"developer", "reviewer"}}
	for name, test := range map[string]struct {
		who   lifecycle.Actor
		role  string
		want  []string
		known bool
	}{
		"any role":           {bot, "", bot.Roles, true},
		"one of its roles":   {bot, "reviewer", []string{"reviewer"}, true},
		"another's role":     {bot, "analyst", bot.Roles, false},
		"a bot of all roles": {lifecycle.Actor{Kind: lifecycle.Executor}, "analyst", []string{"analyst"}, true},
		"a person":           {lifecycle.Actor{Kind: lifecycle.Operator}, "developer", nil, false},
	} {
		got, err := inRole(test.who, test.role)
		unknown := (*UnknownError)(nil)
		if errors.As(err, &unknown) == test.known || err != nil && unknown == nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, got.Roles); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What the API says of an issue in states, labels, limits and refusals comes from its lifecycle.
func TestPartsOfAnIssue(t *testing.T) {
	t.Parallel()
	life := colony(t)
	if diff := cmp.Diff([]string{"Colony:Needs-Human", "colony:needs-clarification"}, personLabels(life, []string{"bug", "Colony:Needs-Human", "colony:in-review", "colony:needs-clarification"})); diff != "" {
		t.Errorf("the labels that ask for a person: %s", diff)
	}
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.FixedZone("", 3600))
	standing := statemachine.Standing{State: "changes-requested", Rejections: []statemachine.Rejection{
		{By: lifecycle.Actor{Login: "rita", Kind: lifecycle.Operator}, Moment: statemachine.Moment{At: at}, From: "new", To: "done", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable, LedTo: "x", Stood: true}},
	}}
	want := []Refusal{{From: "new", To: "done", At: at.UTC(), By: lifecycle.Actor{Login: "rita", Kind: lifecycle.Operator}, Verdict: lifecycle.NotInTable, Why: "The table of lifecycle colony has no such move, for anyone.", LedTo: "x", Stood: true}}
	if diff := cmp.Diff(want, refusalsOf(life, standing)); diff != "" || refusalsOf(life, standing)[0].At.Location() != time.UTC {
		t.Errorf("the refusals: %s", diff)
	}
	limits := limitsOf(life, standing)
	if l := limits[0]; len(limits) != len(life.Limits) || l.Name != "review cycles" || l.To != "changes-requested" || l.AtMost != 5 || l.Instead != "failure-blocked" || l.Why == "" || l.Count != life.Count(life.Limits[0], standing) || cmp.Diff([]string{"in-review"}, l.From) != "" {
		t.Errorf("the limits: %+v", limits)
	}
	step := reconcile.Step{Move: statemachine.Move{From: "new", To: "done", Kind: statemachine.Moved, Moment: statemachine.Moment{At: at}}, Who: lifecycle.Actor{Login: "ada", Kind: lifecycle.Author}, Command: "move", Reason: "r", Why: "w", About: "a", Link: "l"}
	move := Move{From: "new", To: "done", Kind: statemachine.Moved, At: at.UTC(), By: lifecycle.Actor{Login: "ada", Kind: lifecycle.Author}, Command: "move", Reason: "r", Why: "w", About: "a", Link: "l"}
	if diff := cmp.Diff(move, moveOf(step, "u")); diff != "" {
		t.Errorf("a move without a comment: %s", diff)
	}
	step.CommentID, move.URL = 7, "u#issuecomment-7"
	if diff := cmp.Diff(move, moveOf(step, "u")); diff != "" {
		t.Errorf("a move by command: %s", diff)
	}
	for word, want := range map[string]string{"New": "new", "COLONY:new": "new", "nowhere": ""} {
		if got, err := stateOf(life, word); got != want || (err == nil) != (want != "") {
			t.Errorf("%s is the state %q: %v", word, got, err)
		}
	}
	if got := roleNames(life); len(got) != len(life.Roles) || got[0] != life.Roles[0].Name {
		t.Errorf("the roles are %v", got)
	}
}
