package wording

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// What only people can do is left out where a bot is told what it can do.
func TestABotIsOfferedNoMoveOfPeople(t *testing.T) {
	l, waits := colonyLifecycle(t), at("waiting-for-subtasks")
	const people, move = "Also allowed: `done`.", "move it on."
	if said := rejected(l, olivia, waits.State, "paused", "", waits); !strings.Contains(said, people) || !strings.Contains(said, move) {
		t.Errorf("a person is not offered the moves of people:\n%s", said)
	}
	said := rejected(l, bot, waits.State, "paused", "", waits)
	if strings.Contains(said, people) || strings.Contains(said, move) || !strings.Contains(said, "`analyzer[bot]` may not move it from there.") {
		t.Errorf("a bot is offered what it cannot do:\n%s", said)
	}
}

// A bot that a guard refuses for what it is or did is not asked to try again.
func TestABotAsksAgainOnlyForWhatCanChange(t *testing.T) {
	const again = "ask again"
	for _, c := range []struct {
		life, from, to, guard string
		again                 bool
	}{
		{"prp", "planned", "obsolete", "delta-analysis", false},
		{"colibri", "verify", "done", "dedicated", false},
		{"colibri", "init", "gather", "links-resolved", true},
	} {
		l, err := statemachine.Shipped(c.life)
		if err != nil {
			t.Fatal(err)
		}
		verifier := lifecycle.Actor{Login: "ci[bot]", Kind: lifecycle.Executor, Roles: map[string][]string{"verify": {"verifier"}, "init": {"gatherer"}}[c.from]}
		now := at(c.from)
		if c.from == "verify" {
			now = at("apply").Move(statemachine.Move{From: "apply", To: "verify", Kind: statemachine.Moved, By: verifier, Moment: statemachine.Moment{ID: 70}})
		}
		var guards []lifecycle.Guard
		for _, g := range l.Guards {
			if g.Name == c.guard {
				guards = append(guards, g)
			}
		}
		said := Explain(l, now, verifier, c.from, c.to, statemachine.Ruling{Verdict: lifecycle.Guarded, Guards: statemachine.Guarding{Refusing: guards}}, Telling{}).Render(false)
		if !strings.Contains(said, c.guard) || strings.Contains(said, again) != c.again {
			t.Errorf("%s: a bot has to ask again: %t; want %t:\n%s", c.guard, !c.again, c.again, said)
		}
	}
}

// An issue that arrives blocked behind an approval is set back. To block it again brings no one nearer to the approval.
func TestNoOneIsSentBackIntoABlock(t *testing.T) {
	l, now := colonyLifecycle(t), at("in-review")
	transferred := func(to string) string {
		return Rejections(l, now, []statemachine.Rejection{{
			IDs: []int64{71}, By: olivia, From: now.State, To: to, Ruling: statemachine.Ruling{Verdict: lifecycle.Transferred},
		}}, Telling{})
	}
	const move = "/colony:move "
	if said := transferred("failure-blocked"); strings.Contains(said, move+"failure-blocked") || strings.Contains(said, "right here, too") {
		t.Errorf("to block it is advised:\n%s", said)
	}
	if said := transferred("merge-pending"); !strings.Contains(said, move+"merge-pending") {
		t.Errorf("to approve it here is not advised:\n%s", said)
	}
}

// What a bot asked for without right, and where that leads, can be the same state: then nothing was undone.
func TestABadRequestForTheStateOfBadRequestsUndoesNothing(t *testing.T) {
	l := colonyLifecycle(t)
	const to, moved = "failure-blocked", " moved the issue from `ready-for-dev` to `failure-blocked`, but "
	for begins, said := range map[string]string{
		"**Colony counts this move as a bad request.** ":             rejected(l, bot, "ready-for-dev", to, to, failed(bot, "ready-for-dev")),
		"**Colony would have counted this move as a bad request.** ": stood(l, bot, "ready-for-dev", to, to),
	} {
		if !strings.HasPrefix(said, begins) || !strings.Contains(said, moved) || strings.Contains(said, "undid") || strings.Contains(said, "undone") {
			t.Errorf("it says\n%s", said)
		}
	}
}
