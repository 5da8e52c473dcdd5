package advice

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// What a lifecycle recommends is legal for people, wherever the issue came from.
func TestWhatIsRecommendedIsLegal(t *testing.T) {
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		for _, state := range everywhere(life) {
			standings := []statemachine.Standing{{State: state.Name}}
			for _, p := range life.Pairs {
				if p.To == state.Name {
					standings = append(standings, came(p.From, p.To))
				}
			}
			for _, s := range standings {
				action, ok := returning(life, s)
				if ok && life.Rule(s, statemachine.Ask{By: olivia, To: action.To, Reason: action.Reason}, nil).Verdict != lifecycle.Legal {
					t.Errorf("%s: in %s, %+v is not legal", name, state.Name, action)
				}
				if ok && action.Verb == "" && state.Recommended != "" && state.Recommended != action.To {
					t.Errorf("%s: in %s, %+v is not what the file recommends", name, state.Name, action)
				}
				if s.Trail != nil && !ok && state.Type != lifecycle.Terminal {
					t.Errorf("%s: in %s, coming from %s, nothing is recommended", name, state.Name, s.Trail[0].From)
				}
			}
		}
	}
}

func TestReturning(t *testing.T) {
	for name, test := range map[string]struct {
		life string // that ships, or else a file
		at   statemachine.Standing
		want string
	}{
		"a command of the file":                         {"autoralph", came("queued", "refining"), "/colony:approve approved"},
		"back to where it was":                          {"colony", came("in-review", "paused"), "/colony:resume in-review"},
		"not back, where it cannot":                     {"colony", came("in-development", "failure-blocked"), "/colony:retry ready-for-dev"},
		"back to nowhere that is known":                 {"colony", statemachine.Standing{State: "paused"}, ""},
		"the only move":                                 {"colibri", statemachine.Standing{State: lifecycle.Outside}, "/colony:move init"},
		"out of the end":                                {"colony", came("in-review", "done"), ""},
		"in no state":                                   {"colony", statemachine.Standing{State: "asleep"}, ""},
		"the command back, where the file says nothing": {back, came("work", "stuck"), "/colony:back work"},
		"not a command that needs to know where":        {strings.Replace(back, "to: previous", "to: previous, target: required", 1), came("start", "work", "stuck"), ""},
		"not a command of elsewhere":                    {strings.Replace(back, "from: stuck", "from: aside", 1), came("start", "work", "stuck"), ""},
		"several moves":                                 {back, came("start", "work"), ""},
		"a move of the file":                            {recommending("end"), came("start", "work"), "/colony:move end"},
		"a move of the file that needs a reason": {
			needingReason(recommending("end")) + over, came("start", "work"), "/colony:over end <reason>",
		},
		"a command that demands a reason of its own": {
			recommending("/over") + "  - {verb: over, to: end, reason: required, help: Ends it.}\n", came("start", "work"), "/colony:over end <reason>",
		},
		"a command that takes a reason": {
			recommending("/over") + "  - {verb: over, to: end, reason: optional, help: Ends it.}\n", came("start", "work"), "/colony:over end",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var life *statemachine.Table
			if strings.Contains(test.life, "\n") {
				life = parsed(t, test.life)
			} else {
				life = shipped(t, test.life)
			}
			action, ok := returning(life, test.at)
			if got := written(action, ok); got != test.want {
				t.Errorf("recommends %q; want %q", got, test.want)
			}
		})
	}
}

// written is a recommendation as people see it, and where it leads unless that is in it.
func written(a Action, ok bool) string {
	if !ok {
		return ""
	}
	text := a.Command()
	if a.Verb != "" {
		text += " " + a.To
	}
	if a.Reason {
		text += " <reason>"
	}
	return text
}

