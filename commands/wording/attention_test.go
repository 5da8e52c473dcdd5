package wording

import (
	"testing"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Who has to act is named by what is known of them: a login, a role, or what kind of account it is.
func TestWhoHasToActIsNamed(t *testing.T) {
	for want, p := range map[string]advice.Party{
		"ada":                        {Login: "ada", Kind: lifecycle.Author},
		"the reviewer":               {Role: "reviewer", Kind: lifecycle.Executor},
		"people who may edit labels": {Kind: lifecycle.Operator},
		"its author":                 {Kind: lifecycle.Author},
		"a bot":                      {Kind: lifecycle.Executor},
		"Colony":                     {Kind: lifecycle.Colony},
	} {
		if got := Party(statemachine.Access{}, p); got != want {
			t.Errorf("%+v is called %q, want %q", p, got, want)
		}
	}
	if got := Party(statemachine.Access{ToMove: "write"}, advice.Party{Kind: lifecycle.Operator}); got != "people with write access" {
		t.Errorf("where commands take more, people are called %q", got)
	}
	for want, a := range map[string]*advice.Action{"": nil, "/colony:retry": {Verb: "retry"}, "/colony:cancel <reason>": {Verb: "cancel", Reason: true}} {
		if got := Typed(a); got != want {
			t.Errorf("%+v is typed %q, want %q", a, got, want)
		}
	}
}

func TestOrdinals(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 14: "14th", 21: "21st", 101: "101st", 111: "111th", 113: "113th"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
