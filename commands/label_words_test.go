package commands_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A label that stores a state can have spaces, and names the state in a command as one without does. What follows it is the reason.
func TestLabelsWithSpacesNameStates(t *testing.T) {
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	life, err := statemachine.Parse("colony.yml", []byte(strings.NewReplacer(
		"label: colony:planning\n", "label: The plan\n", "label: colony:in-review\n", "label: The plan is in review\n").Replace(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	for written, want := range map[string]struct{ moves, reason, says string }{
		"/colony:force the plan because":                    {"new>planning!", "because", ""},
		"/colony:force The Plan is in Review because":       {"new>in-review!", "because", ""},
		"/colony:force The":                                 {"", "", "a state and a reason"},
		"/colony:force The plan":                            {"", "", "a state and a reason"},
		"/colony:force planning is better":                  {"new>planning!", "is better", ""},
		"/colony:force The planning is better":              {"", "", "`The`"},
		"/colony:force " + strings.Repeat("x ", 30) + "end": {"", "", "`x`"},
		"/colony:move the plan":                             {"new>planning", "", ""},
		"/colony:move the plan too large for one":           {"new>planning", "", ""},
	} {
		r := run(life, trail("new"), maintainer, written)
		said := strings.Join(r.Replies, "\n")
		if path(r.Moves) != want.moves || !strings.Contains(said, want.says) || (r.Answer == commands.Accepted) != (want.moves != "") {
			t.Errorf("%s: moves %q, answer %d, says\n%s", written, path(r.Moves), r.Answer, said)
		}
		if want.reason != "" && !strings.Contains(said, "Reason: "+want.reason) {
			t.Errorf("%s: the reason is not %q in\n%s", written, want.reason, said)
		}
	}
}

// People write a state as Colony's comments show it: as code, in bold, in quotes, with punctuation after it. Half a pair of marks is none.
func TestMarkedWordsNameStates(t *testing.T) {
	life := colonyLifecycle(t)
	paused := trail("in-review", byOlivia("paused"))
	for written, want := range map[string]string{
		"/colony:move `in-review`":                       "in-development>in-review",
		"/colony:move `colony:in-review`":                "in-development>in-review",
		"/colony:move **in-review**":                     "in-development>in-review",
		"/colony:move _In-Review_":                       "in-development>in-review",
		"/colony:move **`in-review`**.":                  "in-development>in-review",
		"/colony:move \"colony:in-review\", please":      "in-development>in-review",
		"/colony:move “in-review”":                       "in-development>in-review",
		"/colony:move 'in-review':":                      "in-development>in-review",
		"/colony:force `planning` the plan was too bold": "in-development>planning!",
		"/colony:move \"in-review":                       "",
		"/colony:move ``":                                "",
		"/colony:move `in-reveiw`":                       "",
	} {
		r := run(life, trail("in-development"), maintainer, written)
		if path(r.Moves) != want || (r.Answer == commands.Accepted) != (want != "") {
			t.Errorf("%s: moves %q, answer %d, says\n%s", written, path(r.Moves), r.Answer, strings.Join(r.Replies, "\n"))
		}
	}
	if r := run(life, trail("in-development"), maintainer, "/colony:move `in-reveiw`"); !strings.Contains(strings.Join(r.Replies, ""), "Did you mean `in-review`?") {
		t.Errorf("a mistyped state as code: %v", r.Replies)
	}
	for written, want := range map[string]string{
		"/colony:resume `analyzing` the plan changed": "paused>analyzing",
		"/colony:resume \"analyzing was the better\"": "",
		"/colony:resume \"yes\", they said":           "paused>in-review",
	} {
		if r := run(life, paused, maintainer, written); path(r.Moves) != want {
			t.Errorf("%s: moves %q, says %v", written, path(r.Moves), r.Replies)
		}
	}
	if r := run(life, trail("in-development"), maintainer, "/colony:why `done`"); r.Answer != commands.Accepted || !strings.Contains(r.Replies[0], "`done`") {
		t.Errorf("why of a state as code: %v", r.Replies)
	}
}
