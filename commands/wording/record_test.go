package wording

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A comment says for programs what it says for people. What a comment of an earlier Colony is about is still known from its marker.
func TestRecords(t *testing.T) {
	l := colonyLifecycle(t)
	refused := rejected(l, reviewer, "in-review", "done", "failure-blocked", failed(reviewer, "in-review"))
	got, ok := RecordOf(refused)
	want := Record{1, []RecordedMove{{
		Outcome: RefusedMove, Verdict: lifecycle.NotForRole, From: "in-review", To: "done", LedTo: "failure-blocked", Actor: "review-bot", Kind: lifecycle.Executor,
		Roles: []string{"reviewer"}, Events: []int64{71, 72},
	}}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("%t %s", ok, diff)
	}
	told := texts(t)["told"]
	for name, c := range map[string]struct {
		comment       string
		refuses, asks bool
	}{
		"a refusal":           {refused, true, true},
		"an earlier refusal":  {"Colony undid this.\n\n" + Marker(Explains, 71), true, true},
		"a move of Colony's":  {told, false, true},
		"it stands":           {texts(t)["stood-operator"], true, true},
		"Colony stops":        {texts(t)["halted"], false, true},
		"a question":          {texts(t)["asked"], false, true},
		"an answer":           {texts(t)["reply"], false, false},
		"of a later version":  {strings.Replace(told, `"schema":1`, `"schema":2`, 1), true, true},
		"words of a stranger": {"Colony undid this. `<!-- colony:record {\"schema\":1} -->`", false, false},
	} {
		if got := Refuses(c.comment); got != c.refuses {
			t.Errorf("%s refuses: %t", name, got)
		}
		if got := AsksPerson(c.comment); got != c.asks {
			t.Errorf("%s asks a person: %t", name, got)
		}
	}
}

// Where one look finds several changes, the one that led to where the issue is is explained in the open: what to do now is about that.
func TestWhatFailedIsExplainedInTheOpen(t *testing.T) {
	l := colonyLifecycle(t)
	failed := rejection(bot, "in-development", "merge-pending", "failure-blocked")
	for name, rejections := range map[string][]statemachine.Rejection{
		"first": {failed, rejection(olivia, "failure-blocked", "done", ""), rejection(tara(), "failure-blocked", "new", "")},
		"last":  {rejection(olivia, "in-development", "done", ""), rejection(tara(), "in-development", "new", ""), failed},
	} {
		said := Rejections(l, moved("in-development", "failure-blocked"), rejections, Telling{Mentions: true})
		open, folded, _ := strings.Cut(said, "<details><summary>2 other label changes")
		if !strings.Contains(open, "set the issue to `failure-blocked`") || !strings.Contains(open, "/colony:retry") {
			t.Errorf("%s: what failed is not in the open:\n%s", name, said)
		}
		if !strings.Contains(folded, "@olivia tried") || !strings.Contains(folded, "@tara tried") {
			t.Errorf("%s: not each person whose change was undone is mentioned:\n%s", name, said)
		}
	}
}

func tara() lifecycle.Actor { return lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator} }

func moved(from, to string) statemachine.Standing {
	return at(from).Move(statemachine.Move{From: from, To: to, Kind: statemachine.Moved, By: lifecycle.Actor{Kind: lifecycle.Colony}, Moment: statemachine.Moment{ID: 70}})
}

func rejection(by lifecycle.Actor, from, to, ledTo string) statemachine.Rejection {
	return statemachine.Rejection{IDs: []int64{71}, By: by, From: from, To: to, Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable, LedTo: ledTo}}
}

// A move that only warned of stays, so no one is asked to ask again for it.
func TestNoOneAsksAgainForWhatStands(t *testing.T) {
	l := colonyLifecycle(t)
	r := rejection(bot, "merge-pending", "done", "")
	r.Ruling = statemachine.Ruling{Verdict: lifecycle.Guarded, Stood: true, Guards: statemachine.Guarding{Refusing: l.Guards[:1]}}
	if said := Rejections(l, moved("merge-pending", "done"), []statemachine.Rejection{r}, Telling{}); strings.Contains(said, "ask again") {
		t.Errorf("what stands is to be asked for again:\n%s", said)
	}
}

// Whom a guard refuses for who they are is not asked to try again.
func TestAskingAgainMakesNoOneAMaintainer(t *testing.T) {
	l := colonyLifecycle(t)
	for kind, again := range map[lifecycle.ConditionKind]bool{lifecycle.HasPermission: false, lifecycle.InTeam: false, lifecycle.HasFact: true} {
		r := rejection(tara(), "planning", "new", "")
		guard := lifecycle.Guard{Name: "leads", Why: "A maintainer has to agree", Requires: []lifecycle.Condition{{Kind: kind, Words: []string{"maintain"}}}}
		r.Ruling = statemachine.Ruling{Verdict: lifecycle.Guarded, Guards: statemachine.Guarding{Refusing: []lifecycle.Guard{guard}}}
		if said := Rejections(l, at("planning"), []statemachine.Rejection{r}, Telling{}); strings.Contains(said, "ask again") != again {
			t.Errorf("%s: asks to ask again: %t:\n%s", kind, !again, said)
		}
	}
}

// Where commands take more than labels do, an advised command says so.
func TestAdviceNamesWhatItsCommandTakes(t *testing.T) {
	for access, want := range map[string]bool{"": false, "none": false, "read": false, "triage": false, "maintain": true} {
		l := colonyLifecycle(t).With(statemachine.Options{Access: statemachine.Access{ToMove: access}})
		said := Rejections(l, moved("in-review", "failure-blocked"), []statemachine.Rejection{rejection(tara(), "failure-blocked", "needs-clarification", "")}, Telling{})
		if got := strings.Contains(said, "this comment, which takes "+access+" access:"); got != want {
			t.Errorf("%q: %t:\n%s", access, got, said)
		}
	}
}

// Only a person who edited labels is mentioned, by a login; where mentions are off nobody is.
func TestOnlyWhoEditedLabelsIsMentioned(t *testing.T) {
	l := colonyLifecycle(t)
	for who, want := range map[string]bool{
		"olivia": true, "octo_admin": true, "a-b": true, "olivia/team": false, "acme/all": false, "[bot]": false, "here everyone": false, "-x": false, "": false,
		"x\n@all": false, "ο": false,
	} {
		for _, kind := range []lifecycle.ActorKind{lifecycle.Operator, lifecycle.Executor, lifecycle.Author, lifecycle.Colony} {
			for _, on := range []bool{true, false} {
				r := statemachine.Rejection{IDs: []int64{71}, By: lifecycle.Actor{Login: who, Kind: kind}, From: "in-review", To: "new", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}}
				comment, _, _ := strings.Cut(Rejections(l, at("in-review"), []statemachine.Rejection{r}, Telling{Mentions: on}), "<!--")
				want := want && on && kind == lifecycle.Operator
				if got := strings.Contains(comment, "@"+who+" tried"); got != want {
					t.Errorf("%q, a %s, mentions %t: %t", who, kind, on, got)
				}
			}
		}
	}
}