// The reason of a move is given by a command that takes it, where an operator can use one there.
func TestReasoned(t *testing.T) {
	for command, want := range map[string]string{
		"{verb: over, to: end, reason: required, help: h}":                                    "/colony:over end <reason>",
		"{verb: over, to: end, reason: optional, help: h}":                                    "/colony:over end <reason>",
		"{verb: over, to: end, help: h}":                                                      "/colony:move end <reason>",
		"{verb: over, from: work, to: end, reason: required, help: h}":                        "/colony:over end <reason>",
		"{verb: over, from: stuck, to: end, reason: required, help: h}":                       "/colony:move end <reason>",
		"{verb: over, to: stuck, reason: required, help: h}":                                  "/colony:move end <reason>",
		"{verb: over, to: end, reason: required, target: required, help: h}":                  "/colony:move end <reason>",
		"{verb: over, to: end, reason: required, target: optional, help: h}":                  "/colony:over end <reason>",
		"{verb: over, from: [start, work, stuck], to: end, reason: required, help: h}":        "/colony:over end <reason>",
		"{verb: over, to: end, help: h}\n  - {verb: too, to: end, reason: required, help: h}": "/colony:too end <reason>",
	} {
		life := parsed(t, back+"  - "+command+"\n")
		if got := written(Reasoned(life, "work", "end"), true); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// Where nobody goes round the table, a person can always give an issue up.
func TestWithoutForceAnIssueCanBeGivenUp(t *testing.T) {
	off := map[string]string{"colibri": "cancel", "prp": "obsolete"}
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		verb, isOff := off[name]
		if life.Force.Off != isOff {
			t.Errorf("%s: force is off: %v", name, life.Force.Off)
		}
		if !isOff && life.Force.By != "maintain" {
			t.Errorf("%s: force takes %q", name, life.Force.By)
		}
		for _, s := range life.States {
			c, ok := GiveUp(life, s.Name)
			if want := isOff && s.Type != lifecycle.Terminal; ok != want && isOff {
				t.Errorf("%s: it can be given up from %s: %v", name, s.Name, ok)
			}
			if ok && isOff && (c.Verb != verb || life.Judge(olivia, s.Name, c.To) != lifecycle.Legal) {
				t.Errorf("%s: %s gives it up from %s, to %s", name, c.Verb, s.Name, c.To)
			}
		}
	}
}

// To give up is to abandon, for good, from where the issue is.
func TestGiveUp(t *testing.T) {
	with := func(pair, command string) *statemachine.Table {
		text := strings.Replace(back, "transitions:\n", "transitions:\n  - "+pair+"\n", 1)
		return parsed(t, strings.Replace(text, "order: [start, work, stuck, aside, end]", "order: [start, work, stuck, aside]", 1)+"  - "+command+"\n")
	}
	abandon := "{kind: abandon, pairs: [{from: [work, stuck, aside], to: end, why: It is given up}]}"
	for name, c := range map[string]struct {
		pair, command, from string
		want                bool
	}{
		"from there":           {abandon, "{verb: drop, from: work, to: end, help: h}", "work", true},
		"from anywhere":        {abandon, "{verb: drop, to: end, help: h}", "work", true},
		"from elsewhere":       {abandon, "{verb: drop, from: stuck, to: end, help: h}", "work", false},
		"no move of the table": {abandon, "{verb: drop, to: end, help: h}", "start", false},
		"it went well":         {"{kind: forward, pairs: [{from: [work, stuck, aside], to: end, why: It is over}]}", "{verb: drop, to: end, help: h}", "work", false},
	} {
		if got, ok := GiveUp(with(c.pair, c.command), c.from); ok != c.want || ok && got.Verb != "drop" {
			t.Errorf("%s: %q, %v", name, got.Verb, ok)
		}
	}
	again := with("{kind: abandon, pairs: [{from: stuck, to: start, why: It begins again}, {from: [stuck, aside], to: end, why: It is over}]}", "{verb: drop, to: start, help: h}")
	if c, ok := GiveUp(again, "stuck"); ok {
		t.Errorf("%s gives nothing up for good", c.Verb)
	}
}

// recommending is back with a recommendation in the state work.
func recommending(what string) string {
	return strings.Replace(back, "meaning: It is worked on.", "meaning: It is worked on., recommended: "+what, 1)
}

// needingReason makes a file want a reason for the end of the work, and over is a command that takes it.
func needingReason(text string) string {
	text = strings.Replace(text, "order: [start, work, stuck, aside, end]", "order: [start, work, stuck, aside]", 1)
	return strings.Replace(text, "transitions:\n", "transitions:\n  - {kind: abandon, pairs: [{from: [work, stuck, aside], to: end, reason: required, why: It is given up}]}\n", 1)
}

const over = "  - {verb: over, from: [work, stuck, aside], to: end, reason: required, help: Ends it.}\n"

// back recommends nothing.
const back = `name: back
summary: A small lifecycle.
initial: start
states:
  - {name: start, type: active, label: "colony:start", color: cccccc, description: Start., meaning: It begins.}
  - {name: work, type: active, label: "colony:work", color: cccccc, description: Work., meaning: It is worked on.}
  - {name: stuck, type: blocked, recovery: manual, label: "colony:stuck", color: aaaaaa, description: Stuck., meaning: It is stuck.}
  - {name: aside, type: blocked, recovery: manual, label: "colony:aside", color: aaaaaa, description: Aside., meaning: It is put aside.}
  - {name: end, type: terminal, label: "colony:end", color: bbbbbb, description: The end., meaning: It is over.}
forward:
  - {source: Test, order: [start, work, stuck, aside, end]}
transitions:
  - {kind: resume, pairs: [{from: [stuck, aside], to: work, why: Once more}]}
commands:
  - {verb: back, from: stuck, to: previous, help: Goes back.}
`
