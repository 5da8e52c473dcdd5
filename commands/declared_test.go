package commands_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A command that a lifecycle declares demands what it needs: a reason, a state, a state to start in.
func TestWhatDeclaredCommandsDemand(t *testing.T) {
	colibri := lifecycleNamed(t, "colibri")
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	demanding, err := statemachine.Parse("colony.yml", []byte(strings.Replace(string(text), "  - verb: pause\n", "  - verb: send\n    to: analyzing\n    target: required\n    help: Sends it.\n  - verb: pause\n", 1)))
	if err != nil {
		t.Fatal(err)
	}
	verifier := commands.Requester{Actor: lifecycle.Actor{Login: "v[bot]", Kind: lifecycle.Executor, Roles: []string{"verifier"}}, Right: commands.MayMove}
	for name, c := range map[string]struct {
		life   *statemachine.Table
		at     statemachine.Standing
		by     commands.Requester
		text   string
		answer commands.Answer
		moves  string
		says   string
	}{
		"no reason":                          {colibri, trail("plan"), triager, "/colony:cancel", commands.Refused, "", "it needs a reason"},
		"an invisible reason":                {colibri, trail("plan"), triager, "/colony:cancel \u200b", commands.Refused, "", "it needs a reason"},
		"a space as a reason":                {colibri, trail("plan"), triager, "/colony:cancel &nbsp;", commands.Refused, "", "it needs a reason"},
		"an empty tag as a reason":           {colibri, trail("plan"), triager, "/colony:cancel <b></b>", commands.Refused, "", "it needs a reason"},
		"a picture as a reason":              {colibri, trail("plan"), triager, "/colony:cancel ![](x)", commands.Refused, "", "it needs a reason"},
		"a link without words as a reason":   {colibri, trail("plan"), triager, "/colony:cancel [](https://x.test)", commands.Refused, "", "it needs a reason"},
		"an empty letter as a reason":        {colibri, trail("plan"), triager, "/colony:cancel \u2800 \u3164", commands.Refused, "", "it needs a reason"},
		"a linked picture as a reason":       {colibri, trail("plan"), triager, "/colony:cancel [![](x)](https://x.test)", commands.Refused, "", "it needs a reason"},
		"a comment as a reason":              {colibri, trail("plan"), triager, "/colony:cancel <!-- why -->", commands.Refused, "", "it needs a reason"},
		"code as a reason":                   {colibri, trail("plan"), triager, "/colony:cancel `<b>`", commands.Accepted, "plan>cancelled", ""},
		"the place of a reason":              {colibri, trail("plan"), triager, "/colony:cancel <reason>", commands.Refused, "", "it needs a reason"},
		"a picture as a reason to force":     {lifecycleNamed(t, "colony"), trail("plan"), maintainer, "/colony:force new ![](x)", commands.Refused, "", "it needs a state and a reason"},
		"words of a picture as a reason":     {colibri, trail("plan"), triager, "/colony:cancel ![it is void](x)", commands.Accepted, "plan>cancelled", ""},
		"a link as a reason":                 {colibri, trail("plan"), triager, "/colony:cancel [void](https://x.test)", commands.Accepted, "plan>cancelled", ""},
		"an address as a reason":             {colibri, trail("plan"), triager, "/colony:cancel <https://x.test>", commands.Accepted, "plan>cancelled", ""},
		"a comparison as a reason":           {colibri, trail("plan"), triager, "/colony:cancel 1 < 2", commands.Accepted, "plan>cancelled", ""},
		"words in a tag as a reason":         {colibri, trail("plan"), triager, "/colony:cancel <b>void</b>", commands.Accepted, "plan>cancelled", ""},
		"a reason":                           {colibri, trail("plan"), triager, "/colony:cancel it is void", commands.Accepted, "plan>cancelled", ""},
		"there already":                      {colibri, trail("cancelled"), triager, "/colony:cancel it is void", commands.Accepted, "", ""},
		"a bot whose request has a reason":   {colibri, trail("verify"), verifier, "/colony:move cancelled", commands.Accepted, "verify>cancelled", "verify_permanent_fail"},
		"a bot that gives its own":           {colibri, trail("verify"), verifier, "/colony:move cancelled it is void", commands.Accepted, "verify>cancelled", ""},
		"a bot without the right to it":      {colibri, trail("plan"), verifier, "/colony:cancel", commands.Refused, "", "may not make that move"},
		"a person's move without a reason":   {colibri, trail("plan"), triager, "/colony:move cancelled", commands.Refused, "", "/colony:cancel <reason>"},
		"no state":                           {demanding, trail("in-review"), triager, "/colony:send", commands.Refused, "", "it needs a state. Write it like this: `/colony:send <state>`"},
		"a state":                            {demanding, trail("in-review"), triager, "/colony:send merge-pending", commands.Accepted, "in-review>merge-pending", ""},
		"a mistyped state":                   {demanding, trail("in-review"), triager, "/colony:send merge-pendign", commands.Refused, "", "Did you mean `merge-pending`?"},
		"no reason is taken, so it is one":   {demanding, trail("in-review"), triager, "/colony:send somewhere", commands.Refused, "", "`somewhere` is not a state"},
		"a mistyped state, elsewhere":        {demanding, trail("in-review"), triager, "/colony:retry in-reveiw", commands.Refused, "", "Did you mean `in-review`?"},
		"a bot's mistyped state, elsewhere":  {demanding, trail("in-review"), reviewBot, "/colony:retry in-reveiw", commands.Refused, "", "Did you mean `in-review`?"},
		"a mistyped state, there":            {demanding, trail("in-review", byOlivia("failure-blocked")), triager, "/colony:retry in-reveiw", commands.Refused, "", "Did you mean `in-review`?"},
		"a reason instead of a state, there": {demanding, trail("in-review", byOlivia("failure-blocked")), triager, "/colony:retry the vendor answered", commands.Accepted, "failure-blocked>in-review", ""},
		"a state, elsewhere":                 {demanding, trail("in-review"), triager, "/colony:resume in-development", commands.Refused, "", "works only in `paused`"},
		"a state where it is, elsewhere":     {demanding, trail("in-review"), triager, "/colony:resume in-review", commands.Accepted, "", ""},
	} {
		r := run(c.life, c.at, c.by, c.text)
		said := strings.Join(r.Replies, "\n")
		if r.Answer != c.answer || path(r.Moves) != c.moves || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s: answer %d, moves %q, says\n%s", name, r.Answer, path(r.Moves), said)
		}
	}
}

// Where a command would return an issue to a state from which the table has no way back, it names that state, or the one that the
// lifecycle has instead of it.
func TestNoWayBack(t *testing.T) {
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	strict := strings.Replace(string(text), "    otherwise: ready-for-dev\n", "", 1)
	strict = strings.Replace(strict, "instead: {in-development: ready-for-dev,", "instead: {in-development: needs-clarification,", 1)
	life, err := statemachine.Parse("colony.yml", []byte(strict))
	if err != nil || strict == string(text) {
		t.Fatal(err)
	}
	for from, want := range map[string]string{"needs-clarification": "would return it to `needs-clarification`", "in-review": "", "in-development": "would return it to `needs-clarification`", "dependency-blocked": ""} {
		r := run(life, trail(from, byOlivia("failure-blocked")), triager, "/colony:retry")
		if said := strings.Join(r.Replies, "\n"); (want == "") != (r.Answer == commands.Accepted) || !strings.Contains(said, want) {
			t.Errorf("from %s: answer %d, says\n%s", from, r.Answer, said)
		}
	}
}
