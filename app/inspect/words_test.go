package inspect_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// full takes no text.
type full struct{}

var errFull = errors.New("no space is left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// The words of an issue say what is known of it, and nothing else.
func TestWordsOfAnIssue(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	rita, colony := lifecycle.Actor{Login: "rita", Kind: lifecycle.Operator}, lifecycle.Actor{Kind: lifecycle.Colony}
	bare := &inspect.Issue{Issue: "acme/widgets#3", Title: `a "title"`, URL: "u", State: "new", Lifecycle: "colony", Mode: lifecycle.ModeEnforce, Read: at}
	whole := *bare
	whole.Since, whole.By, whole.Read = &at, &rita, at.Add(90*time.Second)
	whole.Attention = []inspect.Attention{{Meaning: "It waits."}, {Meaning: "It asks.", Action: &inspect.Action{Command: "/colony:go"}}, {Meaning: "It fails.", Action: &inspect.Action{Command: "/colony:resume", Reason: true}}}
	whole.MustAct, whole.MoveTakes = []advice.Party{{Kind: lifecycle.Executor, Role: "reviewer"}, {Kind: lifecycle.Operator}}, "write"
	whole.Allowed = []inspect.Next{{To: "a"}, {To: "b"}}
	whole.Limits = []inspect.Limit{{Name: "counted", Count: 2}, {Name: "unused", AtMost: 2}, {Name: "used", Count: 1, AtMost: 2}}
	whole.Trail = []inspect.Move{
		{From: "unlabeled", To: "new", At: at, By: colony, Kind: statemachine.Moved, Why: "It is new.", About: "#4", Link: "l"},
		{From: "new", To: "done", At: at.Add(30 * time.Second), By: lifecycle.Actor{}, Kind: statemachine.Moved, Command: "move", Reason: "say \"so\"\n", URL: "c"},
		{From: "done", To: "new", At: at.Add(2 * time.Hour), By: rita, Kind: statemachine.Moved},
	}
	whole.Refused = []inspect.Refusal{
		{From: "new", At: at, By: rita, Why: "No."}, {From: "new", To: "x", At: at, By: rita, Why: "No.", LedTo: "y"}, {From: "new", To: "x", At: at, By: rita, Why: "No.", LedTo: "y", Stood: true},
	}
	for _, test := range []struct {
		name         string
		issue        *inspect.Issue
		summary, log string
	}{
		{"little", bare, `acme/widgets#3  "a \"title\""  u
state:    new
rules:    lifecycle colony, enforce
`, `
0 moves:
0 refusals:
`},
		{"much", &whole, `acme/widgets#3  "a \"title\""  u
state:    new, since 2026-03-02 09:00 UTC (1m), by rita
rules:    lifecycle colony, enforce
must act: the reviewer or people with write access
waits:    It waits.
waits:    It asks. Write /colony:go
waits:    It fails. Write /colony:resume <reason>
next:     a, b (people with write access)
limit:    used, 1 of 2
`, `
3 moves:
  2026-03-02 09:00 UTC  unlabeled -> new, by Colony: It is new (#4), see l
  2026-03-02 09:00 UTC  new -> done, by a deleted user with /colony:move, after 30s: say "so"\n, see c
  2026-03-02 11:00 UTC  done -> new, by rita, after 1h59m
3 refusals:
  2026-03-02 09:00 UTC  new -> no state, by rita: No.
  2026-03-02 09:00 UTC  new -> x, by rita: No. It led to y.
  2026-03-02 09:00 UTC  new -> x, by rita: No. It stood.
`},
	} {
		var summary, log strings.Builder
		if err := errors.Join(test.issue.WriteSummary(&summary), test.issue.WriteHistory(&log)); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(test.summary+test.log, summary.String()+log.String()); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		if !errors.Is(test.issue.WriteSummary(full{}), errFull) || !errors.Is(test.issue.WriteHistory(full{}), errFull) {
			t.Error("what is not printed is no error")
		}
	}
}

// The words of an answer say what it depends on.
func TestWordsOfAnAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		answer inspect.Answer
		want   string
	}{
		{inspect.Answer{Answer: inspect.NotLegal, Issue: "acme/widgets#3", From: "new", To: "done", As: "ada", Kind: lifecycle.Author, Then: "Colony would undo it.", ByCommand: true, Closed: true}, `not legal: acme/widgets#3: new -> done, as ada (author)
then:  Colony would undo it.
note:  A command may ask for it: /colony:move done REASON.
note:  The issue is closed.
next:  nothing is legal from new, as ada.
`},
		{inspect.Answer{
			Answer: inspect.Legal, Issue: "acme/widgets#3", From: "new", To: "done", As: "dev[bot]", Kind: lifecycle.Executor, Roles: []string{"a", "b"}, Why: "It is.", Mode: lifecycle.ModeObserve, ModeBy: "the server",
			Guards: []inspect.Guard{{Name: "g", Why: "It holds."}, {Name: "h", Why: "So.", Link: "l"}}, Conditions: []string{"only once"}, Next: []inspect.Next{{To: "x", Why: "w"}, {To: "longer", Why: "v", Conditions: []string{"c"}}},
		}, `legal: acme/widgets#3: new -> done, as dev[bot] (executor: a, b)
why:   It is.
guard: g: It holds.
guard: h: So, see l
but:   only once.
note:  Colony writes nothing there: the mode is observe (the server).
Legal from done, as dev[bot]:
  x       w
  longer  v; c
`},
	} {
		var b strings.Builder
		if err := test.answer.WriteText(&b); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(test.want, b.String()); diff != "" {
			t.Error(diff)
		}
	}
}

