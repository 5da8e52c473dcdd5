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