// A refusal names its reason: the label, the state, the table, the guards, the limit, or the roles that may.
func TestWhyNot(t *testing.T) {
	t.Parallel()
	life := shipped(t, "colony")
	for _, test := range []struct {
		kind     lifecycle.ActorKind
		verdict  lifecycle.Verdict
		from, to string
		more     statemachine.Rejection
		want     string
	}{
		{kind: lifecycle.Operator, from: "new", want: "An issue leaves its state only by moving to another one."},
		{kind: lifecycle.Operator, verdict: lifecycle.Same, from: "new", to: "new", want: "The issue is there already."},
		{kind: lifecycle.Operator, verdict: lifecycle.NotAState, from: "new", to: "colony:nwe", want: "Lifecycle colony has no state with this label."},
		{kind: lifecycle.Operator, verdict: lifecycle.NotInTable, from: "done", to: "new", want: "done is terminal: nothing leads out of it."},
		{kind: lifecycle.Operator, verdict: lifecycle.NotInTable, from: "new", to: "done", want: "The table of lifecycle colony has no such move, for anyone."},
		{kind: lifecycle.Operator, verdict: lifecycle.Guarded, from: "new", to: "done", want: "The table has this move, and a guard refuses it."},
		{kind: lifecycle.Operator, verdict: lifecycle.Guarded, from: "new", to: "done", more: statemachine.Rejection{Ruling: statemachine.Ruling{Guards: statemachine.Guarding{Refusing: []lifecycle.Guard{{Name: "a"}, {Name: "b"}}}}}, want: "The table has this move, and a guard refuses it: a, b."},
		{kind: lifecycle.Operator, verdict: lifecycle.NotPrevious, from: "paused", to: "done", more: statemachine.Rejection{Ruling: statemachine.Ruling{Before: "new"}}, want: "From paused the issue can only go back to where it came from, which is new."},
		{kind: lifecycle.Operator, verdict: lifecycle.NeedsReason, from: "new", to: "done", want: "The move needs a reason, which a label cannot give."},
		{kind: lifecycle.Executor, verdict: lifecycle.LimitReached, from: "in-review", to: "changes-requested", want: "The limit review cycles is reached: the issue makes this move at most 5 times since a person last moved the issue."},
		{kind: lifecycle.Executor, verdict: lifecycle.LimitReached, from: "new", to: "done", want: "The limit of this move is reached."},
		{kind: lifecycle.Author, verdict: lifecycle.NotForRole, from: "in-development", to: "in-review", want: "An issue's author cannot move it; the author answers with comments."},
		{kind: lifecycle.Executor, verdict: lifecycle.NotForRole, from: "in-development", to: "in-review", want: "The table has this move, but not for this role. It is for people with triage access, the developer."},
	} {
		r := test.more
		r.By, r.Verdict, r.From, r.To = lifecycle.Actor{Kind: test.kind}, test.verdict, test.from, test.to
		if diff := cmp.Diff(test.want, inspect.WhyNot(life, r)); diff != "" {
			t.Error(diff)
		}
	}
}
